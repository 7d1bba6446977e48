// The log of a run: opens at its end, follows it, searches for text and errors.

import { h, put, announce } from "./dom.js";
import { get } from "./api.js";
import { coloured, withoutColours } from "./ansi.js";
import { bytes, count, plural } from "./format.js";
import { Lines, readMark, writeMark } from "./lines.js";
import { amend } from "./router.js";

const TAIL = 300;

export async function logTab({ api, run, query, hash, signal }) {
  const logs = run.logs ?? [];
  const name = logs.some((log) => log.name === query.get("name")) ? query.get("name") : logs[0]?.name;
  if (!name) return { content: h("p", { class: "muted", text: "This run has no log yet." }), keys: [] };
  const ask = (more) => get(`${api}/log`, { name, ...more }, signal);
  const start = await ask({ tail: TAIL });
  let follow = readMark(hash) === null && !start.complete;
  let unseen = 0;
  let before = 0;
  let finding = { hits: [], at: -1, word: "" };
  let errors = null;

  const view = new Lines({
    label: `Log ${name}`,
    fetchLines: (from, number) => ask({ from, count: number }),
    paint,
    onMark: (first, last) => amend({ hash: writeMark(first, last) }),
    onScroll: () => {
      const top = view.element.scrollTop;
      // Only the user scrolls up; new lines do not change the position.
      const isUp = top < before - 1;
      before = top;
      if (view.atEnd) unseen = 0;
      else if (isUp) follow = false;
      tell();
    },
    onResize: () => follow && view.toEnd(),
  });
  const size = h("span", { class: "muted" });
  const fresh = h("button", {
    type: "button",
    class: "fresh-lines",
    hidden: true,
    onclick: () => {
      follow = true;
      toEnd();
    },
  });
  const follower = h("button", {
    type: "button",
    text: "Follow",
    "aria-pressed": "false",
    title: "Follow the end (f)",
    onclick: () => {
      follow = !follow;
      if (follow) {
        toEnd();
        view.element.scrollIntoView({ block: "end", behavior: "instant" });
      }
      tell();
    },
  });
  const search = h("input", {
    type: "search",
    "aria-label": "Find in the log",
    placeholder: "find in the log",
    value: query.get("find") ?? "",
  });
  const result = h("span", { class: "muted", role: "status" });
  const error = h("button", {
    type: "button",
    text: "Next error",
    title: "Next error (e)",
    onclick: () => nextError(),
  });
  const choice = h(
    "select",
    {
      "aria-label": "Which log",
      onchange: () => {
        const next = new URLSearchParams({ name: choice.value });
        amend({ query: next, hash: "" });
        content.dispatchEvent(new CustomEvent("reopen", { bubbles: true }));
      },
    },
    logs.map((log) => h("option", { value: log.name, text: `${log.name} (${bytes(log.size)})` })),
  );
  choice.value = name;
  const content = h(
    "div",
    { class: "log" },
    h("div", { class: "bar" }, choice, search, result, error, follower, size),
    h("div", { class: "lines-box" }, view.element, fresh),
  );

  function paint(text, number, holder) {
    holder.append(...coloured(text));
    if (finding.word && withoutColours(text).toLowerCase().includes(finding.word))
      holder.classList.add("hit");
  }

  function toEnd() {
    unseen = 0;
    view.toEnd();
    tell();
  }

  function tell() {
    size.textContent = `${plural(view.total, "line")}, ${bytes(sizeNow)}`;
    fresh.hidden = !unseen;
    fresh.textContent = `${count(unseen)} new ${unseen === 1 ? "line" : "lines"} ↓`;
    follower.setAttribute("aria-pressed", String(follow));
  }

  /** Show next to the field why the server rejects a query. */
  function told(work) {
    return (...given) =>
      work(...given).catch((error) => {
        if (error.name !== "AbortError") result.textContent = error.message;
      });
  }

  const find = told(async (step = 0) => {
    const word = search.value.trim().toLowerCase();
    if (!word) {
      finding = { hits: [], at: -1, word: "" };
      put(result);
      return view.redraw();
    }
    if (word !== finding.word) {
      const { hits, total_hits: total } = await ask({ search: word, ignore_case: 1 });
      finding = { hits, total, word, at: hits.findIndex((line) => line >= view.top) - (step > 0 ? 1 : 0) };
      if (finding.at < 0) finding.at = step > 0 ? -1 : 0;
    }
    if (!finding.hits.length) {
      result.textContent = "not found";
      return view.redraw();
    }
    finding.at = (finding.at + step + finding.hits.length) % finding.hits.length;
    result.textContent = `${count(finding.at + 1)} of ${count(finding.total)}`;
    return jump(finding.hits[finding.at]);
  });

  const nextError = told(async () => {
    errors ??= (await ask({ errors: 1 })).hits;
    if (!errors.length) return announceNone();
    const next = errors.find((line) => line > Math.max(view.current, -1)) ?? errors[0];
    result.textContent = `error ${count(errors.indexOf(next) + 1)} of ${count(errors.length)}`;
    return jump(next);
  });

  function announceNone() {
    result.textContent = "no line looks like an error";
    announce(result.textContent);
  }

  function jump(line) {
    follow = false;
    view.to(line);
    tell();
  }

  /** The log has grown: load the new lines, including the last known one. */
  let fetching = false;
  let later = null;
  const grown = told(async (news) => {
    if (news.name !== name) return;
    if (fetching) {
      later = news;
      return;
    }
    if (news.total === view.total && news.size === sizeNow) return;
    fetching = true;
    try {
      const from = Math.max(0, view.total - 1);
      const answer = await ask(news.total - from > TAIL ? { tail: TAIL } : { from, count: TAIL });
      const more = Math.max(0, answer.total - view.total);
      sizeNow = answer.size;
      errors = null;
      view.forget(from);
      view.take(answer);
      if (follow) toEnd();
      else {
        unseen += more;
        view.draw();
        tell();
      }
    } finally {
      fetching = false;
      if (later) {
        const missed = later;
        later = null;
        grown(missed);
      }
    }
  });

  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") find(event.shiftKey ? -1 : 1);
    // Otherwise the browser clears the field.
    else if (event.key === "Escape") search.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  search.addEventListener("search", () => find());
  let sizeNow = start.size;
  view.take(start);
  const wanted = readMark(hash);

  return {
    content,
    search,
    log: name,
    listeners: { log: grown },
    placed: () => {
      if (wanted) {
        view.to(wanted[0]);
        view.mark(...wanted);
      } else toEnd();
      tell();
      if (search.value) find(1);
    },
    close: () => view.close(),
    keys: [
      { keys: ["f"], label: "f", hint: "follow", run: () => follower.click() },
      {
        keys: ["e"],
        label: "e",
        hint: "next error",
        run: () => {
          nextError();
        },
      },
      {
        keys: ["n"],
        label: "n N",
        hint: "match",
        run: () => {
          find(1);
        },
      },
      {
        keys: ["N"],
        run: () => {
          find(-1);
        },
      },
      { keys: ["G"], label: "G", hint: "end", run: toEnd },
      { keys: ["g"], label: "g", hint: "start", run: () => view.to(0) },
    ],
  };
}
