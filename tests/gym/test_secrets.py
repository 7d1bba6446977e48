"""No answer is in the sandbox, the policy process, its children outside the graders, or pickles."""

from __future__ import annotations

import json
import secrets
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue
from tests.sandbox.conftest import require_sandbox

pytest.importorskip("gymnasium")
ROOT = Path(__file__).parents[2]


def plant(answers: Path) -> None:
    """A canary in each row of the answers, in a column that no metric reads."""
    head, *rows = answers.read_text().splitlines()
    marked = [f"{row},canary-{secrets.token_hex(16)}" for row in rows]
    answers.write_text("\n".join([f"{head},note", *marked, ""]))


@pytest.mark.long
@pytest.mark.timeout(900)  # it searches the memory of many processes
def test_zero_canaries_outside_the_grader(wines: Catalogue, tmp_path: Path) -> None:
    require_sandbox("bubblewrap")
    data = tmp_path / "data"
    shutil.copytree(wines.get_data_dir(), data)
    plant(data / "starter-wine/holdout-v1.1/private/test.csv")
    plant(data / "starter-wine/prepared-v1.1/private/test.csv")
    words = [sys.executable, "-m", "tests.gym.policy_scan", str(data), str(tmp_path / "logs")]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert found["inside"] == "found 0\n"
    assert found["policy"] == 0
    assert found["maps"] == 0
    assert found["sent"] == 0
    assert found["paths_sent"] == 0
    assert [count for count in found["others"] if count > 0] == []
    if max(found["graders"]) >= 0:  # only then could the search have found anything
        assert max(found["graders"]) > 0, "the search finds no canary even where they are"
    assert found["rewards"][-1] is not None
