// A plot that can be replaced by its table.

import { h, picture, plainTable } from "./dom.js";
import { count, isNumber } from "./format.js";

const MOST_ROWS = 200;

/** A plot from the data of a page; null if there is none. */
export function plot(title, name, { plots: pictures, tables }, note) {
  const drawing = picture(pictures?.[name]);
  return drawing && figure(title, drawing, tables?.[name], note);
}

/** A drawing with a button that shows its table instead. */
export function figure(title, drawing, { head, rows } = {}, note) {
  const button =
    head &&
    h("button", {
      type: "button",
      class: "small",
      text: "Table",
      "aria-pressed": "false",
      "aria-label": `${title} as a table`,
      onclick: () => toggle(!isOpen()),
    });
  const isOpen = () => button.getAttribute("aria-pressed") === "true";
  const holder = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title }, drawing);
  let table = null;
  const toggle = (open) => {
    if (open === isOpen()) return;
    button.setAttribute("aria-pressed", String(open));
    if (open) holder.replaceWith((table = tableOf(title, head, rows)));
    else table.replaceWith(holder);
  };
  const element = h(
    "figure",
    {},
    h("figcaption", {}, h("h2", { text: title }), button),
    holder,
    note && h("p", { class: "muted note", text: note }),
  );
  element.toggle = head ? toggle : () => {};
  return element;
}

function tableOf(caption, head, rows) {
  const shown = rows
    .slice(0, MOST_ROWS)
    .map((row) => row.map((cell) => (Number.isInteger(cell) ? count(cell) : cell)));
  const isFigure = (cell) => isNumber(cell) || cell === null || /^[-+−±]?[\d.,]+ ?%?$/.test(cell);
  const numbers = head
    .map((_, place) => place)
    .filter((place) => rows.length && rows.every((row) => isFigure(row[place])));
  return plainTable(head, shown, { caption, numbers });
}

/** The key for all plots of a page. */
export function tableKey(root) {
  let open = false;
  return {
    keys: ["d"],
    label: "d",
    hint: "plots as tables",
    run: () => {
      open = !open;
      for (const one of root.querySelectorAll("figure")) one.toggle(open);
    },
  };
}

export function plots(...figures) {
  const found = figures.filter(Boolean);
  return found.length ? h("div", { class: "plots" }, found) : null;
}
