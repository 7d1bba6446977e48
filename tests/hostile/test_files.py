"""A07, A12, H05, H06, R07: what an agent leaves is never executed; hashes tell no answers."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue
from mlebench.runner.plan import open_group
from mlebench.sandbox.registry import get_sandbox
from tests.hostile.arena import COMPETITION, SAMPLE, Arena
from tests.sandbox.conftest import require_sandbox

TRAPS = """
import pickle, shutil
SENTINEL = {sentinel!r}
command = "touch " + SENTINEL
for name in ("code", "logs", "agent", "submission"):
    folder = HOME_FOLDERS[name]
    os.makedirs(folder + "/.git/objects"); os.makedirs(folder + "/.git/refs")
    open(folder + "/.git/HEAD", "w").write("ref: refs/heads/main")
    open(folder + "/.git/config", "w").write("[core]\\n fsmonitor = " + command + "\\n")
    for module in ("json", "sitecustomize", "usercustomize", "conftest", "csv", "numpy", "pandas"):
        open(f"{{folder}}/{{module}}.py", "w").write(f"import os; os.system({{command!r}})")
    class Bomb:
        def __reduce__(self): return (os.system, (command,))
    for file in ("model.pkl", "data.npy", "weights.pt"):
        pickle.dump(Bomb(), open(folder + "/" + file, "wb"))
    open(folder + "/setup.cfg", "w").write("[tool:pytest]\\naddopts = -p conftest")
shutil.copy(HOME_FOLDERS["data"] + "/sample_submission.csv",
            HOME_FOLDERS["submission"] + "/submission.csv")
"""


@pytest.mark.long
def test_nothing_that_an_agent_left_is_executed(arena: Arena) -> None:
    """Git hooks, modules with the names of ours, pickles: run, grade, report, look, resume."""
    sentinel = arena.place / "sentinel"
    fight = arena.fight(arena.python(TRAPS.format(sentinel=str(sentinel))))
    fight.assert_invariant()
    group = str(fight.group.path)
    for words in (
        ("report", group, "--process", "--html", "page.html"),
        ("status", group),
        ("resume", group),
    ):
        done = arena.command(*words)
        assert done.returncode == 0, done.stderr
    assert not sentinel.exists()


@pytest.mark.long
def test_no_hash_name_or_size_of_the_answers_is_inside(place: Path, prepared: Catalogue) -> None:
    """Everything that the agent can read is searched for what a private file could be told by."""
    require_sandbox("bubblewrap")
    secrets = []
    for file in (prepared.get_data_dir() / COMPETITION / "prepared/private").rglob("*"):
        data = file.read_bytes()
        secrets += [hashlib.new(kind, data).hexdigest() for kind in ("md5", "sha1", "sha256")]
    arena = Arena(get_sandbox("bubblewrap"), place, prepared)
    code = f"""
        secrets = {secrets!r}
        for top in ("/home", "/opt/agent", "/run", "/tmp", "/etc"):
            for home, folders, names in os.walk(top):
                for name in names:
                    path = os.path.join(home, name)
                    if "agent.py" in path or not os.path.isfile(path): continue
                    text = open(path, "rb").read().lower()
                    for secret in secrets:
                        if secret.encode() in text: print("LEAK", path)
        for line in open("/proc/self/mountinfo"):
            if "private" in line: print("LEAK", line)
        print("searched")
    """
    fight = arena.fight(arena.python(code))
    assert "searched" in fight.log()
    assert "LEAK" not in fight.log()


@pytest.mark.long
def test_an_open_network_is_recorded_and_not_mixed(place: Path, prepared: Catalogue) -> None:
    """There is no option to open the network; the sandbox without isolation has it, and says so."""
    done = []
    for name in ("bubblewrap", "process"):
        require_sandbox(name)
        arena = Arena(get_sandbox(name), place / name, prepared)
        (place / name).mkdir()
        done.append(arena.fight(arena.agent(SAMPLE)))
    assert [fight.record.sandbox["network"] for fight in done] == ["none", "host"]
    groups = [str(fight.group.path) for fight in done]
    told = done[0].arena.command("report", *groups)
    assert told.returncode != 0
    assert "network" in told.stderr


def test_an_edited_plan_is_refused_with_its_name(arena: Arena) -> None:
    group, _ = arena.plan(arena.agent(SAMPLE))
    facts = json.loads(group.metadata.read_text())
    facts["settings"]["hours"] = 24
    group.metadata.write_text(json.dumps(facts))
    done = arena.command("resume", str(group.path))
    assert done.returncode == 1
    assert "was changed after it was made" in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("skew", [-600, 600])
def test_clocks_of_nodes_that_differ_change_no_duration(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, skew: float
) -> None:
    """The time of day of a node is only shown; durations come from its monotonic clock."""
    from datetime import UTC, datetime, timedelta

    import mlebench.runner.run as run_module

    class Skewed(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return datetime.now(UTC) + timedelta(seconds=skew)

    monkeypatch.setattr(run_module, "datetime", Skewed)
    fight = arena.fight(arena.agent("sleep 0.3\n" + SAMPLE))
    fight.assert_invariant()
    assert 0.3 <= (fight.record.seconds or 0) < 120


def test_two_groups_of_one_second_have_names_of_their_own(arena: Arena) -> None:
    first, _ = arena.plan(arena.agent(SAMPLE, "a"))
    second, _ = arena.plan(arena.agent(SAMPLE, "b"))
    assert first.path != second.path
    assert open_group(first).plan.group == Path(first.path).name
