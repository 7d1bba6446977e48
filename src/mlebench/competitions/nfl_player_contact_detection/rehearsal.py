"""Rehearsal data. Football plays: labels per pair of players and time step, tracking, helmets, three videos per play."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import blob, rng, write_bytes, write_csv

LABELS = [
    "contact_id",
    "game_play",
    "datetime",
    "step",
    "nfl_player_id_1",
    "nfl_player_id_2",
    "contact",
]


HELMETS = [
    "game_play",
    "game_key",
    "play_id",
    "view",
    "video",
    "frame",
    "nfl_player_id",
    "player_label",
    "left",
    "width",
    "top",
    "height",
]


TRACKING = [
    "game_play",
    "game_key",
    "play_id",
    "nfl_player_id",
    "datetime",
    "step",
    "team",
    "position",
    "jersey_number",
    "x_position",
    "y_position",
    "speed",
    "distance",
    "direction",
    "orientation",
    "acceleration",
    "sa",
]


VIDEO = ["game_play", "game_key", "play_id", "view", "start_time", "end_time", "snap_time"]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "plays")
    plays = [(r.randrange(58100, 58600), r.randrange(40, 4800)) for _ in range(14 * scale)]
    labels, helmets, tracking, videos = [], [], [], []
    for key, play in plays:
        gp = f"{key}_{play:06d}"
        players = sorted(r.sample(range(30000, 54000), 5))
        when = lambda step: f"2020-09-11T03:01:{44 + step // 10:02d}.{step % 10}00Z"
        for view in ("Sideline", "Endzone", "All29"):
            write_bytes(
                raw / "train" / f"{gp}_{view}.mp4", blob(r, 40, b"\x00\x00\x00\x18ftypmp42")
            )
        for view in ("Endzone", "Sideline"):
            videos.append([gp, key, play, view, when(0), when(40), when(50)])
            for frame in (290, 291):
                helmets += [
                    [
                        gp,
                        key,
                        play,
                        view,
                        f"{gp}_{view}.mp4",
                        frame,
                        p,
                        f"{r.choice('HV')}{r.randrange(99):02d}",
                        r.randrange(1200),
                        r.randrange(10, 40),
                        r.randrange(700),
                        r.randrange(10, 40),
                    ]
                    for p in players[:3]
                ]
        for step in range(4):
            for k, a in enumerate(players):
                for b in [*players[k + 1 :], "G"]:
                    labels.append(
                        [
                            f"{gp}_{step}_{a}_{b}",
                            gp,
                            when(step),
                            step,
                            a,
                            b,
                            int(r.random() < (0.25 if b == "G" else 0.1)),
                        ]
                    )
                num = lambda top: f"{r.uniform(0, top):.2f}"
                long = r.choice(
                    [repr(r.uniform(-5, 5)), f"{r.uniform(-5, 5):.22f}", num(3), ""]
                )  # many digits: the parser shows; gaps
                tracking.append(
                    [
                        gp,
                        key,
                        play,
                        a,
                        when(step),
                        step,
                        r.choice(["home", "away"]),
                        r.choice(["QB", "CB", "T"]),
                        r.randrange(1, 99),
                        num(120),
                        num(53),
                        num(10),
                        num(1),
                        num(360),
                        num(360),
                        num(8),
                        long,
                    ]
                )
    write_csv(raw / "train_labels.csv", LABELS, labels)
    write_csv(raw / "train_baseline_helmets.csv", HELMETS, helmets)
    write_csv(raw / "train_player_tracking.csv", TRACKING, tracking)
    write_csv(raw / "train_video_metadata.csv", VIDEO, videos)
    mock = f"{plays[0][0]}_{plays[0][1]:06d}"  # Kaggle's test is a copy of a train play
    for name, columns, rows in (
        ("baseline_helmets", HELMETS, helmets),
        ("player_tracking", TRACKING, tracking),
        ("video_metadata", VIDEO, videos),
    ):
        write_csv(raw / f"test_{name}.csv", columns, (row for row in rows if row[0] == mock))
    for view in ("Sideline", "Endzone", "All29"):
        write_bytes(
            raw / "test" / f"{mock}_{view}.mp4", (raw / "train" / f"{mock}_{view}.mp4").read_bytes()
        )
    write_csv(
        raw / "sample_submission.csv",
        ["contact_id", "contact"],
        ([row[0], 0] for row in labels if row[1] == mock),
    )
