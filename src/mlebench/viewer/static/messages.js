// One step of a trajectory: its messages as prose and code, long parts folded.

import { h } from "./dom.js";
import { count, duration, money, short } from "./format.js";
import { highlight } from "./highlight.js";

const FOLDED_LINES = 40;
const FOLDED_LETTERS = 6000;

export function isFailure(status) {
  return typeof status === "number"
    ? status >= 400
    : Boolean(status) && !["ok", "answered", "done"].includes(status);
}

export function stepView(step, number) {
  const meta = [
    step.model,
    step.status,
    duration(step.seconds),
    `${short(step.tokens_in)} in`,
    `${short(step.tokens_out)} out`,
    money(step.cost),
  ];
  const element = h(
    "article",
    { class: "step", "aria-label": `Step ${number + 1}` },
    h(
      "header",
      {},
      h("h3", { text: `Step ${number + 1}` }),
      h("span", {
        class: `metadata muted${isFailure(step.status) ? " problem" : ""}`,
        text: meta.filter((one) => one && one !== "—").join(" · "),
      }),
    ),
    step.messages.map(messageView),
  );
  element.step = number;
  return element;
}

const KINDS = { reasoning: "reasoning", tool_call: "calls", tool_result: "tool output", image: "image" };
const ACTIONS = { command: "runs", edit: "edits" };

function messageView(message) {
  const who = message.role === "tool" ? "" : message.role;
  const kind = ACTIONS[message.action] ?? KINDS[message.kind] ?? (who ? "" : "tool");
  const what = [who, kind, message.name, message.target, message.rest]
    .filter((one, place, all) => one && all.indexOf(one) === place)
    .join(" · ");
  return h(
    "div",
    { class: `message kind-${message.kind in KINDS ? message.kind : "text"}` },
    h("div", { class: "who", text: what }),
    body(message),
    message.cut > 0 &&
      h("p", { class: "muted", text: `… ${count(message.cut)} more bytes are in the file` }),
  );
}

/** Split a text into prose and fenced code; long parts are folded. */
function body(message) {
  const text = message.text ?? "";
  if (message.action) return folded(text, message.action === "edit" ? null : callLanguage(message, text));
  if (message.kind === "tool_call") return folded(readable(text), callLanguage(message, text));
  if (message.kind === "tool_result") return folded(text, null);
  return text
    .split(/^(```[^\n]*\n[\s\S]*?(?:^```[ \t]*$|(?![\s\S])))/m)
    .slice(0, 80)
    .filter((part) => part.trim())
    .map((part) => {
      const fence = /^```([\w+-]*)[^\n]*\n([\s\S]*?)(?:\n?```[ \t]*)?$/.exec(part);
      return fence
        ? folded(fence[2], fence[1].toLowerCase() || "python")
        : folded(part.replace(/^\n+|\n+$/g, ""), null, "prose");
    });
}

/** A call with one argument is shown as that argument. */
function readable(text) {
  try {
    const given = JSON.parse(text);
    const values = Object.values(given);
    if (values.length === 1 && typeof values[0] === "string") return values[0];
    return JSON.stringify(given, null, 1);
  } catch {
    return text;
  }
}

function callLanguage({ name }, text) {
  if (/python|ipython|notebook/i.test(name ?? "")) return "python";
  if (/bash|shell|terminal|exec|command/i.test(name ?? "")) return "shell";
  return text.trimStart().startsWith("{") ? "json" : null;
}

function folded(text, language, css = "code") {
  const lines = text.split("\n");
  const long = lines.length > FOLDED_LINES || text.length > FOLDED_LETTERS;
  const start = long ? lines.slice(0, FOLDED_LINES).join("\n").slice(0, FOLDED_LETTERS) : text;
  const block = h("pre", { class: css, text: start, "data-language": language ?? undefined });
  if (!long) return block;
  const more = h("button", {
    type: "button",
    class: "small",
    text: `Show all ${count(lines.length)} lines`,
    onclick: () => {
      block.textContent = text;
      more.remove();
      paint(block.parentElement);
    },
  });
  return h("div", {}, block, more);
}

/** Colours can be set only for text that is on the page. */
export function paint(root) {
  for (const block of root.querySelectorAll("pre[data-language]")) {
    if (block.painted === block.firstChild) continue;
    block.painted = block.firstChild;
    highlight(block, block.dataset.language);
  }
}
