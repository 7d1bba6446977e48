"""Revision v1.1: rows are matched by id."""

from mlebench.competitions.nomad2018_predict_transparent_conductors.competition import SAMPLE
from mlebench.competitions.nomad2018_predict_transparent_conductors.format import at_least_0
from mlebench.formats import RowPerId
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(Fix("rows are matched by position and ids are ignored", "rows are matched by id"),),
    submission=RowPerId(id="id", target=tuple(SAMPLE), values=at_least_0),
)
