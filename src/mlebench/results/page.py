"""The one-file report: opens from disk, fetches nothing, the same bytes for the same input."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from mlebench.errors import BenchError, UsageError
from mlebench.registry import Registry
from mlebench.results.aggregate import MEASURES, SplitSummary
from mlebench.results.attempts import Attempt, differences
from mlebench.results.markup import Markup, element, join, table
from mlebench.results.plots import medal_rates, rank_plot
from mlebench.results.published import SOURCE, published_rows
from mlebench.results.tables import format_estimate

HERE = Path(__file__).parent
LETTERS = {"gold": "G", "silver": "S", "bronze": "B"}
LOG_LINES = 200
METHOD = (
    "A seed is one report per competition, in the order of the sources. For each seed the share of"
    " competitions with the property is taken over all of the split, failures included;"
    " then mean over seeds ± standard error (sample standard deviation / √seeds), and the 95 %"
    " interval by Student's t. Thresholds are those of the private leaderboard; a medal's is won"
    " when reached, the median must be passed."
)


def write_page(
    attempts: Sequence[Attempt],
    summary: Mapping[str, SplitSummary],
    registry: Registry,
    path: Path,
) -> None:
    """Write the page, whole or not at all."""
    text = render_page(attempts, summary, registry)
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        part.rename(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None


def render_page(
    attempts: Sequence[Attempt], summary: Mapping[str, SplitSummary], registry: Registry
) -> str:
    """The whole page as text."""
    style, script = ((HERE / name).read_text("utf-8") for name in ("page.css", "page.js"))
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)};"
        " img-src data:; base-uri 'none'; form-action 'none'"
    )
    agents = sorted({attempt.agent for attempt in attempts})
    body = join(
        [
            _headline(agents, attempts, summary),
            _section("What was run", _conditions(attempts)),
            _section("Summary", _summary_table(summary)),
            _section("Outcomes", _matrix(attempts)),
            _section("On the leaderboards", _rank_plots(attempts, registry)),
            _section(
                "Medal rate", medal_rates(summary, published_rows()), _note(f"Ticks: {SOURCE}.")
            ),
            _section("Failures and invalid submissions", _failures(attempts)),
            _section("Runs", _runs_table(attempts, registry)),
            _section("Method", element("p", METHOD)),
            _section("How to repeat", _repeat(attempts)),
        ]
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width">'
        f"{element('title', 'mlebench: ' + ', '.join(agents))}"
        f"<style>{style}</style></head><body><main>{body}</main>"
        f"<script>{script}</script></body></html>\n"
    )


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _section(title: str, *content: object) -> Markup:
    name = title.lower().replace(" ", "-")
    return element("section", element("h2", title, id=name), *content)


def _note(text: str) -> Markup:
    return element("p", text, class_="muted")


def _headline(
    agents: list[str], attempts: Sequence[Attempt], summary: Mapping[str, SplitSummary]
) -> Markup:
    """The number never stands without its count."""
    name, split = next(reversed(list(summary.items())))
    total = split.competitions * split.seeds
    medals = sum(attempt.has("any_medal") for attempt in attempts)
    rate = format_estimate(split.measures["any_medal"], 1)
    sentence = (
        f"any medal {rate} % on {name} ({medals} medals in {len(attempts)} attempts;"
        f" {total - split.graded} of {total} not graded)"
    )
    flags = {
        "rehearsal: synthetic data": any(a.report and a.report.is_rehearsal for a in attempts),
        "demonstration: answers are public": any(
            a.report and a.report.is_demonstration for a in attempts
        ),
        "no isolation": any(a.facts.get("isolation") == "none" for a in attempts),
        "conditions differ": bool(differences(attempts)),
        "padded": any(split.padded for split in summary.values()),
    }
    badges = [element("span", text, class_="badge") for text, holds in flags.items() if holds]
    return element("header", element("h1", ", ".join(agents)), element("p", sentence), *badges)


def _conditions(attempts: Sequence[Attempt]) -> Markup:
    runs = [attempt.run for attempt in attempts if attempt.run]
    facts: dict[str, object] = {
        "attempts": len(attempts),
        "competitions": len({attempt.competition_id for attempt in attempts}),
        "seeds": max(attempt.seed for attempt in attempts) + 1,
    }
    for name in ("revision", "hours", "isolation", "network", "limits"):
        found = {a.facts[name] for a in attempts if a.facts.get(name) is not None}
        facts[name] = "; ".join(sorted(map(_readable, found))) or None
    hardware = {f"{r.provenance.get('cpus')} CPUs, {r.provenance.get('cpu_model')}" for r in runs}
    facts["hardware"] = "; ".join(sorted(hardware)) or None
    cost = [float(r.model.get("cost") or 0) for r in runs if r.model]
    facts["model cost"] = f"{sum(cost):.2f} $" if cost else None
    known = [[name, value] for name, value in facts.items() if value is not None]
    return table(("condition", "value"), known)


def _readable(fact: object) -> str:
    """A condition for people: hours with three digits, limits without their JSON."""
    if isinstance(fact, float):
        return f"{fact:.3g}"
    text = str(fact)
    if not text.startswith("{"):
        return text
    limits = json.loads(text)
    return ", ".join(f"{name} {value:,}" for name, value in limits.items() if value is not None)


def _summary_table(summary: Mapping[str, SplitSummary]) -> Markup:
    names = list(summary)
    rows = [
        [title, *(format_estimate(summary[name].measures[measure]) + " %" for name in names)]
        for measure, title in MEASURES.items()
    ]
    return table(("measure", *names), rows, numbers=names)


def _matrix(attempts: Sequence[Attempt]) -> Markup:
    """A row for each competition, a cell for each seed: height and letter say the medal."""
    rows: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        rows.setdefault(attempt.competition_id, []).append(attempt)
    body = [
        [name, element("div", *map(_cell, found), class_="cells")] for name, found in rows.items()
    ]
    return table(("competition", "seeds"), body)


def _cell(attempt: Attempt) -> Markup:
    letter, css = _outcome(attempt)
    words = f"seed {attempt.seed}: {attempt.score if attempt.report else attempt.problem}"
    return element("div", element("i"), element("b", letter), class_=f"cell {css}", title=words)


def _outcome(attempt: Attempt) -> tuple[str, str]:
    if attempt.report is None:
        return "!", "failed"
    if not attempt.report.valid_submission:
        return "×", "invalid"
    if attempt.medal:
        letter = LETTERS[attempt.medal]
        return letter, letter
    return ("+", "plus") if attempt.report.above_median else ("–", "below")


def _rank_plots(attempts: Sequence[Attempt], registry: Registry) -> Markup:
    """The worst competition first: that is where there is something to see."""
    scores: dict[str, list[float]] = {}
    for attempt in attempts:
        if attempt.score is not None:
            scores.setdefault(attempt.competition_id, []).append(attempt.score)
    rows = []
    for name, found in scores.items():
        try:
            board = registry.get_competition(name).load_leaderboard()
        except BenchError:
            continue
        best = max(board.human_rank(score) or 0 for score in found)
        shown = f"{best:.1%}"
        rows.append([name, (shown, f"{best:.6f}"), rank_plot(board, found)])
    rows.sort(key=lambda row: (row[1][1], row[0]))
    note = _note("Rank among the teams, log scale, first at the right. Filled: first seed.")
    return join(
        [note, table(("competition", "teams beaten", "rank"), rows, numbers=("teams beaten",))]
    )


def _failures(attempts: Sequence[Attempt]) -> Markup:
    causes: Counter[tuple[str, str]] = Counter()
    for attempt in attempts:
        if attempt.report is None:
            blame = attempt.run.blame if attempt.run and attempt.run.blame else "unknown"
            causes[(blame, attempt.problem or "no report")] += 1
        elif not attempt.report.valid_submission:
            causes[("submission", attempt.report.reason or "invalid")] += 1
    if not causes:
        return element("p", "None.")
    rows = [[count, blame, reason] for (blame, reason), count in causes.most_common()]
    logs = [_log(attempt) for attempt in attempts if attempt.report is None and attempt.folder]
    return join([table(("count", "blame", "reason"), rows, numbers=("count",)), *logs])


def _log(attempt: Attempt) -> Markup:
    """The end of a failed run's output."""
    if attempt.folder is None:
        return Markup("")
    try:
        with attempt.folder.agent_log.open("rb") as stream:
            stream.seek(0, os.SEEK_END)
            stream.seek(max(0, stream.tell() - (64 << 10)))
            lines = stream.read().decode("utf-8", "replace").splitlines()[-LOG_LINES:]
    except OSError:
        return Markup("")
    title = element("summary", f"output of {attempt.competition_id}, seed {attempt.seed}")
    return element("details", title, element("pre", "\n".join(lines)))


def _runs_table(attempts: Sequence[Attempt], registry: Registry) -> Markup:
    head = (
        "competition",
        "seed",
        "outcome",
        "score",
        "rank",
        "hours",
        "validations",
        "tokens",
        "cost",
    )
    rows = []
    for attempt in attempts:
        report, run = attempt.report, attempt.run
        rank = (
            f"{report.rank:,} of {report.teams:,}"
            if report and report.rank and report.teams
            else None
        )
        hours = f"{run.seconds / 3600:.2f}" if run and run.seconds is not None else None
        model = run.model if run else {}
        rows.append(
            [
                attempt.competition_id,
                attempt.seed,
                _outcome(attempt)[0],
                attempt.score,
                (rank, report.rank if report else None),
                hours,
                run.validations if run else None,
                model.get("tokens"),
                model.get("cost"),
            ]
        )
    return table(
        head, rows, numbers=("seed", "score", "rank", "hours", "validations", "tokens", "cost")
    )


def _repeat(attempts: Sequence[Attempt]) -> Markup:
    sources = sorted({Path(attempt.source).name for attempt in attempts})
    return element("pre", f"mlebench report {' '.join(sources)} --html report.html")
