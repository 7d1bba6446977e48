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
} from "./format.js";
import { store } from "./store.js";

/** An outcome: letter in its colour, and the word for those who do not know the letters yet. */
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

const COLUMNS = {
  competition: {
    title: "competition",
    whole: true,
    value: (run) => run.competition,
    cell: (run) => h("a", { href: runPath(run.group, run.key), text: run.competition }),
  },
  competition_id: {
    title: "competition",
    whole: true,
    value: (run) => run.competition,
    cell: (run) => h("a", { href: competitionPath(run.competition), text: run.competition }),
  },
  agent: { title: "agent", whole: true, value: (run) => run.agent, cell: (run) => run.agent },
  seed: {
    title: "seed",
    number: true,
    width: 60,
    leaves: 3,
    value: (run) => run.seed,
    cell: (run) => String(run.seed ?? "—"),
  },
  outcome: {
    title: "outcome",
    width: 146,
    compact: 48,
    value: (run) => OUTCOMES[run.outcome]?.order ?? 99,
    cell: (run) => badge(run.outcome),
  },
  score: {
    title: "score",
    number: true,
    whole: true,
    value: (run) => run.score,
    text: scoreText,
    cell: (run) => h("span", { title: run.synthetic ? SYNTHETIC : undefined, text: scoreText(run) }),
  },
  rank: {
    title: "rank",
    number: true,
    width: 124,
    leaves: 4,
    value: (run) => run.rank,
    cell: (run) => {
      const teams = store.competitionOf.get(run.competition)?.teams;
      return run.rank === null ? "—" : `${count(run.rank)}${teams ? ` of ${count(teams)}` : ""}`;
    },
  },
  hours: {
    title: "time",
    number: true,
    width: 84,
    leaves: 2,
    value: (run) => run.seconds,
    cell: (run) => duration(run.seconds),
  },
  tokens: {
    title: "tokens",
    number: true,
    width: 72,
    leaves: 8,
    value: (run) => run.tokens,
    cell: (run) => short(run.tokens),
  },
  cost: {
    title: "cost",
    number: true,
    width: 72,
    leaves: 5,
    value: (run) => run.cost,
    cell: (run) => money(run.cost),
  },
  validations: {
    title: "validations",
    number: true,
    width: 96,
    leaves: 10,
    value: (run) => run.validations,
    cell: (run) => count(run.validations),
  },
  started: {
    title: "started",
    width: 136,
    leaves: 9,
    value: (run) => run.started,
    cell: (run) => time(run.started),
    hover: (run) => utc(run.started),
  },
  group: {
    title: "group",
    whole: true,
    leaves: 7,
    value: (run) => run.group,
    cell: (run) => h("a", { href: groupPath(run.group), text: run.group }),
  },
  run: {
    title: "run",
    width: 92,
    leaves: 11,
    value: (run) => run.key,
    whole: true,
    cell: (run) => h("code", { text: run.key }),
  },
  reason: {
    title: "reason",
    flexible: true,
    leaves: 6,
    value: (run) => run.reason,
    cell: (run) => run.reason || "",
    hover: (run) => run.reason || undefined,
  },
};

export function runColumns(...names) {
  return names.map((id) => ({ id, ...COLUMNS[id] }));
}

export const runKey = (run) => `${run.group}/${run.key}`;

/** How the runs of a group stand, as a bar: done, running, failed, waiting. */
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

/** `any medal 41.7 % ± 2.1 (25 of 60, 3 not graded)`: never a number without its count. */
export function medalSentence(group) {
  const medals = group.medals.gold + group.medals.silver + group.medals.bronze;
  const missing = group.total - group.graded;
  const mark = group.is_rehearsal ? " synthetic" : "";
  const rate = group.any_medal && group.any_medal.mean !== null ? `${estimate(group.any_medal)} ` : "";
  return `${rate}(${count(medals)} of ${count(group.total)}${missing > 0 ? `, ${count(missing)} not graded` : ""})${mark}`;
}

const dataWord = (group) =>
  group.is_rehearsal ? "synthetic" : group.is_demonstration ? "demonstration" : "real";

export function groupColumns(choose) {
  return [
    { id: "choose", title: "", width: 36, cell: choose },
    { id: "state", title: "state", width: 112, leaves: 0.5, cell: (group) => stateBar(group.counts) },
    {
      id: "agent",
      title: "agent",
      whole: true,
      value: (group) => group.agent,
      cell: (group) => h("a", { href: groupPath(group.id), text: group.agent || group.id }),
      text: (group) => group.agent || group.id,
    },
    {
      id: "data",
      title: "data",
      whole: true,
      leaves: 2,
      value: (group) => dataWord(group),
      cell: (group) => h("span", { title: group.is_rehearsal ? SYNTHETIC : undefined, text: dataWord(group) }),
    },
    {
      id: "split",
      title: "split",
      whole: true,
      leaves: 6,
      value: (group) => group.split ?? "",
      cell: (group) => group.split ?? "—",
    },
    {
      id: "revision",
      title: "revision",
      width: 80,
      leaves: 10,
      value: (group) => group.revision,
      cell: (group) => group.revision ?? "—",
    },
    {
      id: "any_medal",
      title: "any medal",
      whole: true,
      number: true,
      value: (group) => group.any_medal?.mean ?? null,
      text: (group) => (group.problem ? "" : medalSentence(group)),
      cell: (group) =>
        group.problem
          ? h("span", { class: "problem", text: group.problem, title: group.problem })
          : medalSentence(group),
    },
    medals("G", "gold"),
    medals("S", "silver"),
    medals("B", "bronze"),
    {
      id: "invalid",
      title: "invalid",
      number: true,
      width: 68,
      leaves: 5,
      value: (group) => group.invalid,
      cell: (group) => count(group.invalid),
    },
    {
      id: "failed",
      title: "failed",
      number: true,
      width: 68,
      leaves: 4,
      value: (group) => group.counts?.failed ?? 0,
      cell: (group) => count(group.counts?.failed ?? 0),
    },
    {
      id: "hours",
      title: "time",
      number: true,
      width: 96,
      leaves: 7,
      value: (group) => group.seconds,
      cell: (group) => duration(group.seconds),
    },
    {
      id: "cost",
      title: "cost",
      number: true,
      width: 84,
      leaves: 8,
      value: (group) => group.cost,
      cell: (group) => money(group.cost),
    },
    {
      id: "created_at",
      title: "started",
      width: 136,
      leaves: 3,
      value: (group) => group.created_at,
      cell: (group) => time(group.created_at),
      hover: (group) => utc(group.created_at),
    },
    {
      id: "id",
      title: "group",
      whole: true,
      leaves: 9,
      value: (group) => group.id,
      cell: (group) => group.id,
    },
  ];
}

function medals(letter, word) {
  return {
    id: word,
    title: letter,
    number: true,
    width: 44,
    leaves: 1,
    value: (group) => group.medals[word],
    cell: (group) => count(group.medals[word]),
    hover: () => word,
  };
}
