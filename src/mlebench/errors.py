"""All our exceptions; the class says who is to blame.

BenchError
  UsageError                the caller: a wrong option, a missing file
    UnknownNameError        no competition, split, agent, profile, sandbox or group of that name
    NotPreparedError        the data of the competition is not prepared
    RevisionError           what is named is of another revision of the benchmark
  DataError                 the source: checksum differs, file missing, hostile archive
  InvalidSubmissionError    the agent: wrong columns, rows, ids, values
  SandboxError              the machine: no docker, no start in time

A bug in mlebench raises none of these: it is not caught and never makes a submission invalid.
"""

from __future__ import annotations

from collections.abc import Sequence

UNFIT_LIBRARIES = (
    "install versions that fit each other: with numpy 1.26, pip install 'pyarrow<26'; or"
    " pip install -U mlebench numpy pandas pyarrow"
)
"""What to do if an installed library cannot be loaded."""


class BenchError(Exception):
    """A failure that is not a bug in mlebench; the message is one sentence for the user."""

    kind = "error"
    exit_code = 1
    """Exit code of a command that fails with this error."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint
        """What to do about it, unless the message says so."""

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), str(self), self.hint))


class UsageError(BenchError):
    """The caller asked for something that does not exist or is not ready."""

    kind = "usage"


class UnknownNameError(UsageError):
    """There is no competition, split, agent, profile, sandbox or group of that name."""

    exit_code = 2


class NotPreparedError(UsageError, ValueError):
    """The data of a competition is not prepared.

    Also a ValueError, which is what programs written for the published package catch.
    """


class RevisionError(UsageError):
    """What is named is of another revision than the one asked for, or of two."""

    exit_code = 2


class DataError(BenchError):
    """The source is missing, damaged, hostile or not what it should be."""

    kind = "data"


class InvalidSubmissionError(BenchError):
    """The agent's file cannot be scored."""

    kind = "submission"


class SandboxError(BenchError):
    """The machine cannot run the agent as requested."""

    kind = "sandbox"


def _rebuild(cls: type[BenchError], message: str, hint: str | None) -> BenchError:
    # Errors are sent between processes, and pickle drops keyword-only arguments by default.
    return cls(message, hint=hint)


def unknown(kind: str, name: str, known: Sequence[str], *, see: str = "") -> str:
    """The message for a name that does not exist, with the most similar name that does.

    Args:
        see: the command that lists the known names, if they are too many for a message.
    """
    import difflib

    shown = name[:80]
    nearest = difflib.get_close_matches(name.lower(), [k.lower() for k in known], n=1, cutoff=0.5)
    if nearest:
        match = next(k for k in known if k.lower() == nearest[0])
        return f"unknown {kind} {shown!r}; did you mean {match!r}?"
    expected = f"see: {see}" if see else f"expected one of {', '.join(known)}"
    return f"unknown {kind} {shown!r}; {expected}"
