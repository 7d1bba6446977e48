// The trajectory: an outline of all steps, and the messages of those around the chosen one.

import { h, put } from "./dom.js";
import { get } from "./api.js";
import { count, duration, isNumber, money, short } from "./format.js";
import { sweep } from "./highlight.js";
import { isFailure, paint, stepView } from "./messages.js";
import { amend } from "./router.js";
import { treeOutline } from "./tree.js";

const ROW = 28;
const PAGE = 8;
const LOOK = 3000;
const MOST_NODES = 350;
const SWITCHES = { reasoning: ["reasoning"], output: ["tool_result"], metadata: [] };

export async function trajectoryTab({ api, run, query, hash, signal }) {
  const fetchOutline = () => get(`${api}/trajectory`, { outline: 1 }, signal).catch(missing);
  const isLive = ["starting", "running"].includes(run.run.state);
  let outline = run.has?.trajectory || isLive ? await fetchOutline() : null;
  const tree = run.has?.tree ? await get(`${api}/tree`, {}, signal).catch(missing) : null;
  let total = outline?.total ?? 0;
  if (!total && !tree) {
    const content = h("p", { class: "muted", text: "This run has no record of model calls." });
    const again = () => content.dispatchEvent(new CustomEvent("reopen", { bubbles: true }));
    const timer = isLive
      ? setInterval(async () => (await fetchOutline().catch(() => null))?.total && again(), LOOK)
      : null;
    return { content, keys: [], close: () => clearInterval(timer) };
  }
  const hidden = new Set((query.get("hide") ?? "").split(",").filter((name) => name in SWITCHES));
  const started = Date.parse(run.run?.started_at ?? "") / 1000;
  const list = h("div", { class: "tree", tabindex: 0, role: "region", "aria-label": "Steps" });
  const rows = h("div", { class: "tree-rows" });
  const steps = h("div", { class: "steps", tabindex: 0, role: "region", "aria-label": "Messages" });
  list.append(rows);
  rows.style.height = `${total * ROW}px`;
  let first = 0;
  let last = 0;
  let current = 0;
  let busy = false;

  function drawOutline() {
    const from = Math.max(0, Math.floor(list.scrollTop / ROW) - 5);
    const to = Math.min(total, from + Math.ceil(list.clientHeight / ROW) + 10);
    const focused = document.activeElement?.dataset?.step;
    put(
      rows,
      Array.from({ length: to - from }, (_, number) => outlineRow(from + number)),
    );
    if (focused !== undefined)
      [...rows.children].find((line) => line.dataset.step === focused)?.focus({ preventScroll: true });
  }

  function outlineRow(step) {
    const failed = isFailure(outline.status?.[step]);
    const line = h(
      "button",
      {
        type: "button",
        class: `tree-row${step === current ? " chosen" : ""}${failed ? " problem" : ""}`,
        "data-step": String(step),
        "aria-current": step === current ? "true" : undefined,
        onclick: () => show(step),
      },
      h("span", {}, h("b", { text: `${step + 1} ` }), outline.title?.[step] ?? ""),
      h("span", { class: "muted", text: elapsed(outline.at?.[step], started) }),
    );
    line.style.top = `${step * ROW}px`;
    return line;
  }

  async function load(from, number) {
    const answer = await get(`${api}/trajectory`, { from, count: number }, signal);
    return answer.steps.map((step, place) => stepView(step, from + place));
  }

  async function show(step) {
    if (!total) return;
    current = Math.min(total - 1, Math.max(0, step));
    amend({ hash: `#s${current + 1}` });
    drawOutline();
    first = current;
    busy = true;
    try {
      const loaded = await load(first, PAGE);
      last = first + loaded.length;
      put(steps, loaded);
      steps.scrollTop = 0;
      paint(steps);
      sweep();
    } catch (error) {
      if (error.name !== "AbortError") put(steps, h("p", { class: "problem", text: error.message }));
    } finally {
      busy = false;
    }
    reveal();
  }

  function reveal() {
    const top = current * ROW;
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - ROW)
      list.scrollTop = top - list.clientHeight / 2;
    drawOutline();
  }

  /** Near an end, load more steps there and drop as many at the other end. */
  async function scrolled() {
    follow();
    if (busy) return;
    const below = steps.scrollHeight - steps.scrollTop - steps.clientHeight;
    if (below < 600 && last < total) await extend(true);
    else if (steps.scrollTop < 300 && first > 0) await extend(false);
  }

  async function extend(down) {
    busy = true;
    try {
      const from = down ? last : Math.max(0, first - PAGE);
      const loaded = await load(from, down ? PAGE : first - from);
      const before = steps.scrollHeight;
      if (down) steps.append(...loaded);
      else {
        steps.prepend(...loaded);
        steps.scrollTop += steps.scrollHeight - before;
      }
      loaded.forEach(paint);
      if (down) last += loaded.length;
      else first = from;
      trim(down);
      sweep();
    } catch (error) {
      if (error.name !== "AbortError") steps.append(h("p", { class: "problem", text: error.message }));
    } finally {
      busy = false;
    }
  }

  function trim(down) {
    while (steps.childElementCount > 2 && steps.querySelectorAll("*").length > MOST_NODES) {
      const gone = down ? steps.firstElementChild : steps.lastElementChild;
      const height = gone.offsetHeight;
      gone.remove();
      if (down) {
        first += 1;
        steps.scrollTop -= height;
      } else last -= 1;
    }
  }

  function follow() {
    const edge = steps.getBoundingClientRect().top + 40;
    const shown = [...steps.children].findLast(
      (one) => one.step !== undefined && one.getBoundingClientRect().top <= edge,
    );
    if (!shown || shown.step === current) return;
    current = shown.step;
    amend({ hash: `#s${current + 1}` });
    reveal();
  }

  const switches = Object.keys(SWITCHES).map((name) => {
    const box = h("input", {
      type: "checkbox",
      onchange: () => {
        if (box.checked) hidden.delete(name);
        else hidden.add(name);
        apply();
        const next = new URLSearchParams(location.search);
        if (hidden.size) next.set("hide", [...hidden].join());
        else next.delete("hide");
        amend({ query: next });
      },
    });
    box.checked = !hidden.has(name);
    return h("label", { class: "switch" }, box, name === "output" ? " tool output" : ` ${name}`);
  });
  const apply = () => {
    for (const name of Object.keys(SWITCHES)) steps.classList.toggle(`hide-${name}`, hidden.has(name));
  };

  list.addEventListener("scroll", drawOutline, { passive: true });
  steps.addEventListener("scroll", scrolled, { passive: true });
  apply();
  const summary = h("span", { class: "muted" });
  const summarize = () => {
    const tokens = `${short(sum(outline.tokens_in))} tokens in, ${short(sum(outline.tokens_out))} out`;
    summary.textContent = `${count(total)} steps, ${tokens}, ${money(sum(outline.cost))}`;
  };
  if (total) summarize();

  /** Load new steps of a run that has not ended. */
  async function grown() {
    const next = await fetchOutline().catch(() => null);
    if (!next || next.total <= total) return;
    outline = next;
    total = next.total;
    rows.style.height = `${total * ROW}px`;
    summarize();
    drawOutline();
    scrolled();
  }
  const timer = isLive && total ? setInterval(grown, LOOK) : null;
  const content = h(
    "div",
    {},
    tree && treeOutline(tree, !total || run.run.agent === "tree"),
    total > 0 && h("div", { class: "bar" }, summary, switches),
    total > 0 && h("div", { class: "split tall" }, list, steps),
  );
  const wanted = /^#s(\d+)$/.exec(hash);
  return {
    content,
    moveTo: show,
    placed: () => show(wanted ? Number(wanted[1]) - 1 : 0),
    close: () => {
      clearInterval(timer);
      sweep();
    },
    keys: [
      {
        keys: ["j"],
        label: "j k",
        hint: "step",
        run: () => {
          show(current + 1);
        },
      },
      {
        keys: ["k"],
        run: () => {
          show(current - 1);
        },
      },
      {
        keys: ["e"],
        label: "e",
        hint: "next failure",
        run: () => {
          const next = (outline?.status ?? []).findIndex(
            (status, step) => step > current && isFailure(status),
          );
          if (next >= 0) show(next);
        },
      },
    ],
  };
}

function missing(error) {
  if (error.status === 404) return null;
  throw error;
}

/** Null if no cost is known: an unknown price is not zero. */
const sum = (list) => {
  const known = (list ?? []).filter(isNumber);
  return known.length ? known.reduce((total, value) => total + value, 0) : null;
};

function elapsed(at, started) {
  if (typeof at === "number") return duration(at < 1e8 ? at : at - started);
  const time = Date.parse(at ?? "") / 1000;
  return Number.isNaN(time) || Number.isNaN(started) ? "" : duration(Math.max(0, time - started));
}
