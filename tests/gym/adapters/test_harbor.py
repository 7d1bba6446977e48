"""Harbor: its own trials of an exported task, from the environment to the reward.

Images cannot be fetched in tests, so trials run in an environment of ours, which follows the
Dockerfile but for its packages, in bubblewrap.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mlebench.catalogue import Catalogue
from mlebench.gym.harbor import export_harbor

harbor = pytest.importorskip("harbor.environments.base", reason="harbor is not installed")

OWN = ("home", "tests", "solution", "logs", "tmp")
REPOSITORY = Path(__file__).parents[3]


class BubblewrapEnvironment(harbor.BaseEnvironment):  # type: ignore[misc, name-defined]
    """The folders of a task, in a sandbox for each command."""

    @staticmethod
    def type() -> str:
        return "bubblewrap"

    @property
    def root(self) -> Path:
        return Path(self.trial_paths.trial_dir) / "root"

    def _validate_definition(self) -> None:
        assert (self.environment_dir / "Dockerfile").is_file()

    async def start(self, force_build: bool) -> None:
        for name in (*OWN, "logs/agent", "logs/verifier", "logs/artifacts"):
            (self.root / name).mkdir(parents=True)
        text = (self.environment_dir / "Dockerfile").read_text()
        for source, target in re.findall(r"^COPY (\S+) /(\S+)$", text, re.MULTILINE):
            shutil.copytree(self.environment_dir / source, self.root / target)
        for command in re.findall(r"^RUN (mkdir .+)$", text, re.MULTILINE):
            assert (await self.exec(command)).return_code == 0

    async def stop(self, delete: bool) -> None:
        pass

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        shutil.copy(source_path, f"{self.root}{target_path}")

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        shutil.copytree(source_dir, f"{self.root}{target_dir}", dirs_exist_ok=True)

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        shutil.copy(f"{self.root}{source_path}", target_path)

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        shutil.copytree(f"{self.root}{source_dir}", target_dir, dirs_exist_ok=True)

    async def exec(self, command: str, *unused: object, **options: Any) -> Any:
        words = ["bwrap", "--dev", "/dev", "--proc", "/proc"]
        for place in sorted(Path("/").iterdir()):
            if place.name not in (*OWN, "dev", "proc", "sys", "lost+found"):
                words += ["--ro-bind", str(place), str(place)]
        for name in OWN:
            words += ["--bind", str(self.root / name), f"/{name}"]
        for folder in dict.fromkeys((sys.base_prefix, sys.prefix, str(REPOSITORY))):
            words += ["--ro-bind", folder, folder]
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        environment = {"PATH": path, **(options.get("env") or {})}
        done = subprocess.run(
            [*words, "sh", "-c", command], capture_output=True, text=True, env=environment
        )
        return harbor.ExecResult(
            stdout=done.stdout, stderr=done.stderr, return_code=done.returncode
        )


def run_trial(task: Path, agent: str, place: Path) -> Any:
    from harbor.models.trial.config import AgentConfig, EnvironmentConfig, TaskConfig, TrialConfig
    from harbor.trial.trial import Trial

    config = TrialConfig(
        task=TaskConfig(path=task),
        trial_name=agent,
        trials_dir=place,
        agent=AgentConfig(name=agent),
        environment=EnvironmentConfig(import_path=f"{__name__}:BubblewrapEnvironment"),
    )

    async def run() -> Any:
        return await (await Trial.create(config)).run()

    return asyncio.run(run())


@pytest.mark.filterwarnings("ignore:Task.checksum:DeprecationWarning")
@pytest.mark.parametrize(("agent", "reward"), [("oracle", 0.05), ("nop", 0.0)])
def test_a_trial_of_harbor(agent: str, reward: float, data_dir: Path, tmp_path: Path) -> None:
    """The sample submission is valid, and no submission is worth nothing."""
    catalogue = Catalogue(data_dir, revision="v1.1")
    tasks = export_harbor(catalogue, ["starter-wine"], tmp_path, reward="normalised+valid")
    found = run_trial(tasks[0], agent, tmp_path / "trials")
    assert found.exception_info is None, found.exception_info
    assert found.verifier_result.rewards == {"reward": pytest.approx(reward)}
