// Keyboard shortcuts: the footer shows those of the page, `?` shows all.

import { h, put } from "./dom.js";

let shared = [];
let own = [];

/** `{keys: ["j"], label: "j k", hint: "row", run, quiet}`; the shared ones work on every page. */
export function setShared(bindings) {
  shared = bindings;
}

export function setOwn(bindings) {
  own = bindings.filter(Boolean);
  put(
    document.getElementById("hints"),
    hints([...own, ...shared]).map(([label, hint]) =>
      h(
        "span",
        { class: "hint" },
        label.split(" ").map((key) => h("kbd", { text: key })),
        ` ${hint}`,
      ),
    ),
  );
}

function hints(bindings) {
  return bindings.filter((one) => one.label).map((one) => [one.label, one.hint]);
}

export function listen() {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input:not([type=checkbox]), select, textarea, dialog");
    const name = `${event.ctrlKey || event.metaKey ? "Ctrl-" : ""}${event.key}`;
    if (event.altKey || (typing && !name.startsWith("Ctrl-"))) {
      if (event.key === "Escape" && typing?.tagName === "INPUT") typing.blur();
      return;
    }
    const binding = [...own, ...shared].find((one) => one.keys.includes(name));
    if (binding && binding.run(event) !== false) event.preventDefault();
  });
}

/** `j` and `k` call `move` with 1 and -1. */
export const moveKeys = (move, hint = "row") => [
  { keys: ["j"], label: "j k", hint, run: () => move(1) },
  { keys: ["k"], run: () => move(-1) },
];

/** The dialog that `?` opens. */
export function showKeys() {
  const rows = [...new Map(hints([...own, ...shared])).entries()];
  const dialog = h(
    "dialog",
    { class: "panel", "aria-labelledby": "keys-title", onclose: () => dialog.remove() },
    h("h2", { id: "keys-title", text: "Keys" }),
    h(
      "dl",
      { class: "keys" },
      rows.map(([label, hint]) => [
        h(
          "dt",
          {},
          label.split(" ").map((key) => h("kbd", { text: key })),
        ),
        h("dd", { text: hint }),
      ]),
    ),
    h("p", { class: "muted", text: "Enter opens the row in focus; Tab and Shift-Tab reach everything." }),
    h("form", { method: "dialog" }, h("button", { text: "Close" })),
  );
  document.body.append(dialog);
  dialog.showModal();
}
