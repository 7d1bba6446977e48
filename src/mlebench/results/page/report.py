"""The one-file report: it opens from disk, fetches nothing, and has no timestamp of its own."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from pathlib import Path

from mlebench.results.figures import Results
from mlebench.results.notes import UNCERTAIN, flags_of
from mlebench.results.page import details, overview, trust
from mlebench.results.page.rendering import PageTable, SortedCell, render
from mlebench.results.plots.rates import cost_plot, medal_rates
from mlebench.results.plots.timeline import timeline
from mlebench.results.published import SOURCE, published_rows
from mlebench.results.redaction import Cleaner
from mlebench.results.runs_table import (
    COLUMNS,
    CSS,
    NUMBERS,
    UNCERTAIN_MARK,
    WORDS,
    columns,
    mark,
    ordered,
    outcome,
    texts,
    values,
    write_whole,
)
from mlebench.results.spending import cost_points

HERE = Path(__file__).parent
STYLES = ("tokens.css", "plots.css", "page.css")
PLAIN_ROWS = 500
"""Up to this number the runs are a plain table; beyond, a script shows them page by page."""

MAX_TIPS = 1000
"""Beyond this number of attempts the script sets the tips of the matrix from the data."""

LARGE_BYTES = 20 << 20
SHOWN = [n for n in COLUMNS if n not in ("teams", "standard error", "uncertain", "revision")]
"""The columns of runs that are shown; the others repeat or mark what these say."""


def write_page(results: Results, path: Path, *, with_logs: bool = True) -> list[str]:
    """Write the page atomically; returns warnings for the user."""
    text = render_page(results, with_logs=with_logs)
    write_whole(text, path)
    size = len(text.encode())
    if size > LARGE_BYTES:
        return [f"the page has {size / 1e6:.0f} MB and opens slowly"]
    return []


def render_page(results: Results, *, with_logs: bool = True) -> str:
    """The HTML of the page.

    Args:
        with_logs: show the logs of failed runs; if False, absolute paths are removed as well.
    """
    return render("report.html", page_context(results, with_logs=with_logs))


def style_text() -> str:
    """The style sheet of the page and its plots."""
    return "".join((HERE / name).read_text("utf-8") for name in STYLES)


def page_context(results: Results, *, with_logs: bool) -> dict[str, object]:
    """The variables of the template."""
    style = style_text()
    script = (HERE / "page.js").read_text("utf-8")
    places = [Path(place) for place in {attempt.source for attempt in results.attempts}]
    clean = Cleaner([*places, *(place.parent for place in places)], all_paths=not with_logs)
    published = published_rows()
    bars, points = details.run_bars(results), cost_points(results.attempts)
    is_plain = len(results.attempts) <= PLAIN_ROWS
    return {
        "style": style,
        "script": script,
        "policy": f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)};"
        " img-src data:; base-uri 'none'; form-action 'none'",
        "words": WORDS,
        "css": CSS,
        "outcome": outcome,
        "mark": mark,
        "uncertain_mark": UNCERTAIN_MARK,
        "uncertain_words": UNCERTAIN,
        "flags": PageTable(
            ("competition", "flag"),
            [list(pair) for pair in flags_of(results.boards, results.attempts)],
        ),
        "tip": overview.tip if len(results.attempts) <= MAX_TIPS else None,
        "source": SOURCE,
        "attempts": len(results.attempts),
        "with_logs": with_logs,
        "headlines": overview.headlines(results),
        "badges": overview.badges(results),
        "conditions": trust.conditions(results),
        "statement": trust.statement(results),
        "agents": sorted({attempt.agent for attempt in results.attempts}),
        "matrix": overview.matrix(results),
        "ranks": overview.ranks(results),
        "rate_plots": [(a, medal_rates(s, published)) for a, s in results.summaries.items()],
        "rates": overview.rates(results),
        "medals": overview.medals(results),
        "seeds": overview.seeds(results),
        "statistics": details.statistics(results),
        "spending": details.spending(results),
        "clock": timeline(bars) if bars else None,
        "cost": cost_plot(points) if points else None,
        "progress": details.progress(results),
        "process": details.process(results),
        "failures": details.failures(results, clean, with_logs=with_logs),
        "equal": trust.equal_submissions(results),
        "faults": trust.known_faults(results),
        "audits": trust.audits(results),
        "runs": _runs(results) if is_plain else None,
        "commands": details.commands(results),
        "data": None if is_plain else _data(results),
    }


def _runs(results: Results) -> PageTable:
    """All runs as plain HTML; a cell sorts by its unrounded value."""
    head = SHOWN
    rows = []
    for row in map(values, ordered(results.attempts, results.boards)):
        shown = texts(row)
        rows.append(
            [
                shown[name]
                if isinstance(row[name], str) or row[name] is None
                else SortedCell(shown[name], row[name])
                for name in head
            ]
        )
    return PageTable(head, rows, NUMBERS)


def _data(results: Results) -> str:
    """All runs as compressed JSON for the script, if they are too many for plain HTML."""
    data = {
        "head": SHOWN,
        "numbers": NUMBERS,
        "words": WORDS,
        "css": CSS,
        "columns": columns(ordered(results.attempts, results.boards)),
    }
    packed = gzip.compress(json.dumps(data, separators=(",", ":")).encode(), 9, mtime=0)
    return base64.b64encode(packed).decode()


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
