"""All probes by name, and what each of them needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import product

from mlebench.contamination.documents import Document
from mlebench.contamination.familiarity import familiarity_tests, score_document, with_z_scores
from mlebench.contamination.generation import Generator
from mlebench.contamination.inference import corrected
from mlebench.contamination.label_child import LabelJudge
from mlebench.contamination.peaked_probe import PeakedProbe
from mlebench.contamination.recall_probes import (
    PLAIN_TEXT,
    board_probe,
    guided_probe,
    label_probe,
    name_probe,
    split_probe,
)
from mlebench.contamination.scoring import Scorer
from mlebench.contamination.subjects import LabelSource, Subject, TableSample
from mlebench.contamination.table_probes import order_probe, row_probe, value_probe
from mlebench.errors import UsageError
from mlebench.records.contamination import DocumentScores, ProbeResult, SkippedProbe

PROBES = {
    "familiarity": "log probabilities of the texts: familiarity, Min-K%, Min-K%++, zlib ratio",
    "order": "log probability of the rows in their published order",
    "naming": "names the competition from the obfuscated text, and from the first rows",
    "guided": "second halves of posts and official texts, with and without the source",
    "rows": "the next row of the table",
    "values": "the next value of a row",
    "labels": "labels of test ids",
    "train-labels": "labels of training ids",
    "leaderboard": "winning scores",
    "split": "share and seed of the benchmark's split",
    "peakedness": "sampled solutions close to the most likely one (51 calls each; only if named)",
}
SCORING = ("familiarity", "order")
COSTLY = ("peakedness",)
"""Only run if they are named."""

Probe = Callable[[Subject], ProbeResult | str | None]
"""Returns the result, or the reason why there is none."""


@dataclass
class Findings:
    """What the probes found."""

    documents: list[DocumentScores] = field(default_factory=list)
    results: list[ProbeResult] = field(default_factory=list)
    skipped: list[SkippedProbe] = field(default_factory=list)


def choose_probes(names: str) -> tuple[str, ...]:
    """The probes of a comma-separated list; empty means all except the costly ones."""
    chosen = tuple(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    for name in chosen:
        if name not in PROBES:
            raise UsageError(f"there is no probe {name!r}; expected some of {', '.join(PROBES)}")
    return chosen or tuple(name for name in PROBES if name not in COSTLY)


def run_probes(
    probes: Sequence[str],
    subjects: Sequence[Subject],
    documents: Sequence[Document],
    *,
    scorer: Scorer,
    generator: Generator,
) -> Findings:
    """Run the named probes on all subjects; p-values are corrected over all of them."""
    findings = Findings()
    if "familiarity" in probes:
        scorer.prefetch([document.text for document in documents])
        findings.documents = with_z_scores([score_document(d, scorer) for d in documents])
        findings.results += familiarity_tests(findings.documents)
    with closing(LabelJudge()) as judge:
        single = _single_probes(scorer, generator, judge)
        for subject, probe in product(subjects, [name for name in probes if name in single]):
            result = single[probe](subject)
            if isinstance(result, ProbeResult):
                findings.results.append(result)
            else:
                reason = result or "nothing to ask about"
                findings.skipped.append(SkippedProbe(probe, subject.id, reason))
    for probe in probes:
        findings.results += _over_all(probe, subjects, generator)
    findings.results = corrected(findings.results)
    return findings


def _single_probes(scorer: Scorer, generator: Generator, judge: LabelJudge) -> dict[str, Probe]:
    """The probes of one competition at a time."""

    def of_table(ask: Callable[[Subject, TableSample], ProbeResult | str]) -> Probe:
        return lambda s: s.missing.get("table") if s.table is None else ask(s, s.table)

    def of_labels(
        probe: str, labels: LabelSource | None, subject: Subject
    ) -> ProbeResult | str | None:
        if labels is None:
            return subject.missing.get(probe)
        return label_probe(probe, subject, labels, generator=generator, judge=judge)

    return {
        "order": of_table(lambda s, table: order_probe(s, table, scorer)),
        "guided": lambda s: guided_probe(s, generator),
        "rows": of_table(lambda s, table: row_probe(s, table, generator)),
        "values": of_table(lambda s, table: value_probe(s, table, generator)),
        "labels": lambda s: of_labels("labels", s.labels, s),
        "train-labels": lambda s: of_labels("train-labels", s.train_labels, s),
        "peakedness": PeakedProbe(generator),
    }


def _over_all(
    probe: str, subjects: Sequence[Subject], generator: Generator
) -> Iterator[ProbeResult]:
    if probe == "naming":
        for source, text_of in NAMED_FROM.items():
            yield from name_probe(subjects, generator, text_of, source=source)
    elif probe == "leaderboard":
        yield from board_probe(subjects, generator)
    elif probe == "split":
        yield from split_probe(subjects, generator)


def _first_rows(subject: Subject) -> str | None:
    if subject.table is None:
        return None
    return "\n".join(",".join(row) for row in (subject.table.header, *subject.table.rows[:5]))


NAMED_FROM: dict[str, Callable[[Subject], str | None]] = {
    PLAIN_TEXT: lambda subject: subject.text_of("own"),
    "obfuscated text": lambda subject: subject.text_of("obfuscated"),
    "rows": _first_rows,
}
