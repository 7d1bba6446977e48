// The files of a run: a tree on the left, the file on the right.

import { h, put } from "./dom.js";
import { get } from "./api.js";
import { cellTable } from "./cells.js";
import { bytes, count } from "./format.js";
import { mark, sweep, tokens } from "./highlight.js";
import { Lines, readMark, writeMark } from "./lines.js";
import { amend } from "./router.js";

const ROW = 28;
const WHOLE = 400_000;

export async function filesTab({ api, raw, run, query, hash, signal }) {
  const { entries: found, truncated } = await get(`${api}/files`, {}, signal);
  const entries = withFolders(found);
  if (!entries.length)
    return { content: h("p", { class: "muted", text: "This run has no files." }), keys: [] };
  const closed = new Set(
    entries.filter((entry) => entry.kind === "folder" && depth(entry.path) > 1).map((entry) => entry.path),
  );
  const rows = h("div", { class: "tree-rows" });
  const list = h("div", { class: "tree", tabindex: 0, role: "region", "aria-label": "Files" }, rows);
  const shown = h("div", { class: "file" });
  let chosen = query.get("path") ?? "";
  let opened = null;
  let visible = [];

  for (let path = parent(chosen); path; path = parent(path)) closed.delete(path);

  function collect() {
    visible = entries.filter((entry) => {
      for (let path = parent(entry.path); path; path = parent(path)) if (closed.has(path)) return false;
      return true;
    });
    rows.style.height = `${visible.length * ROW}px`;
    draw();
  }

  function draw() {
    const from = Math.max(0, Math.floor(list.scrollTop / ROW) - 5);
    const to = Math.min(visible.length, from + Math.ceil(list.clientHeight / ROW) + 10);
    const focused = document.activeElement?.dataset?.path;
    put(
      rows,
      visible.slice(from, to).map((entry, number) => {
        const line = treeRow(entry);
        line.style.top = `${(from + number) * ROW}px`;
        return line;
      }),
    );
    if (focused)
      [...rows.children].find((line) => line.dataset.path === focused)?.focus({ preventScroll: true });
  }

  function treeRow(entry) {
    const folder = entry.kind === "folder";
    const path = entry.shown ?? entry.path;
    const name = path.split("/").at(-1);
    const sign = folder ? (closed.has(entry.path) ? "▸ " : "▾ ") : entry.kind === "file" ? "" : "⇢ ";
    const line = h(
      "button",
      {
        type: "button",
        class: `tree-row${entry.path === chosen ? " chosen" : ""}`,
        "data-path": entry.path,
        "aria-expanded": folder ? String(!closed.has(entry.path)) : undefined,
        "aria-current": entry.path === chosen ? "true" : undefined,
        title: path,
        onclick: () => (folder ? toggle(entry.path) : openFile(entry)),
      },
      h("span", { text: `${sign}${name}` }),
      h("span", {
        class: "muted",
        text: folder ? "" : entry.kind === "file" ? bytes(entry.size) : entry.kind,
      }),
    );
    line.style.paddingLeft = `${8 + 14 * depth(entry.path)}px`;
    return line;
  }

  function toggle(path) {
    if (!closed.delete(path)) closed.add(path);
    collect();
  }

  async function openFile(entry, place = null, bytes = {}) {
    chosen = entry.path;
    amend({ query: new URLSearchParams({ path: entry.path, ...bytes }), hash: place ? undefined : "" });
    draw();
    opened?.close?.();
    opened = null;
    put(shown, h("p", { class: "muted", text: "Loading …" }));
    try {
      const file = await get(`${api}/file`, { path: entry.path, from: 0, count: 2000, ...bytes }, signal);
      if (chosen !== entry.path) return;
      opened = fileView({
        api,
        raw,
        path: entry.path,
        shown: entry.shown ?? entry.path,
        file,
        place,
        quote: quoteOf(run, entry.path, bytes),
        signal,
      });
      put(shown, opened.content);
      opened.placed?.();
    } catch (error) {
      if (error.name !== "AbortError")
        put(
          shown,
          h("p", { class: "problem", text: error.message }),
          h("p", { class: "muted", text: error.hint ?? "" }),
        );
    }
    sweep();
  }

  list.addEventListener("scroll", draw, { passive: true });
  const content = h(
    "div",
    {},
    truncated &&
      h("p", { class: "problem", text: `Only the first ${count(found.length)} entries are listed.` }),
    h("div", { class: "split" }, list, shown),
  );
  put(
    shown,
    h("p", {
      class: "muted",
      text: `${count(entries.filter((entry) => entry.kind === "file").length)} files. Choose one.`,
    }),
  );
  return {
    content,
    keys: [],
    placed: () => {
      collect();
      const entry =
        entries.find((one) => one.path === chosen) ?? entries.find((one) => one.path === "code/solution.py");
      const bytes = Object.fromEntries(
        ["offset", "length"].filter((name) => query.has(name)).map((name) => [name, query.get(name)]),
      );
      if (entry) openFile(entry, readMark(hash), entry.path === query.get("path") ? bytes : {});
    },
    close: () => {
      opened?.close?.();
      sweep();
    },
  };
}

