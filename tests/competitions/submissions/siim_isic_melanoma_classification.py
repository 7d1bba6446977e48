"""Submissions for siim-isic-melanoma-classification, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from tests.competitions.submissions.seti_breakthrough_listen import chances


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    odd = {"wrong_id": "ISIC_0052060", "word": "benign", "outside": 1.01}
    return chances(private / "test.csv", seed, wrong_every=5, **odd)
