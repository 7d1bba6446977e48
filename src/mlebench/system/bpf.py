"""Classic BPF programs that filter system calls, made with `struct`."""

from __future__ import annotations

import struct

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_BIT = 0x40000000

ALLOW = 0x7FFF0000
KILL = 0x80000000
EPERM, ENOSYS, EAFNOSUPPORT = (0x00050000 | number for number in (1, 38, 97))

LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_IF_SET, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCH = 0, 4
FIRST_ARGUMENT, SECOND_ARGUMENT, THIRD_ARGUMENT = 16, 24, 32


def beginning(machine: str) -> list[bytes]:
    """Load the number of the call; a call of another architecture ends the process."""
    program = [
        step(LOAD, ARCH),
        step(JUMP_EQUAL, AUDIT_ARCH[machine], 1, 0),
        step(RETURN, KILL),
        step(LOAD, NUMBER),
    ]
    if machine == "x86_64":
        program += [step(JUMP_AT_LEAST, X32_BIT, 0, 1), step(RETURN, ENOSYS)]
    return program


def step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One instruction."""
    return struct.pack("=HBBI", code, if_true, if_false, value)


def refuse(number: int, verdict: int = EPERM) -> list[bytes]:
    """Refuse a call whatever its arguments are."""
    return [step(JUMP_EQUAL, number, 0, 1), step(RETURN, verdict)]


def refuse_flags(number: int, argument: int, flags: int) -> list[bytes]:
    """Refuse the call if one of the flags is set in an argument, else allow it."""
    return _with_flags(number, argument, flags, [step(RETURN, EPERM), step(RETURN, ALLOW)])


def require_flags(number: int, argument: int, flags: int) -> list[bytes]:
    """Allow the call if one of the flags is set in an argument, else refuse it."""
    return _with_flags(number, argument, flags, [step(RETURN, ALLOW), step(RETURN, EPERM)])


def _with_flags(number: int, argument: int, flags: int, verdicts: list[bytes]) -> list[bytes]:
    body = [step(LOAD, argument), step(JUMP_IF_SET, flags, 0, 1), *verdicts]
    return [step(JUMP_EQUAL, number, 0, len(body)), *body]


def only_if_argument(
    number: int, argument: int, values: tuple[int, ...], verdict: int = EPERM
) -> list[bytes]:
    """Allow the call with one of the values in the low 32 bits of an argument, else refuse it."""
    return _compare(number, argument, values, [step(RETURN, verdict), step(RETURN, ALLOW)])


def unless_argument(number: int, argument: int, values: tuple[int, ...]) -> list[bytes]:
    """Refuse the call with one of the values in the low 32 bits of an argument, else allow it."""
    return _compare(number, argument, values, [step(RETURN, ALLOW), step(RETURN, EPERM)])


def _compare(
    number: int, argument: int, values: tuple[int, ...], verdicts: list[bytes]
) -> list[bytes]:
    """The second verdict if a value matches, else the first."""
    count = len(values)
    compare = [step(JUMP_EQUAL, value, count - place, 0) for place, value in enumerate(values)]
    body = [step(LOAD, argument), *compare, *verdicts]
    return [step(JUMP_EQUAL, number, 0, len(body)), *body]
