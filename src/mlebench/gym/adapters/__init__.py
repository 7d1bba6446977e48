"""Episodes for trainers: one thin module each, imported only with the trainer's own package.

All of them train: they score against the hold-out, and offer no way to the test answers.
"""

from mlebench.gym.adapters.session import SessionSettings, TextSession
from mlebench.gym.adapters.text import ACTION_HELP, action_of_text

__all__ = ["ACTION_HELP", "SessionSettings", "TextSession", "action_of_text"]
