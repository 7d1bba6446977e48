"""The stand-in as a script: `python -m tests.kaggle_server --archive ID=FILE`."""

from __future__ import annotations

import argparse
import threading
from pathlib import Path

from . import Contest, Cut, KaggleServer, Status
from .server import CLIENT_TEST_PORT


def main() -> None:
    arguments = parse()
    server = KaggleServer(port=arguments.port)
    for text in arguments.archive:
        contest_id, _, file = text.partition("=")
        server.add(Contest(contest_id, Path(file).read_bytes()))
    for text in arguments.leaderboard:
        contest_id, _, file = text.partition("=")
        contest = server.contests.get(contest_id) or server.add(Contest(contest_id))
        contest.scores = Path(file).read_text("utf-8").split()[1:]
    for contest_id in arguments.rules:
        (server.contests.get(contest_id) or server.add(Contest(contest_id))).rules_accepted = False
    server.fail("storage", *(Cut(after) for after in arguments.cut))
    for _ in range(arguments.busy):
        server.fail("DownloadDataFiles", Status(429, headers={"Retry-After": "1"}))
    with server:
        for name, value in (server.environment | server.credentials).items():
            print(f"export {name}='{value}'", flush=True)
        threading.Event().wait()


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.kaggle_server", description=__doc__)
    parser.add_argument("--port", type=int, default=CLIENT_TEST_PORT, help="0: any free one")
    parser.add_argument("--archive", action="append", default=[], metavar="ID=FILE")
    parser.add_argument("--leaderboard", action="append", default=[], metavar="ID=CSV")
    parser.add_argument("--rules", action="append", default=[], metavar="ID", help="not accepted")
    parser.add_argument("--cut", action="append", default=[], type=int, metavar="BYTES")
    parser.add_argument("--busy", type=int, default=0, metavar="N", help="N times 429 first")
    return parser.parse_args()


if __name__ == "__main__":
    main()
