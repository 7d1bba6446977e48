// Code that the code of a run resembles: both sides, with matching lines marked and linked.

import { h, put } from "./dom.js";
import { get } from "./api.js";

const RELATIONS = {
  kernel: "public kernel",
  run: "other run",
  sibling: "other seed of the same agent",
  example: "our own example code",
};

export async function similarityTab({ api, signal }) {
  const shown = h("div");
  let data = await get(`${api}/similarity`, { match: 0 }, signal);
  const list = h("tbody");

  async function choose(number) {
    data = await get(`${api}/similarity`, { match: number }, signal);
    draw();
  }

  function draw() {
    put(list, data.entries.map(row));
    put(shown, data.pairs.map(pair));
  }

  function row(entry, number) {
    const chosen = number === data.match;
    return h(
      "tr",
      {},
      h(
        "td",
        {},
        h("button", {
          type: "button",
          "aria-pressed": String(chosen),
          text: entry.reference,
          onclick: () => choose(number),
        }),
      ),
      h("td", { text: RELATIONS[entry.relation] }),
      h("td", { class: "n", text: entry.similarity.toFixed(2) }),
      h("td", { class: "n", text: entry.containment.toFixed(2) }),
    );
  }

  if (!data.entries.length)
    return { content: h("p", { class: "muted", text: data.note }), keys: [] };
  draw();
  const head = ["reference", "what it is", "similarity", "containment"];
  const table = h(
    "table",
    { "aria-label": "Similar code" },
    h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col", text })))),
    list,
  );
  const words = "Similarity is that of Dolos; containment is the share of this run’s code that occurs there.";
  const box = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "References" }, table);
  return { content: h("div", {}, box, h("p", { class: "muted", text: words }), shown), keys: [] };
}

function pair({ left, right, ranges }, number) {
  const sides = [side(left, "This run", ranges, 0, number), side(right, "Reference", ranges, 2, number)];
  const links = ranges.map(([first, last, otherFirst, otherLast]) =>
    h("button", {
      type: "button",
      text: `${first}–${last} ↔ ${otherFirst}–${otherLast}`,
      title: "Show these lines on both sides",
      onclick: () => {
        sides[0].show(first);
        sides[1].show(otherFirst);
      },
    }),
  );
  return h(
    "section",
    { "aria-label": `Matching lines ${number + 1}` },
    h("div", { class: "ranges", role: "group", "aria-label": "Matching lines" }, links),
    h("div", { class: "sides" }, sides.map((each) => each.content)),
  );
}

function side({ name, lines, note }, label, ranges, start, number) {
  const title = h("h3", { text: `${label}: ${name}` });
  const words = note && h("p", { class: "muted", text: note });
  if (!lines) return { content: h("div", {}, title, words), show: () => {} };
  const isMatched = new Set();
  for (const range of ranges) for (let line = range[start]; line <= range[start + 1]; line++) isMatched.add(line);
  const rows = lines.map((text, place) =>
    h(
      "div",
      { class: isMatched.has(place + 1) ? "line current" : "line" },
      h("span", { class: "number", text: String(place + 1) }),
      h("span", { class: "text", text }),
    ),
  );
  const region = `${label}, ${name}, ${number + 1}`;
  const box = h("div", { class: "side", tabindex: 0, role: "region", "aria-label": region }, rows);
  const show = (line) => {
    const row = rows[Math.min(line, rows.length) - 1];
    if (row) box.scrollTop = row.offsetTop - rows[0].offsetTop;
  };
  const first = ranges[0];
  if (first) requestAnimationFrame(() => show(first[start]));
  return { content: h("div", {}, title, words, box), show };
}
