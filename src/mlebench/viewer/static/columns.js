// The columns of the two tables that several pages show: runs and groups.

import { h, s } from "./dom.js";
import { competitionPath, groupPath, runPath } from "./api.js";
import {
  OUTCOMES,
  count,
  duration,
  estimate,
  money,
  outcomeClass,
  score,
  short,
  time,
  utc,
  UNCERTAIN,
  plural,
} from "./format.js";
import { store } from "./store.js";

/** An outcome: the coloured letter and its word. */
export function badge(outcome) {
  const { letter, word } = OUTCOMES[outcome] ?? OUTCOMES["!"];
  return h(
    "span",
    { class: `outcome ${outcomeClass(outcome)}` },
    h("b", { "aria-hidden": "true", text: letter }),
    word,
  );
}

const arrow = (run) => {
  const lower = store.competitionOf.get(run.competition)?.lower_is_better;
  return lower === undefined || lower === null || run.score === null ? "" : lower ? " ↓" : " ↑";
};

export const SYNTHETIC = "rehearsal: synthetic data, says nothing about the competition";

/** A score on synthetic data is always marked. */
function scoreText(run) {
  return `${score(run.score)}${arrow(run)}${run.synthetic && run.score !== null ? " synthetic" : ""}`;
}

/** A column of numbers; `leaves` is the order in which columns are left out on a narrow screen. */
const figure = (title, value, show, width, leaves) => ({
  title,
  number: true,
  width,
  leaves,
  value,
  cell: (row) => show(value(row)),
});

/** A column as wide as its longest text. */
const whole = (title, value, more = {}) => ({ title, whole: true, value, cell: value, ...more });

const date = (value, leaves) => ({
  title: "started",
  width: 136,
  leaves,
  value,
  cell: (row) => time(value(row)),
  hover: (row) => utc(value(row)),
});

function rankText(run) {
  const teams = store.competitionOf.get(run.competition)?.teams;
  return run.rank === null ? "—" : `${count(run.rank)}${teams ? ` of ${count(teams)}` : ""}`;
}

const COLUMNS = {
  competition: whole("competition", (run) => run.competition, {
    cell: (run) => h("a", { href: runPath(run.group, run.key), text: run.competition }),
  }),
  competition_id: whole("competition", (run) => run.competition, {
    cell: (run) => h("a", { href: competitionPath(run.competition), text: run.competition }),
  }),
  agent: whole("agent", (run) => run.agent),
  revision: {
    title: "revision",
    width: 80,
    leaves: 1,
    value: (run) => store.groupOf.get(run.group)?.revision ?? null,
    cell: (run) => store.groupOf.get(run.group)?.revision || "—",
  },
  seed: figure("seed", (run) => run.seed, (seed) => String(seed ?? "—"), 60, 3),
  outcome: {
    title: "outcome",
    width: 146,
    compact: 48,
    value: (run) => OUTCOMES[run.outcome]?.order ?? 99,
    cell: (run) => [badge(run.outcome), run.uncertain ? h("span", { title: UNCERTAIN, text: " ?" }) : null],
  },
  score: whole("score", (run) => run.score, {
    number: true,
    text: scoreText,
    cell: (run) => h("span", { title: run.synthetic ? SYNTHETIC : undefined, text: scoreText(run) }),
  }),
  rank: { ...figure("rank", (run) => run.rank, count, 124, 4), cell: rankText },
  hours: figure("time", (run) => run.seconds, duration, 84, 2),
  tokens: figure("tokens", (run) => run.tokens, short, 72, 8),
  cost: figure("cost", (run) => run.cost, money, 72, 5),
  validations: figure("validations", (run) => run.validations, count, 96, 10),
  started: date((run) => run.started, 9),
  group: whole("group", (run) => run.group, {
    leaves: 7,
    cell: (run) => h("a", { href: groupPath(run.group), text: run.group }),
  }),
  run: whole("run", (run) => run.key, {
    width: 92,
    leaves: 11,
    cell: (run) => h("code", { text: run.key }),
  }),
  reason: {
    title: "reason",
    flexible: true,
    leaves: 6,
    value: (run) => run.reason,
    cell: (run) => run.reason || "",
    hover: (run) => run.reason || undefined,
  },
};

const RESULTS = "outcome score rank hours tokens cost validations started";

/** Columns of runs: those that name a run, those of its results, and others. */
export function runColumns(naming, others) {
  return [naming, RESULTS, others].join(" ").split(" ").map(column);
}

export const column = (id) => ({ id, ...COLUMNS[id] });

