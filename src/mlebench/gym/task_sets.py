"""Sets of tasks for training, and facts by which trainers choose among them.

`rl-train` and `rl-test` share no competition and no family, so that what a policy learns on the one
says nothing about the other. The starter competitions are all in `rl-train`: their answers are
public.
"""

from __future__ import annotations

from typing import Any

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.errors import UnknownNameError
from mlebench.gym.holdout import HoldoutFolder, why_no_holdout
from mlebench.gym.tasks import at_revision
from mlebench.recipes.hashes import hash_of
from mlebench.records.manifest import read_manifest

RL_SPLITS = ("rl-train", "rl-test")
TEST_SHARE = 0.2
FAMILIES = tuple(
    """herbarium- iwildcam- jigsaw- plant-pathology- text-normalization- tabular-playground- rsna-
    starter-""".split()
)
"""Competitions whose ids share a beginning form a family; each other one is its own family."""

TRAIN_ONLY = frozenset({"starter-"})


def family_of(competition_id: str) -> str:
    """The family, which is in one split only."""
    return next((name for name in FAMILIES if competition_id.startswith(name)), competition_id)


def rl_split_of(competition_id: str) -> str:
    """`rl-train` or `rl-test`: a fifth of the families, drawn by the hash of their names."""
    family = family_of(competition_id)
    if family in TRAIN_ONLY:
        return "rl-train"
    number = int.from_bytes(hash_of("rl", family)[:8], "big")
    return "rl-test" if number < TEST_SHARE * 2**64 else "rl-train"


def list_rl_tasks(split: str, catalogue: Catalogue | None = None) -> list[str]:
    """The competitions of a split that have a hold-out, sorted."""
    if split not in RL_SPLITS:
        raise UnknownNameError(f"unknown split {split!r}; expected {' or '.join(RL_SPLITS)}")
    known = at_revision(catalogue)
    return [
        competition_id
        for competition_id in known.list_competition_ids()
        if rl_split_of(competition_id) == split
        and not why_no_holdout(known.get_competition(competition_id))
    ]


def curriculum(catalogue: Catalogue | None = None) -> list[dict[str, Any]]:
    """Facts about every task: see `facts_about`."""
    known = at_revision(catalogue)
    return [facts_about(known.get_competition(name)) for name in known.list_competition_ids()]


def facts_about(competition: LocatedCompetition) -> dict[str, Any]:
    """What is known about a task without running anything.

    `sample_score` is that of the sample submission on the real test part, `hold_out` has the rows
    and bytes of a hold-out that was made. `baseline_seconds` is None until it is measured:
    it depends on the machine.
    """
    definition = competition.definition
    board = competition.load_leaderboard().thresholds
    return {
        "id": competition.id,
        "category": definition.category,
        "complexity": definition.complexity,
        "dataset_gb": definition.dataset_gb,
        "metric": definition.metric.name,
        "is_lower_better": definition.metric.is_lower_better,
        "sample_score": definition.official_sample_score,
        "gold": board.gold,
        "bronze": board.bronze,
        "median": board.median,
        "family": family_of(competition.id),
        "split": rl_split_of(competition.id),
        "why_no_holdout": why_no_holdout(competition),
        "hold_out": _hold_out_facts(competition),
        "baseline_seconds": None,
    }


def _hold_out_facts(competition: LocatedCompetition) -> dict[str, Any] | None:
    folder = competition.folder
    manifest = read_manifest(HoldoutFolder(folder.root, folder.id, folder.revision))
    if manifest is None:
        return None
    answers = manifest.private.get(competition.definition.answers)
    return {
        "answers": answers.get("rows") if answers else None,
        "bytes": manifest.total_bytes,
        "files": manifest.file_count,
        "is_rehearsal": manifest.is_rehearsal,
    }
