"""Rehearsal data: Lyft Level 5 as linked JSON tables, camera and lidar files, boxes in one cell."""

import itertools
import json
import math
from typing import Any

from mlebench.rehearsal import Blob, FilePerId, HexId, Making, Parts, Png, Random, Table, raw_data
from mlebench.rehearsal.content import csv_file, jpeg, lines_file

CLASSES = (
    "car pedestrian animal other_vehicle bus motorcycle truck emergency_vehicle bicycle"
).split()
MOVING = ["car", "car", "car", "pedestrian", "bus", "truck", "bicycle", "animal"]
SIZES = {
    "car": (1.9, 4.6, 1.7),
    "pedestrian": (0.7, 0.8, 1.8),
    "bus": (2.9, 12.1, 3.4),
    "truck": (2.7, 9.8, 3.3),
}
MAP_TOKEN = "53992ee3023e5494b90c316c183be829"
MAP_FILE = "map_raster_palo_alto.png"
CHANNELS = ["CAM_FRONT", "CAM_BACK", "LIDAR_TOP"]
INTRINSIC = [[882.4, 0, 608.5], [0, 882.4, 511.8], [0, 0, 1]]
PARKED = [2.0, 4.0, 4.0]  # this size, yaw 0 and whole coordinates make exact overlaps
FIELDS = {
    "log": "date_captured,location,token,vehicle,logfile,map_token",
    "scene": "log_token,first_sample_token,name,description,last_sample_token,nbr_samples,token",
    "sample": "next,prev,token,timestamp,scene_token",
    "sample_data": "width,height,calibrated_sensor_token,token,sample_token,is_key_frame,prev,"
    "fileformat,ego_pose_token,timestamp,next,filename,channel,sensor_modality",
    "sample_annotation": "token,num_lidar_pts,size,sample_token,rotation,prev,translation,"
    "num_radar_pts,attribute_tokens,next,instance_token,visibility_token",
    "instance": "last_annotation_token,category_token,token,first_annotation_token,nbr_annotations",
    "ego_pose": "rotation,translation,token,timestamp",
    "calibrated_sensor": "sensor_token,rotation,camera_intrinsic,translation,token",
    "attribute": "description,token,name",
    "category": "description,token,name",
    "visibility": "description,token,level",
    "sensor": "modality,channel,token",
    "map": "log_tokens,category,filename,token",
}
Row = dict[str, Any]
token = HexId(64)
LIDAR = Blob(40)


