// Two to six agents or groups side by side, differences first.

import { choice, h, s, plainTable, put, section } from "./dom.js";
import { competitionPath, get } from "./api.js";
import { SYNTHETIC } from "./columns.js";
import { SIDES, competitionOrder, matrix, sideNames } from "./matrix.js";
import { count, isNumber, money, plain, score } from "./format.js";
import { amend, go } from "./router.js";
import { store } from "./store.js";
import { figure, tableKey } from "./plot.js";
import { Table } from "./table.js";

const LETTERS = [...SIDES];
const MEASURES = {
  scores: {
    value: (run) => run.score,
    show: score,
    isLowerBetter: (id) => store.competitionOf.get(id)?.lower_is_better ?? null,
  },
  ranks: {
    value: (run) => run.rank,
    show: (value) => (isNumber(value) ? value.toLocaleString("en-US", { maximumFractionDigits: 1 }) : "—"),
    isLowerBetter: () => true,
  },
  cost: { value: (run) => run.cost, show: money, isLowerBetter: () => true },
};

export async function open(context) {
  const names = LETTERS.map((letter) => context.query.get(letter)).filter(Boolean);
  const picker = chooser(names);
  const page = { title: `Compare ${names.join(", ")}`.trim(), crumbs: [["compare", "/compare"]], keys: [] };
  if (names.length < 2) {
    const hint = h("p", { class: "muted", text: "Choose two to six agents or groups." });
    return { ...page, content: h("div", {}, h("h1", { text: "Compare" }), picker, hint) };
  }
  const query = Object.fromEntries(names.map((name, number) => [LETTERS[number], name]));
  const found = await get("/api/compare", query, context.signal);
  let all = context.query.get("rows") === "all";
  const board = h("div");
  const sides = found.sides.map(({ name, groups, revision }) => ({
    name: `${name}, revision ${revision}`,
    revision,
    runs: store.runs.filter((run) => groups.includes(run.group)),
  }));
  const everything = h("input", {
    type: "checkbox",
    onchange: () => {
      all = everything.checked;
      const next = new URLSearchParams(location.search);
      if (all) next.set("rows", "all");
      else next.delete("rows");
      amend({ query: next });
      draw();
    },
  });
  everything.checked = all;

  function draw() {
    const keep = (_, cells) => all || new Set(cells.map(outcomes)).size > 1;
    const shown = matrix(sides, { keep, label: "Paired outcomes" });
    put(
      board,
      shown.isEmpty ? h("p", { class: "muted", text: "All outcomes are equal." }) : shown,
    );
  }

  const values = measureTable(sides, context.query.get("measure"));
  draw();
  const content = h(
    "div",
    {},
    h("h1", { text: "Compare" }),
    sideNames(sides.map(({ name }) => name)),
    picker,
    sides.some(({ runs }) => runs.some((run) => run.synthetic)) &&
      h("p", {}, h("span", { class: "badge strong", text: SYNTHETIC })),
    [
      ...new Set(
        pairs(found)
          .map((pair) => pair.problem)
          .filter(Boolean),
      ),
    ].map((text) => h("p", { class: "problem", text })),
    overall(found, names),
    section(
      "Outcomes",
      h("label", { class: "switch" }, everything, " also rows without a difference"),
      board,
    ),
    section("Scores, ranks and cost", values.element),
    h(
      "div",
      { class: "plots even" },
      pairs(found).map((pair, number) => differencePlot(pair, `${names[number + 1]} − ${names[0]}`)),
    ),
    settings(found, names),
  );
  return {
    ...page,
    content,
    update: () => {
      if (!board.matches(":hover, :focus-within")) draw();
    },
    placed: values.placed,
    close: values.close,
    keys: [
      tableKey(content),
      { keys: ["m"], label: "m", hint: "matrix", run: () => board.querySelector(".cells-box")?.focus() },
    ],
  };
}

