"""The report as one HTML file that opens from disk and fetches nothing."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from mlebench.contamination.plots import dates_plot, pairs_plot, scatter
from mlebench.records.contamination import ContaminationReport
from mlebench.results.page.rendering import PageTable, render
from mlebench.results.page.report import style_text
from mlebench.system.files import write_atomically

TEMPLATES = Path(__file__).parent / "templates"


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
        "probes": _probe_table(report),
        "documents": _document_table(report),
        "correlations": _correlation_table(report),
        "cutoffs": _cutoff_table(report),
        "cutoff_pairs": _cutoff_pair_table(report),
        "obfuscation": _pair_table(report),
        "skipped": PageTable(
            ["probe", "competition", "reason"],
            [[s.probe, s.competition_id, s.reason] for s in report.skipped],
            is_sortable=False,
        ),
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
    if not report.deadlines:
        return []
    return [
        (
            agent,
            dates_plot(
                report.deadlines,
                shares,
                {row.model: row.cutoff for row in report.cutoffs if row.agent == agent},
            ),
        )
        for agent, shares in report.points.items()
    ]


def _probe_table(report: ContaminationReport) -> PageTable:
    rows = [
        [
            r.probe,
            r.competition_id or "all",
            r.statistic,
            _figure(r.value),
            _figure(r.chance),
            r.n,
            _figure(r.p, 2),
            _figure(r.p_holm, 2),
            "detected" if r.is_detected else "not detected" if r.p is not None else "no test",
            r.note,
        ]
        for r in report.probes
    ]
    head = [
        "probe",
        "competition",
        "statistic",
        "value",
        "chance",
        "n",
        "p",
        "p (Holm)",
        "",
        "note",
    ]
    return PageTable(head, rows, ("value", "chance", "n", "p", "p (Holm)"), is_sortable=False)


def _document_table(report: ContaminationReport) -> PageTable:
    head = ["competition", "text", "kind", "tokens", "familiarity", "all tokens", "Min-K%"]
    head += ["Min-K%++", "zlib ratio", "z"]
    rows = [
        [
            d.competition_id,
            d.name,
            d.kind,
            d.tokens,
            *map(
                _figure,
                (
                    d.familiarity,
                    d.familiarity_full,
                    d.mink20,
                    d.minkpp20,
                    d.zlib_ratio,
                    d.control_z,
                ),
            ),
        ]
        for d in report.documents
    ]
    return PageTable(head, rows, head[3:], is_sortable=False)


def _correlation_table(report: ContaminationReport) -> PageTable:
    head = ["agent", "familiarity", "performance", "n", "Pearson", "p", "Spearman", "95 % interval"]
    head += ["detectable r"]
    rows = [
        [
            c.agent,
            c.familiarity,
            c.performance,
            c.n,
            _figure(c.pearson),
            _figure(c.pearson_p, 2),
            _figure(c.spearman),
            f"{c.low:+.2f} to {c.high:+.2f}",
            _figure(c.detectable_r, 2),
        ]
        for c in report.correlations
    ]
    return PageTable(head, rows, ("n", "Pearson", "p", "Spearman"), is_sortable=False)


def _cutoff_table(report: ContaminationReport) -> PageTable:
    head = ["agent", "model", "cut-off", "before", "n before", "after", "n after", "difference"]
    rows = [
        [
            row.agent,
            row.model,
            row.cutoff,
            _percent(row.before.rate, row.before.low, row.before.high),
            row.before.competitions,
            _percent(row.after.rate, row.after.low, row.after.high),
            row.after.competitions,
            _percent(row.difference, row.low, row.high),
        ]
        for row in report.cutoffs
    ]
    return PageTable(head, rows, ("n before", "n after"), is_sortable=False)


def _cutoff_pair_table(report: ContaminationReport) -> PageTable:
    head = ["older", "newer", "divided at", "n old", "n new", "gain on old minus gain on new"]
    rows = [
        [
            p.older,
            p.newer,
            p.split_at,
            p.old_competitions,
            p.new_competitions,
            _percent(p.difference, p.low, p.high),
        ]
        for p in report.cutoff_pairs
    ]
    return PageTable(head, rows, ("n old", "n new"), is_sortable=False)


def _pair_table(report: ContaminationReport) -> PageTable:
    head = ["agent", "levels", "competitions", "seeds", "difference", "p", "detectable"]
    rows = [
        [
            p.agent,
            f"{p.obfuscated} − {p.plain}",
            p.competitions,
            p.seeds,
            _percent(p.difference, p.low, p.high),
            _figure(p.p, 2),
            _figure(p.detectable, 3),
        ]
        for p in report.obfuscation
    ]
    return PageTable(head, rows, ("competitions", "seeds", "p", "detectable"), is_sortable=False)


def _figure(value: float | None, digits: int = 4) -> str | None:
    return None if value is None else f"{value:.{digits}g}"


def _percent(value: float | None, low: float | None, high: float | None) -> str | None:
    if value is None or low is None or high is None:
        return None
    return f"{value:.1f} ({low:.1f} to {high:.1f})"
