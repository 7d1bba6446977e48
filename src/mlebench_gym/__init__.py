"""The name under which verifiers finds our taskset: `--env.taskset.id mlebench-gym`.

verifiers imports plug-ins by a name without dots.
"""

from mlebench.gym.adapters.verifiers import MLEEnvironment, MLETaskset

__all__ = ["MLEEnvironment", "MLETaskset"]
