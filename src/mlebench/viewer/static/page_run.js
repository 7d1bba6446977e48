// One run: its outcome, rank, hours, and seven tabs with its files and records.

import { h, put, command } from "./dom.js";
import { competitionPath, get, groupPath, runPath } from "./api.js";
import { SYNTHETIC, badge } from "./columns.js";
import { UNCERTAIN, OUTCOMES, count, duration, isNumber, money, outcomeClass, plain, score, short } from "./format.js";
import { plot, plots, tableKey } from "./plot.js";
import { go } from "./router.js";
import { store } from "./store.js";

const TABS = {
  trajectory: () => import("./tab_trajectory.js").then((file) => file.trajectoryTab),
  log: () => import("./tab_log.js").then((file) => file.logTab),
  files: () => import("./tab_files.js").then((file) => file.filesTab),
  submission: () => import("./tab_facts.js").then((file) => file.submissionTab),
  grading: () => import("./tab_facts.js").then((file) => file.gradingTab),
  similarity: () => import("./tab_similarity.js").then((file) => file.similarityTab),
  provenance: () => import("./tab_facts.js").then((file) => file.provenanceTab),
};
const NAMES = Object.keys(TABS);

export async function open(context) {
  const { group, key } = context.parameters;
  const api = `/api${runPath(group, key)}`;
  const fetchDetails = async () => readable(await get(api, {}, context.signal));
  let details = await fetchDetails();
  let tab = TABS[context.parameters.tab] ? context.parameters.tab : firstTab(details);
  let shown = { keys: [] };
  let stop = new AbortController();
  const strip = h("div", { class: "strip" });
  const figures = h("div");
  const panel = h("div", { class: "panel-tab", role: "tabpanel", id: "tab-panel", tabindex: -1 });
  const bar = h("div", { class: "tabs", role: "tablist", "aria-label": "About this run" });
  const content = h("div", {}, strip, figures, bar, panel);
  const page = {
    content,
    watched: `${group}/${key}`,
    listeners: { run: changed, log: (news) => shown.listeners?.log?.(news) },
  };

  function drawHead() {
    const { outcome } = details;
    page.title = title(details, outcome);
    page.crumbs = [
      [details.group.id, groupPath(details.group.id)],
      [`${details.run.competition_id} seed ${details.run.seed}`, runPath(group, key)],
    ];
    put(strip, ...headOf(details, outcome));
    if (figures.contains(document.activeElement)) return;
    put(
      figures,
      plots(
        plot(
          "Rank among humans",
          "rank",
          details,
          "Log scale, first place at the right. Filled dot: this run; hollow dots: other seeds.",
        ),
        plot("Hours", "hours", details),
      ),
    );
  }

  function drawTabs() {
    put(
      bar,
      NAMES.map((name, number) =>
        h("a", {
          role: "tab",
          id: `tab-${name}`,
          href: runPath(group, key, name),
          tabindex: name === tab ? 0 : -1,
          "aria-selected": String(name === tab),
          "aria-controls": "tab-panel",
          text: name,
          title: `${name} (${number + 1})`,
        }),
      ),
    );
    panel.setAttribute("aria-labelledby", `tab-${tab}`);
  }

  async function openTab(name, { query, hash }, moved = Boolean(hash)) {
    tab = name;
    stop.abort();
    stop = new AbortController();
    const mine = stop;
    shown.close?.();
    shown = { keys: [] };
    drawTabs();
    put(panel, h("p", { class: "muted", text: "Loading …" }));
    try {
      const make = await TABS[name]();
      const next = await make({
        api,
        raw: `/raw${runPath(group, key)}`,
        run: details,
        query,
        hash,
        signal: mine.signal,
      });
      if (mine.signal.aborted) return next.close?.();
      shown = next;
      put(panel, shown.content);
      shown.placed?.();
    } catch (error) {
      if (error.name === "AbortError") return undefined;
      if (!error.kind) reportError(error);
      put(
        panel,
        h("p", { class: "problem", role: "alert", text: error.message }),
        error.hint && h("p", { class: "muted", text: error.hint }),
      );
    }
    setKeys();
    context.redraw();
    if (moved) bar.scrollIntoView({ block: "start", behavior: "instant" });
    return undefined;
  }

  const table = tableKey(content);
  const neighbour = (which) => {
    const other = details.neighbours?.[which];
    if (!other) return false;
    return go(runPath(group, typeof other === "string" ? other : other.key, tab));
  };

  function setKeys() {
    page.search = shown.search;
    page.watchedLog = shown.log;
    page.keys = [
      ...shown.keys,
      {
        keys: ["ArrowLeft"],
        label: "← →",
        hint: "other run",
        run: (event) => (scrolls(event) ? false : neighbour("previous")),
      },
      { keys: ["ArrowRight"], run: (event) => (scrolls(event) ? false : neighbour("next")) },
      {
        keys: NAMES.map((_, number) => String(number + 1)),
        label: "1–7",
        hint: "tabs",
        run: (event) => go(runPath(group, key, NAMES[Number(event.key) - 1])),
      },
      table,
    ];
  }

  let refreshing = null;
  function changed() {
    refreshing ??= setTimeout(async () => {
      refreshing = null;
      const before = details.run.state;
      details = await fetchDetails().catch(() => details);
      drawHead();
      context.redraw();
      if (before !== details.run.state && ["submission", "grading", "provenance"].includes(tab))
        openTab(tab, place(), false);
    }, 1000);
  }

  const place = () => ({ query: new URLSearchParams(location.search), hash: location.hash });
  panel.addEventListener("reopen", () => openTab(tab, place(), false));
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    go(runPath(group, key, NAMES[(NAMES.indexOf(tab) + step + NAMES.length) % NAMES.length]));
    bar.querySelector("[aria-selected=true]").focus();
  });
  figures.addEventListener("click", (event) => {
    const step = event.target.closest?.("[data-step]")?.dataset.step;
    if (step !== undefined) go(`${runPath(group, key, "trajectory")}#s${Number(step) + 1}`);
  });

  page.update = () => {
    const row = store.runsOf.get(details.group.id)?.find((run) => run.key === details.key);
    if (row && row.state !== details.run.state && row.state !== "damaged") changed();
  };
  page.moved = (next) => {
    if (next.parameters.group !== group || next.parameters.key !== key) return false;
    const name = TABS[next.parameters.tab] ? next.parameters.tab : firstTab(details);
    openTab(name, next, true);
    return true;
  };
  page.placed = () => {
    openTab(tab, context);
  };
  page.close = () => {
    stop.abort();
    clearTimeout(refreshing);
    shown.close?.();
  };
  drawHead();
  drawTabs();
  setKeys();
  return page;
}

