"""Imported by every Python process that a test starts inside `without`: removes the defence."""

import os

if name := os.environ.get("MLEBENCH_WITHOUT"):
    from tests.hostile.switches import remove

    remove(name)
