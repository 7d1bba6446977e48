"""The `mlebench` command in the process of the tests: a start of Python takes longer."""

from __future__ import annotations

import io
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess

from click.testing import CliRunner, Result

from mlebench.cli import cli, main


def call(*words: object) -> Result:
    """As click's own tests call a command; an error that it does not report is in the result."""
    return CliRunner().invoke(cli, list(map(str, words)))


def mlebench(*words: str | Path, cwd: Path | None = None) -> CompletedProcess[str]:
    """What a command printed, and its exit code; an error that it does not report is raised."""
    command = list(map(str, words))
    out, err = io.StringIO(), io.StringIO()
    with chdir(cwd or "."), redirect_stdout(out), redirect_stderr(err):
        try:
            main(command)
        except SystemExit as end:
            assert isinstance(end.code, int)
            return CompletedProcess(command, end.code, out.getvalue(), err.getvalue())
    raise AssertionError("the command did not end with an exit code")
