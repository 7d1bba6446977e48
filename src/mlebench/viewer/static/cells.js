// The first and last rows of a CSV file, with limits of rows and columns.

import { h, plainTable } from "./dom.js";
import { count } from "./format.js";

const COLUMNS = 16;
const CELLS = 320;
const LETTERS = 120;

export function cellTable({ columns, head, tail, rows }) {
  const shown = columns.slice(0, COLUMNS);
  const left = columns.length - shown.length;
  const cut = (text) =>
    String(text ?? "").length > LETTERS ? `${String(text).slice(0, LETTERS)} …` : String(text ?? "");
  const lines = (list) => list.map((row) => row.slice(0, COLUMNS).map(cut));
  const most = Math.max(3, Math.floor(CELLS / Math.max(1, shown.length) / 2));
  const first = head.slice(0, most);
  const last = (tail ?? []).slice(-most);
  const between = rows - first.length - last.length;
  const gap =
    between > 0 ? [[`… ${count(between)} rows …`, ...Array(Math.max(0, shown.length - 1)).fill("")]] : [];
  return h(
    "div",
    {},
    plainTable(shown.map(cut), [...lines(first), ...gap, ...lines(last)], { caption: "First and last rows" }),
    left > 0 && h("p", { class: "muted", text: `and ${count(left)} more columns` }),
  );
}