/** A run whose record cannot be read still has a log and files. */
function readable(details) {
  const row = store.runsOf.get(details.group.id)?.find((run) => run.key === details.key);
  const run = details.run ?? {
    run_id: row?.key ?? details.key,
    competition_id: details.competition?.id,
    agent: details.group.agent,
    group: details.group.id,
    seed: row?.seed ?? "—",
    state: "damaged",
  };
  return { ...details, run };
}

const scrolls = (event) => Boolean(event.target.closest?.(".scroll, .lines, .steps, .cells-box"));

function firstTab({ run, has }) {
  if (["running", "starting"].includes(run.state)) return "log";
  return has?.trajectory || has?.tree ? "trajectory" : "log";
}

function title({ run, report }, outcome) {
  const mark = report?.is_rehearsal ? " synthetic" : "";
  const number = isNumber(run.score) ? ` ${score(run.score)}${mark}` : "";
  return `${OUTCOMES[outcome].letter}${number} ${run.competition_id} · ${run.agent} · seed ${run.seed}`;
}

function headOf(
  { run, report, command: line, competition, to_next_medal: next, problem, neighbours, group },
  outcome,
) {
  const ranks = report?.uncertainty?.rank_interval;
  const isSynthetic = report?.is_rehearsal ?? store.groupOf.get(group.id)?.is_rehearsal;
  const lower = report?.is_lower_better ?? competition?.lower_is_better;
  const limit = run.usage?.wall_seconds?.granted ?? (store.groupOf.get(group.id)?.hours ?? 0) * 3600;
  const used =
    run.seconds ??
    (run.started_at && !run.ended_at ? (Date.now() - Date.parse(run.started_at)) / 1000 : null);
  const tokens = run.model?.tokens ?? sumOf(run.model?.input_tokens, run.model?.output_tokens);
  const fact = (name, value, extra) =>
    value && h("div", { class: "fact" }, h("span", { class: "muted", text: name }), h("b", {}, value, extra));
  const link = (which, sign) =>
    neighbours?.[which] &&
    h("a", {
      class: "button",
      title: `${which} run`,
      "aria-label": `${which} run`,
      href: runPath(group.id, neighbours[which].key ?? neighbours[which]),
      text: sign,
    });
  return [
    h(
      "div",
      { class: "headline" },
      h(
        "h1",
        {},
        h("a", { href: competitionPath(run.competition_id), text: run.competition_id }),
        ` · ${run.agent} · seed ${run.seed}`,
      ),
      h("span", { class: "around" }, link("previous", "←"), link("next", "→")),
    ),
    problem && h("p", { class: "problem", text: problem }),
    isSynthetic && h("p", {}, h("span", { class: "badge strong", text: SYNTHETIC })),
    h(
      "div",
      { class: "facts-row" },
      h(
        "div",
        { class: `fact ${outcomeClass(outcome)}` },
        h("span", { class: "muted", text: "outcome" }),
        h("span", {}, badge(outcome), report?.uncertainty?.uncertain ? " ?" : null),
      ),
      fact(
        "score",
        isNumber(run.score) ? score(run.score) : null,
        `${lower === undefined || lower === null ? "" : lower ? " ↓" : " ↑"}${isSynthetic ? " synthetic" : ""}`,
      ),
      fact("rank", report?.rank ? `${count(Math.min(report.rank, report.teams ?? Infinity))} of ${count(report.teams)}` : null),
      fact("rank, 95 %", ranks ? `${count(ranks[0])} to ${count(ranks[1])}` : null),
      fact("revision", report?.revision),
      fact(
        "to the next medal",
        next ? `${plain(Number(Math.abs(next.difference).toPrecision(3)))} short of ${next.medal}` : null,
      ),
      fact("time", isNumber(used) ? `${duration(used)}${limit ? ` of ${duration(limit)}` : ""}` : null),
      fact("tokens", isNumber(tokens) ? short(tokens) : null),
      fact("cost", run.model ? money(run.model.cost) : null),
      fact("validations", run.validations ? count(run.validations) : null),
      fact("state", ["finished"].includes(run.state) ? null : run.state),
    ),
    report?.uncertainty?.uncertain && h("p", { class: "muted", text: `? ${UNCERTAIN}` }),
    run.reason && !report?.any_medal && h("p", { class: "muted", text: report?.reason ?? run.reason }),
    line && command(line),
  ];
}

function sumOf(...values) {
  const known = values.filter(isNumber);
  return known.length ? known.reduce((sum, value) => sum + value, 0) : null;
}
