// The tabs submission, grading and provenance of a run.

import { h, facts, plainTable, section } from "./dom.js";
import { get, runPath } from "./api.js";
import { cellTable } from "./cells.js";
import { bytes, count, duration, percent, plain, score, time, utc } from "./format.js";

const BLAMES = {
  agent: "the agent: it could have avoided this",
  data: "the data: the competition's files are at fault",
  infrastructure: "the machine: sandbox, disk, memory or network failed",
  timeout: "nobody: the time that was granted is over",
  budget: "nobody: the budget that was granted is spent",
};

export async function submissionTab({ api, run, signal }) {
  const found = await get(`${api}/submission`, {}, signal);
  const history = submissionHistory(run);
  if (!found.exists) {
    return {
      keys: [],
      content: h("div", {}, h("p", { text: "This run has no submission." }), history),
    };
  }
  const expected = found.expected;
  const against = (own, wanted) =>
    wanted === undefined || wanted === null ? count(own) : `${count(own)}, expected ${count(wanted)}`;
  return {
    keys: [],
    content: h(
      "div",
      {},
      verdict(found),
      facts([
        ["rows", against(found.rows, expected?.rows)],
        [
          "columns",
          expected && String(expected.columns) !== String(found.columns)
            ? `${found.columns.join(", ")}; expected ${expected.columns.join(", ")}`
            : found.columns?.join(", "),
        ],
        ["size", bytes(found.size)],
        ["sha256", h("code", { text: found.sha256 ?? "—" })],
      ]),
      found.differences?.length > 0 &&
        section(
          "Differences from the sample",
          h(
            "ul",
            {},
            found.differences.slice(0, 50).map((text) => h("li", { text })),
          ),
        ),
      found.columns && section("First and last rows", cellTable(found)),
      history,
    ),
  };
}

function verdict({ validation, report }) {
  const valid = validation?.valid ?? report?.valid_submission;
  if (valid === undefined || valid === null) return null;
  const message = validation?.message ?? report?.reason ?? "";
  return h(
    "p",
    { class: valid ? "" : "problem" },
    h("b", { text: valid ? "Valid" : "Invalid" }),
    message ? `: ${message}` : "",
  );
}

function submissionHistory({ validations = [], snapshots = [] }) {
  const parts = [];
  if (validations.length) {
    parts.push(
      section(
        `Validations (${count(validations.length)})`,
        plainTable(
          ["after", "result", "size", "message"],
          validations
            .slice(-50)
            .map((one) => [
              duration(one.seconds),
              one.valid ? "valid" : "invalid",
              bytes(one.size),
              one.message ?? "",
            ]),
          { caption: "Validations", numbers: [0, 2] },
        ),
      ),
    );
  }
  if (snapshots.length) {
    parts.push(
      section(
        `Snapshots of the submission (${count(snapshots.length)})`,
        plainTable(
          ["after", "size", "valid", "score"],
          snapshots
            .slice(-50)
            .map((one) => [duration(one.seconds), bytes(one.size), plain(one.valid), score(one.score)]),
          { caption: "Snapshots", numbers: [0, 1, 3] },
        ),
      ),
    );
  }
  return parts;
}

const RESULTS = {
  clean: "clean: nothing that a person must look at",
  review: "findings that a person must look at",
  disqualified: "disqualified: counts as a failure after integrity",
};

/** The file of an item of evidence, and which bytes of it. */
function evidenceQuery({ file, offset, length }) {
  const place = length ? { offset: String(offset), length: String(length) } : {};
  return new URLSearchParams({ path: file, ...place });
}

function integrityPart({ integrity, group, key }) {
  if (!integrity) return h("p", { class: "muted", text: "Integrity: this run was not checked." });
  const place = (item) =>
    h(
      "div",
      {},
      h("a", {
        href: `${runPath(group.id, key, "files")}?${evidenceQuery(item)}`,
        text: item.file,
      }),
      item.length ? `, bytes ${count(item.offset)} to ${count(item.offset + item.length)}: ` : ": ",
      h("q", { text: item.quote }),
    );
  return section(
    "Integrity",
    h("p", { text: RESULTS[integrity.result] ?? integrity.result }),
    integrity.findings.length > 0 &&
      plainTable(
        ["check", "severity", "status", "finding", "evidence"],
        integrity.findings.map((one) => [
          one.check,
          one.severity,
          [
            one.judge && `judge: ${one.judge.verdict}`,
            [one.status, one.reviewer && `by ${one.reviewer}`, one.note].filter(Boolean).join(": "),
          ]
            .filter(Boolean)
            .join("; "),
          one.title + (one.figure === null ? "" : ` (${one.figure}, threshold ${one.threshold ?? "none"})`),
          h("div", {}, one.evidence.map(place)),
        ]),
      ),
    integrity.checks_skipped.length > 0 &&
      h("p", {
        class: "muted",
        text: `Not made: ${integrity.checks_skipped.map((one) => `${one.id} (${one.reason})`).join("; ")}`,
      }),
  );
}

