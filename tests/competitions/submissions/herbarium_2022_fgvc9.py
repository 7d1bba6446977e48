"""Submissions for herbarium-2022-fgvc9, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from tests.competitions.submissions import herbarium_2020_fgvc7


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    return herbarium_2020_fgvc7.submissions(public, private, seed, first_unseen=15000)
