"""Starting is quick, imports run one way, and nothing happens at import."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mlebench.registry import PACKAGE

HEAVY = ("pandas", "sklearn", "scipy", "kaggle", "rich", "PIL", "pyarrow")

ALLOWED = {
    "native": {"native", "errors"},
    "metrics": {"errors", "metrics", "native"},
    "grading": {
        "errors",
        "metrics",
        "native",
        "grading",
        "data",
        "competition",
        "registry",
        "version",
    },
    "competitions": {
        "competition",
        "data",
        "metrics",
        "native",
        "grading",
        "competitions",
        "errors",
    },
    "agents": {"agents", "errors", "registry"},
    "sandbox": {"sandbox", "errors"},
    "server": {"server", "grading", "registry", "errors"},
    "results": {"results", "data", "grading", "runner", "registry", "storage", "errors", "version"},
    "viewer": {"viewer", "results", "grading", "runner", "registry", "server", "storage", "errors"},
}


def run_python(code: str, **variables: str) -> str:
    environment = {"PATH": os.environ["PATH"], **variables}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    return done.stdout


@pytest.mark.parametrize("words", [["--help"], ["list"], ["list", "--json"]])
def test_help_and_list_import_nothing_heavy(words: list[str], tmp_path: Path) -> None:
    code = (
        "import sys, contextlib, io\n"
        "from mlebench.cli import main\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        f"    main({words!r})\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    assert run_python(code, HOME=str(tmp_path)).strip() == "[]"


def test_import_creates_no_file_and_no_log(tmp_path: Path) -> None:
    code = (
        "import logging, mlebench.registry, mlebench.data, mlebench.grade, mlebench.utils\n"
        "import mle_bench.validation\n"
        "print(logging.getLogger().handlers, logging.getLogger('mlebench').handlers)"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        check=True,
    )
    assert done.stdout.strip() == "[] []"
    assert list(tmp_path.iterdir()) == []


def test_listing_imports_no_competition() -> None:
    code = (
        "import sys; from mlebench.registry import registry\n"
        "registry.list_competition_ids(); registry.facts()\n"
        "print([m for m in sys.modules if m.startswith('mlebench.competitions.')])"
    )
    assert run_python(code).strip() == "[]"


@pytest.mark.parametrize("room", sorted(ALLOWED))
def test_imports_run_one_way(room: str) -> None:
    for file in sorted((PACKAGE / room).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                parts = name.split(".")
                if parts[0] == "mlebench" and len(parts) > 1:
                    assert parts[1] in ALLOWED[room], f"{file} imports {name}"


def test_nobody_imports_the_command_line() -> None:
    for file in PACKAGE.rglob("*.py"):
        if "cli" not in file.relative_to(PACKAGE).parts and file.name != "__main__.py":
            assert "mlebench.cli" not in file.read_text("utf-8"), file
