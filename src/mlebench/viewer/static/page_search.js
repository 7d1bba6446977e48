// Full-text search in logs and trajectories, on the server; hits are grouped by run.

import { h, put } from "./dom.js";
import { get, runPath } from "./api.js";
import { moveKeys } from "./keys.js";
import { coloured } from "./ansi.js";
import { bytes, count, plural } from "./format.js";
import { amend } from "./router.js";

const PER_RUN = 5;
const MOST_RUNS = 60;

export async function open(context) {
  const input = h("input", {
    type: "search",
    name: "q",
    "aria-label": "Search logs and trajectories",
    placeholder: "words in logs and trajectories",
    value: context.query.get("q") ?? "",
  });
  const found = h("div", { "aria-live": "polite" });
  let stop = new AbortController();

  async function look() {
    const text = input.value.trim();
    amend({ query: new URLSearchParams(text ? { q: text } : {}) });
    stop.abort();
    stop = new AbortController();
    if (!text) return put(found, h("p", { class: "muted", text: "Type at least two letters and press Enter." }));
    put(found, h("p", { class: "muted", text: "Searching …" }));
    try {
      put(found, results(await get("/api/search", { q: text }, stop.signal), text));
    } catch (error) {
      if (error.name !== "AbortError")
        put(
          found,
          h("p", { class: "problem", text: error.message }),
          h("p", { class: "muted", text: error.hint ?? "" }),
        );
    }
    return undefined;
  }

  const form = h(
    "form",
    {
      role: "search",
      class: "bar",
      onsubmit: (event) => {
        event.preventDefault();
        look();
      },
    },
    input,
    h("button", { text: "Search" }),
  );
  await look();
  return {
    title: "Search",
    crumbs: [["search", "/search"]],
    search: input,
    close: () => stop.abort(),
    content: h("div", {}, h("h1", { text: "Search" }), form, found),
    placed: () => {
      if (!input.value) setTimeout(() => input.focus());
    },
    keys: moveKeys((way) => step(found, way), "hit"),
  };
}

function step(root, way) {
  const links = [...root.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  links[Math.min(links.length - 1, Math.max(0, at + way))]?.focus();
}

function results({ hits, truncated, seconds, searched_bytes: searched }, text) {
  const runs = Map.groupBy ? Map.groupBy(hits, runOf) : grouped(hits);
  const line =
    `${plural(hits.length, "hit")} in ${plural(runs.size, "run")}${truncated ? ", not everything was searched" : ""}` +
    ` (${bytes(searched)} in ${(seconds ?? 0).toFixed(2)} s)`;
  if (!hits.length)
    return h(
      "p",
      {},
      "Nothing contains ",
      h("code", { text }),
      truncated ? "; not everything was searched." : ".",
    );
  return [
    h("p", { class: "muted", text: line }),
    [...runs.values()]
      .slice(0, MOST_RUNS)
      .map((list) =>
        h(
          "section",
          { class: "hits" },
          h(
            "h2",
            {},
            h("a", { href: runPath(list[0].group, list[0].key), text: list[0].competition }),
            h("span", { class: "muted", text: ` ${list[0].group} · ${list[0].key}` }),
          ),
          h("ul", {}, list.slice(0, PER_RUN).map(hitLine)),
          list.length > PER_RUN &&
            h("p", { class: "muted", text: `and ${count(list.length - PER_RUN)} more in this run` }),
        ),
      ),
  ];
}

const runOf = (hit) => `${hit.group}/${hit.key}`;

function grouped(hits) {
  const found = new Map();
  for (const hit of hits) found.set(runOf(hit), [...(found.get(runOf(hit)) ?? []), hit]);
  return found;
}

function hitLine(hit) {
  const inLog = hit.where === "log";
  const address = inLog
    ? `${runPath(hit.group, hit.key, "log")}?name=${encodeURIComponent(hit.name ?? "agent.log")}#L${hit.line + 1}`
    : `${runPath(hit.group, hit.key, "trajectory")}#s${(hit.step ?? 0) + 1}`;
  const where = inLog ? `${hit.name} line ${count(hit.line + 1)}` : `step ${count((hit.step ?? 0) + 1)}`;
  return h("li", {}, h("a", { href: address, text: where }), " ", h("code", {}, coloured(hit.text)));
}
