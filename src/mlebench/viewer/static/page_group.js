// One group: headline with counts, outcome matrix, plots, runs.

import { choice, h, put, command, facts, plainTable, section } from "./dom.js";
import { ServerError, get, groupPath } from "./api.js";
import { denominator, medalSentence, runColumns, stateBar } from "./columns.js";
import { count, duration, estimate, money, plain, plural, short, time } from "./format.js";
import { ORDERS, matrix } from "./matrix.js";
import { plot, plots, tableKey } from "./plot.js";
import { amend } from "./router.js";
import { moveKeys } from "./keys.js";
import { runsTable, showMatching } from "./runs.js";
import { store } from "./store.js";

const MEASURES = [
  ["submission made", "submission_exists"],
  ["valid", "valid_submission"],
  ["above median", "above_median"],
  ["bronze", "bronze_medal"],
  ["silver", "silver_medal"],
  ["gold", "gold_medal"],
  ["any medal", "any_medal"],
  ["any medal after integrity", "any_medal_after_integrity"],
  ["any medal without leaks", "any_medal_without_leaks"],
];
const FLAGS = { rehearsal: "rehearsal: synthetic data", demonstration: "demonstration: answers are public" };
const REDRAW = 5000;

/** The data of the index is shown at once; summary, plots and conditions are loaded afterwards. */
export async function open(context) {
  const name = context.parameters.group;
  const fetchDetails = () => get(`/api${groupPath(name)}`, {}, context.signal);
  let details = store.groupOf.has(name) ? null : await fetchDetails();
  let text = context.text;
  let fetched = Date.now();
  let shownRuns = [];
  const head = h("header");
  const board = h("div");
  const figures = h("div", {}, h("p", { class: "muted", text: "Loading the summary …" }));
  const notes = h("div");
  const table = runsTable(context, {
    label: `Runs of ${name}`,
    columns: runColumns("competition seed", "run reason"),
    sort: { id: "competition", down: false },
    filter: () => text,
    none: "No runs are planned in this group.",
  });
  let by = ORDERS.includes(context.query.get("by")) ? context.query.get("by") : ORDERS[0];
  const orderChoice = choice("columns by", ORDERS, by, reorder);
  const title = h("h2");
  const run = h("div");
  const summary = h("div");
  const content = h(
    "div",
    {},
    head,
    section("Outcomes", orderChoice, board),
    summary,
    figures,
    title,
    notes,
    table.element,
    run,
  );
  const keys = tableKey(content);

  function reorder(name) {
    by = name;
    const query = new URLSearchParams(location.search);
    if (by === ORDERS[0]) query.delete("by");
    else query.set("by", by);
    amend({ query });
    shownRuns = [];
    drawBoard(store.groupOf.get(context.parameters.group), true);
  }

  function draw() {
    const group = store.groupOf.get(name);
    put(head, ...headline(group));
    drawRuns();
    drawBoard(group);
  }

  /** Redraw only if a run has changed, and not while the pointer is over it. */
  function drawBoard(group, isWanted = false) {
    const runs = store.runsOf.get(name) ?? [];
    const isSame = runs.length === shownRuns.length && runs.every((run, place) => run === shownRuns[place]);
    if (isSame || (board.matches(":hover, :focus-within") && !isWanted)) return;
    const left = board.querySelector(".cells-box")?.scrollLeft ?? 0;
    shownRuns = runs;
    put(board, matrix([{ name: group.agent, runs }], { by }));
    board.querySelector(".cells-box").scrollLeft = left;
  }

  function drawRuns() {
    showMatching(store.runsOf.get(name) ?? [], text, { table, title, notes });
  }

  async function fetchPlots() {
    fetched = Date.now();
    try {
      details = await fetchDetails();
    } catch (error) {
      if (error.name !== "AbortError" && !details)
        put(figures, h("p", { class: "problem", text: error.message }));
      return;
    }
    if (!run.childElementCount) put(run, conditions(details));
    if (!figures.querySelector("[aria-pressed=true]") && !figures.contains(document.activeElement))
      drawPlots();
  }

  function drawPlots() {
    const drawn = plots(
      h(
        "div",
        {},
        plot("Medal rate", "medal_rate", details, "Dot and 95 % interval. Grey ticks are published results: point at one for its name, or open the table."),
        plot("Cost and medal rate", "cost", details),
      ),
      plot("Timeline", "timeline", details, "A row for each competition, a bar for each run, a cross for each failure."),
    );
    put(summary, splits(details.splits), (details.notes ?? []).map((text) => h("p", { class: "muted", text })));
    put(figures, details.group.problem && h("p", { class: "problem", text: details.group.problem }), drawn);
  }

  async function update() {
    if (!store.groupOf.has(name)) return;
    draw();
    if (details && Date.now() - fetched > REDRAW) await fetchPlots();
  }

  const group = store.groupOf.get(name);
  if (!group)
    throw new ServerError(
      {
        kind: "absent",
        message: `There is no group ${name} in the index yet.`,
        hint: "Try again in a moment.",
      },
      404,
    );
  return {
    title: `${group.agent} · ${medalSentence(group)}`,
    crumbs: [[name, groupPath(name)]],
    content,
    update,
    placed: () => {
      draw();
      fetchPlots();
    },
    filter: (value) => {
      text = value;
      drawRuns();
    },
    close: () => table.close(),
    keys: [
      ...moveKeys((way) => table.move(way)),
      { keys: ["Enter"], label: "Enter", hint: "open", run: () => false },
      { keys: ["m"], label: "m", hint: "matrix", run: () => board.querySelector(".cells-box")?.focus() },
      keys,
    ],
  };
}

