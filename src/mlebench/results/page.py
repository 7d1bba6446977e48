"""The one-file report: opens from disk, fetches nothing, the same bytes for the same input."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from pathlib import Path

from mlebench.results import page_details, page_overview, page_trust
from mlebench.results.figures import Results
from mlebench.results.markup import Markup, element, join
from mlebench.results.redaction import Cleaner
from mlebench.results.runs_table import (
    CSS,
    HEAD,
    NUMBERS,
    WORDS,
    columns,
    html_table,
    ordered,
    write_whole,
)

HERE = Path(__file__).parent
STYLES = ("tokens.css", "plots.css", "page.css")
PLAIN_ROWS = 500
"""Up to these the runs are a plain table; beyond, data that a script shows page by page."""

LARGE_BYTES = 20 << 20


def write_page(results: Results, path: Path, *, with_logs: bool = True) -> list[str]:
    """Write the page, whole or not at all; gives warnings for the caller to show."""
    text = render_page(results, with_logs=with_logs)
    write_whole(text, path)
    size = len(text.encode())
    if size > LARGE_BYTES:
        return [f"the page has {size / 1e6:.0f} MB and will open slowly"]
    return []


def render_page(results: Results, *, with_logs: bool = True) -> str:
    """The whole page as text.

    Args:
        with_logs: show the output of failed runs; without it absolute paths go as well.
    """
    style = "".join((HERE / name).read_text("utf-8") for name in STYLES)
    script = (HERE / "page.js").read_text("utf-8")
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)};"
        " img-src data:; base-uri 'none'; form-action 'none'"
    )
    sections = _sections(results, with_logs)
    links = [element("a", title, href=f"#{_anchor(title)}") for title in sections]
    body = join(
        [
            page_overview.headline(results),
            element("nav", *links, aria_label="Sections"),
            *(_section(title, content) for title, content in sections.items()),
        ]
    )
    title = f"mlebench: {', '.join(results.summaries)}"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width">'
        f"{element('title', title)}"
        f"<style>{style}</style></head><body><main>{body}</main>"
        f"{_data(results)}<script>{script}</script></body></html>\n"
    )


def _sections(results: Results, with_logs: bool) -> dict[str, Markup]:
    places = [Path(place) for place in {attempt.source for attempt in results.attempts}]
    clean = Cleaner([*places, *(place.parent for place in places)], all_paths=not with_logs)
    return {
        "What was run": join([page_overview.conditions(results), page_trust.statement(results)]),
        "Outcomes": page_overview.matrix(results),
        "On the leaderboards": page_overview.ranks(results),
        "Medal rate": page_overview.rates(results),
        "Medals by complexity and category": page_overview.medals(results),
        "Seeds": page_overview.seeds(results),
        "Other statistics": page_details.statistics(results),
        "Time and cost": page_details.time_and_cost(results),
        "Progress over time": page_details.progress(results),
        "How the agents worked": page_details.process(results),
        "Failures": page_details.failures(results, clean, with_logs=with_logs),
        "Equal submissions": page_trust.equal_submissions(results),
        "Known faults of the competitions": page_trust.known_faults(results),
        "Runs": _runs(results),
        "Method": page_details.method(),
        "How to repeat": page_details.repeat(results),
    }


def _runs(results: Results) -> Markup:
    attempts = ordered(results.attempts, results.boards)
    if len(attempts) <= PLAIN_ROWS:
        return html_table(attempts)
    words = (
        f"The table of {len(attempts):,} runs is shown by a script; as CSV:"
        " mlebench report … --csv runs.csv"
    )
    return join([element("noscript", page_overview.note(words)), element("div", id="runs-table")])


def _data(results: Results) -> Markup:
    """Runs for sorting and hovering, where there are too many for plain HTML."""
    attempts = ordered(results.attempts, results.boards)
    if len(attempts) <= PLAIN_ROWS:
        return Markup("")
    data = {
        "head": HEAD,
        "numbers": NUMBERS,
        "words": WORDS,
        "css": CSS,
        "columns": columns(attempts),
    }
    packed = gzip.compress(json.dumps(data, separators=(",", ":")).encode(), 9, mtime=0)
    return element("script", base64.b64encode(packed).decode(), type="text/plain", id="data")


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")


def _section(title: str, content: Markup) -> Markup:
    name = _anchor(title)
    link = element("a", "#", href=f"#{name}", class_="anchor", aria_label=f"Link to {title}")
    return element("section", element("h2", title, " ", link, id=name), content)
