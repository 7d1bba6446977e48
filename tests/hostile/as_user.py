"""Run a hostile agent through the whole harness as a plain user, in another process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from tests.sandbox.conftest import OTHER_USER, SYSTEM_PYTHON, why_no_other_user

ROOT = Path(__file__).parents[2]
SITE_PACKAGES = Path(sysconfig.get_path("purelib"))
# Below a folder that only root can enter, others reach the clone by bind mounts of this process.
WITH_MOUNTS = (
    "unshare",
    "--mount",
    "sh",
    "-c",
    'mount --bind "$1" "$2" && mount --bind "$3" "$4" && shift 4 && exec "$@"',
    "sh",
)


def _for_other_user(place: Path) -> tuple[list[str], list[Path]]:
    """The words that start a command as another user; clone and packages as that user sees them."""
    paths = [ROOT, SITE_PACKAGES]
    if all(
        subprocess.run([*OTHER_USER, "ls", path], capture_output=True).returncode == 0
        for path in paths
    ):
        return list(OTHER_USER), paths
    shown = [place / "clone", place / "packages"]
    for folder in shown:
        folder.mkdir()
    words = [*WITH_MOUNTS, *(str(p) for pair in zip(paths, shown, strict=True) for p in pair)]
    if subprocess.run([*words, "true"], capture_output=True).returncode:
        pytest.skip("the clone is closed to other users, and this root may not mount it elsewhere")
    return [*words, *OTHER_USER], shown


def fight_as_user(
    place: Path, code: str, *, sandbox: str = "bubblewrap", **options: Any
) -> dict[str, Any]:
    """The record of the run, with its `log`; the invariant is asserted in that process.

    Args:
        code: of an agent in Python, as for `Arena.python`.
        options: for `Arena.fight`; `again` starts the run a second time as after a lost attempt,
            and then nothing is asserted.
    """
    words: list[str] = []
    (clone, packages), python = (ROOT, SITE_PACKAGES), sys.executable
    if os.geteuid() == 0:
        if reason := why_no_other_user():
            pytest.skip(reason)
        words, (clone, packages) = _for_other_user(place)
        python = SYSTEM_PYTHON
    home = place / "user"
    home.mkdir(mode=0o777)
    home.chmod(0o777)
    # The folder that removes a defence is in the clone, which may be elsewhere for that user.
    inherited = os.environ.get("PYTHONPATH", "").replace(str(ROOT), str(clone))
    path = filter(None, [inherited, str(clone / "src"), str(clone), str(packages)])
    order = {"place": str(home), "code": code, "sandbox": sandbox, "options": options}
    done = subprocess.run(
        [*words, python, "-P", "-m", "tests.hostile.as_user", json.dumps(order)],
        env={
            **{n: os.environ[n] for n in ("PATH", "MLEBENCH_WITHOUT") if n in os.environ},
            "PYTHONPATH": os.pathsep.join(path),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(home),
            "TMPDIR": str(home),
        },
        cwd="/",
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return dict(json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    from msgspec import structs

    from mlebench.catalogue import Catalogue
    from mlebench.preparing.prepare import Rehearsal, prepare
    from mlebench.records.codec import to_json
    from mlebench.records.run import write_run
    from mlebench.sandbox.registry import get_sandbox
    from tests.hostile.arena import COMPETITION, Arena

    order = json.loads(sys.argv[1])
    place, options = Path(order["place"]), order["options"]
    catalogue = Catalogue(place / "data")
    prepare(catalogue.get_competition(COMPETITION), Rehearsal())
    arena = Arena(get_sandbox(order["sandbox"]), place, catalogue)
    is_again = options.pop("again", False)
    group, work = arena.plan(arena.python(order["code"]), **options)
    fight = arena.work(group, work)
    if is_again:
        state = group.run(fight.record.run_id).state
        write_run(structs.replace(fight.record, state="running"), state)
        fight = arena.work(group, work)
    else:
        fight.assert_invariant()
    print(json.dumps(to_json(fight.record) | {"log": fight.log()}))


if __name__ == "__main__":
    main()
