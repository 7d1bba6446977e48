"""Names that programs written for the published package import; each is a line or two."""

from __future__ import annotations

import importlib
import json
import logging
import os
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mlebench.grading.grade import load_answers

__all__ = [
    "authenticate_kaggle_api",
    "compress",
    "create_run_dir",
    "extract",
    "generate_run_id",
    "get_logger",
    "get_module_dir",
    "get_repo_dir",
    "get_runs_dir",
    "get_timestamp",
    "import_fn",
    "in_ci",
    "is_empty",
    "load_answers",
    "load_yaml",
    "purple",
    "read_csv",
    "read_jsonl",
]

LOG_FORMAT = "[%(asctime)s] [%(filename)s:%(lineno)d] %(message)s"


def get_logger(
    name: str, level: int = logging.INFO, filename: Path | None = None
) -> logging.Logger:
    """A logger that prints to stderr, and to a file where one is named."""
    logger = logging.getLogger(name)
    logger.setLevel(level)
    if not logger.handlers:
        handler: logging.Handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter(LOG_FORMAT))
        logger.addHandler(handler)
        logger.propagate = False
    if filename is not None:
        to_file = logging.FileHandler(filename)
        to_file.setFormatter(logging.Formatter(LOG_FORMAT))
        logger.addHandler(to_file)
    return logger


def get_timestamp() -> str:
    """The time now, fit for a file name."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S-GMT")


def purple(text: str) -> str:
    return f"\033[1;35m{text}\033[0m"


def read_csv(*args: Any, **kwargs: Any) -> Any:
    """pandas' reader with floats parsed exactly."""
    import pandas as pd

    if pd.__version__ < "3":
        kwargs.setdefault("float_precision", "round_trip")
    return pd.read_csv(*args, **kwargs)  # noqa: TID251


def read_jsonl(file_path: str | Path, skip_commented_out_lines: bool = False) -> list[Any]:
    """One JSON value a line; lines that start with `#` or `//` can be skipped."""
    lines = Path(file_path).read_text("utf-8").split("\n")
    return [
        json.loads(line)
        for line in lines
        if line.strip() and not (skip_commented_out_lines and line.lstrip().startswith(("#", "//")))
    ]


def extract(
    archive: Path, dst: Path, recursive: bool = False, already_extracted: set[Path] | None = None
) -> None:
    """Unpack an archive into a folder, with those inside it if asked."""
    from mlebench.archives.unpacking import extract_archive

    extract_archive(Path(archive), Path(dst), recursive=recursive)


def compress(src: Path, compressed: Path, exist_ok: bool = False) -> None:
    """Zip the content of a folder."""
    from mlebench.archives.copying import zip_files
    from mlebench.archives.raw import RawFolder
    from mlebench.errors import UsageError

    if not src.is_dir():
        raise UsageError(f"{src} is not a folder")
    if compressed.exists() and not exist_ok:
        raise UsageError(f"{compressed} exists already")
    folder = RawFolder(src)
    zip_files({folder.relative(file): file for file in folder.walk()}, compressed)


def is_empty(directory: Path) -> bool:
    return not any(directory.iterdir())


def import_fn(fn_import_string: str) -> Callable[..., Any]:
    """The function named as `package.module:function`."""
    module, _, name = fn_import_string.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found


def load_yaml(fpath: Path) -> Any:
    import yaml

    return yaml.safe_load(Path(fpath).read_text("utf-8"))


def get_module_dir() -> Path:
    return Path(__file__).parent.resolve()


def get_repo_dir() -> Path:
    """The folder that holds `src/` in a checkout."""
    return get_module_dir().parent.parent


def get_runs_dir() -> Path:
    return Path.cwd() / "runs"


def generate_run_id(competition_id: str, agent_id: str, run_group: str | None = None) -> str:
    """A unique name for a run."""
    parts = [competition_id, agent_id, run_group, str(uuid.uuid4())]
    return "_".join(part for part in parts if part)


def create_run_dir(
    competition_id: str | None = None, agent_id: str | None = None, run_group: str | None = None
) -> Path:
    """Make the folder of a run below the runs folder."""
    home = get_runs_dir()
    name = "_".join(p for p in (competition_id, str(uuid.uuid4())) if p)
    if run_group:
        home = home / run_group
    elif agent_id:
        home = home / f"{get_timestamp()}_run-group_{agent_id}"
    run_dir = home / name
    run_dir.mkdir(parents=True)
    return run_dir


def authenticate_kaggle_api() -> Any:
    """The official Kaggle client, logged in with the user's credentials."""
    from mlebench.kaggle.client import kaggle_client

    return kaggle_client()


def in_ci() -> bool:
    return os.environ.get("CI", "").lower() in ("1", "true")