export const runKey = (run) => `${run.group}/${run.key}`;

/** The states of the runs of a group as a bar: done, running, failed, waiting. */
export function stateBar({ done = 0, running = 0, failed = 0, waiting = 0, cancelled = 0 }) {
  const parts = [
    ["done", done],
    ["running", running],
    ["failed", failed],
    ["waiting", waiting + cancelled],
  ];
  const total = parts.reduce((sum, [, number]) => sum + number, 0) || 1;
  const words = parts
    .filter(([, number]) => number)
    .map(([name, number]) => `${count(number)} ${name}`)
    .join(", ");
  let at = 0;
  return s(
    "svg",
    {
      class: "bar",
      viewBox: "0 0 96 12",
      width: 96,
      height: 12,
      role: "img",
      "aria-label": words || "no runs",
    },
    s("title", { text: words }),
    parts
      .filter(([, number]) => number)
      .map(([name, number]) => {
        const width = (number / total) * 96;
        const box = s("rect", {
          class: `state-${name}`,
          x: at + 0.5,
          y: 0.5,
          width: Math.max(1, width - 1),
          height: 11,
        });
        at += width;
        return box;
      }),
  );
}

/** `any medal 41.7 % ± 2.1 (25 of 60: 20 scored × 3, 3 not graded)`. */
export function medalSentence(group) {
  const missing = group.total - group.graded;
  const mark = group.is_rehearsal ? " synthetic" : "";
  const left = missing > 0 ? `, ${count(missing)} not graded` : "";
  const rate = group.any_medal;
  if (!rate) return `(${count(group.total)} runs${left})${mark}`;
  const of = `${count(rate.competitions)} ${rate.is_scored ? "" : "not "}scored × ${count(rate.seeds)}`;
  return `${estimate(rate)} (${count(rate.won)} of ${count(rate.runs)}: ${of}${left})${mark}`;
}

/** `20 scored competitions × 3 seeds, revision v1.1`. */
export function denominator(group) {
  const rate = group.any_medal;
  if (!rate) return `revision ${group.revision ?? "unknown"}`;
  const noun = rate.competitions === 1 ? "competition" : "competitions";
  const kind = rate.is_scored ? "scored" : "not scored";
  return `${count(rate.competitions)} ${kind} ${noun} × ${plural(rate.seeds, "seed")}, revision ${group.revision ?? "unknown"}`;
}

const dataWord = (group) =>
  group.is_rehearsal ? "synthetic" : group.is_demonstration ? "demonstration" : "real";

export function groupColumns(choose) {
  return Object.entries({
    choose: { title: "", width: 36, cell: choose },
    state: { title: "state", width: 112, leaves: 0.5, cell: (group) => stateBar(group.counts) },
    agent: whole("agent", (group) => group.agent, {
      cell: (group) => h("a", { href: groupPath(group.id), text: group.agent || group.id }),
      text: (group) => group.agent || group.id,
    }),
    data: whole("data", dataWord, {
      leaves: 2,
      cell: (group) => h("span", { title: group.is_rehearsal ? SYNTHETIC : undefined, text: dataWord(group) }),
    }),
    split: whole("split", (group) => group.split ?? "", { leaves: 6, cell: (group) => group.split ?? "—" }),
    revision: {
      title: "revision",
      width: 80,
      leaves: 10,
      value: (group) => group.revision,
      cell: (group) => group.revision ?? "—",
    },
    any_medal: whole("any medal", (group) => group.any_medal?.mean ?? null, {
      number: true,
      hover: (group) => `percent of ${denominator(group)}`,
      text: (group) => (group.problem ? "" : medalSentence(group)),
      cell: (group) =>
        group.problem
          ? h("span", { class: "problem", text: group.problem, title: group.problem })
          : medalSentence(group),
    }),
    gold: medals("G", "gold"),
    silver: medals("S", "silver"),
    bronze: medals("B", "bronze"),
    invalid: figure("invalid", (group) => group.invalid, count, 68, 5),
    failed: figure("failed", (group) => group.counts?.failed ?? 0, count, 68, 4),
    hours: figure("time", (group) => group.seconds, duration, 96, 7),
    cost: figure("cost", (group) => group.cost, money, 84, 8),
    created_at: date((group) => group.created_at, 3),
    id: whole("group", (group) => group.id, { leaves: 9 }),
  }).map(([id, column]) => ({ id, ...column }));
}

const medals = (letter, word) => ({
  ...figure(letter, (group) => group.medals[word], count, 44, 1),
  hover: () => word,
});
