"""Switches of the defences around parsing, endpoints and the gateway."""

from __future__ import annotations

from tests.hostile.switches import switch

CONFINEMENT = "mlebench.system.confinement"

switch("child-filter", **{f"{CONFINEMENT}:install_filter": lambda program: None})
switch("child-files", **{f"{CONFINEMENT}:read_only_below": lambda paths: False})
switch("child-limits", **{f"{CONFINEMENT}:lower_limit": lambda kind, value: None})


def _raise(validator: object, data: object) -> None:
    raise KeyError("secret label")


# Not defences, but what the tests of other processes need.
switch("tool: a validator that raises", **{"mlebench.validation.validator:Validator.judge": _raise})
switch(
    "tool: short deadlines",
    **{
        "mlebench.http.connection:HEAD_SECONDS": 1.0,
        "mlebench.http.connection:BODY_SECONDS": 1.0,
    },
)
