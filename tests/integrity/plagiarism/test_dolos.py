"""Our similarity beside that of Dolos itself, which the published detector uses.

Installs `@dodona/dolos-lib` from npm into a cache folder, which takes minutes the first time.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import platformdirs
import pytest

from mlebench.integrity.plagiarism.fingerprints import fingerprint
from mlebench.integrity.plagiarism.matching import compare

from . import changes

pytestmark = [pytest.mark.long, pytest.mark.timeout(1500)]
VERSION = "3.5.1"
ERRORS = (
    "x = ((\n",
    "    ]]) oops = \n",
    "def half(:\n",
    "!pip install x\n%matplotlib inline\n",
    "print 'hello'\n",
    "y = [1, 2\n",
)
HOME = Path(
    os.environ.get("MLEBENCH_DOLOS_DIR")
    or Path(platformdirs.user_cache_dir("mlebench-tests")) / f"dolos-{VERSION}"
)


@pytest.fixture(scope="module")
def dolos() -> Path:
    """A folder with Dolos, and the program that calls it."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("needs Node and npm")
    package = HOME / "node_modules" / "@dodona" / "dolos-lib" / "package.json"
    if not package.is_file():
        HOME.mkdir(parents=True, exist_ok=True)
        words = [npm, "install", "--no-audit", "--no-fund", f"@dodona/dolos-lib@{VERSION}"]
        done = subprocess.run(words, cwd=HOME, capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"npm cannot install Dolos: {done.stderr[-300:]}")
    shutil.copy(Path(__file__).with_name("dolos.mjs"), HOME / "dolos.mjs")
    return HOME


def pairs() -> list[tuple[str, str, str]]:
    """Fifty pairs: unrelated, independent, changed, partly copied, random; twelve with errors."""
    rng = random.Random(50)
    files = {file.stem: file.read_text("utf-8") for file in changes.package_files()[::3]}
    pipelines = {file.stem: file.read_text("utf-8") for file in changes.PIPELINES}
    found = [(f"unrelated {a} {b}", files[a], files[b]) for a, b in list(pairwise(files))[:10]] + [
        (f"independent {a} {b}", pipelines[a], pipelines[b]) for a, b in pairwise(pipelines)
    ][:10]
    for name, code in list(pipelines.items())[:5]:
        other = rng.choice(list(files.values()))
        found += [
            (f"renamed {name}", code, changes.rename_all(code, rng)),
            (f"reordered {name}", code, changes.reorder(code, rng)),
            (f"a third of {name}", changes.paste(other, code, 0.3, rng)[0], code),
            (f"a half of {name}", changes.paste(other, code, 0.5, rng)[0], code),
            (f"reformatted {name}", code, changes.reformat(code, 60)),
        ]
    for number in range(5):
        one, other = changes.write_program(rng, 60, loops=0.2)
        found.append((f"loops {number}", one, other))
    return [*found, *broken(rng)]


def broken(rng: random.Random) -> list[tuple[str, str, str]]:
    """Programs beside themselves with a syntax error, each kind of error twice."""
    found = []
    for number, file in enumerate(changes.PIPELINES[: 2 * len(ERRORS)]):
        lines = file.read_text("utf-8").splitlines(keepends=True)
        place = rng.randrange(5, len(lines) - 5)
        text = "".join([*lines[:place], ERRORS[number % len(ERRORS)], *lines[place:]])
        found.append((f"broken {file.stem}", "".join(lines), text))
    return found


def test_similarity_is_that_of_dolos(dolos: Path, tmp_path: Path) -> None:
    programs = pairs()
    assert len(programs) == 62
    file = tmp_path / "programs.json"
    file.write_text(json.dumps(programs))
    words = ["node", str(dolos / "dolos.mjs"), str(file)]
    done = subprocess.run(words, cwd=dolos, capture_output=True, text=True, check=True)
    theirs = dict(json.loads(done.stdout))
    ours = {
        name: compare(fingerprint(one.encode()), fingerprint(other.encode())).similarity
        for name, one, other in programs
    }
    assert theirs.keys() == ours.keys()
    differences = {name: abs(ours[name] - theirs[name]) for name in ours}
    worst = max(differences, key=lambda name: differences[name])
    print(f"largest difference {differences[worst]:.4f} ({worst})")
    assert differences[worst] <= 0.05, (worst, ours[worst], theirs[worst])
    # The same sequences are selected, so that nearly all figures are equal. Some of the programs
    # are files of this package, so a change of the package may move one figure a little.
    assert sum(difference < 0.001 for difference in differences.values()) >= 56
    assert sum(difference < 0.005 for difference in differences.values()) >= 60
    assert max(theirs.values()) > 0.95 and min(theirs.values()) < 0.2
