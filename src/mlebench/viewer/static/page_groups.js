// The first page: groups, and all runs that match the filter.

import { h, put } from "./dom.js";
import { groupColumns, runColumns } from "./columns.js";
import { count, plural } from "./format.js";
import { parse } from "./filter.js";
import { go } from "./router.js";
import { moveKeys } from "./keys.js";
import { runsTable } from "./runs.js";
import { noRuns, problems } from "./states.js";
import { store } from "./store.js";
import { Table } from "./table.js";

const MOST_SIDES = 6;

export function open(context) {
  const chosen = new Set();
  let text = context.text;
  const line = h("p", { class: "muted" });
  const notes = h("div");
  const compare = h("button", { type: "button", text: "Compare", onclick: () => go(comparePath(chosen)) });

  const choose = (group) => {
    const box = h("input", {
      type: "checkbox",
      "aria-label": `Compare ${group.id}`,
      onchange: () => {
        if (box.checked) chosen.add(group.id);
        else chosen.delete(group.id);
        offer();
      },
    });
    box.checked = chosen.has(group.id);
    return h("label", { class: "choose" }, box);
  };
  const offer = () => {
    compare.disabled = chosen.size < 2 || chosen.size > MOST_SIDES;
    compare.textContent = chosen.size ? `Compare ${chosen.size}` : "Compare";
    compare.title = compare.disabled ? "Tick two to six groups" : "";
  };

  const groups = new Table({
    label: "Groups",
    columns: groupColumns(choose),
    key: (group) => group.id,
    sort: { id: "created_at", down: true },
  });
  const runs = runsTable(context, {
    label: "Runs",
    columns: runColumns("competition agent seed", "group reason"),
    sort: { id: "started", down: true },
    filter: () => text,
  });
  const title = h("h2", { text: "Runs" });
  const content = h("div", {});

  function update() {
    if (!store.groups.length) return put(content, h("h1", { text: "Runs" }), noRuns(store.root));
    if (!content.contains(groups.element)) {
      put(
        content,
        h("div", { class: "headline" }, h("h1", { text: "Run groups" }), compare),
        line,
        notes,
        groups.element,
        title,
        runs.element,
      );
    }
    const filter = parse(text);
    put(notes, problems(filter.problems));
    const found = filter.isEmpty ? store.runs : store.runs.filter(filter.matches);
    const names = new Set(found.map((run) => run.group));
    groups.show(filter.isEmpty ? store.groups : store.groups.filter((group) => names.has(group.id)));
    runs.show(found);
    groups.element.hidden = !found.length && !filter.isEmpty;
    title.hidden = groups.element.hidden;
    line.textContent = filter.isEmpty
      ? `${plural(store.groups.length, "group")}, ${plural(store.runs.length, "run")} in ${store.root}`
      : `${count(found.length)} of ${plural(store.runs.length, "run")} match`;
    title.textContent = filter.isEmpty ? "All runs" : "Runs that match";
    return undefined;
  }

  const active = () => (runs.body.contains(document.activeElement) ? runs : groups);
  offer();
  return {
    title: "Runs",
    content,
    update,
    placed: update,
    filter: (value) => {
      text = value;
      update();
    },
    close: () => {
      groups.close();
      runs.close();
    },
    keys: [
      ...moveKeys((way) => active().move(way)),
      {
        keys: ["r"],
        label: "r",
        hint: "to the runs",
        run: () => {
          runs.cursor = -1;
          runs.move(1);
        },
      },
      { keys: ["x"], label: "x", hint: "tick", run: () => tick(groups) },
      { keys: ["c"], label: "c", hint: "compare ticked", run: () => compare.click() },
      { keys: ["Enter"], label: "Enter", hint: "open", run: () => false },
    ],
  };
}

function tick(groups) {
  document.activeElement.closest("tr")?.querySelector("input[type=checkbox]")?.click();
  return groups;
}

function comparePath(chosen) {
  const query = new URLSearchParams([...chosen].map((name, number) => ["abcdef"[number], name]));
  return `/compare?${query}`;
}
