// A plot of the server with its figures as a table behind one key.

import { h, picture, plainTable, put } from "./dom.js";
import { isNumber } from "./format.js";

/** One of the pictures that came with a page; null when there was nothing to draw. */
export function plot(title, name, { plots: pictures, tables }, note) {
  const drawing = picture(pictures?.[name]);
  const { head, rows } = tables?.[name] ?? {};
  if (!drawing) return null;
  const button = head && h("button", { type: "button", class: "small", text: "Table", "aria-pressed": "false",
    "aria-label": `${title} as a table`, onclick: () => toggle() });
  const holder = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title }, drawing);
  const toggle = (open = button.getAttribute("aria-pressed") !== "true") => {
    button.setAttribute("aria-pressed", String(open));
    const numbers = head.map((_, place) => place).filter((place) => rows.some((row) => isNumber(row[place])));
    if (open) holder.replaceWith(element.table = plainTable(head, rows.slice(0, 200), { caption: title, numbers }));
    else element.table?.replaceWith(holder);
  };
  const element = h("figure", {}, h("figcaption", {}, h("h2", { text: title }), button), holder,
    note && h("p", { class: "muted note", text: note }));
  element.toggle = head ? toggle : () => {};
  return element;
}

/** The key for all plots of a page. */
export function tableKey(root) {
  let open = false;
  return { keys: ["d"], label: "d", hint: "plots as tables", run: () => {
    open = !open;
    for (const figure of root.querySelectorAll("figure")) figure.toggle?.(open);
  } };
}

export function plots(...figures) {
  const found = figures.filter(Boolean);
  return found.length ? put(h("div", { class: "plots" }), found) : null;
}
