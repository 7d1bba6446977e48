"""Rehearsal data. Lyft Level 5: linked JSON tables, camera/lidar blobs, boxes in one text cell per sample."""

from __future__ import annotations

import json
import math
from pathlib import Path

from mlebench.rehearsal import (
    blob,
    hex_id,
    jpeg,
    png,
    rng,
    write_bytes,
    write_csv,
    write_text,
)

CLASSES = [
    "car",
    "pedestrian",
    "animal",
    "other_vehicle",
    "bus",
    "motorcycle",
    "truck",
    "emergency_vehicle",
    "bicycle",
]


SIZES = {
    "car": (1.9, 4.6, 1.7),
    "pedestrian": (0.7, 0.8, 1.8),
    "bus": (2.9, 12.1, 3.4),
    "truck": (2.7, 9.8, 3.3),
}


MAP_TOKEN = "53992ee3023e5494b90c316c183be829"


CHANNELS = ["CAM_FRONT", "CAM_BACK", "LIDAR_TOP"]


PARKED = [2.0, 4.0, 4.0]  # this size, yaw 0 and whole coordinates make exact overlaps


def dump(path: Path, rows: list) -> None:
    # Kaggle's tables are spread over lines; preparation rewrites some of them on one line.
    write_text(path, json.dumps(rows, indent=0, ensure_ascii=False) + "\n")


