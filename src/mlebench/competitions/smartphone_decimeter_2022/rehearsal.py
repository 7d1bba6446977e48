"""Rehearsal data: drives with phones on board, a folder per drive and phone, a track for each."""

from mlebench.rehearsal import Blob, Choice, Making, Parts, Random, Real, Table, Text, Whole
from mlebench.rehearsal.content import csv_file
from mlebench.rehearsal.declared import raw_data
from mlebench.rehearsal.draws import words

PHONES = "GooglePixel4 GooglePixel4XL GooglePixel5 SamsungGalaxyS20Ultra XiaomiMi8".split()
TRUTH = (
    "MessageType,Provider,LatitudeDegrees,LongitudeDegrees,AltitudeMeters,SpeedMps,AccuracyMeters,"
    "BearingDegrees,UnixTimeMillis"
)
SIGNAL = {
    "TimeNanos": Whole(0, 10**15),
    "SignalType": Choice("GPS_L1", "GAL_E1"),
    "WlsPositionXEcefMeters": Real(-3e6, -2e6, form="{:.6f}"),
}
IMU = {"MeasurementX": 0.5, "BiasX": ""}
DATE = Text("{}-{:02d}-{:02d}", Choice(2020, 2021, 2022), Whole(1, 13), Whole(1, 29))
TRIP = "2020-06-04-US-MTV-1", "GooglePixel4"
SAMPLE = ["-".join(TRIP), 1591304310441, 37.904611315634504, -86.48107806249548]


def track(r: Random) -> list[list[object]]:
    """Positions with up to 17 digits, where quick float parsers differ from exact ones."""
    latitude, longitude = r.uniform(33.8, 37.8), r.uniform(-122.5, -118.1)
    time, rows = 1589494000441 + 1000 * r.randrange(60_000_000), []
    for _ in range(r.randrange(25, 45)):
        latitude, longitude = latitude + r.uniform(-2e-4, 2e-4), longitude + r.uniform(-2e-4, 2e-4)
        time += 1000 * r.choice([1, 1, 1, 2])
        place = [f"{latitude:.15f}", f"{longitude:.14f}", f"{r.uniform(-30, 30):.2f}"]
        speed = r.choice(["", "0.0", f"{r.uniform(0, 30):.12f}"])
        rows.append(["Fix", "GT", *place, speed, "0.1", f"{r.uniform(0, 360):.11f}", time])
    return rows


def phone_folder(r: Random, folder: str) -> Parts:
    rows = track(r)
    times = [row[-1] for row in rows]
    if folder.startswith("train"):
        yield csv_file(f"{folder}/ground_truth.csv", TRUTH, rows)
    gnss = {"MessageType": "Raw", "utcTimeMillis": times[:5], **SIGNAL}
    yield Table(f"{folder}/device_gnss.csv", gnss)
    imu = {"MessageType": "UncalAccel", "utcTimeMillis": times[:3], **IMU}
    yield Table(f"{folder}/device_imu.csv", imu)
    extra, end = f"{folder}/supplemental", times[-1]
    yield f"{extra}/gnss_log.txt", f"# {words(r, 6)}\nRaw,{end}\n".encode()
    yield f"{extra}/rinex.o", Blob(30, b"     3.03\n")(r)
    yield f"{extra}/span_log.nmea", f"$GPGGA,{end},{words(r, 2)}\n".encode()


@raw_data("drives")
def make_raw(making: Making) -> Parts:
    r = making.r
    for number, day in enumerate(sorted({DATE(r) for _ in range(14 * making.scale)})):
        place = r.choice(["US-MTV", "US-LAX", "US-SFO"])
        drives = [f"{day}-{place}-{k}" for k in range(1, r.choice([2, 2, 3]))]
        if number % 2 == 0:  # whole paths sort "…-1-night/" before "…-1/", folder names do not
            drives.append(f"{drives[0]}-night")
        for drive in drives:
            for phone in sorted(r.sample(PHONES, r.choice([1, 1, 1, 2]))):
                yield from phone_folder(r, f"train/{drive}/{phone}")
    yield from phone_folder(r, "test/" + "/".join(TRIP))
    header = "tripId,UnixTimeMillis,LatitudeDegrees,LongitudeDegrees"
    yield csv_file("sample_submission.csv", header, [SAMPLE])
    header = "constellationType,constellationName"
    names = [(1, "GPS"), (6, "GALILEO")]
    yield csv_file("metadata/constellation_type_mapping.csv", header, names)
    yield "metadata/raw_state_bit_map.json", b'{"0": "STATE_CODE_LOCK"}\n'
    states = "metadata/accumulated_delta_range_state_bit_map.json"
    yield states, b'{"0": "ADR_STATE_VALID"}\n'
