"use strict";
// Tables sort by a click or a key on their heads; everything but a very long table reads without script.
const order = (x, y) => {
  if (x === "" || y === "" || x === null || y === null || x === "—" || y === "—") {
    const empty = (v) => v === "" || v === null || v === "—";
    return { last: empty(x) - empty(y) };
  }
  return { value: isNaN(x) || isNaN(y) ? String(x).localeCompare(String(y)) : x - y };
};
const compare = (x, y, up) => {
  const found = order(x, y);
  return "last" in found ? found.last : up ? found.value : -found.value;
};
const sortHead = (heads, head) => {
  const up = head.getAttribute("aria-sort") !== "ascending";
  heads.forEach((other) => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  return up;
};
const wire = (table) => {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const up = sortHead(heads, head);
      const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
      const rows = [...table.tBodies[0].rows].map((row) => [value(row), row]);
      rows.sort((a, b) => compare(a[0], b[0], up));
      table.tBodies[0].append(...rows.map((pair) => pair[1]));
    });
  });
};
document.querySelectorAll("table.sortable").forEach(wire);

// The switch between light and dark; the system's choice comes first.
const theme = document.createElement("button");
theme.type = "button";
theme.className = "theme";
theme.textContent = "light / dark";
theme.addEventListener("click", () => {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
});
document.querySelector("header").prepend(theme);

// Thousands of runs: unpacked from the page itself, filtered, sorted and shown a page at a time.
const PAGE = 100;
const make = (tag, text, parent) => {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
};
const cellText = {
  "score": (v) => v.toFixed(5),
  "standard error": (v) => String(Number(v.toPrecision(3))),
  "teams beaten": (v) => (100 * v).toFixed(1) + "%",
  "hours": (v) => v.toFixed(2),
  "cost": (v) => v.toFixed(2),
};
const format = (name, k, data) => {
  const value = data.columns[name][k];
  if (value === null) return "—";
  if (name === "rank") return `${value.toLocaleString("en-US")} of ${data.columns.teams[k].toLocaleString("en-US")}`;
  if (name === "outcome") return `${value} ${data.words[value]}${data.columns.uncertain[k] === "yes" ? ", uncertain" : ""}`;
  if (cellText[name]) return cellText[name](value);
  return typeof value === "number" ? value.toLocaleString("en-US") : value;
};
const showRuns = (data) => {
  const place = document.getElementById("runs-table");
  const count = data.columns.competition.length;
  let rows = Array.from({ length: count }, (_, k) => k);
  let all = rows, page = 0;
  const words = (k) => `${data.columns.competition[k]} ${data.columns.agent[k]} ${data.words[data.columns.outcome[k]]}`;
  const bar = make("div", undefined, place);
  bar.className = "bar";
  const label = make("label", "Filter ", bar);
  const filter = make("input", undefined, label);
  filter.type = "search";
  const back = make("button", "‹ previous", bar), next = make("button", "next ›", bar);
  const where = make("span", "", bar);
  where.setAttribute("aria-live", "polite");
  const table = make("table", undefined, place);
  const headRow = make("tr", undefined, make("thead", undefined, table));
  const body = make("tbody", undefined, table);
  const shown = data.head.filter((name) => name !== "teams");
  const isNumber = (name) => data.numbers.includes(name);
  const draw = () => {
    const lines = rows.slice(page * PAGE, (page + 1) * PAGE).map((k) => {
      const line = document.createElement("tr");
      for (const name of shown) {
        const cell = make("td", format(name, k, data), line);
        if (isNumber(name)) cell.className = "n";
      }
      return line;
    });
    body.replaceChildren(...lines);
    const end = Math.min(rows.length, (page + 1) * PAGE);
    where.textContent = rows.length
      ? `${(page * PAGE + 1).toLocaleString("en-US")}–${end.toLocaleString("en-US")} of ${rows.length.toLocaleString("en-US")} runs`
      : `no run matches “${filter.value}”`;
    back.disabled = page === 0;
    next.disabled = end >= rows.length;
  };
  const heads = shown.map((name) => {
    const head = make("th", undefined, headRow);
    head.scope = "col";
    if (isNumber(name)) head.className = "n";
    make("button", name, head).type = "button";
    return head;
  });
  heads.forEach((head, column) => head.firstChild.addEventListener("click", () => {
    const up = sortHead(heads, head), values = data.columns[shown[column]];
    all = [...all].sort((a, b) => compare(values[a], values[b], up) || a - b);
    choose();
  }));
  const choose = () => {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    rows = wanted.length ? all.filter((k) => wanted.every((w) => words(k).toLowerCase().includes(w))) : all;
    page = 0;
    draw();
  };
  filter.addEventListener("input", choose);
  back.addEventListener("click", () => { page -= 1; draw(); });
  next.addEventListener("click", () => { page += 1; draw(); });
  draw();
  // The cells of the matrix come in the order of the data.
  const cells = [...document.querySelectorAll(".matrix b")];
  const tip = (k) => {
    const { agent, seed, score, rank, teams, outcome, "rank interval": interval } = data.columns;
    const result = score[k] === null ? data.words[outcome[k]]
      : score[k].toFixed(5) + (rank[k] ? `, rank ${rank[k].toLocaleString("en-US")} of ${teams[k].toLocaleString("en-US")}` : "");
    return `${agent[k]}, seed ${seed[k]}: ${result}${interval[k] ? ` (95 %: ${interval[k]})` : ""}`;
  };
  cells.forEach((cell, k) => { if (!cell.title) cell.title = tip(k); });
};
const packed = document.getElementById("data");
if (packed) {
  const bytes = Uint8Array.from(atob(packed.textContent), (c) => c.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  new Response(unpacked).json().then(showRuns);
}
