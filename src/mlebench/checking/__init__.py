"""Checks that every competition must pass, ours and those from outside the package."""

from mlebench.checking.competition import (
    CompetitionChecks,
    check_basics,
    check_competition,
    check_on_data,
)

__all__ = ["CompetitionChecks", "check_basics", "check_competition", "check_on_data"]