export function gradingTab({ run: details }) {
  const { run, report, competition } = details;
  const reason = report?.reason ?? run.reason;
  const uncertainty = report?.uncertainty ?? {};
  return {
    keys: [],
    content: h(
      "div",
      {},
      reason && h("p", { class: report && report.valid_submission ? "" : "problem", text: reason }),
      run.blame && h("p", {}, "Blame: ", h("b", { text: BLAMES[run.blame] ?? run.blame }), "."),
      !report &&
        h("p", {
          class: "muted",
          text: run.state === "finished" ? "The report is missing." : `Not graded: the run is ${run.state}.`,
        }),
      report &&
        facts([
          ["score", score(report.score)],
          ["medal", ["gold", "silver", "bronze"].find((medal) => report[`${medal}_medal`]) ?? "none"],
          ["rank", report.rank ? `${count(report.rank)} of ${count(report.teams)}` : null],
          [
            "teams beaten",
            (report.teams_beaten ?? report.human_rank ?? null) === null
              ? null
              : percent(100 * (report.teams_beaten ?? report.human_rank)),
          ],
          ["standard error", uncertainty.standard_error ?? uncertainty.reason],
          ["units", uncertainty.units ? `${count(uncertainty.units)} ${uncertainty.unit}s` : null],
          ["rank, 95 %", uncertainty.rank_interval?.map(count).join(" to ")],
          ["uncertain", uncertainty.uncertain ? "yes: a medal cut is inside this interval" : uncertainty.uncertain === false ? "no" : null],
          ["better is", report.is_lower_better ? "lower" : "higher"],
          ["gold from", score(report.gold_threshold)],
          ["silver from", score(report.silver_threshold)],
          ["bronze from", score(report.bronze_threshold)],
          ["median", score(report.median_threshold)],
          ["submission", report.submission_exists ? (report.valid_submission ? "valid" : "invalid") : "none"],
          ["graded", timed(report.created_at)],
          ["revision", report.revision],
          ["rehearsal", report.is_rehearsal ? "yes: synthetic data" : null],
          ["demonstration", report.is_demonstration ? "yes: the answers are public" : null],
          ["category", competition?.category],
          ["complexity", competition?.complexity],
          ["submission sha256", report.submission_sha256 && h("code", { text: report.submission_sha256 })],
        ]),
      integrityPart(details),
      run.attempts?.length > 0 &&
        section(
          "Earlier attempts",
          plainTable(
            ["attempt", "why it did not count"],
            run.attempts.map((one) => [plain(one.attempt), plain(one.reason ?? one)]),
          ),
        ),
    ),
  };
}

export function provenanceTab({ run: { run } }) {
  const rows = (object) =>
    Object.entries(object ?? {}).map(([name, value]) => [name.replaceAll("_", " "), plain(value)]);
  const usage = Object.entries(run.usage ?? {}).filter(([, one]) => one && typeof one === "object");
  return {
    keys: [],
    content: h(
      "div",
      {},
      facts([
        ["run", h("code", { text: run.run_id })],
        ["group", run.group],
        ["attempt", run.attempt],
        ["state", run.state],
        ["created", timed(run.created_at)],
        ["started", timed(run.started_at)],
        ["ended", timed(run.ended_at)],
      ]),
      usage.length > 0 &&
        section(
          "Limits",
          plainTable(
            ["limit", "granted", "used", "enforced"],
            usage.map(([name, one]) => [
              name.replaceAll("_", " "),
              amount(name, one.granted),
              amount(name, one.used),
              plain(one.enforced),
            ]),
            { numbers: [1, 2] },
          ),
        ),
      h(
        "div",
        { class: "columns" },
        section("Versions and hardware", facts(rows(run.provenance))),
        section("Sandbox", facts(rows(run.sandbox))),
        section("Model", facts(rows(run.model))),
      ),
    ),
  };
}

function timed(value) {
  return value ? h("span", { text: time(value), title: utc(value) }) : null;
}

function amount(name, value) {
  if (name.endsWith("_bytes")) return bytes(value);
  if (name.endsWith("seconds")) return duration(value);
  return plain(value);
}
