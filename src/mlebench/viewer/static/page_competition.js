// One competition: the ranks of all agents, the thresholds, all runs.

import { h, facts, section } from "./dom.js";
import { competitionPath, get } from "./api.js";
import { column, runColumns } from "./columns.js";
import { count, score } from "./format.js";
import { plot, plots, tableKey } from "./plot.js";
import { moveKeys } from "./keys.js";
import { runsTable, showMatching } from "./runs.js";
import { store } from "./store.js";

export async function open(context) {
  const { id } = context.parameters;
  const details = await get(`/api${competitionPath(id)}`, {}, context.signal);
  const { competition, thresholds } = details;
  let text = context.text;
  const notes = h("div");
  const title = h("h2");
  const table = runsTable(context, {
    label: `Runs on ${id}`,
    columns: withLink(runColumns("agent revision seed", "group reason")),
    sort: { id: "outcome", down: false },
    filter: () => text,
    none: "There are no runs of this competition.",
  });
  const lower = competition.lower_is_better ?? thresholds?.is_lower_better;
  const cut = (medal) => score(thresholds?.[medal] ?? competition[medal]);
  const content = h(
    "div",
    {},
    h("h1", { text: id }),
    h("p", {
      class: "muted",
      text: [
        competition.name ?? competition.title,
        competition.category,
        competition.complexity && `${competition.complexity} complexity`,
      ]
        .filter(Boolean)
        .join(" · "),
    }),
    (competition.flags ?? []).map((flag) => h("p", { class: "muted", text: `Flag of v1.1: ${flag}.` })),
    plots(
      plot(
        "Rank among humans",
        "rank",
        details,
        "Log scale, first place at the right; one row for each agent, all seeds.",
      ),
    ),
    section(
      "Cuts",
      facts([
        ["better is", lower ? "lower ↓" : "higher ↑"],
        ["gold", cut("gold")],
        ["silver", cut("silver")],
        ["bronze", cut("bronze")],
        ["median", cut("median")],
        ["teams", count(competition.teams)],
      ]),
    ),
    ...audit(details.audit ?? []),
    title,
    notes,
    table.element,
  );

  function update() {
    showMatching(store.runs.filter((run) => run.competition === id), text, { table, title, notes });
  }

  return {
    title: id,
    crumbs: [[id, competitionPath(id)]],
    content,
    update,
    placed: update,
    filter: (value) => {
      text = value;
      update();
    },
    close: () => table.close(),
    keys: [
      ...moveKeys((way) => table.move(way)),
      { keys: ["Enter"], label: "Enter", hint: "open", run: () => false },
      tableKey(content),
    ],
  };
}

/** What `mlebench audit` found in the prepared data of this machine. */
function audit(records) {
  const found = records.filter((record) => record.status === "warn" || record.status === "fail");
  const rows = found.map((record) => [
    `${record.check}, ${record.revision}: ${record.status}`,
    record.evidence.join("; "),
  ]);
  return rows.length ? [section("Audit of the data", facts(rows))] : [];
}

/** On this page the name of the agent is the link to the run. */
function withLink(columns) {
  const link = column("competition");
  return columns.map((column) =>
    column.id === "agent"
      ? {
          ...column,
          cell: (run) => {
            const node = link.cell(run);
            node.textContent = run.agent;
            return node;
          },
        }
      : column,
  );
}
