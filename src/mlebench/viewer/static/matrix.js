// The outcome matrix: a row for each competition, a cell for each seed. Height, colour and letter show
// the medal. The rows fill as many columns as fit; on a phone a name is above its cells. Cells of one
// kind are one SVG path, so a thousand runs need no more nodes than ten.

import { h, s, put } from "./dom.js";
import { competitionPath, runPath } from "./api.js";
import { OUTCOMES, UNCERTAIN, count, score } from "./format.js";
import { store } from "./store.js";
import { go } from "./router.js";
import { widest } from "./table.js";

const CELL = 24;
const STEP = 28;
const NAME = 20;
const GAP = 8;
const BETWEEN = 24;
const ROWS_OF_TEXT = 12;
const LEVELS = ["low", "medium", "high", "dev", "starter"];
export const SIDES = "abcdef";
export const ORDERS = ["complexity", "category"];

const level = (id) => {
  const place = LEVELS.indexOf(store.competitionOf.get(id)?.complexity);
  return place < 0 ? LEVELS.length : place;
};

/** Competitions by complexity, then by name. */
export function competitionOrder(a, b) {
  return level(a) - level(b) || byName(a, b);
}

const byName = (a, b) => (a < b ? -1 : Number(a > b));
const headingOf = (id, by) => store.competitionOf.get(id)?.[by] ?? "other";

/**
 * `sides`: [{name, runs}]; `keep(competition, cellsBySide)` returns whether to show a row; `by` is the
 * fact that the headings show: complexity or category.
 */
export function matrix(sides, { keep = () => true, label = "Outcomes", by = ORDERS[0] } = {}) {
  const lines = tableOf(sides, by).filter(({ id, cells }) => keep(id, cells));
  const many = sides.length > 1;
  const widths = sides.map((_, side) => Math.max(1, ...lines.map(({ cells }) => cells[side].length)));
  const starts = widths.map((_, side) =>
    widths.slice(0, side).reduce((sum, one) => sum + one * STEP + 16, 0),
  );
  const cellsWidth = starts.at(-1) + widths.at(-1) * STEP;
  const cursor = s("rect", { class: "cursor", width: CELL + 4, height: CELL + 4, rx: 5 });
  const status = h("p", { class: "muted status", text: "Point at a cell, or use the arrow keys." });
  const runs = lines.reduce((sum, { cells }) => sum + cells.flat().length, 0);
  const box = h("div", {
    class: "scroll cells-box",
    tabindex: 0,
    role: "application",
    "aria-label": `${label}: ${count(runs)} runs of ${count(lines.length)} competitions; arrow keys move, Enter opens a run`,
  });
  let places = [];
  let chosen = -1;
  let layout = "";

  /** As many columns as fit; if not even one does, the names are above their cells. */
  function layOut() {
    const room = box.clientWidth;
    if (!room) return;
    nameWidth ??= widest(lines.map(({ id }) => id).sort((a, b) => b.length - a.length).slice(0, 12), "small-names");
    const one = nameWidth + GAP + cellsWidth;
    const isStacked = one > room && nameWidth + GAP + STEP * 3 > room;
    const number = isStacked ? 1 : Math.max(1, Math.floor((room + BETWEEN) / (one + BETWEEN)));
    if (layout === `${number} ${isStacked}`) return;
    layout = `${number} ${isStacked}`;
    places = [];
    box.classList.toggle("stacked", isStacked);
    put(
      box,
      divided(lines, number, by).map((items) => column(items, isStacked)),
    );
    choose(-1);
  }
  let nameWidth;

  function column(items, isStacked) {
    const height = isStacked ? NAME + STEP : STEP;
    const own = [];
    let y = many ? NAME : 0;
    const names = items.map(({ heading, line }) => {
      const top = y;
      y += heading ? STEP : height;
      if (heading) return h("span", { class: "level", text: heading });
      own.push(...placed(line, starts, top + (isStacked ? NAME : 0)));
      return h("a", { href: competitionPath(line.id), text: line.id });
    });
    const drawing = s(
      "svg",
      { class: "cells", width: cellsWidth, height: y, viewBox: `0 0 ${cellsWidth} ${y}`, "aria-hidden": "true" },
      many &&
        starts.map((x, side) => s("text", { class: "ink", x: x + 14, y: 15, "text-anchor": "middle", text: SIDES[side] })),
      shapes(own),
      letters(own),
    );
    const first = places.length;
    for (const cell of own) places.push({ ...cell, drawing });
    const at = (event) => {
      const frame = drawing.getBoundingClientRect();
      const [x, top] = [event.clientX - frame.left, event.clientY - frame.top];
      const found = own.findIndex(
        (cell) => x >= cell.x - 2 && x < cell.x + STEP - 2 && top >= cell.y - 2 && top < cell.y + STEP - 2,
      );
      return found < 0 ? -1 : first + found;
    };
    drawing.addEventListener("mousemove", (event) => choose(at(event)));
    drawing.addEventListener("click", (event) => {
      choose(at(event));
      open();
    });
    return h("div", { class: "column" }, h("div", { class: many ? "names with-sides" : "names" }, names), drawing);
  }

  function choose(number) {
    chosen = number;
    const cell = places[number];
    cursor.remove();
    if (!cell) return;
    cursor.setAttribute("x", cell.x - 2);
    cursor.setAttribute("y", cell.y - 2);
    cell.drawing.append(cursor);
    put(status, words(cell.run, many));
  }

  const open = () => places[chosen] && go(runPath(places[chosen].run.group, places[chosen].run.key));
  box.addEventListener("keydown", (event) => {
    if (event.target !== box) return;
    const move = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (event.key === "Enter") open();
    else if (!move || event.altKey || event.ctrlKey) return;
    else {
      choose(neighbour(places, chosen, move));
      status.setAttribute("role", "status");
      cursor.scrollIntoView?.({ block: "nearest", inline: "nearest", behavior: "instant" });
    }
    event.preventDefault();
    event.stopPropagation();
  });
  const watcher = new ResizeObserver(layOut);
  watcher.observe(box);
  const element = h("div", { class: "matrix" }, many && sideNames(sides.map(({ name }) => name)), box, status, legend());
  element.isEmpty = !lines.length;
  return element;
}

