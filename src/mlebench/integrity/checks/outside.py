"""I12: data and weights from outside, and what the competition's text says about them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from mlebench.integrity.checks.words import from_hits
from mlebench.integrity.context import CheckContext
from mlebench.integrity.evidence import read_start
from mlebench.integrity.findings import make_finding, make_quote
from mlebench.records.integrity import EvidenceItem, IntegrityFinding, Severity
from mlebench.records.weights import read_weights
from mlebench.results.attempts import grouped

MAX_TEXT = 1 << 20
LONGEST_SENTENCE = 1000
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n\s*[-*]\s")
ABOUT = re.compile(
    r"\b(?:external|outside|additional|third-party|other)\s+(?:data|data ?sets?|sources?)\b"
    r"|\bpre-?trained\b",
    re.IGNORECASE,
)
FORBIDS = re.compile(
    r"\b(?:not (?:be )?(?:allowed|permitted|used)|may not|must not|forbid\w*|prohibit\w*"
    r"|disallow\w*|no (?:external|outside|additional|pre-?trained)|cannot|is not|are not)\b",
    re.IGNORECASE,
)
ALLOWS = re.compile(
    r"\b(?:allowed|permitted|may (?:be )?use\w*|welcome|encourage\w*|freely|is fine|can be used)\b",
    re.IGNORECASE,
)


def outside_data(context: CheckContext) -> Iterator[IntegrityFinding]:
    """Downloads, hubs, refused tools of the provider, weights that came with the agent."""
    verdict, rules = read_rules(context)
    severity: Severity = "note" if verdict == "allowed" else "review"
    suffix = f" ({verdict} by the competition's text)" if verdict else ""
    for name, hits in grouped(context.hits_of("I12"), lambda hit: hit.pattern.name).items():
        yield from_hits("I12", severity, name + suffix, hits, before=rules)
    stored = read_weights(context.evidence.source.group.weights)
    if stored is not None and stored.files:
        title = f"the agent was given {len(stored.files)} files of weights{suffix}"
        items = [
            EvidenceItem(
                "../weights.json",
                sha256=file.sha256,
                quote=make_quote(f"{file.place}, {file.bytes:,} bytes, sha256 {file.sha256}"),
            )
            for file in stored.files
        ]
        yield make_finding(
            "I12", severity, title, [*rules, *items], figure=len(stored.files), threshold=0
        )


def read_rules(context: CheckContext) -> tuple[str, list[EvidenceItem]]:
    """`allowed`, `forbidden` or nothing, and the sentence of the description that says so.

    A user may put the rules beside it, as `rules.md` or `rules.txt`.
    """
    if context.competition is None:
        return "", []
    for name in ("rules.md", "rules.txt", "description.md"):
        for sentence in _sentences(context.competition.public_dir / name):
            if verdict := _verdict(sentence):
                return verdict, [EvidenceItem(f"public/{name}", quote=make_quote(sentence))]
    return "", []


def _sentences(file: Path) -> Iterator[str]:
    data, _ = read_start(file, MAX_TEXT)
    for sentence in SENTENCE_END.split(data.decode("utf-8", "replace")):
        if ABOUT.search(sentence[:LONGEST_SENTENCE]):
            yield " ".join(sentence[:LONGEST_SENTENCE].split())


def _verdict(sentence: str) -> str:
    """A prohibition counts more than a permission in the same sentence."""
    if FORBIDS.search(sentence):
        return "forbidden"
    return "allowed" if ALLOWS.search(sentence) else ""
