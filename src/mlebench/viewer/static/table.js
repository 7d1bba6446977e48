// A table of any length: only the rows on the screen are in the page; ids are never truncated.

import { h, put } from "./dom.js";

const ROW = 28;
const BEYOND = 6;
const PADDING = 18;
const FLEXIBLE = 120;

/** The width of the widest of some texts in the font of the page. */
export function widest(texts, css = "") {
  const holder = h(
    "div",
    { class: `unseen ${css}` },
    texts.map((text) => h("span", { text })),
  );
  document.body.append(holder);
  const width = Math.max(0, ...[...holder.children].map((one) => one.getBoundingClientRect().width));
  holder.remove();
  return Math.ceil(width);
}

/**
 * Columns: `{id, title, cell(row), value(row), number, whole, width, leaves, flexible}`; `whole` ones are as wide
 * as their longest text, the highest `leaves` is left out first, one `flexible` column takes what is left.
 */
export class Table {
  constructor({ label, columns, key, sort, onSort, empty }) {
    Object.assign(this, { label, columns, key, onSort, empty });
    this.sort = sort ?? null;
    this.rows = [];
    this.cursor = -1;
    this.drawn = new Map();
    this.measured = new Map();
    this.before = h("tr", { "aria-hidden": "true", class: "spacer" }, h("td"));
    this.after = h("tr", { "aria-hidden": "true", class: "spacer" }, h("td"));
    this.body = h("tbody", {}, this.before, this.after);
    this.head = h("thead");
    this.group = h("colgroup");
    this.table = h("table", { class: "virtual", "aria-label": label }, this.group, this.head, this.body);
    this.note = h("div", { class: "empty", hidden: true });
    this.element = h("div", { class: "table" }, this.table, this.note);
    this.body.addEventListener("click", (event) => this.#clicked(event));
    this.body.addEventListener("focusin", (event) => {
      const line = event.target.closest("tr");
      if (line?.place !== undefined) this.cursor = line.place;
    });
    const redraw = () => this.draw();
    const whole = () => {
      this.printing = true;
      this.draw();
    };
    const screen = () => {
      this.printing = false;
      this.draw();
    };
    window.addEventListener("scroll", redraw, { passive: true });
    window.addEventListener("beforeprint", whole);
    window.addEventListener("afterprint", screen);
    this.watcher = new ResizeObserver(() => {
      this.#layOut();
      this.draw();
    });
    this.watcher.observe(this.element);
    this.close = () => {
      this.watcher.disconnect();
      window.removeEventListener("scroll", redraw);
      window.removeEventListener("beforeprint", whole);
      window.removeEventListener("afterprint", screen);
    };
  }

  /** Show these rows, in the order of the current sort. */
  show(rows) {
    this.all = rows;
    const column = this.columns.find((one) => one.id === this.sort?.id);
    this.rows = column ? sorted(rows, column, this.sort.down) : rows;
    this.note.hidden = rows.length > 0;
    this.table.hidden = !rows.length;
    if (!rows.length) put(this.note, this.empty?.() ?? "No rows.");
    this.widths = new Map(this.columns.map((one) => [one.id, this.#width(one)]));
    this.#layOut();
    this.draw();
  }

  #width(column) {
    const least = 9 * column.title.length + PADDING + 14;
    if (!column.whole) return Math.max(least, column.width ?? 80);
    const texts = new Set(this.rows.map((row) => String(column.text?.(row) ?? column.value(row) ?? "")));
    const longest = [...texts].sort((a, b) => b.length - a.length).slice(0, 12);
    if (longest.join("\n") !== this.measured.get(column.id)?.texts) {
      this.measured.set(column.id, { texts: longest.join("\n"), width: widest(longest) });
    }
    return Math.max(least, this.measured.get(column.id).width + PADDING);
  }

  #layOut() {
    const room = this.element.clientWidth;
    if (!room || !this.widths) return;
    const shown = [...this.columns];
    let compact = false;
    const own = (one) =>
      one.flexible ? FLEXIBLE : compact && one.compact ? one.compact : this.widths.get(one.id);
    const total = () => shown.reduce((sum, one) => sum + own(one), 0);
    while (total() > room) {
      const last = Math.max(...shown.map((one) => one.leaves ?? 0));
      if (!last && compact) break;
      compact ||= !last;
      if (!last) continue;
      shown.splice(
        shown.findIndex((one) => one.leaves === last),
        1,
      );
    }
    // On a phone a table scrolls sideways: what is small, such as an outcome, comes first.
    if (compact) shown.sort((a, b) => Boolean(b.compact) - Boolean(a.compact));
    const spare = Math.max(0, room - total());
    const stretch = shown.some((one) => one.flexible) ? 0 : spare / shown.length;
    const names = shown.map((one) => one.id).join();
    this.element.classList.toggle("wide", total() > room);
    this.element.classList.toggle("compact", compact);
    put(
      this.group,
      shown.map((one) => {
        const col = h("col");
        const width = own(one) + (one.flexible ? spare : stretch);
        col.style.width = `${Math.floor(width)}px`;
        return col;
      }),
    );
    this.table.style.width = `${Math.max(room, total())}px`;
    if (names === this.names) return this.#marks();
    this.names = names;
    this.shown = shown;
    this.#heads();
    for (const line of this.drawn.values()) line.remove();
    this.drawn.clear();
    return undefined;
  }

  #heads() {
    put(
      this.head,
      h(
        "tr",
        {},
        this.shown.map((column) =>
          h(
            "th",
            { scope: "col", class: column.number ? "n" : undefined },
            column.value
              ? h("button", { type: "button", text: column.title, onclick: () => this.sortBy(column) })
              : column.title || h("span", { class: "unseen", text: column.id }),
          ),
        ),
      ),
    );
    this.#marks();
  }

  #marks() {
    this.shown?.forEach((column, place) => {
      const cell = this.head.rows[0].cells[place];
      if (this.sort?.id !== column.id) cell.removeAttribute("aria-sort");
      else cell.setAttribute("aria-sort", this.sort.down ? "descending" : "ascending");
    });
  }

