"""Starting is quick, and nothing happens at import."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("pandas", "sklearn", "scipy", "kaggle", "rich", "PIL", "pyarrow")


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


@pytest.mark.parametrize("command", ["status", "runs", "cancel", "make-submission", "clean"])
def test_commands_that_only_read_records_do_not_import_numpy(command: str, tmp_path: Path) -> None:
    words = [command, *(["last"] if command in ("status", "cancel") else [])]
    words += ["last", "--output", "s.jsonl"] if command == "make-submission" else []
    words += ["--dry-run", "--data-dir", str(tmp_path)] if command == "clean" else []
    words += ["--runs-dir", str(tmp_path)] if command != "clean" else []
    code = (
        "import sys, contextlib, io\n"
        "from mlebench.cli import main\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        f"    main({words!r})\n"
        f"print([name for name in {('numpy', *HEAVY)!r} if name in sys.modules])"
    )
    assert run_python(code, HOME=str(tmp_path)).strip() == "[]"


def test_import_creates_no_file_and_no_log(tmp_path: Path) -> None:
    code = (
        "import logging, mlebench.catalogue, mlebench.data, mlebench.grade, mlebench.utils\n"
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
        "import sys; from mlebench.catalogue import Catalogue; catalogue = Catalogue()\n"
        "catalogue.list_competition_ids(); catalogue.facts()\n"
        "print([m for m in sys.modules if m.endswith('.competition')])"
    )
    assert run_python(code).strip() == "[]"
