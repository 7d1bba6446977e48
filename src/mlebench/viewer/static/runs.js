// The table of runs of all pages; its sort order is part of the address.

import { h, put } from "./dom.js";
import { runKey } from "./columns.js";
import { amend } from "./router.js";
import { parse } from "./filter.js";
import { count } from "./format.js";
import { noHits, problems } from "./states.js";
import { Table, readSort, writeSort } from "./table.js";

/** `filter` returns the text of the filter; `none` is the text for an empty table without a filter. */
export function runsTable(context, { label, columns, sort, filter, none }) {
  return new Table({
    label,
    key: runKey,
    columns,
    sort: readSort(context.query) ?? sort,
    onSort: (chosen) => amend({ query: writeSort(new URLSearchParams(location.search), chosen) }),
    empty: () =>
      filter() || !none
        ? noHits(filter(), () => context.setFilter(""))
        : h("p", { text: none }),
  });
}

/** Show the runs that match a filter, how many they are, and what is wrong with the filter. */
export function showMatching(all, text, { table, title, notes }) {
  const filter = parse(text);
  const found = filter.isEmpty ? all : all.filter(filter.matches);
  put(notes, problems(filter.problems));
  title.textContent = filter.isEmpty
    ? `Runs (${count(all.length)})`
    : `Runs (${count(found.length)} of ${count(all.length)} match)`;
  table.show(found);
}
