"""Measure episodes on this machine, and a stand-in for another design for comparison."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from mlebench.catalogue import Catalogue
from mlebench.gym.actions import Action, Info, Read, Run, Submit, Validate
from mlebench.gym.episode import Episode
from mlebench.gym.leaks import count, growth, memory_of_descendants, memory_of_each, own_memory
from mlebench.gym.limits import EpisodeLimits
from mlebench.gym.services import Services, gym_packages
from mlebench.gym.stand_in import StandIn
from mlebench.gym.tasks import DEFAULT_REVISION, GymTask, find_task
from mlebench.gym.warm import WarmSource
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.sandbox.procfs import cpu_seconds, descendants
from mlebench.system.threads import processors

SMALL, LARGE = "starter-wine", "spaceship-titanic"
LARGE_SCALE = 500
"""Of the rehearsal, whose test part then has 10,000 rows."""

SOLUTION = """
import pandas as pd
from sklearn.linear_model import LogisticRegression
train, test = (pd.read_csv(f"/home/data/{name}.csv") for name in ("train", "test"))
columns = [name for name in test.columns if name != "id"]
mean, spread = train[columns].mean(), train[columns].std()
model = LogisticRegression(max_iter=200)
model.fit((train[columns] - mean) / spread, train["cultivar"])
found = pd.DataFrame(model.predict_proba((test[columns] - mean) / spread), columns=model.classes_)
found.insert(0, "id", test["id"])
found.to_csv("/home/submission/submission.csv", index=False)
"""
COPY = "cp /home/data/sample_submission.csv /home/submission/submission.csv"
SCRIPT: tuple[Action, ...] = (
    Info("data"),
    Read("/home/data/train.csv", 0, 500),
    Run(code=SOLUTION),
    Validate(),
    Submit(),
)
Result = TypeVar("Result")
SETTLE_SECONDS = 20.0
ACTIVE_PER_PROCESSOR = 16


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    cold_resets: int = 5
    resets: int = 100
    runs: int = 100
    trivial_steps: int = 4000
    submits: int = 20
    idle: int = 200
    active: int = field(default_factory=lambda: ACTIVE_PER_PROCESSOR * processors())
    """Episodes whose programs run at the same time."""

    episodes: int = 100
    """Scripted ones, with scikit-learn."""

    leak_episodes: int = 500
    """Started and ended with one run each."""

    stand_in_steps: int = 200


@dataclass(frozen=True)
class Figure:
    """One measured value."""

    name: str
    value: float
    unit: str
    target: str = ""
    note: str = ""


@dataclass
class Bench:
    """All measurements, one after the other; `report` is called with each figure."""

    sizes: Sizes
    report: Callable[[Figure], None]
    figures: list[Figure] = field(default_factory=list)
    limits: EpisodeLimits = field(
        default_factory=lambda: EpisodeLimits(steps=10**6, memory_bytes=1 << 30)
    )

    def add(self, name: str, value: float, unit: str, *, target: str = "", note: str = "") -> None:
        figure = Figure(name, round(value, 3), unit, target, note)
        self.figures.append(figure)
        self.report(figure)

    def add_times(self, name: str, seconds: list[float], target: str = "", last: str = "") -> None:
        middle, end = np.quantile(seconds, [0.5, 0.99])
        self.add(f"{name}, p50", 1000 * float(middle), "ms", target=target)
        self.add(f"{name}, p99", 1000 * float(end), "ms", target=last)

    async def run(self, place: Path) -> list[Figure]:
        """Measure everything, with data that is made in a folder."""
        small, large = await asyncio.to_thread(prepare_tasks, place)
        await asyncio.to_thread(gym_packages)  # made once on a machine
        self.place = place
        await self.measure_cold(small)
        async with Services() as services:
            source = await services.source()
            if not isinstance(source, WarmSource):
                raise AssertionError("the benchmark measures warm sandboxes")
            self.services, self.source = services, source
            await source.fill(small, self.limits)
            await self.play([Run(code=SOLUTION), Validate(), Submit()], small)  # starts the graders
            await self.measure_resets(small)
            await self.measure_steps(small)
            await self.measure_runs(small)
            await self.measure_submits(large)
            await self.measure_idle(small)
            await self.measure_active(small)
            await self.measure_scripts(small)
            await self.measure_leaks(small)
        self.measure_stand_in(small)
        return self.figures

    def episode(self, task: GymTask) -> Episode:
        return Episode(task, limits=self.limits, services=self.services, logs=self.place / "logs")

    async def play(
        self, actions: list[Action], task: GymTask, seen: list[str] | None = None
    ) -> list[float]:
        """Play an episode; returns the seconds of each step, and adds their results to `seen`."""
        episode = self.episode(task)
        await episode.reset()
        seconds, results = [], []
        for action in actions:
            elapsed, result = await timed(episode.step(action))
            seconds.append(elapsed)
            results.append(result)
            if result.observation.status not in ("ok", "submitted"):
                raise AssertionError(f"{action!r:.60}: {result.observation.text[:500]}")
        await episode.close()
        if seen is not None:
            seen.append(repr(results))
        return seconds

    async def measure_cold(self, task: GymTask) -> None:
        """From nothing: no sandbox, no interpreter, no grader."""
        resets, runs = [], []
        for _ in range(self.sizes.cold_resets):
            async with Services() as self.services:
                episode = self.episode(task)
                start = time.perf_counter()
                await episode.reset()
                resets.append(time.perf_counter() - start)
                await episode.step(Run(code="pass"))
                runs.append(time.perf_counter() - start)
                await episode.close()
        self.add_times("cold reset", resets, last="≤ 1,500")
        self.add_times("cold reset and first run", runs)

    async def measure_resets(self, task: GymTask) -> None:
        seconds = []
        for _ in range(self.sizes.resets):
            await self.source.fill(task, self.limits)
            episode = self.episode(task)
            seconds.append((await timed(episode.reset()))[0])
            await episode.close()
        self.add_times("warm reset", seconds, "≤ 50", "≤ 250")

    async def measure_steps(self, task: GymTask) -> None:
        """`info` and `read`, in as many episodes at once as there are processors."""
        share = self.sizes.trivial_steps // (2 * processors())
        pair: list[Action] = [Info("data"), Read("/home/data/train.csv", 0, 500)]
        actions = pair * share
        with processor_time() as used:
            elapsed, all_seconds = await timed(
                asyncio.gather(*(self.play(actions, task) for _ in range(processors())))
            )
        seconds = [one for found in all_seconds for one in found]
        self.add("trivial steps", len(seconds) / elapsed, "1/s", target="≥ 1,000")
        each = 1000 * used["seconds"] / len(seconds)
        self.add("trivial step, processor time", each, "ms")
        last = 1000 * float(np.quantile(seconds, 0.99))
        self.add("trivial step, p99", last, "ms", target="≤ 20")

    async def measure_runs(self, task: GymTask) -> None:
        with processor_time() as used:
            seconds = await self.play([Run(code="pass")] * self.sizes.runs, task)
        self.add_times("run of an empty program", seconds, "≤ 30")
        each = 1000 * used["seconds"] / self.sizes.runs
        self.add("run of an empty program, processor time", each, "ms")
        many = 2 * processors()
        actions = [Run(code="pass")] * (self.sizes.runs // processors() + 1)
        played = (self.play(list(actions), task) for _ in range(many))
        elapsed, _ = await timed(asyncio.gather(*played))
        rate = many * len(actions) / elapsed
        self.add("runs of empty programs at once", rate, "1/s", target="≥ 200 on 16 cores")

    async def measure_submits(self, task: GymTask) -> None:
        seconds = []
        for _ in range(self.sizes.submits + 1):
            seconds += (await self.play([Run(command=COPY), Submit()], task))[1:]
        self.add_times("submit of 10,000 rows", seconds[1:], "≤ 100")

    @asynccontextmanager
    async def open_episodes(self, task: GymTask, count: int) -> AsyncIterator[list[Episode]]:
        """Episodes that are all open at the same time."""
        episodes = [self.episode(task) for _ in range(count)]
        for episode in episodes:
            await episode.reset()
        yield episodes
        for episode in episodes:
            await episode.close()
        await self.settle()

    async def measure_idle(self, task: GymTask) -> None:
        """Memory of open episodes that have had one run each."""
        await self.source.fill(task, self.limits)
        before, before_own = memory_of_descendants(), own_memory()
        async with self.open_episodes(task, self.sizes.idle) as episodes:
            for episode in episodes:
                await episode.step(Run(code="pass"))
            await self.source.fill(task, self.limits)
            grown = memory_of_descendants() - before + max(0, own_memory() - before_own)
        self.add("idle episodes", len(episodes), "", target="200 on 2 cores, 1,000 on 16")
        each = grown / len(episodes) / 1e6
        self.add("memory of an idle episode (PSS)", each, "MB", target="≤ 40")

    async def measure_active(self, task: GymTask) -> None:
        """Episodes that are all open, and whose programs train at the same time."""
        async with self.open_episodes(task, self.sizes.active) as episodes:
            steps = (episode.step(Run(code=SOLUTION)) for episode in episodes)
            elapsed, results = await timed(asyncio.gather(*steps))
        done = sum(result.observation.status == "ok" for result in results)
        self.add("active episodes", done, "", target="256 on 16 cores")
        self.add("runs of active episodes", len(episodes) / elapsed, "1/s")

    async def measure_scripts(self, task: GymTask) -> None:
        """Whole episodes of five steps that train a model."""
        seen: list[str] = []
        with processor_time() as used:
            elapsed = await self.many(
                lambda: self.play(list(SCRIPT), task, seen), self.sizes.episodes
            )
        rate = self.sizes.episodes / elapsed
        self.add("5-step episodes", rate, "1/s", target="≥ 20 on 16 cores")
        each = used["seconds"] / self.sizes.episodes
        self.add("5-step episode, processor time", 1000 * each, "ms")
        wanted = f"{self.sizes.episodes} of {self.sizes.episodes}"
        self.add("5-step episodes with equal results", seen.count(seen[0]), "", target=wanted)

    async def measure_leaks(self, task: GymTask) -> None:
        """What many episodes leave behind, compared with a few."""
        actions: list[Action] = [Run(command="true")]
        await self.many(lambda: self.play(actions, task), 2 * processors())
        await self.settle()
        await self.source.fill(task, self.limits)
        before, memory = count(), memory_of_each()
        elapsed = await self.many(lambda: self.play(actions, task), self.sizes.leak_episodes)
        await self.settle()
        await self.source.fill(task, self.limits)
        leaked = count().above(before)
        rate = self.sizes.leak_episodes / elapsed
        self.add("short episodes", rate, "1/s", note=f"{self.sizes.leak_episodes:,} episodes")
        for name in ("processes", "mounts", "groups", "descriptors"):
            self.add(f"leaked {name}", leaked.get(name, 0), "", target="0")
        grown = growth(memory, memory_of_each())
        own = 100 * grown.pop(os.getpid())
        self.add("memory growth of the policy process", own, "%", target="< 5")
        most = 100 * max(grown.values(), default=0.0)
        others = f"of {len(grown)} that existed the whole time"
        self.add("memory growth of other processes, largest", most, "%", target="< 5", note=others)

    async def many(self, work: Callable[[], Awaitable[Any]], total: int) -> float:
        """Do something many times, a few at once; returns the seconds it took."""
        left = iter(range(total))

        async def worker() -> None:
            for _ in left:
                await work()

        return (await timed(asyncio.gather(*(worker() for _ in range(2 * processors())))))[0]

    async def settle(self) -> None:
        """Wait until closed sandboxes are gone."""
        until = time.monotonic() + SETTLE_SECONDS
        while self.source.ending and time.monotonic() < until:
            await asyncio.sleep(0.02)

    def measure_stand_in(self, task: GymTask) -> None:
        """The other design, on the same task and machine."""
        other = StandIn(task.competition.public_dir, self.place / "stand-in")
        start = time.perf_counter()
        other.reset()
        self.add("stand-in: reset", 1000 * (time.perf_counter() - start), "ms")
        seconds = []
        for _ in range(max(5, self.sizes.runs // 10)):
            start = time.perf_counter()
            other.execute_code("import numpy, pandas, sklearn.linear_model")
            seconds.append(time.perf_counter() - start)
        self.add_times("stand-in: run that imports what ours has imported", seconds)
        start = time.perf_counter()
        for _ in range(self.sizes.stand_in_steps):
            other.request_info()
        rate = self.sizes.stand_in_steps / (time.perf_counter() - start)
        steps = f"{self.sizes.stand_in_steps} steps in one episode"
        self.add("stand-in: trivial steps", rate, "1/s", note=steps)
        total = max(4, self.sizes.episodes // 10)
        start = time.perf_counter()
        with ThreadPoolExecutor(2 * processors()) as threads:
            list(threads.map(lambda number: self.play_stand_in(task, number), range(total)))
        rate = total / (time.perf_counter() - start)
        self.add("stand-in: 5-step episodes", rate, "1/s", note=f"{total} episodes")
        code = f"print(len(open({str(task.competition.answers)!r}).read()) > 0)"
        is_readable = "True" in other.execute_code(code)["feedback"]
        self.add("stand-in: answers readable", float(is_readable), "")

    def play_stand_in(self, task: GymTask, number: int) -> None:
        """The script in the other design, which does not check the format."""
        other = StandIn(task.competition.public_dir, self.place / f"stand-in-{number}")
        other.reset()
        other.request_info()
        code = SOLUTION.replace("/home/data", str(other.public))
        other.execute_code(code.replace("/home/submission", str(other.place)))
        other.request_info()
        if not (other.place / "submission.csv").is_file():
            raise AssertionError(other.history[-2]["feedback"])


def prepare_tasks(place: Path) -> tuple[GymTask, GymTask]:
    """A small task with a hold-out, and a large evaluation on synthetic data."""
    catalogue = Catalogue(place / "data", (), DEFAULT_REVISION)
    prepare(catalogue.get_competition(SMALL))
    prepare(catalogue.get_competition(LARGE), Rehearsal(scale=LARGE_SCALE))
    small = find_task(SMALL, catalogue=catalogue)
    return small, find_task(LARGE, catalogue=catalogue, split="test", evaluate=True)


def run_bench(sizes: Sizes, report: Callable[[Figure], None]) -> list[Figure]:
    """Measure on this machine; takes minutes."""
    with tempfile.TemporaryDirectory(prefix="mlebench-bench-") as place:
        return asyncio.run(Bench(sizes, report).run(Path(place)))


async def timed(work: Awaitable[Result]) -> tuple[float, Result]:
    """The seconds that something took, and its result."""
    start = time.perf_counter()
    result = await work
    return time.perf_counter() - start, result


@contextmanager
def processor_time() -> Iterator[dict[str, float]]:
    """Processor seconds of this process and its descendants, including those that have ended."""
    found: dict[str, float] = {"seconds": 0.0}
    before = _processor_seconds()
    yield found
    found["seconds"] = _processor_seconds() - before


def _processor_seconds() -> float:
    return time.process_time() + sum(map(cpu_seconds, descendants(os.getpid())))
