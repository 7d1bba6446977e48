"""The upper half of the report page: headline, conditions, outcomes, ranks, rates, medals."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from mlebench.results.aggregate import MEASURES, Estimate, SplitSummary, by_agent
from mlebench.results.attempts import Attempt, differences
from mlebench.results.boards import human_rank
from mlebench.results.figures import Results
from mlebench.results.gradings import Gradings
from mlebench.results.markup import Markup, element, join, table
from mlebench.results.plots import medal_rates, rank_plot, rank_rows
from mlebench.results.published import SOURCE, published_rows
from mlebench.results.runs_table import CSS, WORDS, ordered, outcome
from mlebench.results.svg import box, picture
from mlebench.results.tables import format_estimate

TIPS = 1000
"""Beyond so many attempts the cells of the matrix get their words from the data, by script."""


def note(text: str) -> Markup:
    return element("p", text, class_="muted")


def headline_split(summary: Mapping[str, SplitSummary]) -> SplitSummary:
    """The whole benchmark where it was run, else the last of the splits."""
    return summary.get("all") or list(summary.values())[-1]


def headline(results: Results) -> Markup:
    """The number never stands without its count."""
    grouped = by_agent(results.attempts)
    lines = []
    for agent, own in grouped.items():
        split = headline_split(results.summaries[agent])
        rate = format_estimate(split.measures["any_medal"], 1)
        total = split.competitions * split.seeds
        medals = round(sum(split.measures["any_medal"].values) * split.competitions / 100)
        name = element("span", f"{agent}: ") if len(grouped) > 1 else ""
        counts = f" ({medals} of {total:,}, {total - split.graded:,} not graded)"
        letters = [outcome(attempt) for attempt in own]
        words = ", ".join(f"{letters.count(x):,} {WORDS[x]}" for x in WORDS if x in letters)
        lines.append(element("p", name, f"any medal {rate} %", element("small", counts)))
        lines.append(note(f"{_splits_in_words(split)}. All {len(own):,} attempts: {words}."))
    badges = [element("span", text, class_="badge") for text in flags(results)]
    title = ", ".join(grouped)
    return element(
        "header",
        element("h1", title),
        element("div", *lines, class_="headline" if len(grouped) == 1 else "headline several"),
        element("p", *badges) if badges else "",
    )


def _splits_in_words(split: SplitSummary) -> str:
    seeds = "seed" if split.seeds == 1 else "seeds"
    name = "These" if split.split == "these" else f"Split {split.split}:"
    return f"{name} {split.competitions} competitions × {split.seeds} {seeds}"


def flags(results: Results) -> list[str]:
    """What a reader must know before the numbers."""
    attempts = results.attempts
    mixed = differences(attempts)
    repeated = sum(len(found.repeated) for found in results.gradings.values())
    broken = [text for found in results.gradings.values() for text in found.problems]
    splits = [split for summary in results.summaries.values() for split in summary.values()]
    holds = {
        "rehearsal: synthetic data": any(a.report and a.report.is_rehearsal for a in attempts),
        "demonstration: answers are public": any(
            a.report and a.report.is_demonstration for a in attempts
        ),
        "NO ISOLATION": any(a.conditions.isolation == "none" for a in attempts),
        "conditions differ: " + ", ".join(mixed): bool(mixed),
        f"graded more than once: {repeated:,} runs": bool(repeated),
        f"ledger broken: {', '.join(broken[:3])}": bool(broken),
        "incomplete: some runs are not over": any(_is_unfinished(a) for a in attempts),
        f"padded: {sum(s.padded for s in splits):,} missing": any(s.padded for s in splits),
    }
    return [text for text, is_so in holds.items() if is_so]


def _is_unfinished(attempt: Attempt) -> bool:
    return attempt.run is not None and attempt.run.state not in ("finished", "failed", "cancelled")


def conditions(results: Results) -> Markup:
    """What was run and how, a column for each agent."""
    grouped = by_agent(results.attempts)
    facts = {agent: _conditions_of(own, results.gradings[agent]) for agent, own in grouped.items()}
    names = list(dict.fromkeys(name for found in facts.values() for name in found))
    rows = [[name, *(found.get(name) for found in facts.values())] for name in names]
    return table(("condition", *grouped), rows, sortable=False)


def _conditions_of(own: Sequence[Attempt], gradings: Gradings) -> dict[str, str]:
    groups = {a.group.group: a.group for a in own if a.group}.values()
    runs = [a.run for a in own if a.run]
    seeds = max(a.seed for a in own) + 1
    found: dict[str, Iterable[object]] = {
        "attempts": [f"{len(own):,}"],
        "competitions": [len({a.competition_id for a in own})],
        "seeds": [seeds],
        "agent's version": (f"{g.agent_version} ({g.agent_digest[:12]})" for g in groups),
        "model": (g.settings.model for g in groups),
        "time for a run": {_duration(a.conditions.hours) for a in own},
        "limits": map(_limits, {a.conditions.limits for a in own}),
        "room": (r.sandbox.get("name") for r in runs),
        "isolation": (a.conditions.isolation for a in own),
        "network": (a.conditions.network for a in own),
        "obfuscated": ("yes" if g.settings.is_obfuscated else "no" for g in groups),
        "revision": (a.conditions.revision for a in own),
        "mlebench": (r.provenance.mlebench for r in runs),
        "hardware": (
            f"{r.provenance.cpus} CPUs, {r.provenance.cpu_model}" for r in runs if r.provenance.cpus
        ),
        "GPUs": (_gpus(r.provenance.gpus) for r in runs if r.provenance.mlebench),
        "gradings": [str(gradings)] if groups else [],
        "starts that did not count": [sum(len(r.attempts) for r in runs)] if runs else [],
        "started": [_period([f"{g.created_at:.10}" for g in groups])],
    }
    known = {
        name: sorted({str(v) for v in values if v is not None}) for name, values in found.items()
    }
    return {name: "; ".join(values) for name, values in known.items() if values}


def _duration(hours: object) -> str | None:
    if not isinstance(hours, int | float):
        return None
    return f"{hours:g} h" if hours >= 1 else f"{hours * 3600:.4g} s"


def _period(days: Sequence[str]) -> str | None:
    if not days:
        return None
    first, last = min(days), max(days)
    return first if first == last else f"{first} to {last}"


def _gpus(names: object) -> str:
    return ", ".join(map(str, names)) or "none" if isinstance(names, list) else str(names)


def _limits(text: object) -> str | None:
    """`cpus 36, memory 440 GB` out of the JSON of a group's limits."""
    if not isinstance(text, str):
        return None
    known = {name: value for name, value in json.loads(text).items() if value is not None}
    return ", ".join(f"{n.removesuffix('_bytes')} {_amount(n, v)}" for n, v in known.items())


