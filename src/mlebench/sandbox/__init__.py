"""Sandboxes in which agents run: one protocol (`base.py`), four implementations, a probe.

`registry.get_sandbox` returns an implementation by its name. They share `mounts.py`, which plans
what is visible, `environment.py`, which defines variables and files, `channels.py`, which connects
a run with the harness, `supervisor.py`, which waits and enforces limits, and `programs/`, which run
inside.
"""
