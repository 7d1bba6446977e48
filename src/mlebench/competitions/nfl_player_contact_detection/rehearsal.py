"""Rehearsal data: football plays with contacts per pair of players, tracking, helmets, videos."""

from itertools import product

from mlebench.rehearsal import Blob, Choice, Making, Parts, Real, Several, Text, Whole, csv_file
from mlebench.rehearsal.declared import raw_data

HEADERS = {
    "labels": "contact_id,game_play,datetime,step,nfl_player_id_1,nfl_player_id_2,contact",
    "baseline_helmets": "game_play,game_key,play_id,view,video,frame,nfl_player_id,player_label,"
    "left,width,top,height",
    "player_tracking": "game_play,game_key,play_id,nfl_player_id,datetime,step,team,position,"
    "jersey_number,x_position,y_position,speed,distance,direction,orientation,acceleration,sa",
    "video_metadata": "game_play,game_key,play_id,view,start_time,end_time,snap_time",
}
VIEWS = ["Sideline", "Endzone", "All29"]
VIDEO = Blob(40, b"\x00\x00\x00\x18ftypmp42")
LABEL = Text("{}{:02d}", Choice(*"HV"), Whole(0, 99))
HELMET = Several(LABEL, Whole(0, 1200), Whole(10, 40), Whole(0, 700), Whole(10, 40))
DECIMALS = [Real(0, top, form="{:.2f}") for top in (120, 53, 10, 1, 360, 360, 8)]
# Up to 22 decimals, where quick float parsers differ from exact ones; and gaps.
SIDEWAYS = Text(Choice("{0}", "{1:.22f}", "{2:.2f}", ""), Real(-5, 5), Real(-5, 5), Real(0, 3))
PLAYER = Several(SIDEWAYS, Choice("home", "away"), Choice("QB", "CB", "T"), Whole(1, 99), *DECIMALS)


def time(step: int) -> str:
    return f"2020-09-11T03:01:{44 + step // 10:02d}.{step % 10}00Z"


@raw_data("plays")
def make_raw(making: Making) -> Parts:
    r, tables = making.r, {name: list[list[object]]() for name in HEADERS}
    plays = [(r.randrange(58100, 58600), r.randrange(40, 4800)) for _ in range(14 * making.scale)]
    mock = f"{plays[0][0]}_{plays[0][1]:06d}"  # Kaggle's test is a copy of a train play
    for key, number in plays:
        name = f"{key}_{number:06d}"
        play, players = [name, key, number], sorted(r.sample(range(30000, 54000), 5))
        for view in VIEWS:
            video = VIDEO(r)
            for part in ["train", "test"] if name == mock else ["train"]:
                yield f"{part}/{name}_{view}.mp4", video
        views, times = VIEWS[1::-1], [time(0), time(40), time(50)]
        tables["video_metadata"] += [[*play, view, *times] for view in views]
        for view, frame, player in product(views, (290, 291), players[:3]):
            row = [*play, view, f"{name}_{view}.mp4", frame, player, *HELMET(r)]
            tables["baseline_helmets"].append(row)
        for step in range(4):
            for k, a in enumerate(players):
                for b in [*players[k + 1 :], "G"]:
                    pair = [f"{name}_{step}_{a}_{b}", name, time(step), step, a, b]
                    contact = r.random() < (0.25 if b == "G" else 0.1)
                    tables["labels"].append([*pair, int(contact)])
                sideways, *tracked = PLAYER(r)
                row = [*play, a, time(step), step, *tracked, sideways]
                tables["player_tracking"].append(row)
    for name, header in HEADERS.items():
        yield csv_file(f"train_{name}.csv", header, tables[name])
        if name != "labels":
            rows = (row for row in tables[name] if row[0] == mock)
            yield csv_file(f"test_{name}.csv", header, rows)
    sample = ([row[0], 0] for row in tables["labels"] if row[1] == mock)
    yield csv_file("sample_submission.csv", "contact_id,contact", sample)
