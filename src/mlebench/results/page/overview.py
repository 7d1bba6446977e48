"""The first sections of the report page: headline, outcomes, ranks, rates, medals, seeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from markupsafe import Markup

from mlebench.leaderboards.leaderboard import Leaderboard
from mlebench.results.aggregate import SplitSummary, revision_of, shown_measures
from mlebench.results.attempts import Attempt, by_agent, by_competition, differences, grouped
from mlebench.results.boards import share_of_teams
from mlebench.results.figures import Results
from mlebench.results.notes import notes_on
from mlebench.results.page.rendering import PageTable, SortedCell
from mlebench.results.plots.ranks import rank_plot, rank_rows
from mlebench.results.plots.svg import box, picture
from mlebench.results.runs_table import WORDS, ordered, outcome
from mlebench.results.tables import format_estimate

SHOWN_SEEDS = 12
BAR = 160
MEDALS = ("gold", "silver", "bronze")


@dataclass(frozen=True)
class Headline:
    """The medal rate of an agent, with its counts."""

    agent: str
    rate: str
    medals: int
    total: int
    not_graded: int
    words: str
    notes: list[str]


def headlines(results: Results) -> list[Headline]:
    return [_headline(results, agent, own) for agent, own in by_agent(results.attempts).items()]


def _headline(results: Results, agent: str, own: Sequence[Attempt]) -> Headline:
    summary = results.summaries[agent]
    split = summary.get("all") or list(summary.values())[-1]
    estimate = split.measures["any_medal"]
    total = split.competitions * split.seeds
    letters = [outcome(attempt) for attempt in own]
    counts = ", ".join(f"{letters.count(x):,} {WORDS[x]}" for x in WORDS if x in letters)
    name = "These" if split.split == "these" else f"Split {split.split}:"
    return Headline(
        agent,
        rate=format_estimate(estimate, 1),
        medals=round(sum(estimate.values) * split.competitions / 100),
        total=total,
        not_graded=total - split.graded,
        words=f"{name} percent of {split.denominator}. All {len(own):,} attempts: {counts}.",
        notes=notes_on(results.catalogue, own),
    )


def badges(results: Results) -> list[str]:
    """Warnings that are shown before the figures."""
    attempts = results.attempts
    mixed = differences(attempt.conditions for attempt in attempts)
    repeated = sum(len(found.repeated) for found in results.gradings.values())
    broken = [text for found in results.gradings.values() for text in found.problems]
    padded = sum(s.padded for summary in results.summaries.values() for s in summary.values())
    checked = [a.integrity for a in attempts if a.integrity is not None]
    disqualified = sum(a.is_disqualified for a in attempts)
    to_review = sum(found.result == "review" for found in checked)
    holds = {
        f"revision {revision_of(attempts)}": True,
        f"disqualified: {disqualified:,} runs": bool(disqualified),
        f"findings to review: {to_review:,} runs": bool(to_review),
        "rehearsal: synthetic data": any(a.has("is_rehearsal") for a in attempts),
        "demonstration: answers are public": any(a.has("is_demonstration") for a in attempts),
        "neutral names (L2, L3): not comparable with the benchmark": any(
            a.conditions.names not in (None, "original") for a in attempts
        ),
        "NO ISOLATION": any(a.conditions.isolation == "none" for a in attempts),
        "conditions differ: " + ", ".join(mixed): bool(mixed),
        f"graded more than once: {repeated:,} runs": bool(repeated),
        f"ledger broken: {', '.join(broken[:3])}": bool(broken),
        "incomplete: some runs have not ended": any(a.run and not a.run.is_final for a in attempts),
        f"padded: {padded:,} missing": bool(padded),
    }
    return [text for text, is_so in holds.items() if is_so]


def matrix(results: Results) -> list[tuple[str, str, dict[str, list[Attempt]]]]:
    """For each competition its name, its complexity, and the attempts of each agent by seed."""
    return [
        (name, results.boards.complexity(name), by_agent(own))
        for name, own in by_competition(ordered(results.attempts, results.boards)).items()
    ]


def tip(attempt: Attempt) -> str:
    """The tooltip of a cell of the matrix."""
    report = attempt.report
    words = f"{attempt.agent}, seed {attempt.seed}: "
    if report is None or report.score is None:
        return words + WORDS[outcome(attempt)]
    rank = f", rank {report.rank:,} of {report.teams:,}" if report.rank and report.teams else ""
    ranks = report.uncertainty.rank_interval if report.uncertainty else None
    interval = f" (95 %: {ranks[0]:,} to {ranks[1]:,})" if ranks else ""
    return f"{words}{report.score:.5f}{rank}{interval}"


def ranks(results: Results) -> PageTable:
    """The ranks at each competition, the one with the fewest teams beaten first."""
    found = []
    for name, own in by_competition(results.attempts).items():
        board = results.boards.board(name)
        if board is not None:
            share = round(fmean(share_of_teams(a, results.boards) for a in own), 6)
            found.append((share, name, _rank_row(results, board, own, share)))
    head = ("competition", "medals", "best rank", "teams beaten", "rank among the teams")
    rows = [row for _, _, row in sorted(found, key=lambda entry: entry[:2])]
    return PageTable(head, rows, head[1:4])


def _rank_row(
    results: Results, board: Leaderboard, own: Sequence[Attempt], share: float
) -> list[object]:
    scores = {
        agent: [a.score for a in own if a.agent == agent and a.score is not None]
        for agent in results.summaries
    }
    only = next(iter(scores.values()))
    best = min((board.rank(score) for found in scores.values() for score in found), default=None)
    return [
        own[0].competition_id,
        f"{sum(a.has('any_medal') for a in own)} of {len(own)}",
        SortedCell(f"{best:,} of {board.teams:,}" if best else None, best or board.teams + 1),
        SortedCell(f"{share:.1%}", share),
        rank_plot(board, only) if len(scores) == 1 else rank_rows(board, scores),
    ]


def rates(results: Results) -> PageTable:
    """Every measure, a column for each split of each agent."""
    several = len(results.summaries) > 1
    columns = {
        f"{f'{agent} ' if several else ''}{name}, percent of {split.denominator}": split
        for agent, summary in results.summaries.items()
        for name, split in summary.items()
    }
    rows = [
        [title, *(_rate(split, measure) for split in columns.values())]
        for measure, title in shown_measures(columns.values()).items()
    ]
    return PageTable(("measure", *columns), rows, list(columns))


def _rate(split: SplitSummary, measure: str) -> str:
    found = split.measures.get(measure)
    return "—" if found is None else f"{format_estimate(found)} %"


def medals(results: Results) -> list[PageTable]:
    """Medals by complexity and by category."""
    boards = results.boards

    def category(name: str) -> str:
        return str(boards.facts(name).get("category", "other"))

    return [
        _medal_table(results, "complexity", boards.complexity),
        _medal_table(results, "category", category),
    ]


def _medal_table(results: Results, title: str, kind: Callable[[str], str]) -> PageTable:
    attempts = ordered(results.attempts, results.boards)
    rows = []
    for (name, agent), own in grouped(
        attempts, lambda a: (kind(a.competition_id), a.agent)
    ).items():
        won = [[a.medal for a in own].count(medal) for medal in MEDALS]
        competitions = len({attempt.competition_id for attempt in own})
        share = SortedCell(f"{sum(won) / len(own):.1%}", sum(won) / len(own))
        bar = _medal_bar(won, len(own))
        rows.append([name, agent, competitions, len(own), *won, share, bar])
    head = (title, "agent", "competitions", "attempts", "G", "S", "B", "any medal", "share")
    return PageTable(head, rows, head[2:8])


def _medal_bar(won: Sequence[int], total: int) -> Markup:
    x, parts = 0.0, [box(0, 3, BAR, 10, "none")]
    for count, name in zip(won, MEDALS, strict=True):
        parts.append(box(x, 3, BAR * count / total, 10, name))
        x += BAR * count / total
    return picture(BAR, 16, parts, f"{won[0]} gold, {won[1]} silver, {won[2]} bronze of {total}")


def seeds(results: Results) -> PageTable:
    """Any medal for each seed, with mean and interval."""
    rows: list[list[object]] = []
    for agent, summary in results.summaries.items():
        for name, split in summary.items():
            found = split.measures["any_medal"]
            values = ", ".join(f"{value:.1f}" for value in found.values[:SHOWN_SEEDS])
            if len(found.values) > SHOWN_SEEDS:
                values += f" … ({len(found.values)})"
            error, interval = found.standard_error, found.interval
            spread = [
                f"{found.mean:.2f}",
                None if error is None else f"{error:.2f}",
                None if interval is None else f"{interval[0]:.1f} to {interval[1]:.1f}",
            ]
            rows.append([agent, name, values, *spread])
    head = ("agent", "split", "any medal by seed, %", "mean", "standard error", "95 % interval")
    return PageTable(head, rows, head[2:])
