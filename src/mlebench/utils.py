"""What importers of the published package expect in `mlebench.utils`."""

from __future__ import annotations

import importlib
import inspect
import json
import logging
import os
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

LOG_FORMAT = "[%(asctime)s] [%(filename)s:%(lineno)d] %(message)s"
PACKED = (".zip", ".tar", ".gz", ".tgz", ".tar.gz", ".rar", ".7z")


def get_logger(
    name: str, level: int = logging.INFO, filename: Path | str | None = None
) -> logging.Logger:
    """A logger of this level; its lines go to stderr through the root logger, or to a file.

    The root logger gets a handler if it has none.
    """
    root = logging.getLogger()
    if not root.handlers:
        logging.basicConfig(level=level, format=LOG_FORMAT)
    logger = logging.getLogger(name)
    logger.setLevel(level)
    if filename is not None and not _writes_to(logger, Path(filename)):
        to_file = logging.FileHandler(filename)
        to_file.setFormatter(logging.Formatter(LOG_FORMAT))
        logger.addHandler(to_file)
    return logger


def _writes_to(logger: logging.Logger, file: Path) -> bool:
    goal = os.fspath(file.absolute())
    return any(getattr(handler, "baseFilename", None) == goal for handler in logger.handlers)


def get_timestamp() -> str:
    """The current time, in a form that file names can contain."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S-GMT")


def purple(text: str) -> str:
    """Text that a terminal shows in purple."""
    return f"\033[1;35m{text}\033[0m"


def read_csv(*args: Any, **kwargs: Any) -> Any:
    """pandas' reader, for a path or a buffer, with floats parsed exactly.

    An empty file returns an empty frame.
    """
    import pandas as pd

    from mlebench.tables.reading import exact_floats

    try:
        # As in the published package, all arguments are those of pandas.
        return pd.read_csv(*args, **{**exact_floats(), **kwargs})  # noqa: TID251
    except pd.errors.EmptyDataError:
        return pd.DataFrame()


def load_answers(path_to_answers: Path | str) -> Any:
    """Answers as a table (`.csv`) or a list of objects (`.jsonl`)."""
    from mlebench.grading.grade import load_answers

    return load_answers(Path(path_to_answers))


def read_jsonl(file_path: str | Path, skip_commented_out_lines: bool = False) -> list[Any]:
    """One JSON value a line; lines that start with `#` or `//` can be skipped."""
    lines = Path(file_path).read_text("utf-8").split("\n")
    return [
        json.loads(line)
        for line in lines
        if line.strip() and not (skip_commented_out_lines and line.lstrip().startswith(("#", "//")))
    ]


def extract(
    compressed: Path | str,
    dst: Path | str,
    recursive: bool = False,
    already_extracted: set[Path] | None = None,
) -> None:
    """Unpack an archive into a folder; with `recursive`, also the archives inside it."""
    from mlebench.archives.unpacking import extract_archive

    extract_archive(Path(compressed), Path(dst), recursive=recursive)


def compress(src: Path | str, compressed: Path | str, exist_ok: bool = False) -> None:
    """Pack the content of a folder into a `.zip` or `.7z`, depending on the suffix."""
    from mlebench.archives.copying import seven_zip_files, zip_files
    from mlebench.archives.raw import RawFolder

    source, target = Path(src), Path(compressed)
    write = {".zip": zip_files, ".7z": seven_zip_files}.get(target.suffix.lower())
    if write is None:
        raise ValueError(f"{target} cannot be written: expected a name ending in .zip or .7z")
    if not source.is_dir():
        raise NotADirectoryError(f"{source} is not a folder")
    if target.exists() and not exist_ok:
        raise FileExistsError(f"{target} exists already; to replace it: exist_ok=True")
    folder = RawFolder(source)
    target.unlink(missing_ok=True)
    write({folder.relative(file): file for file in folder.walk()}, target)


def is_compressed(fpath: Path | str) -> bool:
    """Whether the name of a file is that of an archive."""
    return Path(fpath).name.lower().endswith(PACKED)


def is_empty(directory: Path | str) -> bool:
    return not any(Path(directory).iterdir())


def import_fn(fn_import_string: str) -> Callable[..., Any]:
    """The function named as `package.module:function`."""
    module, colon, name = fn_import_string.partition(":")
    if not colon:
        raise ValueError(f"{fn_import_string!r} names no function; expected 'module:function'")
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found


def get_path_to_callable(cal: Callable[..., Any]) -> Path:
    """The file that defines a function or class."""
    return Path(inspect.getfile(inspect.unwrap(cal)))


def get_diff(
    d: Mapping[str, Any],
    other_d: Mapping[str, Any],
    fromfile: str = "current",
    tofile: str = "expected",
) -> str:
    """What differs between two dictionaries, as a unified diff of their YAML; empty if equal."""
    import difflib

    import yaml

    one, other = (yaml.safe_dump(dict(values)).splitlines() for values in (d, other_d))
    return "\n".join(difflib.unified_diff(one, other, fromfile, tofile, lineterm=""))


def load_yaml(fpath: Path | str) -> Any:
    import yaml

    return yaml.safe_load(Path(fpath).read_text("utf-8"))


def get_module_dir() -> Path:
    """The folder of the package."""
    return Path(__file__).parent.resolve()


def get_repo_dir() -> Path:
    """The folder that contains the folder of the package."""
    return get_module_dir().parent


def get_runs_dir() -> Path:
    """`runs` in the current folder, since an installed package is not a place for results."""
    return Path.cwd() / "runs"


def generate_run_id(competition_id: str, agent_id: str, run_group: str | None = None) -> str:
    """A unique name for a run: short inside a group, with time and agent outside."""
    if run_group:
        return f"{competition_id}_{uuid.uuid4()}"
    return f"{get_timestamp()}_{competition_id}_{agent_id}_{uuid.uuid4().hex[:8]}"


def create_run_dir(
    competition_id: str | None = None, agent_id: str | None = None, run_group: str | None = None
) -> Path:
    """Make the folder of a run below the runs folder, inside its group where one is named."""
    run_id = generate_run_id(str(competition_id), str(agent_id), run_group)
    run_dir = get_runs_dir() / (run_group or "") / run_id
    run_dir.mkdir(parents=True)
    return run_dir


def authenticate_kaggle_api() -> Any:
    """The official Kaggle client, logged in with the user's credentials."""
    from mlebench.kaggle.client import log_in

    return log_in().api


def in_ci() -> bool:
    """Whether this is a run of GitHub's actions."""
    return os.environ.get("GITHUB_ACTIONS") == "true"
