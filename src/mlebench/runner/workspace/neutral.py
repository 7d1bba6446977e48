"""Obfuscated runs: neutral folders, because a mount reveals its path on the host.

The public data is seen through a folder of hard links with a neutral name, with the obfuscated
description; the agent's own folders are elsewhere during the run and are moved into place after it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mlebench.catalogue import LocatedCompetition
from mlebench.records.folders import RunFolder
from mlebench.records.manifest import walk_files
from mlebench.runner.workspace.renamed import RENAMED, renamed_public, view_folder
from mlebench.sandbox.mounts import WRITABLE
from mlebench.system.files import atomic_folder
from mlebench.system.trees import remove_tree


def neutral_public(competition: LocatedCompetition) -> Path:
    """A view of the public data under a name without meaning; made once for each manifest."""
    goal = view_folder(competition, competition.id)
    if goal.is_dir():
        return goal
    with atomic_folder(goal) as staging:
        for file in walk_files(competition.public_dir):
            target = staging / file.relative_to(competition.public_dir)
            target.parent.mkdir(parents=True, exist_ok=True)
            if target != staging / "description.md":
                os.link(file, target)
        (staging / "description.md").write_text(competition.obfuscated_description, "utf-8")
    return goal


def public_view(competition: LocatedCompetition, level: str, run: RunFolder) -> Path:
    """The public data as the agent sees it; a run with neutral names keeps their map."""
    run.renaming.unlink(missing_ok=True)
    if level in RENAMED:
        folder, names = renamed_public(competition, level)
        shutil.copyfile(names, run.renaming)
        return folder
    return competition.public_dir if level == "L0" else neutral_public(competition)


@contextmanager
def leaves(run: RunFolder, *, is_obfuscated: bool) -> Iterator[RunFolder]:
    """Where the agent's folders are while it runs."""
    if not is_obfuscated:
        yield run
        return
    sandbox = RunFolder(run.path.parent / ".sandboxes" / run.path.name.rpartition("_")[2])
    remove_tree(sandbox.path)
    sandbox.path.mkdir(mode=0o700, parents=True)
    for name in WRITABLE:
        (sandbox.path / name).mkdir(mode=0o700)
    try:
        yield sandbox
    finally:
        for name in WRITABLE:
            (run.path / name).rmdir()
            (sandbox.path / name).rename(run.path / name)
        sandbox.path.rmdir()
