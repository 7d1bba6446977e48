// The outcome matrix: a row for each competition, a cell for each seed. Height, colour and letter
// say the medal. Cells of one kind are one path, so a thousand runs cost no more nodes than ten.

import { h, s, put } from "./dom.js";
import { competitionPath, runPath } from "./api.js";
import { OUTCOMES, count, score } from "./format.js";
import { store } from "./store.js";
import { go } from "./router.js";

const CELL = 24;
const STEP = 28;
const ROWS_OF_TEXT = 12;
const LEVELS = ["low", "medium", "high"];

const level = (id) => {
  const place = LEVELS.indexOf(store.competitionOf.get(id)?.complexity);
  return place < 0 ? LEVELS.length : place;
};

/** Competitions by complexity, then by name. */
export function competitionOrder(a, b) {
  return level(a) - level(b) || (a < b ? -1 : Number(a > b));
}

/** `sides`: [{name, runs}]; `keep(competition, cellsBySide)` may leave rows out. */
export function matrix(sides, { keep = () => true, label = "Outcomes" } = {}) {
  const lines = tableOf(sides).filter(({ id, cells }) => keep(id, cells));
  const widths = sides.map((_, side) => Math.max(1, ...lines.map(({ cells }) => cells[side].length)));
  const starts = widths.map((_, side) =>
    widths.slice(0, side).reduce((sum, one) => sum + one * STEP + 16, 0),
  );
  const places = placed(lines, starts);
  const width = starts.at(-1) + widths.at(-1) * STEP;
  const many = sides.length > 1;
  const cursor = s("rect", {
    class: "cursor",
    width: CELL + 4,
    height: CELL + 4,
    rx: 5,
    visibility: "hidden",
  });
  const drawing = s(
    "svg",
    {
      class: "cells",
      width,
      height: lines.length * STEP,
      viewBox: `0 0 ${width} ${lines.length * STEP}`,
      "aria-hidden": "true",
    },
    shapes(places),
    letters(places),
    cursor,
  );
  const status = h("p", { class: "muted status", text: "Point at a cell, or move with the arrow keys." });
  const box = h(
    "div",
    {
      class: "scroll cells-box",
      tabindex: 0,
      role: "application",
      "aria-label": `${label}: ${count(places.length)} runs of ${count(lines.length)} competitions; arrow keys move, Enter opens a run`,
    },
    many &&
      h(
        "div",
        { class: "sides" },
        sides.map(({ name }, side) => {
          const title = h("span", { text: name, title: name });
          title.style.width = `${widths[side] * STEP + 16}px`;
          return title;
        }),
      ),
    drawing,
  );
  let chosen = -1;

  function choose(number) {
    chosen = number;
    const cell = places[number];
    cursor.setAttribute("visibility", cell ? "visible" : "hidden");
    if (!cell) return;
    cursor.setAttribute("x", cell.x - 2);
    cursor.setAttribute("y", cell.y - 2);
    put(status, words(cell.run, many));
  }

  const at = (event) => {
    const frame = drawing.getBoundingClientRect();
    const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
    return places.findIndex(
      (cell) => x >= cell.x - 2 && x < cell.x + STEP - 2 && y >= cell.y - 2 && y < cell.y + STEP - 2,
    );
  };
  const open = () => places[chosen] && go(runPath(places[chosen].run.group, places[chosen].run.key));
  drawing.addEventListener("mousemove", (event) => choose(at(event)));
  drawing.addEventListener("click", (event) => {
    choose(at(event));
    open();
  });
  box.addEventListener("keydown", (event) => {
    const move = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (event.key === "Enter") open();
    else if (!move || event.altKey || event.ctrlKey) return;
    else {
      choose(neighbour(places, chosen, move));
      status.setAttribute("role", "status");
      const cell = places[chosen];
      if (cell && (cell.x < box.scrollLeft || cell.x + STEP > box.scrollLeft + box.clientWidth)) {
        box.scrollLeft = Math.max(0, cell.x - STEP);
      }
    }
    event.preventDefault();
    event.stopPropagation();
  });
  return h(
    "div",
    { class: "matrix" },
    h(
      "div",
      { class: many ? "names with-sides" : "names" },
      lines.map(({ id }, row) => {
        const label = store.competitionOf.get(id)?.complexity ?? "";
        const isFirst = row === 0 || level(lines[row - 1].id) !== level(id);
        return h("a", {
          href: competitionPath(id),
          text: id,
          "data-level": isFirst && label ? label : undefined,
        });
      }),
    ),
    box,
    status,
    legend(),
  );
}

function tableOf(sides) {
  const ids = [...new Set(sides.flatMap(({ runs }) => runs.map((run) => run.competition)))].sort(
    competitionOrder,
  );
  const bySide = sides.map(({ runs }) => {
    const found = new Map(ids.map((id) => [id, []]));
    for (const run of runs) found.get(run.competition).push(run);
    return found;
  });
  return ids.map((id) => ({
    id,
    cells: bySide.map((found) => found.get(id).sort((a, b) => a.seed - b.seed || a.row - b.row)),
  }));
}

function placed(lines, starts) {
  return lines.flatMap(({ cells }, row) =>
    cells.flatMap((runs, side) =>
      runs.map((run, column) => ({ run, row, x: starts[side] + column * STEP + 2, y: row * STEP + 2 })),
    ),
  );
}

function neighbour(places, chosen, [right, down]) {
  if (chosen < 0) return 0;
  const { row, x } = places[chosen];
  if (right) return Math.min(places.length - 1, Math.max(0, chosen + right));
  const wanted = places.filter((cell) => cell.row === row + down);
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

/** One text for some rows and an ink: every letter has its own place. */
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
  }
  return [...texts.values()].map(({ ink, xs, ys, letters: text }) =>
    s("text", { class: ink, x: xs.join(" "), y: ys.join(" "), "text-anchor": "middle", text }),
  );
}

function words(run, many) {
  const facts = [
    `${run.competition}, ${many ? `${run.agent}, ` : ""}seed ${run.seed}: ${OUTCOMES[run.outcome]?.word}`,
  ];
  if (run.score !== null) facts.push(`score ${score(run.score)}`);
  if (run.rank !== null) facts.push(`rank ${count(run.rank)}`);
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
  );
}
