"""What log probabilities say about a text: familiarity, Min-K%, Min-K%++, zlib ratio, z-scores."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from statistics import fmean, stdev

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from mlebench.contamination.documents import CONTROLS, Document
from mlebench.contamination.inference import conformal_p, sign_flip
from mlebench.contamination.scoring import Scorer, sampled_positions
from mlebench.records.contamination import CompetitionFamiliarity, DocumentScores, ProbeResult
from mlebench.results.attempts import grouped

LEAST_LIKELY = 0.2
DIGITS = 6


def score_document(document: Document, scorer: Scorer) -> DocumentScores:
    """All figures of one text except its z-score, which needs the controls."""
    scores = scorer.score(document.text)
    published = np.where(scores.in_top, np.exp(scores.logp), 0.0)
    if scores.is_complete:
        published = published[sampled_positions(document.text, scores.tokens) - 1]
    full = scores.logp if scores.is_complete else None
    size = len(zlib.compress(document.text.encode(), 9))
    return DocumentScores(
        competition_id=document.competition_id,
        name=document.name,
        kind=document.kind,
        tokens=scores.tokens,
        sampled=len(published),
        familiarity=_rounded(published.mean()),
        familiarity_full=None if full is None else _rounded(np.exp(full).mean()),
        mean_logp=None if full is None else _rounded(full.mean()),
        mink20=None if full is None else _rounded(min_k(full)),
        minkpp20=None if full is None else _rounded(min_k(scores.normed)),
        zlib_ratio=None if full is None else _rounded(-full.sum() / size),
    )


def min_k(values: NDArray[np.float64]) -> float:
    """The mean of the lowest fifth, one value at least."""
    count = max(1, int(len(values) * LEAST_LIKELY))
    return float(np.partition(values, count - 1)[:count].mean())


def with_z_scores(documents: Sequence[DocumentScores]) -> list[DocumentScores]:
    """Compare every text with at least three controls, without those of its own competition."""
    return [structs.replace(document, control_z=_z(document, documents)) for document in documents]


def _z(document: DocumentScores, documents: Sequence[DocumentScores]) -> float | None:
    others = _controls(documents, without=document.competition_id)
    if len(others) < 3 or not (spread := stdev(others)):
        return None
    return _rounded((document.familiarity - fmean(others)) / spread)


def _controls(documents: Sequence[DocumentScores], *, without: str) -> list[float]:
    return [
        d.familiarity
        for d in documents
        if d.kind in CONTROLS and (d.competition_id != without or d.kind == "decoy")
    ]


def by_competition(documents: Sequence[DocumentScores]) -> list[CompetitionFamiliarity]:
    """The plain mean over the official text and the posts; else over our own description."""
    found = []
    real = [d for d in documents if d.kind != "decoy"]
    for name, own in grouped(real, lambda d: d.competition_id).items():
        evidence = [d for d in own if d.kind not in CONTROLS]
        counted = evidence or [d for d in own if d.kind == "own"]
        z_scores = [d.control_z for d in counted if d.control_z is not None]
        found.append(
            CompetitionFamiliarity(
                competition_id=name,
                documents=len(counted),
                is_evidence=bool(evidence),
                familiarity=_rounded(fmean(d.familiarity for d in counted)),
                control_z=_rounded(fmean(z_scores)) if z_scores else None,
            )
        )
    return found


def familiarity_tests(documents: Sequence[DocumentScores]) -> list[ProbeResult]:
    """Evidence against controls: each competition, and all together as pairs.

    Pairs compare texts of the same competition, so few controls do not limit their p-value.
    """
    found, differences = [], []
    for name, own in grouped(documents, lambda d: d.competition_id).items():
        evidence = [d.familiarity for d in own if d.kind not in CONTROLS]
        others = _controls(documents, without=name)
        if not evidence or not others:
            continue
        value = fmean(evidence)
        found.append(
            ProbeResult(
                probe="familiarity",
                competition_id=name,
                statistic="mean familiarity of official text and posts",
                value=_rounded(value),
                chance=_rounded(fmean(others)),
                n=len(evidence),
                p=conformal_p(value, others),
                note=f"against {len(others)} control texts",
            )
        )
        if described := [d.familiarity for d in own if d.kind == "own"]:
            differences.append(value - described[0])
    if len(differences) > 1:
        found.append(
            ProbeResult(
                probe="familiarity",
                competition_id=None,
                statistic="mean difference to our own description of the same competition",
                value=_rounded(fmean(differences)),
                chance=0.0,
                n=len(differences),
                p=sign_flip(np.array(differences)),
                note="a difference in style counts as well: compare it with the z-scores",
            )
        )
    return found


def _rounded(value: float) -> float:
    return round(float(value), DIGITS)
