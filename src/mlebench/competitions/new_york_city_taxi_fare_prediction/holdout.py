"""The hold-out for training: a tenth of the rides; the table is too large to be sorted."""

from functools import partial

from mlebench.competitions.new_york_city_taxi_fare_prediction.revision import prepare
from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(tables={}, prepare=partial(prepare, test_size=0.1))
