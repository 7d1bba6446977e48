// Empty pages and errors.

import { h, command } from "./dom.js";

/** A page for an error of the server; similar names are links to a search. */
export function failure(error, place, again) {
  const nearest = error.details?.nearest ?? [];
  const missing = error.status === 404;
  const button = h("button", { type: "button", text: "Try again", onclick: again });
  return {
    title: missing ? "Not found" : "Error",
    crumbs: place.page === "groups" ? [] : [[missing ? "not found" : "error", place.path]],
    content: h(
      "div",
      { class: "state", role: "alert" },
      h("h1", { text: missing ? "Not found" : "Something went wrong" }),
      h("p", { text: error.message }),
      error.hint && h("p", { class: "muted", text: error.hint }),
      nearest.length > 0 &&
        h(
          "p",
          {},
          "Nearest: ",
          nearest.map((name) => [h("code", { text: name }), " "]),
        ),
      h("p", {}, button, " ", h("a", { href: "/", text: "All runs" })),
    ),
  };
}

export function noRuns(root) {
  return h(
    "div",
    { class: "state" },
    h(
      "p",
      {},
      "There are no runs in ",
      h("code", { text: root }),
      " yet. This makes some, without any download:",
    ),
    command("mlebench prepare --split starter"),
    command("mlebench run --agent baseline --split starter"),
    h("p", { class: "muted", text: "The page shows them as soon as they exist." }),
  );
}

export function noHits(text, clear) {
  return h(
    "div",
    { class: "state" },
    h("p", {}, "No run matches ", h("code", { text }), "."),
    h("button", { type: "button", text: "Clear the filter", onclick: clear }),
  );
}

export function problems(list) {
  return list.length
    ? h("p", { class: "problem", role: "status", text: `Filter: ${list.join("; ")}.` })
    : null;
}