def _amount(name: str, value: object) -> str:
    if name.endswith("_bytes") and isinstance(value, int | float):
        return f"{value / 1e9:,.4g} GB"
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def matrix(results: Results) -> Markup:
    """A row for each competition, easy ones first; a cell for each seed, grouped by agent."""
    grouped = by_agent(results.attempts)
    rows: dict[str, dict[str, list[Attempt]]] = {}
    for attempt in ordered(results.attempts, results.boards):
        of_competition = rows.setdefault(attempt.competition_id, {})
        of_competition.setdefault(attempt.agent, []).append(attempt)
    with_tips = len(results.attempts) <= TIPS
    body = [
        [
            name,
            results.boards.complexity(name),
            *(join(_cell(a, with_tips) for a in found.get(agent, ())) for agent in sorted(grouped)),
        ]
        for name, found in rows.items()
    ]
    key = (join([element("b", x, class_=CSS[x]), f" {word}  "]) for x, word in WORDS.items())
    head = ("competition", "complexity", *sorted(grouped))
    return join(
        [
            element("p", *key, class_="cells muted"),
            element("div", table(head, body), class_="cells matrix"),
        ]
    )


def _cell(attempt: Attempt, with_tip: bool) -> Markup:
    letter = outcome(attempt)
    return element("b", letter, class_=CSS[letter], title=tip(attempt) if with_tip else None)


def tip(attempt: Attempt) -> str:
    """What hovering over a cell says."""
    report = attempt.report
    words = f"{attempt.agent}, seed {attempt.seed}: "
    if report is None or report.score is None:
        return words + WORDS[outcome(attempt)]
    rank = f", rank {report.rank:,} of {report.teams:,}" if report.rank and report.teams else ""
    return f"{words}{report.score:.5f}{rank}"


