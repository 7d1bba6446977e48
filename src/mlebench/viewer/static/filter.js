// The filter language: `medal:gold agent:aide hours>6 error:timeout -seed:0 "two words"`.

import { store } from "./store.js";

const group = (run) => store.groupOf.get(run.group) ?? {};
const competition = (run) => store.competitionOf.get(run.competition) ?? {};
const MEDALS = { G: "gold", S: "silver", B: "bronze" };
const OUTCOME = {
  G: "gold",
  S: "silver",
  B: "bronze",
  "+": "above",
  "-": "below",
  x: "invalid",
  "!": "failed",
  r: "running",
  ".": "waiting",
  c: "cancelled",
};
const STATE = { "!": "failed", r: "running", ".": "waiting", c: "cancelled" };

/** A word matches a part of the text; with `exact`, the whole text. */
const WORDS = {
  agent: { of: (run) => run.agent },
  group: { of: (run) => run.group },
  competition: { of: (run) => run.competition },
  medal: {
    exact: true,
    of: (run) => MEDALS[run.outcome] ?? "none",
    values: ["gold", "silver", "bronze", "any", "none"],
  },
  outcome: { exact: true, of: (run) => OUTCOME[run.outcome], values: Object.values(OUTCOME) },
  state: {
    exact: true,
    of: (run) => STATE[run.outcome] ?? "done",
    values: ["done", "running", "failed", "waiting", "cancelled"],
  },
  error: { of: (run) => run.reason },
  complexity: { exact: true, of: (run) => competition(run).complexity },
  category: { of: (run) => competition(run).category },
  split: { exact: true, of: (run) => group(run).split },
  model: { of: (run) => group(run).model },
  sandbox: { exact: true, of: (run) => group(run).sandbox },
  revision: { exact: true, of: (run) => group(run).revision },
  run: { of: (run) => run.key },
};
const NUMBERS = {
  seed: (run) => run.seed,
  score: (run) => run.score,
  rank: (run) => run.rank,
  hours: (run) => (run.seconds === null ? null : run.seconds / 3600),
  cost: (run) => run.cost,
  tokens: (run) => run.tokens,
  validations: (run) => run.validations,
};
export const FIELDS = [...Object.keys(WORDS), ...Object.keys(NUMBERS)];

const TERM = /^(-?)([a-z_]+)(:|>=|<=|>|<|=)(.*)$/i;
const TEST = {
  ">": (a, b) => a > b,
  "<": (a, b) => a < b,
  ">=": (a, b) => a >= b,
  "<=": (a, b) => a <= b,
  ":": (a, b) => a === b,
  "=": (a, b) => a === b,
};

/** Split the text at spaces outside quotes. */
export function split(text) {
  return text.match(/(?:[^\s"]+|"[^"]*"?)+/g) ?? [];
}

/** Parse a filter: a test for runs, and sentences about unknown terms. */
export function parse(text) {
  const tests = [];
  const problems = [];
  for (const term of split(text)) {
    const found = TERM.exec(term);
    const field = found?.[2].toLowerCase();
    const known = field && (field in WORDS || field in NUMBERS);
    if (found && !known) problems.push(`unknown field “${found[2]}”`);
    if (!known) tests.push(anywhere(term));
    else tests.push(fieldTest(field, found, problems));
  }
  return { matches: (run) => tests.every((test) => test(run)), problems, isEmpty: !tests.length };
}

function anywhere(term) {
  const wanted = unquoted(term.replace(/^-(?=.)/, "")).toLowerCase();
  const holds = (run) =>
    [run.competition, run.agent, run.group, run.key, run.reason].some(
      (text) => text && text.toLowerCase().includes(wanted),
    );
  return term.startsWith("-") && term.length > 1 ? (run) => !holds(run) : holds;
}

function fieldTest(field, [, minus, , operator, given], problems) {
  const values = unquoted(given)
    .toLowerCase()
    .split(",")
    .filter((value) => value !== "");
  if (!values.length) return () => true;
  const one =
    field in NUMBERS
      ? (value) => numberTest(field, operator, value, problems)
      : (value) => wordTest(field, value);
  const tests = values.map(one);
  const holds = (run) => tests.some((test) => test(run));
  return minus ? (run) => !holds(run) : holds;
}

function numberTest(field, operator, value, problems) {
  const bound = Number(value);
  if (Number.isNaN(bound)) {
    problems.push(`“${field}” needs a number, not “${value}”`);
    return () => false;
  }
  return (run) => {
    const own = NUMBERS[field](run);
    return own !== null && own !== undefined && TEST[operator](own, bound);
  };
}

function wordTest(field, value) {
  const { of, exact } = WORDS[field];
  if (field === "medal" && value === "any") return (run) => run.outcome in MEDALS;
  return (run) => {
    const own = String(of(run) ?? "").toLowerCase();
    return exact ? own === value : own.includes(value);
  };
}

function unquoted(text) {
  return text.replaceAll('"', "");
}

/** Completions: terms that can replace the last one. */
export function completions(text) {
  const last = /\s$/.test(text) || !text ? "" : (split(text).at(-1) ?? "");
  const found = TERM.exec(last);
  if (!found) {
    const minus = last.startsWith("-") ? "-" : "";
    const start = last.slice(minus.length).toLowerCase();
    return FIELDS.filter((field) => field.startsWith(start)).map(
      (field) => `${minus}${field}${field in NUMBERS ? ">" : ":"}`,
    );
  }
  const [, minus, name, operator, given] = found;
  const field = name.toLowerCase();
  if (!(field in WORDS) || operator !== ":") return [];
  const start = unquoted(given).toLowerCase();
  return fieldValues(field)
    .filter((value) => value.toLowerCase().includes(start) && value.toLowerCase() !== start)
    .slice(0, 12)
    .map((value) => `${minus}${field}:${/\s/.test(value) ? `"${value}"` : value}`);
}

function fieldValues(field) {
  if (WORDS[field].values) return WORDS[field].values;
  const seen = new Map();
  for (const run of store.runs) {
    const value = run && WORDS[field].of(run);
    if (value) seen.set(value, (seen.get(value) ?? 0) + 1);
  }
  return [...seen].sort((a, b) => b[1] - a[1]).map(([value]) => value);
}

/** The query of the address: `medal:gold hours>6` is `medal=gold&q=hours>6`. */
export function toQuery(text) {
  const query = new URLSearchParams();
  const rest = [];
  for (const term of split(text)) {
    const found = TERM.exec(term);
    const field = found?.[2].toLowerCase();
    const fits = found && !found[1] && found[3] === ":" && FIELDS.includes(field) && !query.has(field);
    if (fits && found[4] && !term.includes('"')) query.set(field, found[4]);
    else rest.push(term);
  }
  if (rest.length) query.set("q", rest.join(" "));
  return query;
}

export function fromQuery(query) {
  const terms = [];
  for (const [name, value] of query) {
    if (FIELDS.includes(name)) terms.push(`${name}:${/\s/.test(value) ? `"${value}"` : value}`);
  }
  return [...terms, query.get("q") ?? ""].filter(Boolean).join(" ");
}
