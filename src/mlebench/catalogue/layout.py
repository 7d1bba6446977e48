"""The published folder of a competition, generated for tools that read such files.

Our own code reads none of these files; `config.yaml` and the others only repeat what a definition,
a leaderboard summary and the official checksums say.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mlebench.catalogue.located import LocatedCompetition

GRADER_NAMES = Path(__file__).with_name("grader_names.json")
MODULE = '''\
"""{title}: the {part} function of the installed package, for programs that load this file."""

from importlib import import_module

{part} = import_module("mlebench.competitions.{id}.{part}").{part}
'''


@cache
def grader_names() -> dict[str, str]:
    """The names of the graders in the published package, by id of the competition."""
    names: dict[str, str] = json.loads(GRADER_NAMES.read_text("utf-8"))
    return names


def published_ids() -> list[str]:
    """The 82 competitions of the published package, sorted."""
    return sorted(grader_names())


def published_files(competition: LocatedCompetition) -> dict[str, str]:
    """The content of each file of a competition's published folder, by name."""
    import yaml

    from mlebench.leaderboards.leaderboard import read_summary, rebuild

    board = rebuild(read_summary(competition.home / "leaderboard.json"))
    title, competition_id = competition.definition.title, competition.id
    modules = {
        f"{part}.py": MODULE.format(title=title, id=competition_id, part=part)
        for part in ("grade", "prepare")
    }
    return {
        "config.yaml": yaml.safe_dump(_config(competition), allow_unicode=True),
        "description.md": competition.description,
        "description_obfuscated.md": competition.obfuscated_description,
        # CSV with one column, best first.
        "leaderboard.csv": "\n".join(["score", *map(repr, board.scores), ""]),
        "checksums.yaml": yaml.safe_dump(competition.load_checksums()),
        "kernels.txt": "",
        **modules,
    }


def write_files(folder: Path, files: dict[str, str]) -> None:
    """Write texts to a folder by name, with the same bytes on every system."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8", newline="\n")


def _config(competition: LocatedCompetition) -> dict[str, Any]:
    definition, competition_id = competition.definition, competition.id
    package = f"mlebench.competitions.{competition_id}"
    prepared = f"{competition_id}/prepared"
    return {
        "id": competition_id,
        "name": definition.title,
        "competition_type": definition.competition_type,
        "awards_medals": definition.awards_medals,
        "prizes": definition.prize_usd,
        "description": f"mlebench/competitions/{competition_id}/description.md",
        "dataset": {
            "answers": f"{prepared}/{definition.answers}",
            "gold_submission": f"{prepared}/{definition.gold_submission or definition.answers}",
            "sample_submission": f"{prepared}/{definition.sample_submission}",
        },
        "grader": {
            "name": grader_names().get(competition_id, definition.metric.name),
            "grade_fn": f"{package}.grade:grade",
        },
        "preparer": f"{package}.prepare:prepare",
    }
