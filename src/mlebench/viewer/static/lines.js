// A view of a text of any length: only the lines on the screen are loaded and in the page.

import { h, put } from "./dom.js";
import { bytes, count } from "./format.js";

const LINE = 20;
const TALLEST = 8_000_000;
const BLOCK = 200;
const KEPT = 6000;

/**
 * `fetchLines(from, count)` returns `{first, total, lines}`; `paint(text, number, holder)` fills a line.
 * `onMark(first, last)` is called when the user selects lines by their numbers.
 */
export class Lines {
  constructor({ label, fetchLines, paint, onMark, onScroll, onResize }) {
    Object.assign(this, { fetchLines, paint, onMark, onScroll });
    this.total = 0;
    this.known = new Map();
    this.asked = new Set();
    this.drawn = new Map();
    this.marked = null;
    this.current = -1;
    this.block = h("div", { class: "block" });
    this.inner = h("div", { class: "inner" }, this.block);
    this.element = h("div", { class: "lines", tabindex: 0, role: "region", "aria-label": label }, this.inner);
    this.element.addEventListener(
      "scroll",
      () => {
        this.draw();
        this.onScroll?.();
      },
      { passive: true },
    );
    this.watcher = new ResizeObserver(() => {
      onResize?.();
      this.draw();
    });
    this.watcher.observe(this.element);
  }

  close() {
    this.watcher.disconnect();
  }

  get visible() {
    return Math.max(1, Math.floor(this.element.clientHeight / LINE));
  }

  /** The height of an element is limited: in a longer text one pixel is more than one line. */
  get height() {
    return Math.min(TALLEST, this.total * LINE);
  }

  get top() {
    const room = this.height - this.element.clientHeight;
    if (room <= 0) return 0;
    return (
      Math.min(1, this.element.scrollTop / room) * Math.max(0, this.total - this.element.clientHeight / LINE)
    );
  }

  get atEnd() {
    return this.element.scrollTop + this.element.clientHeight >= this.height - LINE;
  }

  take({ first, total, lines }) {
    lines.forEach((line, number) => this.known.set(first + number, line));
    this.resize(total);
  }

  resize(total) {
    this.total = total;
    this.inner.style.height = `${this.height}px`;
    const digits = String(total).length;
    this.element.style.setProperty("--digits", `${digits + 1}ch`);
  }

  /** Drop the cached lines. */
  forget(from) {
    for (const number of this.known.keys()) if (number >= from) this.known.delete(number);
    for (const [number, line] of this.drawn) {
      if (number < from) continue;
      line.remove();
      this.drawn.delete(number);
    }
  }

  toEnd() {
    this.element.scrollTop = this.height;
    this.draw();
  }

  /** Scroll a line to the middle of the view. */
  to(number) {
    const room = this.height - this.element.clientHeight;
    const most = Math.max(1, this.total - this.element.clientHeight / LINE);
    const wanted = Math.min(most, Math.max(0, number - this.visible / 2));
    this.element.scrollTop = (wanted / most) * Math.max(0, room);
    this.current = number;
    this.redraw();
  }

  mark(first, last) {
    this.marked = first === null ? null : [Math.min(first, last), Math.max(first, last)];
    this.redraw();
  }

  redraw() {
    put(this.block);
    this.drawn.clear();
    this.draw();
  }

  draw() {
    const start = this.top;
    const from = Math.max(0, Math.floor(start) - 5);
    const to = Math.min(this.total, Math.ceil(start + this.element.clientHeight / LINE) + 5);
    const kept = new Map();
    let next = this.block.firstChild;
    for (let number = from; number < to; number += 1) {
      const line = this.drawn.get(number) ?? this.#line(number);
      if (line === next) next = line.nextSibling;
      else this.block.insertBefore(line, next);
      if (this.known.has(number)) kept.set(number, line);
    }
    while (next) {
      const gone = next;
      next = next.nextSibling;
      gone.remove();
    }
    this.drawn = kept;
    const shift = this.element.scrollTop - (start - from) * LINE;
    this.block.style.transform = `translateY(${Math.max(0, Math.round(shift))}px)`;
    this.#want(from, to);
  }

  #line(number) {
    const known = this.known.get(number);
    const holder = h("span", { class: "text" });
    if (known) this.paint(known.text, number, holder);
    if (known?.cut) holder.append(h("em", { class: "cut", text: ` … ${bytes(known.cut)} more` }));
    const isMarked = this.marked && number >= this.marked[0] && number <= this.marked[1];
    return h(
      "div",
      { class: `line${isMarked ? " marked" : ""}${number === this.current ? " current" : ""}` },
      h("a", {
        class: "number",
        href: `#L${number + 1}`,
        tabindex: -1,
        text: String(number + 1),
        "aria-label": `line ${count(number + 1)}`,
        onclick: (event) => this.#chosen(event, number),
      }),
      holder,
    );
  }

  #chosen(event, number) {
    event.preventDefault();
    const first = event.shiftKey && this.marked ? this.marked[0] : number;
    this.mark(first, number);
    this.onMark?.(...this.marked);
  }

  #want(from, to) {
    for (
      let block = Math.floor(from / BLOCK);
      block <= Math.floor(Math.max(from, to - 1) / BLOCK);
      block += 1
    ) {
      const [first, last] = [Math.max(from, block * BLOCK), Math.min(to, (block + 1) * BLOCK)];
      let missing = first;
      while (missing < last && this.known.has(missing)) missing += 1;
      if (missing < last) this.#ask(missing === first ? block * BLOCK : missing);
    }
  }

  async #ask(from) {
    if (this.asked.has(from)) return;
    this.asked.add(from);
    if (this.known.size > KEPT)
      this.known = new Map([...this.known].filter(([number]) => this.drawn.has(number)));
    try {
      const answer = await this.fetchLines(from, BLOCK);
      if (answer?.lines.length) {
        this.take(answer);
        this.draw();
      }
    } catch (error) {
      if (error.name !== "AbortError") this.problem?.(error);
    } finally {
      this.asked.delete(from);
    }
  }
}

/** `#L12-30` as zero-based numbers. */
export function readMark(hash) {
  const found = /^#L(\d+)(?:-(\d+))?$/.exec(hash);
  return found ? [Number(found[1]) - 1, Number(found[2] ?? found[1]) - 1] : null;
}

export function writeMark(first, last) {
  return first === last ? `#L${first + 1}` : `#L${first + 1}-${last + 1}`;
}
