"""Rehearsal data. Hotel rooms: images in one folder per hotel chain, ranked lists of hotel ids as predictions."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import hex_id, jpeg, rng, write_bytes, write_csv

TWICE = "ce27d36c9147cc19.jpg"  # the real table lists this image two times


SAMPLE = "36363 53586 18807 64314 60181"


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "hotels")
    hotels = [(36363, 5), (53586, 0), (18807, 0), (64314, 87)] + [
        (r.randrange(70000), r.choice([0, 0, 3, 87, 92])) for _ in range(8)
    ]
    rows = []
    for k in range(160 * scale):
        hotel, chain = r.choice(hotels)
        image = f"{hex_id(r, 16)}.jpg"
        rows.append(
            [
                image,
                chain,
                hotel,
                f"201{r.randrange(5, 9)}-{r.randrange(1, 13):02d}-{r.randrange(1, 29):02d} {r.randrange(24):02d}:{r.randrange(60):02d}:00",
            ]
        )
        write_bytes(raw / "train_images" / str(chain) / image, jpeg(r))
    for at, (hotel, chain) in ((20, hotels[0]), (90, hotels[3])):
        rows.insert(at, [TWICE, chain, hotel, "2018-01-01 00:00:00"])
        write_bytes(raw / "train_images" / str(chain) / TWICE, jpeg(r))
    write_csv(raw / "train.csv", ["image", "chain", "hotel_id", "timestamp"], rows)
    test = [f"{hex_id(r, 16)}.jpg" for _ in range(3)]
    for image in test:
        write_bytes(raw / "test_images" / image, jpeg(r))
    write_csv(raw / "sample_submission.csv", ["image", "hotel_id"], ([i, SAMPLE] for i in test))
