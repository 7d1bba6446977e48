"""A switch for the frame's own tests."""

from __future__ import annotations

from tests.hostile.switches import switch

switch("frame", **{"mlebench.runner.run:MAX_ATTEMPTS": 17})