def ranks(results: Results) -> Markup:
    """The worst competition first: that is where there is something to see."""
    grouped: dict[str, dict[str, list[Attempt]]] = {}
    for attempt in results.attempts:
        grouped.setdefault(attempt.competition_id, {}).setdefault(attempt.agent, []).append(attempt)
    found: list[tuple[float, str, Sequence[object]]] = []
    for name, agents in grouped.items():
        board = results.boards.board(name)
        if board is None:
            continue
        own = [attempt for attempts in agents.values() for attempt in attempts]
        share = sum(human_rank(a, results.boards) for a in own) / len(own)
        scores = {
            agent: [a.score for a in agents.get(agent, ()) if a.score is not None]
            for agent in results.summaries
        }
        only = next(iter(scores.values()))
        plot = rank_plot(board, only) if len(scores) == 1 else rank_rows(board, scores)
        best = min(
            (board.rank(s) for own_scores in scores.values() for s in own_scores), default=None
        )
        place = (f"{best:,} of {board.teams:,}", best) if best else (None, board.teams + 1)
        medals = sum(a.has("any_medal") for a in own)
        beaten = round(share, 6)
        row = [name, f"{medals} of {len(own)}", place, (f"{share:.1%}", beaten), plot]
        found.append((beaten, name, row))
    rows = [row for _, _, row in sorted(found, key=lambda entry: entry[:2])]
    head = ("competition", "medals", "best rank", "teams beaten", "rank among the teams")
    words = (
        "Rank on a log scale, first place at the right; under each cut its score; dashed: median."
        " Filled dot: first seed. Teams beaten: mean over attempts, failures as 0."
    )
    return join([note(words), table(head, rows, numbers=head[1:4])])


def rates(results: Results) -> Markup:
    """Rates with intervals beside the published ones, then every measure as a table."""
    published = published_rows()
    several = len(results.summaries) > 1
    plots = [
        element("div", element("h3", agent) if several else "", medal_rates(summary, published))
        for agent, summary in results.summaries.items()
    ]
    columns = {
        f"{agent} {name} ({split.competitions} × {split.seeds})".removeprefix(
            "" if several else f"{agent} "
        ): split
        for agent, summary in results.summaries.items()
        for name, split in summary.items()
    }
    rows = [
        [title, *(f"{format_estimate(split.measures[measure])} %" for split in columns.values())]
        for measure, title in MEASURES.items()
    ]
    head = ("measure", *columns)
    words = (
        "Dot: mean over seeds; line: 95 % interval; small circles: single seeds;"
        f" grey ticks: {SOURCE}."
    )
    return join(
        [
            note(words),
            element("div", *plots, class_="plots"),
            element("div", table(head, rows, numbers=head[1:]), class_="wide"),
        ]
    )


def medals(results: Results) -> Markup:
    """Medals by complexity and by category."""
    boards = results.boards
    by_complexity = _medal_table(
        results, "complexity", lambda a: boards.complexity(a.competition_id)
    )
    by_category = _medal_table(
        results, "category", lambda a: str(boards.facts(a.competition_id).get("category", "other"))
    )
    return join([by_complexity, by_category])


def _medal_table(results: Results, title: str, kind: Callable[[Attempt], str]) -> Markup:
    grouped: dict[tuple[str, str], list[Attempt]] = {}
    for attempt in ordered(results.attempts, results.boards):
        grouped.setdefault((kind(attempt), attempt.agent), []).append(attempt)
    rows = []
    for (name, agent), own in grouped.items():
        letters = [outcome(attempt) for attempt in own]
        won = [letters.count(x) for x in "GSB"]
        rows.append(
            [
                name,
                agent,
                len({attempt.competition_id for attempt in own}),
                len(own),
                *won,
                (f"{sum(won) / len(own):.1%}", sum(won) / len(own)),
                _medal_bar(won, len(own)),
            ]
        )
    head = (title, "agent", "competitions", "attempts", "G", "S", "B", "any medal", "share")
    return table(head, rows, numbers=head[2:8])


def _medal_bar(won: Sequence[int], total: int) -> Markup:
    x, parts = 0.0, [box(0, 3, 160, 10, "none")]
    for count, name in zip(won, ("gold", "silver", "bronze"), strict=True):
        parts.append(box(x, 3, 160 * count / total, 10, name))
        x += 160 * count / total
    return picture(160, 16, parts, f"{won[0]} gold, {won[1]} silver, {won[2]} bronze of {total}")


def seeds(results: Results) -> Markup:
    """How far the seeds lie apart: any medal for each."""
    rows = []
    for agent, summary in results.summaries.items():
        for name, split in summary.items():
            estimate = split.measures["any_medal"]
            values = ", ".join(f"{value:.1f}" for value in estimate.values[:12])
            if len(estimate.values) > 12:
                values += f" … ({len(estimate.values)})"
            rows.append([agent, name, values, *_spread(estimate)])
    head = ("agent", "split", "any medal by seed, %", "mean", "standard error", "95 % interval")
    return table(head, rows, numbers=head[2:])


def _spread(estimate: Estimate) -> list[str | None]:
    error, interval = estimate.standard_error, estimate.interval
    return [
        f"{estimate.mean:.2f}",
        None if error is None else f"{error:.2f}",
        None if interval is None else f"{interval[0]:.1f} to {interval[1]:.1f}",
    ]
