// The table of runs, as every page shows it; the address keeps its order.

import { h } from "./dom.js";
import { runKey } from "./columns.js";
import { amend } from "./router.js";
import { noHits } from "./states.js";
import { Table, readSort, writeSort } from "./table.js";

/** `filter` returns the filter's text; without one, `none` says why there are no runs. */
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
