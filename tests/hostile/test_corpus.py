"""The corpus of hostile agents: in every sandbox, alone and through the whole harness."""

from __future__ import annotations

import json

import pytest

from mlebench.sandbox.attacks import ATTACKS, HEAD, Attack, run_attack
from mlebench.sandbox.registry import get_sandbox
from tests.hostile.arena import Arena

QUICK = ("links in place of its folders",)
attacks = pytest.mark.parametrize(
    "attack",
    [
        pytest.param(a, id=a.name, marks=() if a.name in QUICK else pytest.mark.long)
        for a in ATTACKS
    ],
)


@attacks
def test_every_attack_is_held(sandbox_name: str, attack: Attack) -> None:
    found = run_attack(get_sandbox(sandbox_name), attack)
    assert found.is_held, found.reason


@pytest.mark.long
@attacks
def test_every_attack_keeps_the_invariant(arena: Arena, attack: Attack) -> None:
    agent = arena.agent('exec python3 "$(dirname "$0")/agent.py"\n')
    (agent.folder / "agent.py").write_text(HEAD.format(mark=arena.mark) + attack.code)
    fight = arena.fight(agent, seconds=attack.seconds, **attack.limits)
    fight.assert_invariant()
    if attack.attacked:
        assert fight.record.blame == "agent", fight.record.reason


@pytest.mark.long
def test_doctor_attacks_this_machine(arena: Arena) -> None:
    done = arena.command(
        "doctor", "--offline", "--attack", "--sandbox", arena.sandbox.name, "--json", timeout=280
    )
    checks = [c for c in json.loads(done.stdout)["checks"] if c["subject"] == "attack"]
    assert len(checks) == len(ATTACKS), done.stderr
    assert {check["state"] for check in checks} == {"ok"}, checks
