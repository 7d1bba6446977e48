"""Rehearsal data. Species photos described by COCO-like JSON files; images in one gzipped tar."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path

from mlebench.rehearsal import hex_id, jpeg, rng, write_bytes, write_csv, write_text

GROUPS = ["Amphibians", "Birds", "Fungi", "Insects", "Plants", "Reptiles"]


def tgz(members: dict[str, bytes]) -> bytes:
    """A gzipped tar without timestamps."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as t:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))
    return gzip.compress(out.getvalue(), mtime=0)


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    info = {
        "year": 2019,
        "version": "1.0",
        "description": "Synthetic \u201ctrain\u201d split",
        "contributor": "nobody",
        "url": "",
        "date_created": "2019-03-04",
    }
    licenses = [
        {"id": 0, "name": "None", "url": ""},
        {
            "id": 1,
            "name": "Attribution License",
            "url": "http://creativecommons.org/licenses/by/2.0/",
        },
    ]
    counts = [1, 2, 3, 4, 5, 6, 8, 9, 13, 16, 17, 18, 26] * scale
    ids = sorted(r.sample(range(1010), min(1010, len(counts))))
    categories, todo, members = [], [], {}
    for c, n in zip(ids, counts):
        group = r.choice(GROUPS)
        categories.append(
            {
                "id": c,
                "name": str(c),
                "kingdom": "Plantae",
                "phylum": "Tracheophyta",
                "class": "Magnoliopsida",
                "order": "Asterales",
                "family": "Asteraceae",
                "genus": f"Gen\u00fas {c}",
            }
        )
        todo += [(c, group)] * n
    r.shuffle(todo)  # categories appear in mixed order

    def split(rows, first_id):
        images, annotations = [], []
        for k, (c, group) in enumerate(rows):
            name = f"train_val2019/{group}/{c}/{hex_id(r, 32)}.jpg"
            members[name] = jpeg(r)
            images.append(
                {
                    "id": first_id + k,
                    "width": r.choice([600, 800]),
                    "height": r.choice([600, 800]),
                    "file_name": name,
                    "license": r.randrange(2),
                    "rights_holder": r.choice(["Ann", "Jos\u00e9 \u00c1lvarez", 'B. "Bob" Li']),
                }
            )
            annotations.append({"id": first_id + k, "image_id": first_id + k, "category_id": c})
        return {
            "info": info,
            "images": images,
            "licenses": licenses,
            "annotations": annotations,
            "categories": categories,
        }

    write_text(raw / "train2019.json", json.dumps(split(todo, 0)))
    write_text(raw / "val2019.json", json.dumps(split(r.sample(todo, 9), len(todo))))
    write_bytes(raw / "train_val2019.tar.gz", tgz(members))
    tests = {f"test2019/{hex_id(r, 32)}.jpg": jpeg(r) for _ in range(5)}
    images = [
        {
            "id": 268243 + k,
            "width": 800,
            "height": 600,
            "file_name": n,
            "license": 0,
            "rights_holder": "",
        }
        for k, n in enumerate(tests)
    ]
    about = dict(
        info, description="Synthetic \u201ctest\u201d split", date_created="2019-04-01"
    )  # not what the train file says
    write_text(
        raw / "test2019.json",
        json.dumps({"info": about, "images": images, "licenses": licenses[:1]}),
    )
    write_bytes(raw / "test2019.tar.gz", tgz(tests))
    write_csv(
        raw / "kaggle_sample_submission.csv",
        ["id", "predicted"],
        ([i["id"], "1 2 3 4 5"] for i in images),
    )
