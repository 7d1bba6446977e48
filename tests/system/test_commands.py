"""Short programs: output, failures, programs that hang or do not exist."""

from __future__ import annotations

from mlebench.system.commands import last_line, run_command


def test_output_and_status() -> None:
    done = run_command("sh", "-c", "echo said $LC_ALL; echo wrong >&2; exit 3")
    assert (done.returncode, done.stdout, done.stderr) == (3, "said C\n", "wrong\n")


def test_a_program_that_hangs_or_does_not_exist_counts_as_failed() -> None:
    slow = run_command("sleep", "30", seconds=0.1)
    assert (slow.returncode, slow.stderr) == (1, "no answer within 0.1 s")
    missing = run_command("/nowhere/program")
    assert missing.returncode == 1
    assert "No such file" in missing.stderr


def test_bytes_that_are_not_text() -> None:
    assert run_command("printf", r"\377").stdout == "\N{REPLACEMENT CHARACTER}"


def test_last_line() -> None:
    assert last_line("first\n  last \n\n") == "last"
    assert last_line("\n") == "no reason given"
