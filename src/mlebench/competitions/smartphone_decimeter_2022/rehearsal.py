"""Rehearsal data. Drives with phones on board: a folder per drive and phone, one reference track each."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import blob, rng, words, write_bytes, write_csv, write_text

PHONES = ["GooglePixel4", "GooglePixel4XL", "GooglePixel5", "SamsungGalaxyS20Ultra", "XiaomiMi8"]


TRUTH = [
    "MessageType",
    "Provider",
    "LatitudeDegrees",
    "LongitudeDegrees",
    "AltitudeMeters",
    "SpeedMps",
    "AccuracyMeters",
    "BearingDegrees",
    "UnixTimeMillis",
]


def phone_folder(folder: Path, r, labelled: bool) -> None:
    lat, lng, t = (
        r.uniform(33.8, 37.8),
        r.uniform(-122.5, -118.1),
        1589494000441 + 1000 * r.randrange(60_000_000),
    )
    rows = []
    for _ in range(r.randrange(25, 45)):
        lat, lng, t = (
            lat + r.uniform(-2e-4, 2e-4),
            lng + r.uniform(-2e-4, 2e-4),
            t + 1000 * r.choice([1, 1, 1, 2]),
        )
        # up to 17 digits, where quick float parsers differ from exact ones
        rows.append(
            (
                "Fix",
                "GT",
                f"{lat:.15f}",
                f"{lng:.14f}",
                f"{r.uniform(-30, 30):.2f}",
                r.choice(["", "0.0", f"{r.uniform(0, 30):.12f}"]),
                "0.1",
                f"{r.uniform(0, 360):.11f}",
                t,
            )
        )
    if labelled:
        write_csv(folder / "ground_truth.csv", TRUTH, rows)
    write_csv(
        folder / "device_gnss.csv",
        ["MessageType", "utcTimeMillis", "TimeNanos", "SignalType", "WlsPositionXEcefMeters"],
        (
            (
                "Raw",
                row[-1],
                r.randrange(10**15),
                r.choice(["GPS_L1", "GAL_E1"]),
                f"{r.uniform(-3e6, -2e6):.6f}",
            )
            for row in rows[:5]
        ),
    )
    write_csv(
        folder / "device_imu.csv",
        ["MessageType", "utcTimeMillis", "MeasurementX", "BiasX"],
        (("UncalAccel", row[-1], 0.5, "") for row in rows[:3]),
    )
    write_text(folder / "supplemental" / "gnss_log.txt", f"# {words(r, 6)}\nRaw,{t}\n")
    write_bytes(folder / "supplemental" / "rinex.o", blob(r, 30, b"     3.03\n"))
    write_text(folder / "supplemental" / "span_log.nmea", f"$GPGGA,{t},{words(r, 2)}\n")


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "drives")
    dates = sorted(
        {
            f"{r.choice([2020, 2021, 2022])}-{r.randrange(1, 13):02d}-{r.randrange(1, 29):02d}"
            for _ in range(14 * scale)
        }
    )
    for k, date in enumerate(dates):
        place = r.choice(["US-MTV", "US-LAX", "US-SFO"])
        drives = [f"{date}-{place}-{n}" for n in range(1, r.choice([2, 2, 3]))]
        if k % 2 == 0:  # whole paths sort "…-1-night/" before "…-1/", folder names do not
            drives.append(f"{drives[0]}-night")
        for drive in drives:
            for phone in sorted(r.sample(PHONES, r.choice([1, 1, 1, 2]))):
                phone_folder(raw / "train" / drive / phone, r, True)
    phone_folder(raw / "test" / "2020-06-04-US-MTV-1" / "GooglePixel4", r, False)
    write_csv(
        raw / "sample_submission.csv",
        ["tripId", "UnixTimeMillis", "LatitudeDegrees", "LongitudeDegrees"],
        [
            (
                "2020-06-04-US-MTV-1-GooglePixel4",
                1591304310441,
                37.904611315634504,
                -86.48107806249548,
            )
        ],
    )
    write_csv(
        raw / "metadata" / "constellation_type_mapping.csv",
        ["constellationType", "constellationName"],
        [(1, "GPS"), (6, "GALILEO")],
    )
    write_text(raw / "metadata" / "raw_state_bit_map.json", '{"0": "STATE_CODE_LOCK"}\n')
    write_text(
        raw / "metadata" / "accumulated_delta_range_state_bit_map.json",
        '{"0": "ADR_STATE_VALID"}\n',
    )
