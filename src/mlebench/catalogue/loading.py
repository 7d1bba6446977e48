"""Importing the modules of a competition's folder, inside the package or outside it."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import logging
import re
import sys
from pathlib import Path
from types import ModuleType

from mlebench.errors import DataError, UsageError

PACKAGE = Path(__file__).parents[1]
ENTRY_POINTS = "mlebench.competitions"
ID_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")
DEFINITIONS = ("CompetitionDefinition", "Competition")
"""Names of the record in a definition file; the second was used until version 0.1."""

log = logging.getLogger(__name__)


def id_of_folder(home: Path) -> str:
    """The id in a definition, read without executing it; by default derived from the folder's name.

    So a file with an error stays in the catalogue, and loading it reports the error.
    """
    try:
        tree = ast.parse((home / "competition.py").read_text("utf-8"))
    except (SyntaxError, ValueError, OSError):
        tree = ast.Module([], [])
    name = home.name.replace("_", "-")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in DEFINITIONS:
            stated = (word.value for word in node.keywords if word.arg == "id")
            name = next((str(v.value) for v in stated if isinstance(v, ast.Constant)), name)
    if not ID_PATTERN.fullmatch(name):
        raise UsageError(f"{home} declares the id {name!r}; expected letters, digits and hyphens")
    return name


def load_module(file: Path) -> ModuleType:
    """A module of a competition's folder; ours by name, others from the file.

    An external file that cannot be loaded raises DataError; in our own files an error is a bug.
    """
    if file.is_relative_to(PACKAGE):
        return importlib.import_module(
            ".".join(("mlebench", *file.relative_to(PACKAGE).with_suffix("").parts))
        )
    name = f"mlebench_outside_{abs(hash(file.parent.resolve()))}"
    _as_package(name, file.parent)
    try:
        return importlib.import_module(f"{name}.{file.stem}")
    except Exception as error:
        reason = " ".join(str(error).split())
        raise DataError(f"{file} cannot be loaded: {type(error).__name__}: {reason}") from error


def _as_package(name: str, folder: Path) -> None:
    """Make a folder importable under a unique name, so that its files can import one another."""
    if name in sys.modules:
        return
    spec = importlib.util.spec_from_loader(name, loader=None, is_package=True)
    if spec is None:
        raise UsageError(f"{folder} cannot be loaded")
    spec.submodule_search_locations = [str(folder)]
    sys.modules[name] = importlib.util.module_from_spec(spec)


def find_plugins(group: str = ENTRY_POINTS, kind: str = "competition") -> dict[str, Path]:
    """Folders in other packages, by the names of their entry points.

    A warning names those that cannot be found.
    """
    # Slow to import, and shell completion does not need it.
    from importlib.metadata import entry_points

    found = {}
    for point in entry_points(group=group):
        try:
            spec = importlib.util.find_spec(point.value)
            problem = "its module was not found"
        except (ImportError, ValueError) as error:
            spec, problem = None, str(error)
        if spec and spec.submodule_search_locations:
            found[point.name] = Path(next(iter(spec.submodule_search_locations)))
        elif spec and spec.origin:
            found[point.name] = Path(spec.origin).parent
        else:
            text = "%s %s of an installed package cannot be loaded: %s"
            log.warning(text, kind, point.name, problem)
    return found
