"""Rehearsal data: football plays with contacts per pair of players, tracking, helmets, videos."""

from mlebench.rehearsal import Files, Making, Random, blob, csv_file, raw_data

HEADERS = {
    "labels": "contact_id,game_play,datetime,step,nfl_player_id_1,nfl_player_id_2,contact",
    "baseline_helmets": "game_play,game_key,play_id,view,video,frame,nfl_player_id,player_label,"
    "left,width,top,height",
    "player_tracking": "game_play,game_key,play_id,nfl_player_id,datetime,step,team,position,"
    "jersey_number,x_position,y_position,speed,distance,direction,orientation,acceleration,sa",
    "video_metadata": "game_play,game_key,play_id,view,start_time,end_time,snap_time",
}
VIEWS = ["Sideline", "Endzone", "All29"]


def time(step: int) -> str:
    return f"2020-09-11T03:01:{44 + step // 10:02d}.{step % 10}00Z"


def decimal(r: Random, top: float) -> str:
    return f"{r.uniform(0, top):.2f}"


def helmet(r: Random) -> list[object]:
    label = f"{r.choice('HV')}{r.randrange(99):02d}"
    return [label, r.randrange(1200), r.randrange(10, 40), r.randrange(700), r.randrange(10, 40)]


def tracked(r: Random) -> list[object]:
    # Many digits, which show how exact the parser is; and gaps.
    last = r.choice([repr(r.uniform(-5, 5)), f"{r.uniform(-5, 5):.22f}", decimal(r, 3), ""])
    who = [r.choice(["home", "away"]), r.choice(["QB", "CB", "T"]), r.randrange(1, 99)]
    return [*who, *(decimal(r, top) for top in (120, 53, 10, 1, 360, 360, 8)), last]


def helmets(r: Random, play: list[object], players: list[int]) -> list[list[object]]:
    views = [(view, frame, i) for view in VIEWS[1::-1] for frame in (290, 291) for i in players[:3]]
    return [
        [*play, view, f"{play[0]}_{view}.mp4", frame, i, *helmet(r)] for view, frame, i in views
    ]


@raw_data("plays")
def make_raw(making: Making) -> Files:
    r, tables = making.r, {name: list[list[object]]() for name in HEADERS}
    plays = [(r.randrange(58100, 58600), r.randrange(40, 4800)) for _ in range(14 * making.scale)]
    mock = f"{plays[0][0]}_{plays[0][1]:06d}"  # Kaggle's test is a copy of a train play
    for key, number in plays:
        name = f"{key}_{number:06d}"
        play, players = [name, key, number], sorted(r.sample(range(30000, 54000), 5))
        for view in VIEWS:
            video = blob(r, 40, b"\x00\x00\x00\x18ftypmp42")
            for part in ["train", "test"] if name == mock else ["train"]:
                yield f"{part}/{name}_{view}.mp4", video
        times = [time(0), time(40), time(50)]
        tables["video_metadata"] += [[*play, view, *times] for view in VIEWS[1::-1]]
        tables["baseline_helmets"] += helmets(r, play, players)
        for step in range(4):
            for k, a in enumerate(players):
                for b in [*players[k + 1 :], "G"]:
                    pair = [f"{name}_{step}_{a}_{b}", name, time(step), step, a, b]
                    contact = r.random() < (0.25 if b == "G" else 0.1)
                    tables["labels"].append([*pair, int(contact)])
                tables["player_tracking"].append([*play, a, time(step), step, *tracked(r)])
    for name, header in HEADERS.items():
        yield csv_file(f"train_{name}.csv", header, tables[name])
        if name != "labels":
            rows = (row for row in tables[name] if row[0] == mock)
            yield csv_file(f"test_{name}.csv", header, rows)
    sample = ([row[0], 0] for row in tables["labels"] if row[1] == mock)
    yield csv_file("sample_submission.csv", "contact_id,contact", sample)