def tables(r, n_logs: int) -> dict:
    t = {
        k: []
        for k in (
            [
                "log",
                "scene",
                "sample",
                "sample_data",
                "sample_annotation",
                "instance",
                "ego_pose",
                "calibrated_sensor",
            ]
        )
    }
    t["attribute"] = [
        {"description": "", "token": hex_id(r, 64), "name": f"object_action_{n}"}
        for n in ("parked", "walking", "driving_straight_forward")
    ]
    t["category"] = [{"description": "", "token": hex_id(r, 64), "name": c} for c in CLASSES]
    t["visibility"] = [
        {
            "description": f"visibility of whole object is between {a} and {b}%",
            "token": str(i),
            "level": f"v{a}-{b}",
        }
        for i, (a, b) in enumerate([(0, 40), (40, 60), (60, 80), (80, 100)], 1)
    ]
    t["sensor"] = [
        {"modality": "lidar" if "LIDAR" in c else "camera", "channel": c, "token": hex_id(r, 64)}
        for c in CHANNELS
    ]
    cars = [f"a{r.randrange(4, 102):03d}" for _ in range(max(2, n_logs // 3))]
    rig = {}
    for i in range(n_logs):
        token, car = hex_id(r, 64), cars[i % len(cars)]
        t["log"].append(
            {
                "date_captured": f"2019-05-{1 + i % 28:02d}",
                "location": "Palo Alto",
                "token": token,
                "vehicle": car,
                "logfile": "",
                "map_token": MAP_TOKEN,
            }
        )
        stamp = 1.24e15 + r.randrange(10**12) + 0.5
        n = r.randrange(2, 5)
        samples = [
            {
                "next": "",
                "prev": "",
                "token": hex_id(r, 64),
                "timestamp": stamp + 200000 * k,
                "scene_token": token,
            }
            for k in range(n)
        ]
        for a, b in zip(samples, samples[1:]):
            a["next"], b["prev"] = b["token"], a["token"]
        t["sample"] += samples
        t["scene"].append(
            {
                "log_token": token,
                "first_sample_token": samples[0]["token"],
                "name": f"host-{car}-lidar0-{int(stamp)}",
                "description": "café ↔ Univ. Ave" if i % 4 == 0 else "",
                "last_sample_token": samples[-1]["token"],
                "nbr_samples": n,
                "token": token,
            }
        )
        tracks = []
        for _ in range(r.randrange(2, 7)):
            name = r.choice(
                ["car", "car", "car", "pedestrian", "bus", "truck", "bicycle", "animal"]
            )
            w, l, h = (v * r.uniform(0.85, 1.15) for v in SIZES.get(name, (0.6, 1.7, 1.5)))
            tracks.append(
                {
                    "name": name,
                    "token": hex_id(r, 64),
                    "size": [round(w, 3), round(l, 3), round(h, 3)],
                    "yaw": r.uniform(-math.pi, math.pi),
                    "at": [r.uniform(900, 2800), r.uniform(600, 1800), r.uniform(-25, -15)],
                    "anns": [],
                }
            )
        x, y = r.randrange(900, 2800), r.randrange(600, 1800)
        for shift in (0.0, 1.0):  # two parked boxes of one class that share 3/5 of their union
            tracks.append(
                {
                    "name": "other_vehicle",
                    "token": hex_id(r, 64),
                    "size": PARKED,
                    "yaw": 0.0,
                    "at": [x + shift, float(y), -20.0],
                    "anns": [],
                }
            )
        for k, s in enumerate(samples):
            shared = hex_id(r, 64)
            for c, ch in enumerate(CHANNELS):
                key = (car, ch)
                if key not in rig:
                    rig[key] = hex_id(r, 64)
                    t["calibrated_sensor"].append(
                        {
                            "sensor_token": t["sensor"][c]["token"],
                            "rotation": [r.uniform(-1, 1) for _ in range(4)],
                            "camera_intrinsic": []
                            if c == 2
                            else [[882.4, 0, 608.5], [0, 882.4, 511.8], [0, 0, 1]],
                            "translation": [r.uniform(-2, 2) for _ in range(3)],
                            "token": rig[key],
                        }
                    )
                pose = shared if c != 1 else hex_id(r, 64)  # camera and lidar may share a pose
                if c != 2:
                    t["ego_pose"].append(
                        {
                            "rotation": [r.uniform(-1, 1), 0.0, 1.5e-05, r.uniform(-1, 1)],
                            "translation": [r.uniform(900, 2800), r.uniform(600, 1800), 0],
                            "token": pose,
                            "timestamp": s["timestamp"],
                        }
                    )
                kind = "lidar" if c == 2 else "images"
                name = f"host-{car}_{'lidar1' if c == 2 else f'cam{c}'}_{int(s['timestamp'])}{i:02d}.{'bin' if c == 2 else 'jpeg'}"
                row = {
                    "width": 0 if c == 2 else 1224,
                    "height": 0 if c == 2 else 1024,
                    "calibrated_sensor_token": rig[key],
                    "token": hex_id(r, 64),
                    "sample_token": s["token"],
                    "is_key_frame": True,
                    "prev": "",
                    "fileformat": "bin" if c == 2 else "jpeg",
                    "ego_pose_token": pose,
                    "timestamp": s["timestamp"],
                    "next": "",
                    "filename": f"{kind}/{name}",
                    "channel": ch,
                    "sensor_modality": t["sensor"][c]["modality"],
                }
                t["sample_data"].append(row)
                if c == 2 and i == 1 and k == 0:  # the real table names a few files twice
                    t["sample_data"].append(dict(row, token=hex_id(r, 64)))
            seen = [q for q in tracks if r.random() < 0.85] or tracks[:1]
            for q in seen:
                at = (
                    q["at"]
                    if q["size"] is PARKED
                    else [q["at"][0] + 1.3 * k, q["at"][1] + 0.4 * k, q["at"][2]]
                )
                ann = {
                    "token": hex_id(r, 64),
                    "num_lidar_pts": -1,
                    "size": q["size"],
                    "sample_token": s["token"],
                    "rotation": [math.cos(q["yaw"] / 2), 0, 0, math.sin(q["yaw"] / 2)],
                    "prev": "",
                    "translation": at,
                    "num_radar_pts": 0,
                    "attribute_tokens": [t["attribute"][0]["token"]],
                    "next": "",
                    "instance_token": q["token"],
                    "visibility_token": "",
                }
                t["sample_annotation"].append(ann)
                q["anns"].append(ann["token"])
                s.setdefault("boxes", []).append(
                    " ".join(map(repr, [*at, *q["size"], q["yaw"]])) + " " + q["name"]
                )
        for q in tracks:
            if q["anns"]:
                t["instance"].append(
                    {
                        "last_annotation_token": q["anns"][-1],
                        "category_token": t["category"][CLASSES.index(q["name"])]["token"],
                        "token": q["token"],
                        "first_annotation_token": q["anns"][0],
                        "nbr_annotations": len(q["anns"]),
                    }
                )
    t["map"] = [
        {
            "log_tokens": [x["token"] for x in t["log"]],
            "category": "semantic_prior",
            "filename": "maps/map_raster_palo_alto.png",
            "token": MAP_TOKEN,
        }
    ]
    r.shuffle(t["ego_pose"])
    r.shuffle(t["calibrated_sensor"])
    return t


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "train")
    t = tables(r, 14 * scale)
    rows = [(s["token"], " ".join(s.pop("boxes"))) for s in t["sample"]]
    r.shuffle(rows)
    write_csv(raw / "train.csv", ["Id", "PredictionString"], rows)
    for name, table in t.items():
        dump(raw / "train_data" / f"{name}.json", table)
    for f in dict.fromkeys(d["filename"] for d in t["sample_data"]):
        kind, name = f.split("/")
        write_bytes(raw / f"train_{kind}" / name, jpeg(r) if kind == "images" else blob(r, 40))
    write_bytes(
        raw / "train_lidar" / "host-a101_lidar0_0000000000000000000.bin", blob(r, 40)
    )  # no table names it
    area = png(8, 8, r, "RGB")
    for part in ("train", "test"):
        write_bytes(raw / f"{part}_maps" / "map_raster_palo_alto.png", area)
    r = rng(seed, "test")
    t = tables(r, 3)
    for s in t["sample"]:
        s.pop("boxes")
    for name, table in t.items():
        if name not in ("instance", "sample_annotation"):
            dump(raw / "test_data" / f"{name}.json", table)
    for f in dict.fromkeys(d["filename"] for d in t["sample_data"]):
        kind, name = f.split("/")
        write_bytes(raw / f"test_{kind}" / name, jpeg(r) if kind == "images" else blob(r, 40))
    write_csv(
        raw / "sample_submission.csv",
        ["Id", "PredictionString"],
        ((s["token"], "") for s in t["sample"]),
    )