/** The full names of the sides of a comparison, by letter. */
export function sideNames(names) {
  return h(
    "ul",
    { class: "side-names" },
    names.map((name, side) => h("li", {}, h("b", { text: SIDES[side] }), ` ${name}`)),
  );
}

/** The rows with their headings, in columns of about equal height. */
function divided(lines, number, by) {
  const groups = new Map();
  for (const line of lines) {
    const name = headingOf(line.id, by);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(line);
  }
  const most = Math.ceil((lines.length + groups.size + number - 1) / number);
  const columns = [[]];
  for (const [name, own] of groups) {
    own.forEach((line, place) => {
      const isFull = columns.at(-1).length >= most && columns.length < number;
      const isLate = place === 0 && columns.at(-1).length + 2 > most && columns.length < number;
      if (isFull || isLate) columns.push([]);
      if (place === 0) columns.at(-1).push({ heading: `${name} (${count(own.length)})` });
      else if (!columns.at(-1).length) columns.at(-1).push({ heading: `${name}, continued` });
      columns.at(-1).push({ line });
    });
  }
  return columns.filter((items) => items.length);
}

function tableOf(sides, by) {
  const order = by === "category" ? (a, b) => byName(headingOf(a, by), headingOf(b, by)) || competitionOrder(a, b) : competitionOrder;
  const ids = [...new Set(sides.flatMap(({ runs }) => runs.map((run) => run.competition)))].sort(order);
  const bySide = sides.map(({ runs }) => {
    const found = new Map(ids.map((id) => [id, []]));
    for (const run of runs) found.get(run.competition).push(run);
    return found;
  });
  return ids.map((id, row) => ({
    id,
    row,
    cells: bySide.map((found) => found.get(id).sort((a, b) => a.seed - b.seed || a.row - b.row)),
  }));
}

function placed({ cells, row }, starts, top) {
  return cells.flatMap((runs, side) =>
    runs.map((run, column) => ({ run, row, x: starts[side] + column * STEP + 2, y: top + 2 })),
  );
}

function neighbour(places, chosen, [right, down]) {
  if (chosen < 0) return 0;
  const { row, x } = places[chosen];
  if (right) return Math.min(places.length - 1, Math.max(0, chosen + right));
  const rows = [...new Set(places.map((cell) => cell.row))];
  const next = rows[rows.indexOf(row) + down];
  const wanted = places.filter((cell) => cell.row === next);
  if (!wanted.length) return chosen;
  return places.indexOf(
    wanted.reduce((best, cell) => (Math.abs(cell.x - x) < Math.abs(best.x - x) ? cell : best)),
  );
}

