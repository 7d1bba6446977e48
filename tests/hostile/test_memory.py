"""S13, S14: memory that belongs to no process counts where no control group counts it."""

from __future__ import annotations

import pytest

from mlebench.sandbox import bubblewrap, process
from tests.hostile.arena import Arena

MB = 1 << 20
MEMFD = """
import time
held = [os.memfd_create(str(n)) for n in range(8)]
block = bytes(1 << 20)
for _ in range(50):
    for file in held: os.write(file, block)
time.sleep(30)
"""
MAPPED = """
import mmap, time
held = []
for n in range(8):
    file = os.memfd_create(str(n)); os.ftruncate(file, 50 << 20)
    page = mmap.mmap(file, 4096)
    held.append((file, page))
    for _ in range(50): os.write(file, bytes(1 << 20))
time.sleep(30)
"""
SEGMENT = """
import ctypes, time
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
libc.shmdt.argtypes = [ctypes.c_void_p]
for n in range(8):
    segment = libc.shmget(0, 50 << 20, 0o1600)
    where = libc.shmat(segment, None, 0)
    ctypes.memset(where, 1, 50 << 20)
    libc.shmdt(where)
time.sleep(30)
"""
SHARED_FILE = """
import time
for n in range(8):
    with open(f"/dev/shm/{MARK}{n}", "wb") as file:
        for _ in range(50): file.write(bytes(1 << 20))
time.sleep(30)
"""


@pytest.fixture
def without_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine where nobody delegated a control group to us."""
    for module in (bubblewrap, process):
        monkeypatch.setattr(module, "make_cgroup", lambda *args: None)


@pytest.mark.usefixtures("without_group")
@pytest.mark.defence("memory-files-count")
@pytest.mark.parametrize(
    "code",
    [
        pytest.param(MEMFD, id="memfd"),
        pytest.param(MAPPED, id="mapped-page", marks=pytest.mark.long),
        pytest.param(SEGMENT, id="segment", marks=pytest.mark.long),
        pytest.param(SHARED_FILE, id="shared-file", marks=pytest.mark.long),
    ],
)
def test_memory_of_no_process_counts(arena: Arena, code: str) -> None:
    """4.8 GB in an unmapped memfd under a limit of 4 GB: recorded were 27 MB."""
    limits = {"memory_bytes": 200 * MB, "shm_bytes": 500 * MB}
    fight = arena.fight(arena.python(code), seconds=20, **limits)
    fight.assert_invariant()
    assert fight.record.blame == "agent", fight.record.reason
    assert "memory" in (fight.record.reason or "")
    assert fight.used("memory_bytes") > 200 * MB
    assert fight.record.usage["memory_bytes"].enforced == "polled"


SHARED_PAGES = """
import mmap, time
file = os.memfd_create("x")
os.ftruncate(file, 100 << 20)
page = mmap.mmap(file, 100 << 20)
for n in range(100): page[n << 20] = 1; page[n << 20 : (n + 1) << 20] = b"x" * (1 << 20)
for _ in range(3):
    if os.fork() == 0: time.sleep(1.5); os._exit(0)
time.sleep(1.5)
import shutil
shutil.copy(HOME_FOLDERS["data"] + "/sample_submission.csv",
            HOME_FOLDERS["submission"] + "/submission.csv")
"""


@pytest.mark.long
@pytest.mark.usefixtures("without_group")
def test_memory_that_an_honest_agent_shares_counts_once(arena: Arena) -> None:
    """Four processes with 100 MB in common, which they have mapped and hold open."""
    fight = arena.fight(arena.python(SHARED_PAGES), seconds=20, memory_bytes=220 * MB)
    fight.assert_invariant()
    assert fight.record.blame is None, fight.record.reason
    assert 100 * MB < fight.used("memory_bytes") < 200 * MB
