"""Results of many runs: aggregation, statistics, tables, reports."""
