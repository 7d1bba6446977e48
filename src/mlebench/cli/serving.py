"""What the commands that start a server share: address, listening socket, end by a signal."""

from __future__ import annotations

import signal
import socket

import click

from mlebench.cli.options import Decorator, combine
from mlebench.errors import UsageError


def address_options(port: int, *, port_help: str = "0: any free one.") -> Decorator:
    """`--host` and `--port`."""
    return combine(
        click.option("--host", default="127.0.0.1", help="The address to bind to."),
        click.option("--port", default=port, type=click.IntRange(0, 65535), help=port_help),
    )


def listen(host: str, port: int) -> tuple[socket.socket, str]:
    """A listening socket and its URL; raises UsageError if the address cannot be used."""
    try:
        listener = socket.create_server((host, port), backlog=256)
    except OSError as error:
        raise UsageError(f"cannot listen on {host}:{port}: {error.strerror}") from None
    address = listener.getsockname()
    return listener, f"http://{address[0]}:{address[1]}"


def stop_on_signals() -> None:
    """Let SIGINT and SIGTERM raise KeyboardInterrupt.

    A shell starts background jobs with SIGINT ignored, and Python then installs no handler.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
