"""Processes of this machine that a test left behind."""

from __future__ import annotations

import os

import psutil


def alive(mark: str) -> list[int]:
    """Other processes whose command line contains a mark."""
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if mark in " ".join(process.info["cmdline"] or ()) and process.pid != os.getpid()
    ]
