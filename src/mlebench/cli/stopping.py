"""How servers end: by Ctrl-C or SIGTERM, also when a shell started them in the background."""

from __future__ import annotations

import signal


def stop_on_signals() -> None:
    """Let SIGINT and SIGTERM raise KeyboardInterrupt.

    A shell starts background jobs with SIGINT ignored, and Python then installs no handler.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
