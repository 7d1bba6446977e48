"""The data of the pages of a group and of a competition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from mlebench.records.codec import to_json
from mlebench.results.commands import run_command
from mlebench.viewer.boards import CompetitionIndex
from mlebench.viewer.figures import (
    DAMAGE,
    Figures,
    draw_cost,
    draw_medal_rates,
    draw_rank_rows,
    draw_timeline,
)
from mlebench.viewer.index import Index, NotFoundError, nearest
from mlebench.viewer.run_page import read_plan_of
from mlebench.viewer.scan import Group, describe
from mlebench.viewer.text import clean, clean_all, one_line

if TYPE_CHECKING:
    from mlebench.results.attempts import Attempt, ReadRun


def describe_group(
    index: Index, competitions: CompetitionIndex, group: Group, read: ReadRun
) -> dict[str, Any]:
    """Settings, the summary of each split as in the report, plots.

    Args:
        read: a `RunMemory`, since an open page is requested again and again.
    """
    from mlebench.results.attempts import load_attempts
    from mlebench.results.compliance import find_compliance

    plan = read_plan_of(index, group.id)
    settings = plan.settings if plan else None
    seeds = len({row.seed for row in group.rows})
    names = sorted({row.competition for row in group.rows})
    chosen = [word for name in names for word in ("-c", name)]
    if group.facts["split"] in competitions.splits:
        chosen = ["--split", group.facts["split"]]
    command = run_command(group.facts["agent_name"], chosen, settings, seeds)
    figures, problem = Figures(), group.facts["problem"]
    splits: list[dict[str, Any]] = []
    notes: list[str] = []
    compliance = None
    try:
        attempts = load_attempts([index.root / group.id], read=read)
        summary = _summary(competitions, attempts)
    except DAMAGE as error:
        problem = problem or one_line(f"its records are damaged: {error}", 500)
    else:
        from mlebench.results.notes import notes_on
        from mlebench.results.tables import summary_json

        compliance = find_compliance(attempts)
        notes = notes_on(competitions.catalogue, attempts)
        splits = [{"split": name, **facts} for name, facts in summary_json(summary).items()]
        figures.add("medal_rate", lambda: draw_medal_rates(summary))
    figures.add("timeline", lambda: draw_timeline(group))
    figures.add("cost", lambda: draw_cost(index.groups()))
    facts = {
        "settings": clean_all(to_json(settings)) if settings else {},
        "provenance": clean_all(to_json(plan.provenance)) if plan else None,
        "agent_version": clean(plan.agent_version) if plan else None,
        "command": one_line(command, 10_000),
        "protocol": one_line(str(compliance), 2_000) if compliance else None,
        "problem": problem,
    }
    return {"group": describe(group) | facts, "splits": splits, "notes": notes, **figures.as_json()}


def _summary(competitions: CompetitionIndex, attempts: Sequence[Attempt]) -> Any:
    from mlebench.results.aggregate import SPLITS, present_splits, revision_of, summarize

    known = {name: sorted(competitions.splits[name]) for name in (*SPLITS, "dev", "starter")}
    unscored = competitions.catalogue.unscored(revision_of(attempts))
    splits = present_splits(attempts, known, unscored)
    shown = {name: ids for name, ids in splits.items() if name in SPLITS} or splits
    # An attempt without a report counts as a failure.
    return summarize(attempts, shown, pad_missing=True, unscored=unscored)


def describe_competition(index: Index, competitions: CompetitionIndex, name: str) -> dict[str, Any]:
    """The leaderboard with a row for each agent, and the numbers of the runs."""
    rows = index.row_numbers(name)
    if name not in competitions.facts and not rows:
        known = list(competitions.facts)
        raise NotFoundError(f"there is no competition {name[:200]!r}{nearest(name, known)}")
    board = competitions.board(name)
    scores: dict[str, list[float]] = {}
    for group in index.groups():
        for row in group.rows:
            if row.competition == name and row.score is not None:
                scores.setdefault(group.facts["agent"], []).append(row.score)
    figures, thresholds = Figures(), None
    if board is not None:
        figures.add("rank", lambda: draw_rank_rows(board, scores))
        thresholds = asdict(board.thresholds) | {
            "teams": board.teams,
            "best": board.scores[0],
            "worst": board.scores[-1],
            "is_rebuilt": board.is_rebuilt,
        }
    return {
        "competition": competitions.describe(name),
        "facts": competitions.facts.get(name),
        "thresholds": thresholds,
        "audit": competitions.audit(name),
        "runs": rows,
        **figures.as_json(),
    }
