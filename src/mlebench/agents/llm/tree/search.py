"""Grow the tree until the time is over; the best solution's submission is always in place."""

from __future__ import annotations

import os
import random
import shutil
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from .. import workspace
from ..client import Model, ModelError, NoMoreError, TooLongError
from . import prompts
from .nodes import Node, Stage, Tree

LEAST_SECONDS = 5.0
"""Less than this is not enough to write and run anything."""


@dataclass
class Search:
    """One agent at work."""

    model: Model
    clock: workspace.Clock
    task: prompts.Task
    evaluation: prompts.Evaluation
    tree: Tree
    share_for_one: float = 0.3
    """The share of the total time for one run of one solution."""

    def run(self) -> None:
        """Write solutions until the time is over, the tree is full or the model has ended."""
        self.write_tree()
        while self.clock.left() > LEAST_SECONDS and not self.tree.is_full:
            try:
                self.step()
            except NoMoreError as error:
                workspace.say(f"the model no longer answers: {error}")
                return
            except (ModelError, OSError) as error:
                # An OSError may be a full disk, which the removal of solutions' files can solve.
                workspace.say(f"no solution this time: {error}")
                if isinstance(error, TooLongError):
                    self.task = self.task.halved()
                # A failure that repeats at once must not become a busy loop.
                time.sleep(max(0.0, min(5.0, self.clock.left())))

    def step(self) -> Node:
        """Write one solution, run it, evaluate it."""
        stage, parent = self.tree.choose()
        messages = prompts.ask_solution(
            self.task,
            self.evaluation,
            work=self._work(stage, parent),
            summary=self.tree.summary(),
            limit_seconds=self._limit(),
        )
        plan, code = prompts.read_solution(self.model.chat(messages))
        before = self.tree.best
        node = self.tree.add(stage, parent, plan, code)
        node.created_at = round(self.clock.used(), 1)
        folder = workspace.WORK / "nodes" / str(node.id)
        folder.mkdir(parents=True, exist_ok=True)
        self._try(node, folder)
        if node.is_good and self.tree.best is node:
            self._keep(node, folder)
        for file in folder.iterdir():
            _remove_unless_kept(file)
        self.write_tree()
        end = f"score {node.score:g}" if node.is_good else f"failed: {node.problem}"
        best = self.tree.best
        mark = ", the best so far" if best is node and best is not before else ""
        workspace.say(f"[{self.clock.used():.0f} s] {stage} {node.id}: {end}{mark}")
        return node

    def _work(self, stage: Stage, parent: Node | None) -> str:
        if parent is None:
            return prompts.work_on_draft(is_first=not self.tree.nodes)
        if stage == "debug":
            return prompts.work_on_failure(parent)
        return prompts.work_on_improvement(parent)

    def _limit(self) -> float:
        """Time for a run: a share of the total, so that one solution cannot use it all."""
        return max(1.0, min(self.clock.left(), self.share_for_one * self.clock.seconds))

    def _try(self, node: Node, folder: Path) -> None:
        """Run a solution; it counts if it prints a score and its submission is accepted."""
        if not node.code:
            node.problem = "the answer has no program"
            return
        if prompts.has_fixed_score(node.code):
            node.problem = "it prints a fixed held-out score instead of computing one"
            return
        program = folder / "solution.py"
        program.write_text(node.code, "utf-8")
        done = workspace.execute([sys.executable, "-u", program.name], folder, self._limit())
        node.output, node.seconds = done.output, round(done.seconds, 2)
        (folder / "output.txt").write_text(done.output, "utf-8")
        score = prompts.read_score(done.output)
        if done.is_timed_out:
            node.problem = f"it was stopped after {done.seconds:.0f} s"
        elif done.exit_code:
            node.problem = f"it ended with exit code {done.exit_code}"
        elif score is None:
            node.problem = f"it printed no `{prompts.SCORE_WORD}: <number>`"
        else:
            is_valid, said = workspace.validate(folder / "submission.csv", self.clock.left())
            if is_valid is False:
                node.problem = said
        node.score = None if node.problem else score

    def _keep(self, node: Node, folder: Path) -> None:
        submission = folder / "submission.csv"
        if submission.is_file():
            workspace.hand_in(submission)
        workspace.CODE.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / "solution.py", workspace.CODE / "solution.py")

    def write_tree(self) -> None:
        facts = {
            "evaluation": asdict(self.evaluation),
            "policy": asdict(self.tree.policy),
            "model": {"name": self.model.name, "calls": self.model.calls},
            "seconds": round(self.clock.used(), 1),
            "granted_seconds": self.clock.seconds,
        }
        workspace.LOGS.mkdir(parents=True, exist_ok=True)
        workspace.write_json(self.tree.record(facts), workspace.LOGS / "tree.json")


def make_rng() -> random.Random:
    return random.Random(int(os.environ.get("MLEBENCH_SEED") or 0))


def _remove_unless_kept(file: Path) -> None:
    """Remove a file of a solution, because those of many solutions would fill the disk."""
    if file.name in ("solution.py", "output.txt"):
        return
    if file.is_dir() and not file.is_symlink():
        shutil.rmtree(file, ignore_errors=True)
    else:
        file.unlink(missing_ok=True)