  sortBy(column) {
    const again = this.sort?.id === column.id;
    this.sort = { id: column.id, down: again ? !this.sort.down : Boolean(column.number) };
    this.onSort?.(this.sort);
    this.show(this.all);
  }

  /** Render the rows around the viewport; rows that stay keep their elements and the focus. */
  draw() {
    if (!this.shown) return;
    const top = this.body.getBoundingClientRect().top;
    const last = this.rows.length;
    const from = this.printing ? 0 : Math.min(last, Math.max(0, Math.floor(-top / ROW) - BEYOND));
    const to = this.printing
      ? Math.min(last, 3000)
      : Math.min(last, Math.max(from, Math.ceil((window.innerHeight - top) / ROW) + BEYOND));
    const focused = this.body.contains(document.activeElement) ? document.activeElement : null;
    const kept = new Map();
    for (const row of this.rows.slice(from, to)) kept.set(this.key(row), null);
    for (const [name, line] of this.drawn) if (!kept.has(name)) line.remove();
    let next = this.before.nextSibling;
    for (let place = from; place < to; place += 1) {
      const row = this.rows[place];
      const line = this.drawn.get(this.key(row)) ?? h("tr");
      if (line.row !== row) this.#fill(line, row);
      if (line.place !== place) this.#place(line, place);
      if (line === next) next = line.nextSibling;
      else this.body.insertBefore(line, next);
      kept.set(this.key(row), line);
    }
    this.drawn = kept;
    // Moving an element removes the focus.
    if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
    this.before.firstChild.style.height = `${from * ROW}px`;
    this.after.firstChild.style.height = `${(last - to) * ROW}px`;
    this.before.hidden = from === 0;
    this.after.hidden = to === last;
    this.table.setAttribute("aria-rowcount", String(last + 1));
  }

  /** Rows that did not change keep their cells, and so selections and checkboxes. */
  #fill(line, row) {
    const focused = line.contains(document.activeElement) && document.activeElement.localName;
    put(
      line,
      this.shown.map((column) => {
        const content = column.cell(row);
        return h(
          "td",
          {
            class:
              [column.number && "n", column.flexible && "flexible"].filter(Boolean).join(" ") || undefined,
            title: column.hover?.(row),
          },
          content,
        );
      }),
    );
    line.row = row;
    if (focused) line.querySelector(focused)?.focus({ preventScroll: true });
  }

  #place(line, place) {
    line.place = place;
    line.classList.toggle("even", place % 2 === 1);
    line.setAttribute("aria-rowindex", String(place + 2));
  }

  #clicked(event) {
    if (event.target.closest("a, button, input, label") || !getSelection().isCollapsed) return;
    event.target.closest("tr")?.querySelector("a")?.click();
  }

  /** Move the focus by a number of rows. */
  move(step) {
    if (!this.rows.length) return;
    const outside = !this.body.contains(document.activeElement);
    const start = outside && this.cursor < 0 ? (step > 0 ? -1 : this.rows.length) : this.cursor;
    this.cursor = Math.min(this.rows.length - 1, Math.max(0, start + step));
    const top = this.body.getBoundingClientRect().top + this.cursor * ROW;
    if (top < 100 || top > window.innerHeight - 90) {
      window.scrollBy({ top: top - window.innerHeight / 2, behavior: "instant" });
      this.draw();
    }
    this.drawn.get(this.key(this.rows[this.cursor]))?.querySelector("a")?.focus({ preventScroll: true });
  }
}

function sorted(rows, column, down) {
  const sign = down ? -1 : 1;
  const missing = (value) => value === null || value === undefined || value === "";
  return rows
    .map((row) => [column.value(row), row])
    .sort(([a], [b]) => {
      if (missing(a) || missing(b)) return missing(a) - missing(b);
      return sign * (typeof a === "string" ? (a < b ? -1 : Number(a > b)) : a - b);
    })
    .map(([, row]) => row);
}

export function readSort(query) {
  const text = query.get("sort");
  return text ? { id: text.replace(/^-/, ""), down: text.startsWith("-") } : null;
}

export function writeSort(query, sort) {
  query.set("sort", `${sort.down ? "-" : ""}${sort.id}`);
  return query;
}
