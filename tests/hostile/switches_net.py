"""Switches of the defences around parsing, endpoints and the gateway."""

from __future__ import annotations

from tests.hostile.switches import switch

CONFINEMENT = "mlebench.system.confinement"

switch("child-filter", **{f"{CONFINEMENT}:install_filter": lambda program: None})
switch("child-files", **{f"{CONFINEMENT}:read_only_below": lambda paths: False})
switch("child-limits", **{f"{CONFINEMENT}:lower_limit": lambda kind, value: None})
