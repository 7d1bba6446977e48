"""Measure the rehearsal data of every competition, for forecasts: bytes, files, processor time.

python scripts/make_sizes.py            # prepares everything in a temporary folder; some minutes
python scripts/make_sizes.py ID ...     # only these

Bytes and files are the same on every machine. Processor time is that of this machine, with files in
memory where that is possible, since a disk that others use adds much to it; forecasts scale it by a
yardstick (`mlebench.doctor.rehearsal_time`).
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from mlebench.catalogue import PACKAGE, Catalogue, LocatedCompetition
from mlebench.doctor.rehearsal_time import processor_seconds
from mlebench.preparing.prepare import Rehearsal, prepare

BLOCK = 4096
ROUNDS = 3
MEMORY = Path("/dev/shm")
FILE = PACKAGE / "catalogue" / "rehearsal_sizes.json"


def main() -> None:
    known = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    ids = sys.argv[1:] or [i for split in ("all", "dev") for i in Catalogue().get_split(split)]
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        measure("spaceship-titanic", Path(name))  # Loads the libraries.
        for competition_id in ids:
            known[competition_id] = measure(competition_id, Path(name))
            print(competition_id, known[competition_id], flush=True)
    lines = (f"{json.dumps(name)}: {json.dumps(facts)}" for name, facts in sorted(known.items()))
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def measure(competition_id: str, folder: Path) -> dict[str, float]:
    competition = Catalogue(folder).get_competition(competition_id)
    seconds = []
    for _ in range(ROUNDS):
        start = processor_seconds()
        manifest = prepare(competition, Rehearsal())
        seconds.append(processor_seconds() - start)
        shutil.rmtree(folder / competition_id)
    return {
        "bytes": manifest.total_bytes,
        "files": manifest.file_count,
        "disk_bytes": in_blocks(file["size"] for file in manifest.files.values()),
        "raw_disk_bytes": in_blocks([raw_size(competition, folder / "raw.zip")]),
        # What disturbs a measurement makes it longer.
        "cpu_seconds": round(min(seconds), 3),
    }


def raw_size(competition: LocatedCompetition, archive: Path) -> int:
    rehearsal = Rehearsal()
    competition.pack_rehearsal(archive, rehearsal.seed, rehearsal.scale)
    size = archive.stat().st_size
    archive.unlink()
    return size


def in_blocks(sizes: Iterable[int]) -> int:
    return sum(-(-size // BLOCK) * BLOCK for size in sizes)


if __name__ == "__main__":
    main()
