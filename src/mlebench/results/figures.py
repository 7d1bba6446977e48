"""All figures of a report as JSON, one object for each agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from mlebench.catalogue import Catalogue
from mlebench.records.measures import WorkMeasures
from mlebench.results.aggregate import SplitSummary, revision_of
from mlebench.results.attempts import (
    Attempt,
    by_agent,
    by_competition,
    differences,
    find_equal_submissions,
)
from mlebench.results.boards import Boards, competition_figures
from mlebench.results.compliance import find_compliance
from mlebench.results.gradings import Gradings, count_gradings
from mlebench.results.notes import notes_on
from mlebench.results.process import process_figures
from mlebench.results.progress import Course, progress_figures
from mlebench.results.spending import sum_spending
from mlebench.results.statistics import bootstrap, mean_pass_at_k
from mlebench.results.tables import summary_json


@dataclass(frozen=True)
class Results:
    """The input of all outputs of `mlebench report`."""

    attempts: Sequence[Attempt]
    summaries: Mapping[str, Mapping[str, SplitSummary]]
    """The splits of each agent."""

    catalogue: Catalogue
    courses: Sequence[Course] = ()
    """Grades over time, of the runs that have them."""

    processes: Sequence[tuple[Attempt, WorkMeasures]] = ()

    @cached_property
    def boards(self) -> Boards:
        return Boards(self.catalogue)

    @cached_property
    def gradings(self) -> dict[str, Gradings]:
        """By agent; cached because ledgers may be long."""
        return {agent: count_gradings(own) for agent, own in by_agent(self.attempts).items()}


def all_figures(results: Results) -> dict[str, Any]:
    """The content of `mlebench report --json`; the splits of a single agent are also at the top."""
    agents = {
        agent: agent_figures(results, agent, own)
        for agent, own in by_agent(results.attempts).items()
    }
    found: dict[str, Any] = {"schema": 1, "revision": revision_of(results.attempts)}
    if len(agents) == 1:
        found["splits"] = next(iter(agents.values()))["splits"]
    equal = [
        {"competition_id": same[0].competition_id, "attempts": [[a.agent, a.seed] for a in same]}
        for same in find_equal_submissions(results.attempts)
    ]
    return found | {
        "mixed": differences(a.conditions for a in results.attempts),
        "equal_submissions": equal,
        "agents": agents,
    }


def agent_figures(results: Results, agent: str, own: Sequence[Attempt]) -> dict[str, Any]:
    """Summary, pass@k, bootstrap, spending, competitions, progress and process of one agent."""
    total = sum_spending(own)
    courses = [course for course in results.courses if course.agent == agent]
    measured = [process for attempt, process in results.processes if attempt.agent == agent]
    return {
        "attempts": len(own),
        "uncertain": sum(a.has("is_uncertain") for a in own),
        "notes": notes_on(results.catalogue, own),
        "synthetic": sum(attempt.has("is_rehearsal") for attempt in own),
        "protocol": compliance.as_json() if (compliance := find_compliance(own)) else None,
        "gradings": asdict(results.gradings[agent]),
        "splits": summary_json(results.summaries[agent]),
        "pass_at_k": pass_at_k_figures(own),
        "bootstrap": asdict(bootstrap(own)),
        "spending": asdict(total)
        | {f"{name}_per_medal": total.per_medal(name) for name in ("hours", "tokens", "cost")},
        "competitions": competition_figures(own, results.boards),
        "progress": progress_figures(courses) if courses else None,
        "process": process_figures(measured) if measured else None,
    }


def pass_at_k_figures(attempts: Sequence[Attempt]) -> dict[str, float]:
    """Any medal in k tries, in percent, for each k up to the smallest number of seeds."""
    least = min(len(group) for group in by_competition(attempts).values())
    wanted = sorted({k for k in (1, 2, 3, 4, 5, 8, 16, least) if k <= least})
    return {str(k): mean_pass_at_k(attempts, k) for k in wanted}
