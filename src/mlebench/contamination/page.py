"""The report as one HTML file that opens from disk and fetches nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from mlebench.contamination.plots import dates_plot, pairs_plot, scatter
from mlebench.records.contamination import ContaminationReport, ProbeResult
from mlebench.results.page.rendering import PageTable, render
from mlebench.results.page.report import style_text
from mlebench.system.files import write_atomically

TEMPLATES = Path(__file__).parent / "templates"

Columns = Mapping[str, Callable[[Any], object]]
"""For each head of a table what it shows of a record."""


def write_page(report: ContaminationReport, path: Path) -> None:
    """Write the page; the bytes depend on the report only."""
    write_atomically(path, render_page(report))


def render_page(report: ContaminationReport) -> str:
    """The HTML of the page."""
    context = {
        "report": report,
        "style": style_text(),
        "scatters": _scatters(report),
        "dates": _dates(report),
        "pairs": pairs_plot(report.obfuscation) if report.obfuscation else None,
        "probes": _table(report.probes, PROBES, ("value", "chance", "n", "p", "p (Holm)")),
        "documents": _table(report.documents, DOCUMENTS, list(DOCUMENTS)[3:]),
        "correlations": _table(
            report.correlations, CORRELATIONS, ("n", "Pearson", "p", "Spearman")
        ),
        "cutoffs": _table(report.cutoffs, CUTOFFS, ("n before", "n after")),
        "cutoff_pairs": _table(report.cutoff_pairs, CUTOFF_PAIRS, ("n old", "n new")),
        "obfuscation": _table(
            report.obfuscation, OBFUSCATION, ("competitions", "seeds", "p", "detectable")
        ),
        "skipped": _table(report.skipped, SKIPPED),
    }
    return render("contamination.html", context, TEMPLATES)


def _scatters(report: ContaminationReport) -> list[tuple[str, Markup]]:
    has_z = any(one.control_z is not None for one in report.competitions)
    known = {
        one.competition_id: one.control_z if has_z else one.familiarity
        for one in report.competitions
    }
    words = "familiarity z against controls" if has_z else "familiarity"
    found = []
    for agent, shares in report.points.items():
        points = {n: (x, shares[n]) for n, x in known.items() if x is not None and n in shares}
        if points:
            found.append((agent, scatter(points, words)))
    return found


def _dates(report: ContaminationReport) -> list[tuple[str, Markup]]:
    found = []
    for agent, shares in report.points.items() if report.deadlines else ():
        cutoffs = {row.model: row.cutoff for row in report.cutoffs if row.agent == agent}
        found.append((agent, dates_plot(report.deadlines, shares, cutoffs)))
    return found


def _table(records: Iterable[object], columns: Columns, numbers: Sequence[str] = ()) -> PageTable:
    rows = [[shown(record) for shown in columns.values()] for record in records]
    return PageTable(list(columns), rows, numbers, is_sortable=False)


def _figure(value: float | None, digits: int = 4) -> str | None:
    return None if value is None else f"{value:.{digits}g}"


def _percent(value: float | None, low: float | None, high: float | None) -> str | None:
    if value is None or low is None or high is None:
        return None
    return f"{value:.1f} ({low:.1f} to {high:.1f})"


def _verdict(result: ProbeResult) -> str:
    if result.p is None:
        return "no test"
    return "detected" if result.is_detected else "not detected"


PROBES: Columns = {
    "probe": lambda r: r.probe,
    "competition": lambda r: r.competition_id or "all",
    "statistic": lambda r: r.statistic,
    "value": lambda r: _figure(r.value),
    "chance": lambda r: _figure(r.chance),
    "n": lambda r: r.n,
    "p": lambda r: _figure(r.p, 2),
    "p (Holm)": lambda r: _figure(r.p_holm, 2),
    "": _verdict,
    "note": lambda r: r.note,
}
DOCUMENTS: Columns = {
    "competition": lambda d: d.competition_id,
    "text": lambda d: d.name,
    "kind": lambda d: d.kind,
    "tokens": lambda d: d.tokens,
    "familiarity": lambda d: _figure(d.familiarity),
    "all tokens": lambda d: _figure(d.familiarity_full),
    "Min-K%": lambda d: _figure(d.mink20),
    "Min-K%++": lambda d: _figure(d.minkpp20),
    "zlib ratio": lambda d: _figure(d.zlib_ratio),
    "z": lambda d: _figure(d.control_z),
}
CORRELATIONS: Columns = {
    "agent": lambda c: c.agent,
    "familiarity": lambda c: c.familiarity,
    "performance": lambda c: c.performance,
    "n": lambda c: c.n,
    "Pearson": lambda c: _figure(c.pearson),
    "p": lambda c: _figure(c.pearson_p, 2),
    "Spearman": lambda c: _figure(c.spearman),
    "95 % interval": lambda c: f"{c.low:+.2f} to {c.high:+.2f}",
    "detectable r": lambda c: _figure(c.detectable_r, 2),
}
CUTOFFS: Columns = {
    "agent": lambda c: c.agent,
    "model": lambda c: c.model,
    "cut-off": lambda c: c.cutoff,
    "before": lambda c: _percent(c.before.rate, c.before.low, c.before.high),
    "n before": lambda c: c.before.competitions,
    "after": lambda c: _percent(c.after.rate, c.after.low, c.after.high),
    "n after": lambda c: c.after.competitions,
    "difference": lambda c: _percent(c.difference, c.low, c.high),
}
CUTOFF_PAIRS: Columns = {
    "older": lambda p: p.older,
    "newer": lambda p: p.newer,
    "divided at": lambda p: p.split_at,
    "n old": lambda p: p.old_competitions,
    "n new": lambda p: p.new_competitions,
    "gain on old minus gain on new": lambda p: _percent(p.difference, p.low, p.high),
}
OBFUSCATION: Columns = {
    "agent": lambda p: p.agent,
    "levels": lambda p: f"{p.obfuscated} − {p.plain}",
    "competitions": lambda p: p.competitions,
    "seeds": lambda p: p.seeds,
    "difference": lambda p: _percent(p.difference, p.low, p.high),
    "p": lambda p: _figure(p.p, 2),
    "detectable": lambda p: _figure(p.detectable, 3),
}
SKIPPED: Columns = {
    "probe": lambda s: s.probe,
    "competition": lambda s: s.competition_id,
    "reason": lambda s: s.reason,
}
