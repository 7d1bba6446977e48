// The filter at the top of every page, with completion.

import { h, put, announce } from "./dom.js";
import { completions, split } from "./filter.js";

/** An input that calls `changed(text)` while typing and `entered(text)` on Enter. */
export function filterBox({ changed, entered }) {
  const list = h("ul", { id: "filter-list", role: "listbox", "aria-label": "Completions", hidden: true });
  const input = h("input", {
    type: "text",
    id: "filter",
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": "Filter runs",
    "aria-expanded": "false",
    "aria-controls": "filter-list",
    "aria-autocomplete": "list",
    placeholder: "filter: medal:gold agent:… hours>6",
  });
  let options = [];
  let chosen = -1;

  function show() {
    options = document.activeElement === input ? completions(input.value) : [];
    chosen = -1;
    draw();
  }

  function draw() {
    put(
      list,
      options.map((text, number) =>
        h("li", {
          role: "option",
          id: `option-${number}`,
          "aria-selected": String(number === chosen),
          text,
          onmousedown: (event) => {
            event.preventDefault();
            take(number);
          },
        }),
      ),
    );
    list.hidden = !options.length;
    input.setAttribute("aria-expanded", String(options.length > 0));
    if (chosen < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `option-${chosen}`);
  }

  function take(number) {
    const last = /\s$/.test(input.value) ? "" : (split(input.value).at(-1) ?? "");
    const start = input.value.slice(0, input.value.length - last.length);
    const option = options[number];
    input.value = start + option + (/[:>]$/.test(option) ? "" : " ");
    changed(input.value);
    show();
  }

  function hide() {
    options = [];
    draw();
  }

  input.addEventListener("input", () => {
    changed(input.value);
    show();
  });
  input.addEventListener("focus", show);
  input.addEventListener("blur", hide);
  input.addEventListener("keydown", (event) => {
    if (options.length && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const step = event.key === "ArrowDown" ? 1 : -1;
      chosen = (chosen + step + options.length + (chosen < 0 && step < 0 ? 1 : 0)) % options.length;
      draw();
      event.preventDefault();
    } else if (event.key === "Tab" && options.length && input.value && !event.shiftKey) {
      take(Math.max(0, chosen));
      event.preventDefault();
    } else if (event.key === "Enter") {
      if (chosen >= 0) take(chosen);
      else {
        hide();
        entered(input.value);
      }
      event.preventDefault();
    } else if (event.key === "Escape") {
      if (options.length) hide();
      else input.blur();
      event.stopPropagation();
    }
  });
  const box = h("div", { class: "filter" }, input, list);
  box.input = input;
  box.say = (text) => announce(text);
  return box;
}
