// The frame of the pages: header, footer, keys, navigation.

import { groupPath } from "./api.js";
import { h, put, announce, copyText } from "./dom.js";
import { filterBox } from "./filterbox.js";
import { fromQuery, toQuery } from "./filter.js";
import { listen, setOwn, setShared, showKeys } from "./keys.js";
import { startLive, watch } from "./live.js";
import { openPalette } from "./palette.js";
import { amend, go, onMove, route } from "./router.js";
import { onChange, refresh, store } from "./store.js";
import { cycleTheme, restoreTheme } from "./theme.js";
import { failure } from "./states.js";

const PAGES = {
  groups: () => import("./page_groups.js"),
  group: () => import("./page_group.js"),
  run: () => import("./page_run.js"),
  competition: () => import("./page_competition.js"),
  compare: () => import("./page_compare.js"),
  search: () => import("./page_search.js"),
  missing: () => import("./page_missing.js"),
};
const KEPT = ["sort"];

const main = document.getElementById("main");
let page = null;
let opening = null;

const filter = filterBox({
  changed: (text) => {
    if (!page?.filter) return;
    const query = toQuery(text);
    const old = new URLSearchParams(location.search);
    for (const name of KEPT) if (old.has(name)) query.set(name, old.get(name));
    amend({ query });
    page.filter(text);
  },
  entered: (text) => {
    if (page?.filter) (main.querySelector("tbody a") ?? main).focus();
    else go(`/?${toQuery(text)}`);
  },
});

function setFilter(text) {
  filter.input.value = text;
  filter.input.dispatchEvent(new Event("input"));
}

async function show(place) {
  opening?.abort();
  if (page?.stays?.(place)) return frame(place);
  const stop = new AbortController();
  opening = stop;
  const old = page;
  page = null;
  const context = {
    ...place,
    signal: stop.signal,
    redraw: () => frame(place),
    setFilter,
    text: place.page === "search" || place.page === "compare" ? "" : fromQuery(place.query),
  };
  try {
    const [{ open }] = await Promise.all([PAGES[place.page](), ready(stop.signal)]);
    const next = await open(context);
    if (stop.signal.aborted) return next.close?.();
    page = next;
  } catch (error) {
    if (stop.signal.aborted) return undefined;
    if (!error.kind) reportError(error);
    page = failure(error, place, () => show(place));
  }
  old?.close?.();
  put(main, page.content);
  page.placed?.();
  window.scrollTo(0, history.state?.scroll ?? 0);
  frame(place);
  main.focus({ preventScroll: true });
  return undefined;
}

let loading = null;

function ready(signal) {
  if (store.version !== null) return undefined;
  loading ??= refresh().finally(() => {
    loading = null;
  });
  return Promise.race([
    loading,
    new Promise((_, stop) => signal.addEventListener("abort", () => stop(signal.reason))),
  ]);
}

/** Update title, breadcrumb, footer and event stream for a page. */
function frame(place) {
  if (!page) return;
  const title = `${page.title} · mlebench`;
  if (document.title !== title) announce(page.title);
  document.title = title;
  const crumbs = [["runs", "/"], ...(page.crumbs ?? [])];
  put(
    document.getElementById("crumbs"),
    h(
      "ol",
      {},
      crumbs.map(([name, address], number) =>
        h(
          "li",
          {},
          number === crumbs.length - 1
            ? h("span", { "aria-current": "page", text: name })
            : h("a", { href: address, text: name }),
        ),
      ),
    ),
  );
  if (document.activeElement !== filter.input)
    filter.input.value = page.filter ? fromQuery(new URLSearchParams(location.search)) : "";
  setOwn(page.keys ?? []);
  watch(page.watched, page.watchedLog, page.listeners);
  return place;
}

function up() {
  if (!page) {
    // A page is being opened: its address says what is above it.
    const { parameters, path } = route();
    if (path !== "/") go(parameters.key ? groupPath(parameters.group) : "/");
    return;
  }
  const crumbs = [["runs", "/"], ...(page.crumbs ?? [])];
  if (page.escape?.()) return;
  if (crumbs.length > 1) go(crumbs.at(-2)[1]);
  else if (filter.input.value) setFilter("");
}

setShared([
  { keys: ["/"], label: "/", hint: "filter", run: () => (page?.search ?? filter.input).focus() },
  { keys: ["Ctrl-k"], label: "Ctrl-K", hint: "go to", run: openPalette },
  { keys: ["Escape"], label: "Esc", hint: "up", run: up },
  {
    keys: ["y"],
    label: "y",
    hint: "copy address",
    run: () => {
      copyText(location.href);
    },
  },
  { keys: ["t"], label: "t", hint: "theme", run: cycleTheme },
  { keys: ["?"], label: "?", hint: "keys", run: showKeys },
]);

function start() {
  put(
    document.getElementById("tools"),
    filter,
    h("a", { class: "button", href: "/search", text: "Search" }),
    h("button", {
      type: "button",
      id: "theme",
      text: "Theme",
      title: "System, light, dark (t)",
      onclick: cycleTheme,
    }),
    h("button", { type: "button", text: "?", "aria-label": "Keys", title: "Keys (?)", onclick: showKeys }),
  );
  restoreTheme();
  listen();
  onMove((place) => {
    if (place.page !== "run" || !page?.moved?.(place)) show(place);
    else frame(place);
  });
  onChange(() => page?.update?.());
  history.scrollRestoration = "manual";
  const top = document.querySelector(".top");
  new ResizeObserver(() =>
    document.documentElement.style.setProperty("--top", `${top.offsetHeight}px`),
  ).observe(top);
  startLive();
  show(route());
}

start();