const rectangle = (x, y, width, height) => `M${x} ${y}h${width}v${height}h${-width}z`;

function shapes(places) {
  const paths = {};
  const draw = (name, d) => {
    (paths[name] ??= []).push(d);
  };
  for (const { run, x, y } of places) {
    const outcome = run.outcome;
    const box = rectangle(x + 0.5, y + 0.5, CELL - 1, CELL - 1);
    const filled = (share) =>
      rectangle(x + 0.5, y + CELL - 0.5 - share * (CELL - 1), CELL - 1, share * (CELL - 1));
    if ("GSB+-".includes(outcome)) draw("plain", box);
    if (outcome === "G") draw("gold", filled(1));
    else if (outcome === "S") draw("silver", filled(2 / 3));
    else if (outcome === "B") draw("bronze", filled(1 / 3));
    else if (outcome === "+") draw("line", `M${x + 1} ${y + CELL - 4.5}h${CELL - 2}`);
    else if (outcome === "x") draw("invalid", `${box}M${x + 2} ${y + CELL - 2}L${x + CELL - 2} ${y + 2}`);
    else if (outcome === "r") {
      draw("running", box);
      draw("used", filled(usedShare(run)));
    } else draw(outcome === "!" ? "failed" : "waiting", box);
  }
  return Object.entries(paths).map(([name, d]) => s("path", { class: `cell-${name}`, d: d.join("") }));
}

function usedShare(run) {
  const hours = store.groupOf.get(run.group)?.hours;
  const used = run.seconds ?? (run.started ? Date.now() / 1000 - run.started : 0);
  return hours ? Math.min(1, Math.max(0, used / (hours * 3600))) : 0;
}

const SPOTS = { G: [12, 16.5], S: [12, 19.5], B: [12, 12.5], x: [17.5, 20.5] };
const INKS = { G: "on-gold", S: "on-silver", x: "small" };

/** One text element for some rows and a colour; every letter has its own position. */
function letters(places) {
  const texts = new Map();
  for (const { run, row, x, y } of places) {
    const ink = INKS[run.outcome] ?? "ink";
    const name = `${Math.floor(row / ROWS_OF_TEXT)} ${ink}`;
    const text = texts.get(name) ?? { ink, xs: [], ys: [], letters: "" };
    const [dx, dy] = SPOTS[run.outcome] ?? [12, 16.5];
    text.xs.push(x + dx);
    text.ys.push(y + dy);
    text.letters += OUTCOMES[run.outcome]?.letter ?? "?";
    texts.set(name, text);
    if (run.uncertain) {
      // In the corner, in the ink of the letter.
      text.xs.push(x + CELL - 4);
      text.ys.push(y + (run.outcome === "B" ? 10 : 11));
      text.letters += "?";
    }
  }
  return [...texts.values()].map(({ ink, xs, ys, letters: text }) =>
    s("text", { class: ink, x: xs.join(" "), y: ys.join(" "), "text-anchor": "middle", text }),
  );
}

function words(run, many) {
  const facts = [
    `${run.competition}, ${many ? `${run.agent}, ` : ""}seed ${run.seed}: ${OUTCOMES[run.outcome]?.word}`,
  ];
  if (run.score !== null) facts.push(`score ${score(run.score)}${run.synthetic ? " on synthetic data" : ""}`);
  if (run.rank !== null) facts.push(`rank ${count(run.rank)}`);
  if (run.uncertain) facts.push(UNCERTAIN);
  if (run.reason) facts.push(run.reason);
  return facts.join(", ");
}

function legend() {
  return h(
    "ul",
    { class: "legend" },
    Object.entries(OUTCOMES).map(([outcome, { word }], place) => {
      const cell = [{ run: { outcome, group: "", seconds: 1, row: 0 }, row: place, x: 2, y: 2 }];
      return h(
        "li",
        {},
        s(
          "svg",
          {
            class: "cells",
            width: STEP,
            height: STEP,
            viewBox: `0 0 ${STEP} ${STEP}`,
            "aria-hidden": "true",
          },
          shapes(cell),
          letters(cell),
        ),
        word,
      );
    }),
    h("li", {}, h("b", { text: "?" }), UNCERTAIN),
  );
}
