"""A training ground: competitions as environments for reinforcement learning.

`Episode` is the core, a set of coroutines; `environment.py` puts Gymnasium's interface over it. No
answer is ever in the process of the policy or in the sandbox of its programs.
"""

from mlebench.gym.actions import (
    Action,
    Info,
    Read,
    Restart,
    Run,
    Submit,
    Validate,
    Write,
    parse_action,
)
from mlebench.gym.episode import Episode
from mlebench.gym.limits import EpisodeLimits
from mlebench.gym.observation import Observation
from mlebench.gym.rewards import REWARD_NAMES, Reward, parse_reward
from mlebench.gym.services import Services, close_shared_services, shared_services
from mlebench.gym.state import StepResult
from mlebench.gym.tasks import GymTask, find_task

__all__ = [
    "REWARD_NAMES",
    "Action",
    "Episode",
    "EpisodeLimits",
    "GymTask",
    "Info",
    "Observation",
    "Read",
    "Restart",
    "Reward",
    "Run",
    "Services",
    "StepResult",
    "Submit",
    "Validate",
    "Write",
    "close_shared_services",
    "find_task",
    "parse_action",
    "parse_reward",
    "shared_services",
]