/** Means over the seeds, a row for each competition; within one revision the better side is bold. */
function measureTable(sides, wanted) {
  const names = Object.keys(MEASURES);
  let measure = names.includes(wanted) ? wanted : names[0];
  const isCompared = new Set(sides.map((side) => side.revision)).size === 1;
  const line = h("p", { class: "muted" });
  const board = h("div");
  let table = null;

  function draw() {
    const { value, show, isLowerBetter } = MEASURES[measure];
    const rows = meansOf(sides, value);
    table?.close();
    const best = (row) => {
      const known = row.means.map((one) => one.mean).filter(isNumber);
      const lower = isLowerBetter(row.id);
      return !isCompared || known.length < 2 || lower === null ? null : Math[lower ? "min" : "max"](...known);
    };
    const cell = (row, side) => {
      const { mean, number } = row.means[side];
      const text = isNumber(mean) ? `${show(mean)} (${count(number)})` : "—";
      return h(isNumber(mean) && mean === best(row) ? "b" : "span", { text });
    };
    table = new Table({
      label: `Mean ${measure} by competition`,
      key: (row) => row.id,
      sort: { id: "competition", down: false },
      columns: [
        {
          id: "competition",
          title: "competition",
          whole: true,
          value: (row) => row.id,
          cell: (row) => h("a", { href: competitionPath(row.id), text: row.id }),
        },
        ...sides.map((_, side) => ({
          id: SIDES[side],
          title: SIDES[side],
          number: true,
          width: 136,
          value: (row) => row.means[side].mean,
          cell: (row) => cell(row, side),
        })),
      ],
    });
    put(board, table.element);
    table.show(rows);
    const better = measure === "scores" ? "in the direction of the metric" : "lower is better";
    line.textContent =
      `Means over seeds, with the number of values in brackets; ` +
      (isCompared ? `bold is better (${better}).` : "those of two revisions do not compare.") +
      (measure === "cost" ? ` Total: ${sides.map((side, number) => `${SIDES[number]} ${money(total(side.runs))}`).join(", ")}.` : "");
  }

  const element = h(
    "div",
    {},
    choice("compare", names, measure, (name) => {
      measure = name;
      const next = new URLSearchParams(location.search);
      next.set("measure", name);
      amend({ query: next });
      draw();
    }),
    line,
    board,
  );
  return { element, placed: draw, close: () => table?.close() };
}

const total = (runs) => {
  const known = runs.map((run) => run.cost).filter(isNumber);
  return known.length ? known.reduce((sum, value) => sum + value, 0) : null;
};

function meansOf(sides, value) {
  const ids = [...new Set(sides.flatMap(({ runs }) => runs.map((run) => run.competition)))].sort(competitionOrder);
  return ids.map((id) => ({
    id,
    means: sides.map(({ runs }) => {
      const known = runs.filter((run) => run.competition === id).map(value).filter(isNumber);
      const sum = known.reduce((all, one) => all + one, 0);
      return { mean: known.length ? sum / known.length : null, number: known.length };
    }),
  }));
}

/** The same outcomes on both sides, in any order, are equal. */
const outcomes = (runs) =>
  runs
    .map((run) => run.outcome)
    .sort()
    .join("");

function chooser(names) {
  const options = [
    ...new Set(store.groups.map((group) => group.agent).filter(Boolean)),
    ...store.groups.map((group) => group.id),
  ];
  const selects = LETTERS.slice(0, Math.min(6, Math.max(2, names.length + 1))).map((letter, number) => {
    const select = h(
      "select",
      { "aria-label": `Side ${letter}` },
      h("option", { value: "", text: "—" }),
      options.map((name) => h("option", { value: name, text: name })),
    );
    if (names[number] && !options.includes(names[number]))
      select.append(h("option", { value: names[number], text: names[number] }));
    select.value = names[number] ?? "";
    return select;
  });
  return h(
    "form",
    {
      class: "bar",
      onsubmit: (event) => {
        event.preventDefault();
        const chosen = selects.map((select) => select.value).filter(Boolean);
        go(`/compare?${new URLSearchParams(chosen.map((name, number) => [LETTERS[number], name]))}`);
      },
    },
    selects,
    h("button", { text: "Compare" }),
  );
}

