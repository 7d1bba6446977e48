"""Public tables under neutral names (L2), with shuffled rows and other ids as well (L3).

Scores at these levels are not comparable with the benchmark's. `train`, `test` and
`sample_submission` stay: they say what a file is for, and nothing about where it comes from.
"""

from __future__ import annotations

import csv
import hashlib
import random
import re
import shutil
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from mlebench.catalogue import LocatedCompetition
from mlebench.errors import UsageError
from mlebench.grading.renaming import Renaming, write_renaming
from mlebench.records.manifest import walk_files
from mlebench.system.files import atomic_folder

RENAMED = ("L2", "L3")
ROLES = ("train.csv", "test.csv")
SAMPLE = "sample_submission.csv"
MOST_SHUFFLED = 1 << 30
MOST_CELLS = 2_000_000
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
NOTE = """
## Names in this copy

Files and columns have neutral names here{more}.

{files}
"""


def require_tables(competition: LocatedCompetition, level: str) -> None:
    """Raise UsageError with the reason why a level is not possible for a competition."""
    if level not in RENAMED:
        return
    others = [f for f in _data_files(competition) if f.suffix != ".csv"]
    if others:
        raise UsageError(
            f"{competition.id} cannot be run at {level}: its public data are not only tables"
            f" ({others[0].relative_to(competition.public_dir)})",
            hint="--obfuscation L1 hides the text",
        )
    if competition.sample_submission not in _data_files(competition):
        raise UsageError(f"{competition.id} cannot be run at {level}: it has no sample submission")
    if level == "L3":
        _require_ids(competition)


def _require_ids(competition: LocatedCompetition) -> None:
    problem = None
    sample = competition.sample_submission
    column = _header(sample)[0]
    ids = list(_column(sample, column))
    others = [f for f in _data_files(competition) if f != sample and column in _header(f)]
    if sum(f.stat().st_size for f in _data_files(competition)) > MOST_SHUFFLED:
        problem = "its tables are larger than 1 GB"
    elif len(set(ids)) < len(ids):
        problem = f"the ids in {column} repeat"
    elif not set(ids) & {value for file in others for value in _column(file, column)}:
        problem = f"no other table has the ids of {column}"
    if problem:
        raise UsageError(
            f"{competition.id} cannot be run at L3: {problem}", hint="--obfuscation L2 is possible"
        )


def renamed_public(competition: LocatedCompetition, level: str) -> tuple[Path, Path]:
    """The folder that an agent sees and the file with the map; both are made once."""
    require_tables(competition, level)
    goal = view_folder(competition, f"{competition.id} {level}")
    names = goal.with_suffix(".json")
    if goal.is_dir() and names.is_file():
        return goal, names
    renaming = make_renaming(competition, level, salt=goal.name)
    headers = {}
    with atomic_folder(goal) as staging:
        for file, header in _tables(competition):
            name = renaming.files[str(file.relative_to(competition.public_dir))]
            headers[name] = header
            _write_table(file, staging / name, renaming, salt=goal.name)
        text = describe(competition.obfuscated_description, renaming, headers)
        (staging / "description.md").write_text(text, "utf-8")
        write_renaming(renaming, names)
    return goal, names


def view_folder(competition: LocatedCompetition, text: str) -> Path:
    """Where a view of the public data is stored, under a name without meaning."""
    manifest = competition.folder.manifest.read_bytes()
    name = hashlib.sha256(text.encode() + manifest).hexdigest()[:16]
    return competition.folder.root / ".views" / name


def make_renaming(competition: LocatedCompetition, level: str, *, salt: str) -> Renaming:
    """The neutral names of all files and columns, and at L3 of the ids."""
    tables = _tables(competition)
    sample = competition.sample_submission
    columns = list(dict.fromkeys(name for _, header in tables for name in header))
    classes = _classes(competition, set(_header(sample)))
    kept = {name: name for name in columns if name in classes}
    new = (f"column_{number:02d}" for number in range(1, len(columns) + 1))
    others = (f"table_{number}.csv" for number in range(1, len(tables) + 1))
    files = {}
    for file, _ in tables:
        name = str(file.relative_to(competition.public_dir))
        files[name] = SAMPLE if file == sample else name if name in ROLES else next(others)
    ids = {}
    if level == "L3":
        ids = {v: _hashed(v, salt) for v in _column(sample, _header(sample)[0])}
    return Renaming(
        level=level,
        files=files,
        columns={name: kept.get(name) or next(new) for name in columns},
        id_column=_header(sample)[0],
        ids=ids,
    )


def _classes(competition: LocatedCompetition, names: set[str]) -> set[str]:
    """Columns of a submission that are values of a table: renaming them would hide the classes."""
    found: set[str] = set()
    for file, header in _tables(competition):
        if file == competition.sample_submission:
            continue
        for row in islice(_rows(file), 1, 3 + MOST_CELLS // max(1, len(header))):
            found |= names.intersection(row)
    return found


def _write_table(file: Path, target: Path, renaming: Renaming, *, salt: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    header = [renaming.columns[name] for name in _header(file)]
    if renaming.level == "L2":
        with file.open("rb") as source, target.open("wb") as goal:
            source.readline()
            goal.write((",".join(header) + "\n").encode())
            shutil.copyfileobj(source, goal)
        return
    rows = list(_rows(file))
    places = [k for k, name in enumerate(rows[0]) if name == renaming.id_column]
    shuffled = rows[1:]
    random.Random(f"{salt} {target.name}").shuffle(shuffled)
    with target.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        for row in shuffled:
            for place in places:
                row[place] = _hashed(row[place], salt)
            writer.writerow(row)


def describe(text: str, renaming: Renaming, headers: Mapping[str, list[str]]) -> str:
    """The description with neutral names wherever it quotes a file or a column.

    Args:
        headers: original columns by neutral name of the file.
    """
    names = {**renaming.files, **renaming.columns}
    words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    pattern = re.compile(rf"(?<![\w.])(?:{words})(?!\w)")
    hidden = CODE.sub(lambda code: pattern.sub(lambda f: names[f[0]], code[0]), text)
    listed = [
        f"- `{file}`: {', '.join(f'`{renaming.columns[name]}`' for name in header)}"
        for file, header in headers.items()
    ]
    more = "; rows are in random order, and ids are not the original ones" if renaming.ids else ""
    return hidden.rstrip("\n") + "\n" + NOTE.format(more=more, files="\n".join(listed))


def _hashed(value: str, salt: str) -> str:
    """An id that no parser takes for a number."""
    return "r" + hashlib.sha256(f"{salt} {value}".encode()).hexdigest()[:12]


def _data_files(competition: LocatedCompetition) -> list[Path]:
    files = walk_files(competition.public_dir)
    return [file for file in files if file != competition.public_dir / "description.md"]


def _tables(competition: LocatedCompetition) -> list[tuple[Path, list[str]]]:
    return [(file, _header(file)) for file in _data_files(competition)]


def _rows(file: Path) -> Iterator[list[str]]:
    # By default the module rejects cells of more than 128 KiB.
    csv.field_size_limit(max(csv.field_size_limit(), file.stat().st_size))
    with file.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
        yield from csv.reader(stream)


def _header(file: Path) -> list[str]:
    return next(_rows(file), [])


def _column(file: Path, name: str) -> Iterator[str]:
    rows = _rows(file)
    place = next(rows, []).index(name)
    return (row[place] for row in rows if place < len(row))
