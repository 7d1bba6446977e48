"""Revision v1.1: test phones have only the files that Kaggle's test phones have."""

from functools import partial

from mlebench.archives.raw import Raw
from mlebench.competitions.smartphone_decimeter_2022.prepare import prepare
from mlebench.revision import Changes, Fix

SHOWN = frozenset(["device_gnss.csv", "device_imu.csv", "gnss_log.txt", "rinex.o"])


def is_shown(file: Raw) -> bool:
    return file.name in SHOWN


changes = Changes(
    fixes=(
        Fix(
            "test phones have span_log.nmea, the reference track that is to be predicted",
            "test phones have the two device tables, gnss_log.txt and rinex.o, nothing else",
            "#93",
        ),
    ),
    comparability="near",
    note=(
        "Test phones have `device_gnss.csv`, `device_imu.csv`, `supplemental/gnss_log.txt` and"
        " `supplemental/rinex.o` only."
    ),
    prepare=partial(prepare, is_shown=is_shown),
)