/** Every entry is preceded by its folders, even if they were not listed. */
function withFolders(found) {
  const seen = new Set();
  const entries = [];
  const add = (entry) => {
    if (seen.has(entry.path)) return;
    const above = parent(entry.path);
    if (above) add({ path: above, kind: "folder" });
    seen.add(entry.path);
    entries.push(entry);
  };
  found.forEach(add);
  return entries;
}

/** What a finding quotes from these bytes; a message inside a record is quoted without its escapes. */
function quoteOf(run, path, { offset, length }) {
  const evidence = (run.integrity?.findings ?? []).flatMap((finding) => finding.evidence);
  return evidence.find(
    (item) => item.file === path && String(item.offset) === offset && String(item.length) === length,
  )?.quote;
}

/** The bytes that a link names, with the text around them; a long record is shown by its quote. */
function excerpt(passage, quote) {
  if (!passage)
    return h("p", { class: "problem", text: "The file is shorter than the evidence says: it was changed." });
  const { first, last, before, text, cut, after } = passage;
  const lines = first === last ? `line ${count(first + 1)}` : `lines ${count(first + 1)} to ${count(last + 1)}`;
  const shown =
    cut && quote
      ? [h("mark", { text: quote })]
      : [before, h("mark", { text }), cut ? ` … ${bytes(cut)} more … ` : "", after];
  return h(
    "div",
    { class: "evidence", tabindex: 0, role: "region", "aria-label": "Evidence" },
    h("span", { class: "muted", text: `Evidence, ${lines}: ` }),
    shown,
  );
}

function fileView({ api, raw, path, shown, file, place, quote, signal }) {
  const address = `${raw}?path=${encodeURIComponent(path)}`;
  const head = h(
    "div",
    { class: "bar" },
    h("code", { text: shown }),
    h("span", { class: "muted", text: bytes(file.size) }),
    h("a", { href: address, download: true, text: "Download" }),
  );
  const passage = file.passage;
  const top = h("div", {}, head, passage !== undefined && excerpt(passage, quote));
  const wrap = (...inner) => ({ content: h("div", {}, top, inner) });
  if (file.kind === "csv") return wrap(cellTable(file));
  if (file.kind === "image")
    return wrap(h("img", { src: address, alt: shown.split("/").at(-1), class: "shown" }));
  if (file.kind !== "text") return wrap(h("p", { class: "muted", text: file.note ?? "This is not text." }));
  return textView({ api, path, shown, file, place, passage, signal, head: top });
}

function textView({ api, path, shown, file, place, passage, signal, head }) {
  const total = file.total ?? file.lines.length;
  const colours = lineTokens(file, total);
  const view = new Lines({
    label: shown,
    fetchLines: (from, number) =>
      get(`${api}/file`, { path, from, count: number }, signal).then((more) => ({
        first: from,
        total,
        ...more,
      })),
    paint: (text, number, holder) => {
      if (passage && number >= passage.first && number <= passage.last) {
        holder.append(...marked(text, number, passage));
        return;
      }
      holder.append(text);
      mark(holder, colours[number] ?? []);
    },
    onMark: (first, last) => amend({ hash: writeMark(first, last) }),
  });
  view.take({ first: file.first ?? 0, total, lines: file.lines });
  return {
    content: h("div", {}, head, view.element),
    close: () => view.close(),
    placed: () => {
      view.draw();
      const lines = place ?? (passage ? [passage.first, passage.last] : null);
      if (lines) {
        view.to(lines[0]);
        view.mark(...lines);
      }
    },
  };
}

/** A line with its part of the passage marked; none if the line is not shown as it is. */
function marked(text, number, { first, last, columns: [start, stop] }) {
  const from = number === first ? start : 0;
  const to = number === last ? stop : text.length;
  if (from === null || to === null || from >= text.length) return [text];
  return [text.slice(0, from), h("mark", { text: text.slice(from, to) }), text.slice(to)];
}

/** Tokens may span lines, so a file that is loaded completely is coloured as a whole. */
function lineTokens({ language, lines }, total) {
  const texts = lines.map((line) => line.text);
  const whole = texts.join("\n");
  if (!language || lines.length < total || whole.length > WHOLE) return [];
  const starts = [0];
  for (const text of texts) starts.push(starts.at(-1) + text.length + 1);
  const found = texts.map(() => []);
  let line = 0;
  for (const [kind, start, end] of tokens(whole, language)) {
    while (starts[line + 1] <= start) line += 1;
    for (let at = line; at < texts.length && starts[at] < end; at += 1) {
      found[at].push([kind, Math.max(0, start - starts[at]), Math.min(texts[at].length, end - starts[at])]);
    }
  }
  return found;
}

const parent = (path) => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const depth = (path) => path.split("/").length - 1;
