// The index of all runs: loaded once, then only its changes.

import { get } from "./api.js";

const COLUMNS = [
  "competition",
  "seed",
  "key",
  "state",
  "score",
  "rank",
  "seconds",
  "started",
  "cost",
  "tokens",
  "validations",
  "synthetic",
  "uncertain",
];

export const store = {
  version: null,
  root: "",
  groups: [],
  competitions: [],
  runs: [],
  reasons: [],
  groupOf: new Map(),
  competitionOf: new Map(),
  runsOf: new Map(),
  changedAt: 0,
};

const listeners = new Set();

export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Load the index or its changes; returns whether there were any. */
export async function refresh(signal) {
  const since = store.version ?? undefined;
  const index = await get("/api/index", { since }, signal);
  if (since !== undefined && index.version === since) return false;
  if (since === undefined || index.replaces !== false) replace(index);
  else amend(index);
  store.version = index.version;
  store.changedAt = Date.now();
  for (const listener of listeners) listener();
  return true;
}

function replace(index) {
  store.root = index.root;
  store.groups = index.groups;
  store.competitions = index.competitions;
  store.reasons = index.reasons ?? [];
  store.groupOf = new Map(index.groups.map((group) => [group.id, group]));
  store.competitionOf = new Map(index.competitions.map((one) => [one.id, one]));
  store.runs = index.runs.outcome.length ? rows(index.runs, index) : [];
  sortIntoGroups();
}

function amend(index) {
  if (index.reasons) store.reasons = index.reasons;
  for (const one of index.competitions ?? []) {
    if (!store.competitionOf.has(one.id)) store.competitions.push(one);
    store.competitionOf.set(one.id, one);
  }
  for (const group of index.groups) {
    const place = store.groups.findIndex((old) => old.id === group.id);
    if (place < 0) store.groups.push(group);
    else store.groups[place] = group;
    store.groupOf.set(group.id, group);
  }
  const changed = index.runs.outcome.length ? rows(index.runs, store) : [];
  changed.forEach((run, number) => {
    run.row = index.runs.at[number];
    store.runs[run.row] = run;
  });
  sortIntoGroups();
}

/** Convert columns to rows; groups and competitions are numbers or names. */
function rows(columns, names) {
  const name = (list, value) => (typeof value === "number" ? list[value]?.id : value);
  return Array.from(columns.outcome, (outcome, row) => {
    const run = { row, outcome, group: name(names.groups, columns.group[row]) };
    for (const column of COLUMNS) run[column] = columns[column]?.[row] ?? null;
    run.competition = name(names.competitions, run.competition);
    const reason = columns.reason?.[row] ?? -1;
    run.reason = typeof reason === "number" ? (store.reasons[reason] ?? "") : reason;
    run.agent = store.groupOf.get(run.group)?.agent ?? "";
    return run;
  });
}

function sortIntoGroups() {
  store.runsOf = new Map(store.groups.map((group) => [group.id, []]));
  for (const run of store.runs) if (run) store.runsOf.get(run.group)?.push(run);
}
