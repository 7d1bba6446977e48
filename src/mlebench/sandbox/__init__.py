"""Sandboxes in which agents run: one protocol (`base.py`), four implementations, a probe.

`registry.get_sandbox` returns an implementation by its name. What they share: `mounts.py` plans
what is visible, `environment.py` defines the variables, `supervisor.py` waits and enforces limits,
and `programs/` contains what runs inside.
"""
