"""Episodes on a Ray cluster: actors near the data, whose death truncates an episode.

    actors = place_actors(SessionSettings(competition="starter-wine"), count=8)
    episode = RemoteEpisode(actors[0])
    text = episode.reset(seed=1)
    result = episode.step({"kind": "submit"})

A node that has the data of a competition declares the Ray resource `mlebench:<competition>`;
actors of that competition go there first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from mlebench.errors import UsageError
from mlebench.gym.adapters.session import SessionSettings, TextSession
from mlebench.gym.background import close_background, run_in_background

PREFIX = "mlebench:"
SHARE = 0.001
"""Of the resource that marks a node: too small to limit anything."""

LOST = "the machine of this episode was lost"


class RemoteStep(NamedTuple):
    """The result of a step; the reward is None where it must be masked."""

    text: str
    status: str
    reward: float | None
    terminated: bool
    truncated: bool
    info: dict[str, Any]


class EpisodeActor:
    """Runs one episode after another in a process of its own."""

    def __init__(self, settings: SessionSettings) -> None:
        self._session = TextSession(settings)

    def reset(self, seed: int | None = None, competition: str | None = None) -> str:
        """Begin an episode."""
        return run_in_background(self._session.start(seed=seed, competition=competition))

    def step(self, action: str | Mapping[str, Any]) -> RemoteStep:
        """Take an action."""
        result = run_in_background(self._session.act(action))
        seen = result.observation
        return RemoteStep(
            seen.text,
            seen.status,
            result.reward,
            result.terminated,
            result.truncated,
            dict(result.info),
        )

    def close(self) -> None:
        """End the episode and all processes of this actor."""
        run_in_background(self._session.close())
        close_background()


def place_actors(
    settings: SessionSettings, count: int, *, cpus: float = 1.0, gpus: float = 0.0
) -> list[Any]:
    """Actors for one competition, on nodes that declare its data if there are any."""
    ray = _ray()
    mark = f"{PREFIX}{settings.competition}"
    resources = {mark: SHARE} if ray.cluster_resources().get(mark, 0) > 0 else {}
    # A restarted actor would have lost its episode without saying so.
    actor = ray.remote(num_cpus=cpus, num_gpus=gpus, resources=resources, max_restarts=0)(
        EpisodeActor
    )
    return [actor.remote(settings) for _ in range(count)]


class RemoteEpisode:
    """The caller's side of an actor.

    The death of the actor, or of its node, ends the episode: truncated, with blame
    `infrastructure` and no reward. `reset` then raises, since the actor is gone.
    """

    def __init__(self, actor: Any, *, timeout_seconds: float | None = None) -> None:
        self._actor = actor
        self._timeout = timeout_seconds
        self.is_lost = False

    def reset(self, *, seed: int | None = None, competition: str | None = None) -> str:
        """Begin an episode.

        Raises:
            UsageError: the actor is gone; place another one.
        """
        text = self._get(self._actor.reset.remote(seed, competition))
        if text is None:
            raise UsageError(f"{LOST}; place another actor")
        return str(text)

    def step(self, action: str | Mapping[str, Any]) -> RemoteStep:
        """Take an action; a lost machine is a result, not an error."""
        found = None if self.is_lost else self._get(self._actor.step.remote(action))
        if found is None:
            info = {"end": "lost", "blame": "infrastructure", "reward": None}
            return RemoteStep(LOST, "lost", None, False, True, info)
        return RemoteStep(*found)

    def close(self) -> None:
        """End the episode and the actor."""
        if not self.is_lost:
            self._get(self._actor.close.remote())
        _ray().kill(self._actor)

    def _get(self, reference: Any) -> Any:
        """The result of a call; None if the actor died."""
        ray = _ray()
        lost = (ray.exceptions.RayActorError, ray.exceptions.GetTimeoutError)
        try:
            return ray.get(reference, timeout=self._timeout) or ""
        except lost:
            self.is_lost = True
            return None


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise UsageError("Ray is not installed", hint="pip install 'mlebench[ray]'") from None
    return ray
