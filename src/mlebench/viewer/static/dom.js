// Building pages: texts become text nodes; the only markup that is parsed is that of our plots.

const SVG = "http://www.w3.org/2000/svg";

/** Create an element with listeners (`on…`), `class`, `text`, attributes and children. */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** Create an SVG element. */
export function s(tag, properties, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "text") node.textContent = value;
    else if (name === "href") node.setAttribute("href", local(value));
    else node.setAttribute(name, value === true ? "" : value);
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(node, child);
    else if (child !== undefined && child !== null && child !== false) node.append(child);
  }
}

/** Only links to pages of the viewer are allowed. */
function local(address) {
  if (!/^(\/(?!\/)|[#?])/.test(address)) throw new Error("a link must stay in the viewer");
  return address;
}

export function put(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

/** Announce a text to screen readers, politely. */
export function announce(text) {
  document.getElementById("announce").textContent = text;
}

export function copyText(text, button) {
  const done = (word) => {
    announce(word);
    if (!button) return;
    const before = button.textContent;
    button.textContent = word;
    setTimeout(() => {
      button.textContent = before;
    }, 1500);
  };
  const failed = () => done("The browser does not allow copying");
  if (!navigator.clipboard) return failed();
  return navigator.clipboard.writeText(text).then(() => done("Copied"), failed);
}

const SHAPES = new Set([
  "svg",
  "g",
  "title",
  "desc",
  "rect",
  "line",
  "path",
  "circle",
  "ellipse",
  "polyline",
  "polygon",
  "text",
  "tspan",
]);
const ATTRIBUTE =
  /^(class|role|viewBox|width|height|x|y|dx|dy|x1|x2|y1|y2|cx|cy|r|rx|ry|d|points|transform|text-anchor|dominant-baseline|stroke-dasharray|stroke-width|fill-opacity|opacity|preserveAspectRatio|aria-label|aria-hidden|data-[a-z-]+)$/;

/** A plot of the server, rebuilt from allowed shapes and attributes. */
export function picture(markup) {
  const parsed = new DOMParser().parseFromString(markup ?? "", "text/html").querySelector("svg");
  return parsed ? rebuilt(parsed) : null;
}

function rebuilt(source) {
  const copy = document.createElementNS(SVG, source.localName);
  for (const { name, value } of source.attributes) {
    if (ATTRIBUTE.test(name)) copy.setAttribute(name, value);
  }
  for (const child of source.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(child.data);
    else if (SHAPES.has(child.localName)) copy.append(rebuilt(child));
  }
  return copy;
}

/** A list of names and values; empty values are left out. */
export function facts(pairs) {
  const known = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return h(
    "dl",
    { class: "facts" },
    known.map(([name, value]) => [
      h("dt", { text: name }),
      h("dd", {}, value instanceof Node ? value : String(value)),
    ]),
  );
}

/** A small table without sorting: heads and rows of texts or nodes. */
export function plainTable(heads, rows, { caption, numbers = [] } = {}) {
  const css = (index) => (numbers.includes(index) ? "n" : undefined);
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption ?? heads.join(", ") },
    h(
      "table",
      { class: "plain" },
      caption && h("caption", { class: "unseen", text: caption }),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((head, i) => h("th", { scope: "col", class: css(i), text: head })),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            {},
            row.map((cell, i) =>
              h("td", { class: css(i) }, cell instanceof Node ? cell : String(cell ?? "—")),
            ),
          ),
        ),
      ),
    ),
  );
}

export function section(title, ...children) {
  return h("section", {}, h("h2", { text: title }), children);
}

export function command(text) {
  const button = h("button", {
    type: "button",
    class: "small",
    text: "Copy",
    onclick: () => copyText(text, button),
  });
  return h("div", { class: "command" }, h("code", { text, tabindex: 0 }), button);
}

/** Buttons of which one is pressed; calls `chosen(name)`. */
export function choice(label, names, pressed, chosen) {
  const buttons = names.map((name) =>
    h("button", {
      type: "button",
      class: "small",
      text: name,
      "aria-pressed": String(name === pressed),
      onclick: () => {
        for (const one of buttons) one.setAttribute("aria-pressed", String(one === buttons[names.indexOf(name)]));
        chosen(name);
      },
    }),
  );
  return h("div", { class: "bar", role: "group", "aria-label": label }, h("span", { class: "muted", text: label }), buttons);
}