const signed = (value, digits = 1) =>
  isNumber(value) ? `${value > 0 ? "+" : value < 0 ? "−" : "±"}${Math.abs(value).toFixed(digits)}` : "—";

/** The comparisons with the first side; for two sides the reply itself is the only one. */
function pairs(found) {
  return found.pairs?.length ? found.pairs : [found];
}

function overall(found, names) {
  const list = pairs(found)
    .map((pair, number) => ({ ...pair.overall, name: names[number + 1] }))
    .filter((one) => isNumber(one.difference));
  if (!list.length) return null;
  return section(
    `Any medal, paired by competition: percentage points of ${list[0].denominator}`,
    plainTable(
      ["pair", "difference", "95 % interval", "p", "seeds needed"],
      list.map((one) => [
        `${one.name} − ${names[0]}`,
        `${signed(one.difference)} points`,
        isNumber(one.low) ? `${signed(one.low)} … ${signed(one.high)}` : "—",
        isNumber(one.p_value) ? one.p_value.toFixed(3) : "—",
        plain(one.seeds_needed),
      ]),
      { numbers: [1, 2, 3, 4] },
    ),
  );
}

/** Difference and interval for each competition, the largest gain first. */
function differencePlot(found, title) {
  const rows = found.rows.filter((row) => isNumber(row.difference));
  const changed = rows.filter((row) => row.difference !== 0);
  const equal = rows.length - changed.length;
  if (!changed.length) return null;
  const list = [...changed].sort(
    (a, b) => b.difference - a.difference || competitionOrder(a.competition, b.competition),
  );
  const most = Math.max(
    1e-9,
    ...list.flatMap((row) => [row.difference, row.low ?? 0, row.high ?? 0].map(Math.abs)),
  );
  const place = (value) => 120 + (value / most) * 112;
  const drawing = s(
    "svg",
    {
      class: "plot",
      width: 240,
      height: list.length * 28 + 18,
      viewBox: `0 0 240 ${list.length * 28 + 18}`,
      role: "img",
      "aria-label": "Differences by competition",
    },
    s("line", { class: "axis", x1: 120, x2: 120, y1: 0, y2: list.length * 28 }),
    list.map((row, number) => [
      isNumber(row.low) &&
        s("line", {
          class: "interval",
          x1: place(row.low),
          x2: place(row.high),
          y1: number * 28 + 14,
          y2: number * 28 + 14,
        }),
      s("circle", { class: "dot", cx: place(row.difference), cy: number * 28 + 14, r: 5 }),
    ]),
    [
      [-most, "start", 8],
      [0, "middle", 120],
      [most, "end", 232],
    ].map(([value, anchor, x]) =>
      s("text", { x, y: list.length * 28 + 14, "text-anchor": anchor, text: signed(value, 0) }),
    ),
  );
  const rowsOf = list.map((row) => [
    row.competition,
    signed(row.difference),
    signed(row.low),
    signed(row.high),
  ]);
  const names = h(
    "div",
    { class: "names" },
    list.map((row) => h("a", { href: competitionPath(row.competition), text: row.competition })),
  );
  return figure(
    `${title}, medals in points`,
    h("div", { class: "differences" }, names, drawing),
    { head: ["competition", "difference", "from", "to"], rows: rowsOf },
    equal > 0 ? `${equal} more without a difference.` : null,
  );
}

function settings(found, names) {
  const merged = new Map();
  pairs(found).forEach((pair, number) => {
    for (const { name, a, b } of pair.differing_settings ?? []) {
      const values = merged.get(name) ?? names.map(() => a);
      values[number + 1] = b;
      merged.set(name, values);
    }
  });
  const list = [...merged];
  if (!list.length) return section("Settings", h("p", { class: "muted", text: "No setting differs." }));
  return section(
    "Settings that differ",
    plainTable(
      ["setting", ...names],
      list.map(([name, values]) => [
        name.replaceAll("_", " "),
        ...values.map((value) => h("span", { class: "whole", text: plain(value) })),
      ]),
    ),
  );
}
