"""Put a report together: probes, correlations, cut-offs, obfuscation, and a sentence for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mlebench.catalogue import Catalogue
from mlebench.contamination.controls import WRITTEN
from mlebench.contamination.cutoffs import KnownDates, cutoff_effect, cutoff_pairs, cutoff_rows
from mlebench.contamination.familiarity import by_competition
from mlebench.contamination.inference import LEVEL
from mlebench.contamination.performance import correlate_all, human_ranks, obfuscation_pairs
from mlebench.contamination.probes import Findings
from mlebench.contamination.subjects import Subject
from mlebench.records.contamination import ContaminationReport
from mlebench.results.attempts import Attempt

NOT_DETECTED = "not detected by these probes, which does not mean that the model has not seen it"


@dataclass(frozen=True)
class ModelRun:
    """The settings of the measurement."""

    model: str
    provider: str
    created_at: str
    method: str
    tokenizer: str
    generation: str
    calls: int


def make_report(
    measured: ModelRun,
    findings: Findings,
    *,
    subjects: Sequence[Subject],
    attempts: Sequence[Attempt],
    dates: KnownDates,
    catalogue: Catalogue,
) -> ContaminationReport:
    """The report of a finished measurement; it depends on recorded answers and given files only."""
    familiar = by_competition(findings.documents)
    report = ContaminationReport(
        **vars(measured),
        is_rehearsal=any(subject.is_rehearsal for subject in subjects),
        sentences={},
        documents=tuple(findings.documents),
        competitions=tuple(familiar),
        probes=tuple(findings.results),
        skipped=tuple(findings.skipped),
        correlations=tuple(correlate_all(familiar, attempts, catalogue)),
        points=human_ranks(attempts, catalogue),
        deadlines={
            s.id: dates.deadlines[s.id].isoformat() for s in subjects if s.id in dates.deadlines
        },
        cutoffs=tuple(cutoff_rows(attempts, dates)),
        cutoff_pairs=tuple(cutoff_pairs(attempts, dates)),
        cutoff_effect=cutoff_effect(attempts, dates),
        obfuscation=tuple(obfuscation_pairs(attempts)),
    )
    report.sentences.update(
        probes=_probe_sentence(report),
        familiarity=_familiarity_sentence(report),
        correlation=_correlation_sentence(report),
        cutoff=_cutoff_sentence(report) + _effect_sentence(report),
        obfuscation=_obfuscation_sentence(report),
    )
    return report


def _probe_sentence(report: ContaminationReport) -> str:
    tests = [result for result in report.probes if result.p is not None]
    found = [result for result in tests if result.is_detected]
    if not tests:
        return "No probe was run that tests a hypothesis."
    if not found:
        return f"Knowledge was {NOT_DETECTED}: 0 of {len(tests)} tests at {LEVEL:.0%} (Holm)."
    names = sorted({result.competition_id or f"all ({result.probe})" for result in found})
    return (
        f"Knowledge was detected by {len(found)} of {len(tests)} tests at {LEVEL:.0%} (Holm):"
        f" {', '.join(names)}."
    )


def _familiarity_sentence(report: ContaminationReport) -> str:
    if not report.documents:
        return "Texts were not measured."
    evidence = sum(one.is_evidence for one in report.competitions)
    if not evidence:
        return (
            "Only control texts were measured, which are ours and new: their familiarity shows how"
            f" predictable such texts are (written {WRITTEN} or later); it is not evidence."
        )
    above = sum((one.control_z or 0) > 2 for one in report.competitions if one.is_evidence)
    return (
        f"{above} of {evidence} competitions with official texts or posts are more than two"
        " standard deviations above the control texts; texts of another style or age can be, too."
    )


def _correlation_sentence(report: ContaminationReport) -> str:
    rows = [c for c in report.correlations if c.performance.startswith("share")]
    if not rows:
        return "There are no runs to compare familiarity with."
    row = rows[-1]
    seen = "is" if row.low > 0 or row.high < 0 else "is not distinguishable from 0 and"
    return (
        f"Over {row.n} competitions Spearman's correlation of {row.familiarity} with the share of"
        f" human teams beaten {seen} {row.spearman:+.2f} ({row.low:+.2f} to {row.high:+.2f});"
        f" below |r| = {row.detectable_r:.2f} a correlation is not found with 80 % power."
    )


def _cutoff_sentence(report: ContaminationReport) -> str:
    if not report.cutoffs:
        return "No dates were given for these runs: --dates compares before and after a cut-off."
    row = report.cutoffs[0]
    sides = f"{row.before.competitions} competitions before and {row.after.competitions} after"
    if row.difference is None:
        return f"With {sides} the cut-off of {row.model} nothing can be compared."
    return (
        f"Any medal after the cut-off of {row.model} minus before: {row.difference:+.1f} points"
        f" ({row.low:+.1f} to {row.high:+.1f}), from {sides}."
    )


def _effect_sentence(report: ContaminationReport) -> str:
    if (found := report.cutoff_effect) is None:
        return ""
    return (
        f" Over {found.agents} agents the odds of a medal after the cut-off are"
        f" {found.odds_ratio:.2f} times those before ({found.low:.2f} to {found.high:.2f}), with"
        f" random effects of agents and of {found.competitions} competitions; a ratio above"
        f" {found.detectable:.2f} would not be found with 80 % power."
    )


def _obfuscation_sentence(report: ContaminationReport) -> str:
    if not report.obfuscation:
        return "There are no two run groups of one agent at different levels of obfuscation."
    row = report.obfuscation[0]
    least = "unknown" if row.detectable is None else f"{row.detectable:.1f} points"
    return (
        f"{row.obfuscated} minus {row.plain}: {row.difference:+.1f} points any medal"
        f" ({row.low:+.1f} to {row.high:+.1f}, p = {row.p:.3f}) on {row.competitions} competitions;"
        f" the smallest difference found with 80 % power: {least}."
    )
