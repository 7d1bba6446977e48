from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mlebench import native
from mlebench.errors import UsageError
from mlebench.native import build

TESTS = Path(__file__).parents[1]
KERNELS_AT_WORK = ["competitions/test_uw_madison_gi_tract_image_segmentation.py"]
WATCHED = """
import ctypes, sys
import pytest
import mlebench.native as native

library = ctypes.CDLL(sys.argv[1])
native.library = lambda: library
# The sanitizers slow the kernels down several times, so tests of their speed say nothing here.
options = ["-s", "-p", "no:cacheprovider", "-p", "no:xdist", "-x", "-m", "not timing"]
sys.exit(pytest.main([*options, *sys.argv[2:]]))
"""


def test_a_library_is_made_whole_and_named_after_its_sources(tmp_path: Path) -> None:
    path = build.compile_into(tmp_path / "new", "-Wall", "-Wextra", "-Werror")
    assert path.name == build.file_name()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_without_a_compiler_one_sentence_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(build.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(FileNotFoundError, match="install gcc or clang"):
        build.compile_into(tmp_path)


def test_a_library_that_cannot_be_loaded_is_no_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda: str(tmp_path))
    monkeypatch.setattr(build, "file_name", lambda: "kernels-of-another-machine.so")
    file = tmp_path / "mle-bench" / "native" / "kernels-of-another-machine.so"
    file.parent.mkdir(parents=True)
    file.write_text("not a library")
    native.library.cache_clear()
    with pytest.raises(UsageError, match="cannot be loaded"):
        native.library()


def test_sources_that_do_not_compile_leave_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", f"{sys.executable} -c 'import sys; sys.exit(\"no such thing\")'")
    with pytest.raises(OSError, match="no such thing"):
        build.compile_into(tmp_path / "new")
    assert not list((tmp_path / "new").iterdir())


@pytest.mark.long
@pytest.mark.timeout(900)
def test_no_kernel_reads_or_writes_beyond_its_arrays(tmp_path: Path) -> None:
    """The kernels' own tests once more, every access to memory and every overflow watched."""
    if not shutil.which("gcc"):
        pytest.skip("needs gcc with its sanitizers")
    watcher = subprocess.check_output(["gcc", "-print-file-name=libasan.so"], text=True).strip()
    if not Path(watcher).exists():
        pytest.skip("gcc has no address sanitizer here")
    flags = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-O1")
    library = build.compile_into(tmp_path, *flags)
    # Python and Arrow would take their memory in large pieces, whose inner borders nobody watches.
    plain = {"PYTHONMALLOC": "malloc", "ARROW_DEFAULT_MEMORY_POOL": "system"}
    watched = {"LD_PRELOAD": watcher, "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1"}
    files = [str(TESTS / file) for file in KERNELS_AT_WORK]
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(library), *files],
        env={**os.environ, **plain, **watched},
        capture_output=True,
        text=True,
        check=False,
        cwd=TESTS.parent,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
