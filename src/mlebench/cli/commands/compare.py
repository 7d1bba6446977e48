"""`mlebench compare`: compare two agents on their common competitions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from mlebench.catalogue import Catalogue
from mlebench.cli.help import bench_command
from mlebench.cli.options import GroupOrPath, data_options, json_option
from mlebench.cli.output import note, print_json, print_table
from mlebench.errors import UsageError

if TYPE_CHECKING:
    from mlebench.results.attempts import Attempt
    from mlebench.results.boards import Share
    from mlebench.results.statistics import Comparison, Interval

SHARES = ("teams_beaten", "human_rank")
MEASURES = ("any_medal", "gold_medal", "above_median", "valid_submission", *SHARES)


@bench_command()
@click.argument("first", type=GroupOrPath())
@click.argument("second", type=GroupOrPath())
@click.option(
    "--measure",
    type=click.Choice(MEASURES),
    default="any_medal",
    help="What to compare; human_rank also counts teams with an equal score.",
)
@click.option("--everything", is_flag=True, help="Show competitions without a difference as well.")
@click.option("--allow-mixed", is_flag=True, help="Compare runs under different conditions.")
@data_options
@json_option
def command(
    first: Path,
    second: Path,
    measure: str,
    everything: bool,
    allow_mixed: bool,
    catalogue: Catalogue,
    as_json: bool,
) -> None:
    """Second minus first, paired by competition: interval, p-value, number of seeds needed.

    FIRST and SECOND are a run group (`last`, `last~1`, a name or a folder), a folder of groups of
    one agent, or a grading report.

    \b
    Examples:
      mlebench compare runs/group-of-aide runs/group-of-tree
      mlebench compare old.json new.json --measure human_rank
      mlebench compare last~1 last
    """
    from dataclasses import asdict

    from mlebench.results.aggregate import revision_of
    from mlebench.results.attempts import load_attempts, require_comparable, with_unique_names
    from mlebench.results.boards import Boards, share_of_teams
    from mlebench.results.statistics import compare, competition_intervals

    one, other = (load_attempts([source]) for source in (first, second))
    for side, source in ((one, first), (other, second)):
        if len({attempt.agent for attempt in side}) > 1:
            raise UsageError(f"{source} contains several agents; name a group of one of them")
    require_comparable([*one, *other], allow_mixed=allow_mixed)
    revision = revision_of([*one, *other])
    unscored = catalogue.unscored(revision)
    one, other = (scored(side, unscored) for side in (one, other))
    intervals: dict[str, Interval] = {}
    if measure in SHARES:
        boards, kind = Boards(catalogue), cast("Share", measure)
        found = compare(one, other, value=lambda attempt: share_of_teams(attempt, boards, kind))
    else:
        found = compare(one, other, value=lambda attempt: float(attempt.has(measure)))
        intervals = competition_intervals(one, other, measure)
    if as_json:
        single = {name: asdict(interval) for name, interval in intervals.items()}
        facts = {"measure": measure, "revision": revision, "left_out": sorted(unscored)}
        print_json({**facts, **asdict(found), "intervals": single})
        return
    _print_differences(found, intervals, everything=everything)
    a, b = with_unique_names([one[0], other[0]])
    note(f"first: {a.agent} in {first.name}")
    note(f"second: {b.agent} in {second.name}")
    total = found.difference
    note(
        f"{measure}: {total.value:+.2f} points (95 % from {total.low:+.2f} to {total.high:+.2f}),"
        f" p = {found.p_value:.3g}, over {found.competitions} scored competitions,"
        f" revision {revision}: {found.wins} better, {found.losses} worse, {found.ties} equal"
    )
    if found.seeds_needed is not None:
        note(f"about {found.seeds_needed:,} seeds each would show a difference of this size")


def scored(attempts: list[Attempt], unscored: Collection[str]) -> list[Attempt]:
    """The attempts at competitions that the revision scores; all, if it scores none of them."""
    return [a for a in attempts if a.competition_id not in unscored] or attempts


def _print_differences(
    found: Comparison, intervals: Mapping[str, Interval], *, everything: bool
) -> None:
    rows = []
    for name, points in sorted(found.per_competition.items(), key=lambda item: item[1]):
        if points or everything:
            gap = intervals.get(name)
            bounds = [f"{gap.low:+.1f}", f"{gap.high:+.1f}"] if gap else [None, None]
            rows.append([name, f"{points:+.1f}", *bounds])
    print_table(("competition", "points", "from", "to"), rows, right="points from to")
