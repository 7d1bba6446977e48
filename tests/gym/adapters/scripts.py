"""Scripted policies: eight episodes, of which every other one hands in the sample submission."""

from __future__ import annotations

from typing import Any

EPISODES = 8
COPY = (
    "import shutil\n"
    "shutil.copy('/home/data/sample_submission.csv', '/home/submission/submission.csv')\n"
)
NOTHING = "print('no submission')"
VALID = 0.05
"""The reward `valid` for a valid file, which a copy of the sample submission gets."""


def program(number: int) -> str:
    return COPY if number % 2 == 0 else NOTHING


def actions(number: int) -> list[dict[str, Any]]:
    return [
        {"kind": "info", "topic": "sample_submission"},
        {"kind": "run", "code": program(number)},
        {"kind": "submit"},
    ]


def expected(number: int) -> float:
    return VALID if number % 2 == 0 else 0.0
