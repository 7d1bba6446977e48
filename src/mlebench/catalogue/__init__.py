"""Which competitions exist, and where the files and the data of each one are."""

from mlebench.catalogue.catalogue import (
    ALIASES,
    SPLITS,
    Catalogue,
    facts_of,
    load_competition,
    load_hold_out,
)
from mlebench.catalogue.loading import PACKAGE, load_module
from mlebench.catalogue.located import LocatedCompetition
from mlebench.competitions import folder_name

__all__ = [
    "ALIASES",
    "PACKAGE",
    "SPLITS",
    "Catalogue",
    "LocatedCompetition",
    "facts_of",
    "folder_name",
    "load_competition",
    "load_hold_out",
    "load_module",
]
