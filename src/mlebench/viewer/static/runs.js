// The table of runs of all pages; its sort order is part of the address.

import { h } from "./dom.js";
import { runKey } from "./columns.js";
import { amend } from "./router.js";
import { noHits } from "./states.js";
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