function headline(group) {
  const counts = group.counts ?? {};
  const isOpen = (counts.running ?? 0) + (counts.waiting ?? 0) > 0;
  const flags = new Set(
    [...(group.flags ?? []), ...(isOpen ? ["incomplete"] : [])].map((flag) => FLAGS[flag] ?? flag),
  );
  const spent = [
    [group.tokens, `${short(group.tokens)} tokens`],
    [group.cost, money(group.cost)],
  ]
    .filter(([value]) => value)
    .map(([, text]) => ` · ${text}`);
  return [
    h("h1", { class: "big" }, `${group.agent} `, h("span", { class: "muted", text: group.split ?? "" })),
    h("p", { class: "sentence" }, "any medal ", h("b", { text: medalSentence(group) })),
    h("p", { class: "muted", text: `Percent of ${denominator(group)}. Uncertain results: ${count(group.uncertain ?? 0)}.` }),
    h(
      "p",
      {},
      stateBar(counts),
      ` ${plural(counts.done ?? 0, "run")} done, ${count(counts.running ?? 0)} running, `,
      `${count(counts.failed ?? 0)} failed, ${count((counts.waiting ?? 0) + (counts.cancelled ?? 0))} waiting or cancelled · `,
      `${count(group.medals.gold)} gold, ${count(group.medals.silver)} silver, ${count(group.medals.bronze)} bronze, `,
      `${count(group.invalid)} invalid · ${duration(group.seconds)}${spent.join("")}`,
    ),
    group.problem && h("p", { class: "problem", text: group.problem }),
    h(
      "p",
      {},
      h("span", { class: "badge", text: `revision ${group.revision ?? "unknown"}` }),
      [...flags].map((flag) => h("span", { class: "badge strong", text: flag })),
      h("span", { class: "badge", text: `${plain(group.hours)} h each` }),
      group.model && h("span", { class: "badge", text: group.model }),
      h("span", { class: "badge", text: `started ${time(group.created_at)}` }),
    ),
  ];
}

/** Percentages by split, with their counts. */
function splits(list) {
  if (!list?.length) return null;
  return section(
    "Summary",
    plainTable(
      [
        "measure",
        ...list.map(
          (split) =>
            `${split.split}, percent of ${split.denominator} (${count(split.graded)} graded)`,
        ),
      ],
      MEASURES.filter(([, measure]) => list.some((split) => split.measures[measure])).map(
        ([title, measure]) => [title, ...list.map((split) => estimate(split.measures[measure]))],
      ),
      { caption: "Summary by split", numbers: list.map((_, place) => place + 1) },
    ),
  );
}

function conditions({ group }) {
  const rows = (object) =>
    Object.entries(object ?? {}).map(([name, value]) => [name.replaceAll("_", " "), plain(value)]);
  return section(
    "What was run",
    group.command && command(group.command),
    group.protocol && h("p", { text: group.protocol }),
    h("div", { class: "columns" }, facts(rows(group.settings)), facts(rows(group.provenance))),
  );
}
