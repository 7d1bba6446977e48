"""The hostile agents of `mlebench doctor --attack`, inside episodes."""

from __future__ import annotations

import secrets
from typing import Any

import pytest

from mlebench.gym import EpisodeLimits, GymTask, Run, Validate
from mlebench.sandbox.attacks import ATTACKS, HEAD, MB, Attack, _leftover
from tests.gym.conftest import SAMPLE, Ground

LIMITS = EpisodeLimits(
    steps=10,
    seconds=300,
    run_seconds=120,
    memory_bytes=250 * MB,
    disk_bytes=20 * MB,
    processes=60,
)
SECONDS = 4.0
"""An attack that the limits do not stop goes on until then."""

QUICK = (
    "one large file",
    "many empty files",
    "a daemon without mark, session or parent",
    "links in place of its folders",
)


@pytest.mark.parametrize(
    "attack",
    [
        pytest.param(
            attack,
            id=attack.name.replace(" ", "-"),
            marks=[] if attack.name in QUICK else pytest.mark.long,
        )
        for attack in ATTACKS
    ],
)
def test_an_attack_harms_only_its_own_run(warm: Ground, task: GymTask, attack: Attack) -> None:
    mark = f"attack-{secrets.token_hex(8)}"
    code = HEAD.format(mark=mark).replace("{{", "{").replace("}}", "}") + attack.code
    first, *rest = warm.play(
        task,
        Run(code=code, seconds=min(SECONDS, attack.seconds)),
        Run(code="print('alive')"),
        limits=LIMITS,
    )
    assert first.info["blame"] is None
    assert rest[0].observation.text == "alive\n"
    assert _leftover(mark) is None


CASES: dict[str, tuple[str, str]] = {
    "kills everything that it can": (
        "import os, signal\n"
        "for pid in range(1, 2000):\n"
        "    try: os.kill(pid, signal.SIGKILL) if pid != os.getpid() else None\n"
        "    except OSError: pass\n"
        "print('done')",
        "done\n",
    ),
    "finds no network": (
        "import socket\n"
        "for address in (('1.1.1.1', 53), ('127.0.0.1', 5000)):\n"
        "    try: socket.create_connection(address, 1); print('connected')\n"
        "    except OSError: print('refused')",
        "refused\nrefused\n",
    ),
    "cannot unshare, mount or trace the host": (
        "import ctypes, os\n"
        "c = ctypes.CDLL(None, use_errno=True)\n"
        "print(c.unshare(0x10000000), c.mount(b'none', b'/tmp', b'tmpfs', 0, None), os.getppid())",
        "-1 -1 0\n",
    ),
    "has no descriptor of ours": (
        "import os\nprint(sorted(map(int, os.listdir('/proc/self/fd')))[:3], "
        "[os.readlink(f'/proc/self/fd/{n}')[:4] for n in os.listdir('/proc/self/fd') "
        "if os.path.exists(f'/proc/self/fd/{n}') and int(n) > 2])",
        "[0, 1, 2] []\n",
    ),
    "cannot write to data or system": (
        "for path in ('/home/data/x', '/etc/x', '/usr/x', '/opt/packages/x', '/x'):\n"
        "    try: open(path, 'w'); print(path)\n"
        "    except OSError: pass",
        "",
    ),
    "makes files without a size": (
        "import errno\n"
        "for folder, pages in (('/home/logs', 5120), ('/tmp', 32000)):\n"
        "    try:\n"
        "        for n in range(10**6): open(f'{folder}/{n}', 'w').close()\n"
        "    except OSError as e: print(folder, errno.errorcode[e.errno], n <= pages, n > 4000)",
        "/home/logs ENOSPC True True\n/tmp ENOSPC True True\n",
    ),
    "closes its output and goes on": ("import os\nos.close(1)\nos.close(2)", ""),
    "exits through a signal": (
        "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)",
        "[exit code 139]",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_program_that(name: str, warm: Ground, task: GymTask) -> None:
    code, expected = CASES[name]
    found, alive = warm.play(task, Run(code=code), Run(code="print('alive')"), limits=LIMITS)
    assert found.observation.text == expected
    assert alive.observation.text == "alive\n"
    assert alive.info["blame"] is None


def test_a_hostile_submission_costs_nobody_else(warm: Ground, task: GymTask) -> None:
    nested = "import os\nopen('/home/submission/submission.csv', 'wb').write({})"
    contents: list[Any] = ["b'id' + b',' * 10_000_000", "bytes(5_000_000)", "b'\\xff' * 1000"]
    for content in contents:
        _, found = warm.play(task, Run(code=nested.format(content)), Validate(), limits=LIMITS)
        assert found.observation.validation == "invalid" or found.observation.status == "refused"
        assert found.info["blame"] is None
    _, good = warm.play(task, Run(code=SAMPLE), Validate(), limits=LIMITS)
    assert good.observation.validation == "valid"
