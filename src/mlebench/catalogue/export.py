"""All competitions as a folder that looks like a checkout of the published benchmark.

For tools that read such a checkout instead of importing the package. There is no `__init__.py` in
it, so that the folder never shadows the installed package from `import mlebench`.
"""

from __future__ import annotations

from pathlib import Path

from mlebench.catalogue.catalogue import Catalogue
from mlebench.catalogue.layout import published_files, published_ids, write_files
from mlebench.errors import UsageError
from mlebench.system.files import atomic_folder

SPLITS = ("dev", "low", "medium", "high", "split75", "systemcard", "spaceship-titanic")
"""Those of the published benchmark."""

README = """# Competitions in the layout of the published benchmark

Written by `mlebench export layout` for programs that read files. `grade.py` and `prepare.py` call
the installed package `mlebench`; everything else can be read without it. Changes made here have no
effect on that package: export it again after an update.
"""
INSTRUCTIONS = """You are given a machine-learning competition and must solve it on your own.

- The data is in /home/data, which is read-only. Read /home/data/description.md first: it states the
  task, the files, the metric and the format of a submission.
- Write your predictions for the test data to /home/submission/submission.csv. What is there at the
  end counts, so write a valid file early and replace it by better ones.
- Put the code that made the submission into /home/code and logs into /home/logs.
- To check the format of a file: bash /home/validate_submission.sh FILE. The reply says whether the
  file is valid and why not; it says nothing about the score.
- Predictions must come from models that you trained or ran on the given data. Do not look for the
  answers, do not label test data by hand, and do not copy solutions of others.
"""
INSTRUCTIONS_KNOWN = """
The competition took place on Kaggle. Your score is compared with the private leaderboard of the
people who took part, and wins a gold, silver or bronze medal where theirs would have.
"""
ENVIRONMENT = {
    "instructions.txt": INSTRUCTIONS + INSTRUCTIONS_KNOWN,
    "instructions_obfuscated.txt": INSTRUCTIONS,
}


def export_layout(catalogue: Catalogue, folder: Path) -> int:
    """Write the layout to a new or empty folder in one step; returns the competitions."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not empty; name a folder that is new or empty")
    try:
        with atomic_folder(folder) as made:
            for competition_id in published_ids():
                files = published_files(catalogue.get_competition(competition_id))
                write_files(made / "mlebench" / "competitions" / competition_id, files)
            splits = {f"{name}.txt": catalogue.get_split(name) for name in SPLITS}
            texts = {name: "\n".join([*ids, ""]) for name, ids in splits.items()}
            write_files(made / "experiments" / "splits", texts)
            write_files(made / "environment", ENVIRONMENT)
            write_files(made, {"README.md": README})
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}") from None
    return len(published_ids())
