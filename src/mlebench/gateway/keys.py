"""The provider's key: removed from the environment, and filtered out of everything written."""

from __future__ import annotations

import base64
import ctypes
import os
import re

from mlebench.errors import UsageError

REMOVED = "[removed]"
PUBLIC_PREFIX = re.compile(r"sk-(proj-|svcacct-|ant-api\d\d-|or-v1-)?|gsk_|xai-|AIza|hf_")
END = 8


def take_key(variable: str, *, is_optional: bool = False) -> str:
    """Read the key and remove it from the environment, so that no child inherits it."""
    key = read_key(variable, is_optional=is_optional)
    if key:
        _wipe(variable)
        os.environ.pop(variable, None)
    return key


def read_key(variable: str, *, is_optional: bool = False) -> str:
    """The key in the environment.

    Raises:
        UsageError: the variable is empty or does not look like a key.
    """
    key = os.environ.get(variable, "").strip()
    if not key:
        if is_optional:
            return ""
        raise UsageError(
            f"the variable {variable} is empty; put the provider's key there or name another one"
            " with --api-key-env"
        )
    if len(key) < END or not key.isprintable() or not key.isascii():
        raise UsageError(f"the variable {variable} holds no key: expected 8 printable characters")
    return key


def _wipe(variable: str) -> None:
    """Overwrite the value in place: /proc shows the environment as it was at the start."""
    if os.name != "posix":
        return
    libc = ctypes.CDLL(None)
    libc.getenv.restype = ctypes.c_void_p
    if address := libc.getenv(variable.encode()):
        ctypes.memset(address, ord("x"), len(ctypes.string_at(address)))


class KeyFilter:
    """Removes the key, its ends and its base64 forms from text."""

    def __init__(self, key: str) -> None:
        self.pattern = re.compile("|".join(map(re.escape, _forms(key)))) if key else None

    def __call__(self, text: str) -> str:
        return self.pattern.sub(REMOVED, text) if self.pattern else text

    def is_in(self, text: str) -> bool:
        return bool(self.pattern and self.pattern.search(text))


def _forms(key: str) -> list[str]:
    """Longest first, so that the whole key is matched before its ends."""
    prefix = PUBLIC_PREFIX.match(key)
    start = prefix.end() if prefix else 0
    found = {key, key[start : start + END], key[-END:]}
    for text in (key, f"Bearer {key}"):
        # Encoded inside a longer text the key may begin at any of three offsets.
        for shift in range(3):
            whole = base64.b64encode(b"\0" * shift + text.encode()).decode()
            found.add(whole[4 if shift else 0 : -4])
    return sorted((form for form in found if len(form) >= END), key=len, reverse=True)