class Dataset:
    """The linked tables of the train or test part, and the boxes of each sample as a text."""

    def __init__(self, r: Random, logs: int) -> None:
        self.r = r
        self.tables: dict[str, list[Row]] = {name: [] for name in FIELDS}
        self.boxes: dict[str, str] = {}
        self.rig: dict[tuple[str, str], str] = {}
        for action in ("parked", "walking", "driving_straight_forward"):
            self.add("attribute", "", token(r), f"object_action_{action}")
        for name in CLASSES:
            self.add("category", "", token(r), name)
        for number, (a, b) in enumerate(itertools.pairwise([0, 40, 60, 80, 100]), 1):
            text = f"visibility of whole object is between {a} and {b}%"
            self.add("visibility", text, str(number), f"v{a}-{b}")
        for channel in CHANNELS:
            self.add("sensor", "lidar" if "LIDAR" in channel else "camera", channel, token(r))
        cars = [f"a{r.randrange(4, 102):03d}" for _ in range(max(2, logs // 3))]
        for number in range(logs):
            self.add_log(number, cars[number % len(cars)])
        tokens = [row["token"] for row in self.tables["log"]]
        self.add("map", tokens, "semantic_prior", f"maps/{MAP_FILE}", MAP_TOKEN)
        r.shuffle(self.tables["ego_pose"])
        r.shuffle(self.tables["calibrated_sensor"])

    def add(self, table: str, *values: object) -> Row:
        row = dict(zip(FIELDS[table].split(","), values, strict=True))
        self.tables[table].append(row)
        return row

    def add_log(self, number: int, car: str) -> None:
        """Add a drive of two to four samples and what is seen in it."""
        r, log = self.r, token(self.r)
        self.add("log", f"2019-05-{1 + number % 28:02d}", "Palo Alto", log, car, "", MAP_TOKEN)
        start, count = 1.24e15 + r.randrange(10**12) + 0.5, r.randrange(2, 5)
        stamps = [start + 200000 * step for step in range(count)]
        samples = [self.add("sample", "", "", token(r), stamp, log) for stamp in stamps]
        for before, after in itertools.pairwise(samples):
            before["next"], after["prev"] = after["token"], before["token"]
        name, text = f"host-{car}-lidar0-{int(start)}", "" if number % 4 else "café ↔ Univ. Ave"
        first, last = samples[0]["token"], samples[-1]["token"]
        self.add("scene", log, first, name, text, last, count, log)
        tracks = self.tracks()
        for step, sample in enumerate(samples):
            shared = token(r)
            for channel in range(3):
                # Camera and lidar may share a pose.
                self.add_frame(number, car, sample, channel, shared)
                if (channel, number, step) == (2, 1, 0):  # the archive lists a few files twice
                    again = self.tables["sample_data"][-1] | {"token": token(r)}
                    self.tables["sample_data"].append(again)
            seen = [track for track in tracks if r.random() < 0.85] or tracks[:1]
            self.boxes[sample["token"]] = " ".join(
                self.add_annotation(sample, step, track) for track in seen
            )
        for track in tracks:
            if found := track["annotations"]:
                category = self.tables["category"][CLASSES.index(track["name"])]["token"]
                self.add("instance", found[-1], category, track["token"], found[0], len(found))

    def tracks(self) -> list[Row]:
        """The objects of a drive; the last two are parked and share 3/5 of their union."""
        r, found = self.r, []
        for _ in range(r.randrange(2, 7)):
            name = r.choice(MOVING)
            size = [v * r.uniform(0.85, 1.15) for v in SIZES.get(name, (0.6, 1.7, 1.5))]
            row: Row = {"name": name, "token": token(r), "size": [round(v, 3) for v in size]}
            row["yaw"] = r.uniform(-math.pi, math.pi)
            row["at"] = [r.uniform(900, 2800), r.uniform(600, 1800), r.uniform(-25, -15)]
            found.append(row)
        x, y = r.randrange(900, 2800), float(r.randrange(600, 1800))
        for at in ([x + 0.0, y, -20.0], [x + 1.0, y, -20.0]):
            row = {"name": "other_vehicle", "token": token(r), "size": PARKED, "yaw": 0.0}
            found.append(row | {"at": at})
        return [row | {"annotations": []} for row in found]

    def add_frame(self, log: int, car: str, sample: Row, channel: int, shared: str) -> None:
        r, key, is_lidar = self.r, (car, CHANNELS[channel]), channel == 2
        sensor, stamp = self.tables["sensor"][channel], sample["timestamp"]
        if key not in self.rig:
            self.rig[key] = token(r)
            rotation = [r.uniform(-1, 1) for _ in range(4)]
            place = [r.uniform(-2, 2) for _ in range(3)]
            camera = [] if is_lidar else INTRINSIC
            self.add("calibrated_sensor", sensor["token"], rotation, camera, place, self.rig[key])
        pose = token(r) if channel == 1 else shared
        if not is_lidar:
            rotation = [r.uniform(-1, 1), 0.0, 1.5e-05, r.uniform(-1, 1)]
            place = [r.uniform(900, 2800), r.uniform(600, 1800), 0]
            self.add("ego_pose", rotation, place, pose, stamp)
        ending, device = ("bin", "lidar1") if is_lidar else ("jpeg", f"cam{channel}")
        folder = "lidar" if is_lidar else "images"
        file = f"{folder}/host-{car}_{device}_{int(stamp)}{log:02d}.{ending}"
        start = [0, 0] if is_lidar else [1224, 1024]
        row = [*start, self.rig[key], token(r), sample["token"], True, "", ending, pose, stamp, ""]
        self.add("sample_data", *row, file, CHANNELS[channel], sensor["modality"])

    def add_annotation(self, sample: Row, step: int, track: Row) -> str:
        """The box as a text."""
        (x, y, z), size, yaw = track["at"], track["size"], track["yaw"]
        at = track["at"] if size is PARKED else [x + 1.3 * step, y + 0.4 * step, z]
        rotation = [math.cos(yaw / 2), 0, 0, math.sin(yaw / 2)]
        row = [token(self.r), -1, size, sample["token"], rotation, "", at, 0]
        row += [[self.tables["attribute"][0]["token"]], "", track["token"], ""]
        track["annotations"].append(self.add("sample_annotation", *row)["token"])
        return " ".join(map(repr, [*at, *size, yaw])) + f" {track['name']}"

    def files(self, part: str, skipped: set[str]) -> Parts:
        """Kaggle's tables are spread over lines; preparation rewrites some of them on one line."""
        for name, rows in self.tables.items():
            if name not in skipped:
                text = json.dumps(rows, indent=0, ensure_ascii=False)
                yield lines_file(f"{part}_data/{name}.json", [text])
        for name in dict.fromkeys(row["filename"] for row in self.tables["sample_data"]):
            yield f"{part}_{name}", jpeg(self.r) if name.startswith("images") else LIDAR(self.r)


@raw_data("train")
def make_raw(making: Making) -> Parts:
    r = making.r
    train = Dataset(r, 14 * making.scale)
    rows = list(train.boxes.items())
    r.shuffle(rows)
    yield csv_file("train.csv", "Id,PredictionString", rows)
    yield from train.files("train", set())
    # A file that no table lists.
    yield "train_lidar/host-a101_lidar0_0000000000000000000.bin", LIDAR(r)
    yield FilePerId(f"{{}}_maps/{MAP_FILE}", ["train", "test"], Png(8, 8, "RGB")(r))
    test = Dataset(making.stream("test"), 3)
    yield from test.files("test", {"instance", "sample_annotation"})
    yield Table("sample_submission.csv", {"Id": list(test.boxes), "PredictionString": ""})
