"""Fills a disclosure from the records of runs, and finds claims that contradict them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from mlebench.errors import DataError
from mlebench.records.disclosure import Disclosure
from mlebench.records.group import GrantedLimits, GroupRecord
from mlebench.records.run import Provenance
from mlebench.results.attempts import Attempt, by_competition, grouped, plans_of
from mlebench.results.compliance import find_compliance
from mlebench.results.gradings import count_gradings

OUTSIDE_DATA = "I12"
"""The integrity check for data and weights from outside."""

Level = Literal["claimed", "recorded", "closed", "checked"]
"""How much of a bundle its records support; explained in `docs/fair-results.md`."""


def disclose(attempts: Sequence[Attempt], *, seeds: int) -> Disclosure:
    """What the records say; a field that they do not cover is None.

    Args:
        seeds: how many seeds the figures are averaged over.
    """
    plans = plans_of(attempts)
    runs = [attempt.run for attempt in attempts if attempt.run]
    reported = sum(attempt.report is not None for attempt in attempts)
    compliance = find_compliance(attempts)
    if not plans:
        revisions = {a.conditions.revision for a in attempts if a.conditions.revision}
        return Disclosure(seeds_reported=seeds, runs_reported=reported, revision=_joined(revisions))
    machines = [r.provenance for r in runs if r.provenance.mlebench] or [
        plan.provenance for plan in plans
    ]
    hardware: list[GrantedLimits | Provenance] = [*(p.settings.limits for p in plans), *machines]
    memory = _least([one.memory_bytes for one in hardware])
    costs = [run.model.cost for run in runs if run.model and run.model.cost is not None]
    return Disclosure(
        network=_joined({a.conditions.network for a in attempts if a.conditions.network}),
        test_feedback=_feedback(attempts),
        cpus=_least([one.cpus for one in hardware]),
        memory_gb=None if memory is None else round(memory / 1e9, 3),
        gpus=tuple(sorted({gpu for machine in machines for gpu in machine.gpus})),
        hours=max(float(plan.settings.hours) for plan in plans),
        seeds_planned=max(len(own) for own in by_competition(attempts).values()),
        seeds_reported=seeds,
        runs_planned=sum(len(plan.runs) for plan in plans),
        runs_reported=reported,
        model=_joined({plan.settings.model for plan in plans if plan.settings.model}) or "none",
        prices=_prices(plans),
        cost=round(sum(costs), 6) if costs else None,
        integrity=count_integrity(attempts),
        revision=_joined({plan.settings.revision for plan in plans}),
        protocol=compliance.protocol if compliance else None,
        deviations=tuple(map(str, compliance.deviations)) if compliance else None,
    )


def with_claims(recorded: Disclosure, claims: Mapping[str, Any]) -> Disclosure:
    """The disclosure of a bundle: the records, and the user's claims over them."""
    typed = msgspec.convert(dict(claims), Disclosure)
    return msgspec.structs.replace(recorded, **{name: getattr(typed, name) for name in claims})


def contradictions(
    claimed: Disclosure, recorded: Disclosure, attempts: Sequence[Attempt]
) -> Iterator[str]:
    """One sentence for each claim that the records contradict, and for each recorded fact that is
    left out."""
    for name in Disclosure.__struct_fields__:
        ours, theirs = getattr(recorded, name), getattr(claimed, name)
        if ours is None:
            continue
        if theirs is None:
            yield f"{name} is left out, the records say {_shown(ours)}"
        elif not _is_equal(ours, theirs):
            yield f"{name} is claimed to be {_shown(theirs)}, the records say {_shown(ours)}"
    if claimed.external_data == "none":
        for attempt in attempts:
            findings = attempt.integrity.findings if attempt.integrity else ()
            if any(f.check == OUTSIDE_DATA and f.status == "confirmed" for f in findings):
                yield (
                    f"external_data is claimed to be none, but for {attempt.competition_id},"
                    f" seed {attempt.seed} a reviewer confirmed the finding {OUTSIDE_DATA}"
                )


def missing_seeds(plans: Sequence[GroupRecord]) -> Iterator[str]:
    """Runs that were taken out of a plan: the seeds of a competition start at 0 without gaps."""
    for plan in plans:
        runs = grouped(plan.runs, lambda run: run.competition_id)
        for name, own in runs.items():
            seeds = sorted(run.seed for run in own)
            if seeds != list(range(len(seeds))):
                yield f"the plan of {plan.group} has the seeds {seeds} of {name}"
        if len(set(map(len, runs.values()))) > 1:
            yield f"the plan of {plan.group} has more seeds of some competitions than of others"


def not_stated(claimed: Disclosure) -> list[str]:
    """The fields that neither the user nor the records state."""
    return [n for n in Disclosure.__struct_fields__ if getattr(claimed, n) is None]


def find_level(claimed: Disclosure, attempts: Sequence[Attempt]) -> Level:
    """How much of a bundle its records support."""
    if not all(attempt.group for attempt in attempts):
        return "claimed"
    isolated = all(a.conditions.isolation not in (None, "none") for a in attempts if a.report)
    if not (isolated and claimed.network == "none" and claimed.test_feedback == "none"):
        return "recorded"
    found = claimed.integrity or {}
    if found.get("clean") and not any(found.get(n) for n in ("review", "unchecked")):
        return "checked"
    return "closed"


def count_integrity(attempts: Sequence[Attempt]) -> dict[str, int]:
    """Graded runs by the result of `mlebench integrity`."""
    records = [attempt.integrity for attempt in attempts if attempt.report]
    found = Counter(record.result if record else "unchecked" for record in records)
    return {n: found[n] for n in ("clean", "review", "disqualified", "unchecked")}


def _feedback(attempts: Sequence[Attempt]) -> str | None:
    gradings = count_gradings(attempts)
    if not gradings.with_ledger:
        return None
    if gradings.repeated:
        return f"{len(gradings.repeated)} runs were graded more than once"
    return "none"


def _prices(plans: Sequence[GroupRecord]) -> dict[str, float] | None:
    """The prices of the model, if all groups have the same."""
    found = []
    for plan in plans:
        table = plan.settings.gateway.get("prices", {})
        models = table.get("models", {}) if isinstance(table, dict) else {}
        facts = models.get(plan.settings.model) if isinstance(models, dict) else None
        if not isinstance(facts, dict):
            return None
        found.append({k: float(v) for k, v in facts.items() if isinstance(v, int | float)})
    if any(one != found[0] for one in found):
        raise DataError("the groups have different prices for the same model")
    return found[0] if found else None


def _joined(values: set[str] | set[str | None]) -> str | None:
    return " and ".join(sorted(str(value) for value in values)) or None


def _least(amounts: Sequence[float | None]) -> float | None:
    return min((float(amount) for amount in amounts if amount is not None), default=None)


def _is_equal(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, float) and isinstance(theirs, int | float):
        return abs(ours - theirs) <= 1e-3 * max(1.0, abs(ours))
    return bool(ours == theirs)


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return "; ".join(value)[:300] or "none"
    return str(value)[:300]
