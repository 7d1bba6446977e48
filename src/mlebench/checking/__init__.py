"""Checks that every competition must pass, ours and those from outside the package."""

from mlebench.checking.competition import Checked, check_competition, check_on_data

__all__ = ["Checked", "check_competition", "check_on_data"]
