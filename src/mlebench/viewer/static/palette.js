// Go to a group, competition, run or page by a few letters of its name.

import { h, put } from "./dom.js";
import { competitionPath, groupPath, runPath } from "./api.js";
import { OUTCOMES } from "./format.js";
import { go } from "./router.js";
import { store } from "./store.js";

const MOST = 12;

function* places() {
  yield ["page", "all runs", "/"];
  yield ["page", "compare", "/compare"];
  yield ["page", "search logs and trajectories", "/search"];
  for (const group of store.groups) yield ["group", `${group.agent} ${group.id}`, groupPath(group.id)];
  for (const one of store.competitions) yield ["competition", one.id, competitionPath(one.id)];
  for (const run of store.runs) {
    const outcome = OUTCOMES[run.outcome]?.letter ?? "";
    yield [
      "run",
      `${run.competition} ${run.agent} seed ${run.seed} ${run.key} ${outcome}`,
      runPath(run.group, run.key),
    ];
  }
}

/** Names that contain all words; those that start with the first word come first. */
function find(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const first = [];
  const later = [];
  for (const place of places()) {
    const name = place[1].toLowerCase();
    if (!words.every((word) => name.includes(word))) continue;
    (words.length && name.startsWith(words[0]) ? first : later).push(place);
    if (first.length >= MOST) break;
  }
  return [...first, ...later].slice(0, MOST);
}

export function openPalette() {
  if (document.querySelector("dialog[open]")) return;
  let hits = [];
  let chosen = 0;
  const list = h("ul", { id: "palette-list", role: "listbox", "aria-label": "Places" });
  const input = h("input", {
    type: "text",
    role: "combobox",
    "aria-label": "Go to",
    "aria-expanded": "true",
    "aria-controls": "palette-list",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "go to a group, competition or run",
  });
  const dialog = h(
    "dialog",
    { class: "panel palette", "aria-label": "Go to", onclose: () => dialog.remove() },
    input,
    list,
  );

  const draw = () => {
    put(
      list,
      hits.map(([kind, name], number) =>
        h(
          "li",
          {
            role: "option",
            id: `place-${number}`,
            "aria-selected": String(number === chosen),
            onclick: () => take(number),
          },
          h("span", { class: "kind", text: kind }),
          name,
        ),
      ),
    );
    if (hits.length) input.setAttribute("aria-activedescendant", `place-${chosen}`);
    else put(list, h("li", { role: "option", "aria-selected": "false", text: "No match." }));
  };
  const take = (number) => {
    dialog.close();
    if (hits[number]) go(hits[number][2]);
  };
  input.addEventListener("input", () => {
    hits = find(input.value);
    chosen = 0;
    draw();
  });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && hits.length) chosen = (chosen + step + hits.length) % hits.length;
    else if (event.key === "Enter") take(chosen);
    else return;
    if (step) draw();
    event.preventDefault();
  });
  document.body.append(dialog);
  hits = find("");
  draw();
  dialog.showModal();
}
