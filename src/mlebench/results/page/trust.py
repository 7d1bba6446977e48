"""The sections of the report page on validity: conditions, claims, equal submissions, faults."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from mlebench.errors import DataError
from mlebench.records.audit import AuditRecord, read_audit
from mlebench.records.codec import to_json
from mlebench.records.folders import CompetitionFolder
from mlebench.records.run import RunRecord
from mlebench.results.attempts import Attempt, by_agent, find_equal_submissions, plans_of
from mlebench.results.compliance import find_compliance
from mlebench.results.figures import Results
from mlebench.results.gradings import Gradings
from mlebench.results.page.rendering import PageTable
from mlebench.version import REVISION

MAX_ROWS = 100
MAX_NAMES = 12


def conditions(results: Results) -> PageTable:
    """The conditions of the runs, a column for each agent."""
    facts = {
        agent: _conditions_of(own, results.gradings[agent])
        for agent, own in by_agent(results.attempts).items()
    }
    names = dict.fromkeys(name for found in facts.values() for name in found)
    rows = [[name, *(found.get(name) for found in facts.values())] for name in names]
    return PageTable(("condition", *facts), rows, is_sortable=False)


def _conditions_of(own: Sequence[Attempt], gradings: Gradings) -> dict[str, str]:
    groups = plans_of(own)
    runs = [a.run for a in own if a.run]
    found: dict[str, Iterable[object]] = {
        "attempts": [f"{len(own):,}"],
        "competitions": [len({a.competition_id for a in own})],
        "seeds": [max(a.seed for a in own) + 1],
        "agent's version": (f"{g.agent_version} ({g.agent_digest[:12]})" for g in groups),
        "model": (g.settings.model for g in groups),
        "time limit": (
            _duration(a.conditions.hours) for a in own if a.conditions.hours is not None
        ),
        "limits": map(_limits, {a.conditions.limits for a in own if a.conditions.limits}),
        "sandbox": (r.sandbox.get("name") for r in runs),
        "isolation": (a.conditions.isolation for a in own),
        "network": (a.conditions.network for a in own),
        "obfuscated": (g.settings.obfuscation_level for g in groups),
        "revision": (a.conditions.revision for a in own),
        "mlebench": (r.provenance.mlebench for r in runs),
        "hardware": (
            f"{r.provenance.cpus} CPUs, {r.provenance.cpu_model}" for r in runs if r.provenance.cpus
        ),
        "GPUs": (", ".join(r.provenance.gpus) or "none" for r in runs if r.provenance.mlebench),
        "gradings": [str(gradings)] if groups else [],
        "protocol": [compliance] if (compliance := find_compliance(own)) else [],
        "discarded starts": [sum(len(r.attempts) for r in runs)] if runs else [],
        "started": [_period({f"{g.created_at:.10}" for g in groups})] if groups else [],
    }
    known = {
        name: sorted({str(v) for v in values if v is not None}) for name, values in found.items()
    }
    return {name: "; ".join(values) for name, values in known.items() if values}


def _duration(hours: float) -> str:
    return f"{hours:g} h" if hours >= 1 else f"{hours * 3600:.4g} s"


def _period(days: set[str]) -> str:
    return min(days) if len(days) == 1 else f"{min(days)} to {max(days)}"


def _limits(text: str) -> str:
    """`cpus 36, memory 440 GB`, from the JSON of a group's limits."""
    known = {name: value for name, value in json.loads(text).items() if value is not None}
    return ", ".join(f"{n.removesuffix('_bytes')} {_amount(n, v)}" for n, v in known.items())


def _amount(name: str, value: object) -> str:
    if name.endswith("_bytes") and isinstance(value, int | float):
        return f"{value / 1e9:,.4g} GB"
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def statement(results: Results) -> dict[str, str]:
    """What the runs could not reach, what they could reach, what was counted, what is unknown."""
    attempts = results.attempts
    runs = [attempt.run for attempt in attempts if attempt.run]
    models = {a.group.settings.model for a in attempts if a.group and a.group.settings.model}
    gradings = " / ".join(map(str, results.gradings.values()))
    return {
        "Closed": f"isolation: {_found(attempts, 'isolation')};"
        f" network: {_found(attempts, 'network')}; {_answers(runs)}.",
        "Open": f"model calls to {', '.join(sorted(models))}." if models else "no model.",
        "Counted": f"gradings {gradings}; {sum(run.validations for run in runs):,} validations of"
        f" format; {sum(len(run.attempts) for run in runs):,} discarded starts.",
        "Unknown": "what a model saw of these competitions in its training, and what the owner of"
        " the machine did besides these runs.",
    }


ANSWERS = {
    "absent": "no answers inside the sandbox",
    "inside": "ANSWERS WERE INSIDE THE SANDBOX",
    "readable": "ANSWERS COULD BE READ",
}


def _answers(runs: Iterable[RunRecord]) -> str:
    """Where the answers were, as each run recorded it."""
    found = Counter(str(run.sandbox.get("answers", "not recorded")) for run in runs)
    if not found:
        return "where the answers were is not recorded"
    return ", ".join(f"{ANSWERS.get(n, f'answers {n}')} ({c} runs)" for n, c in found.items())


def _found(attempts: Iterable[Attempt], name: str) -> str:
    found = {str(value) for a in attempts if (value := getattr(a.conditions, name)) is not None}
    return " / ".join(sorted(found)) or "not recorded"


def equal_submissions(results: Results) -> tuple[PageTable, int]:
    """Seeds or agents that are not independent of one another, and how many are left out."""
    found = find_equal_submissions(results.attempts)
    rows = [[same[0].competition_id, len(same), _names(same)] for same in found[:MAX_ROWS]]
    table = PageTable(("competition", "attempts", "who"), rows, ("attempts",))
    return table, len(found) - len(rows)


def _names(same: Sequence[Attempt]) -> str:
    words = [f"{attempt.agent} seed {attempt.seed}" for attempt in same[:MAX_NAMES]]
    return ", ".join(words) + (" …" if len(same) > MAX_NAMES else "")


def known_faults(results: Results) -> PageTable:
    """Faults of the published data that v1 keeps so that results stay comparable."""
    kept = (a for a in results.attempts if (a.conditions.revision or REVISION) == REVISION)
    names = sorted({a.competition_id for a in kept}, key=results.boards.sort_key)
    rows = [
        [name, fault] for name in names for fault in results.boards.facts(name).get("faults", ())
    ]
    return PageTable(("competition", "fault"), rows)


def audits(results: Results) -> tuple[PageTable, str]:
    """What `mlebench audit` found in the data of these runs, and how much was audited."""
    parts = {(a.competition_id, a.conditions.revision or REVISION) for a in results.attempts}
    data_dir = results.catalogue.get_data_dir()
    found: dict[tuple[str, str], Sequence[AuditRecord]] = {}
    for name, revision in sorted(parts):
        with suppress(DataError):
            found[name, revision] = read_audit(CompetitionFolder(data_dir, name, revision))
    audited = sum(map(bool, found.values()))
    words = f"{audited} of {len(parts)} competitions are audited on this machine."
    return audit_table([to_json(record) for own in found.values() for record in own]), words


def audit_table(records: Iterable[Mapping[str, Any]]) -> PageTable:
    """The warnings and fails among records of audits."""
    head = ("id", "revision", "check", "status", "evidence")
    rows = [
        [*(record[name] for name in head[:-1]), "; ".join(record["evidence"])]
        for record in records
        if record["status"] in ("warn", "fail")
    ]
    return PageTable(("competition", *head[1:]), rows)
