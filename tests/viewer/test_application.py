"""Every address of the viewer, over honest, damaged and hostile runs."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mlebench.catalogue import Catalogue
from tests.results.made_runs import make_group
from tests.viewer.running import Viewer, running_viewer


def places(viewer: Viewer, agent: str = "aide") -> list[dict[str, Any]]:
    """The runs of an agent, as a page would find them in the index."""
    index = viewer.get("/api/index")
    runs = index["runs"]
    found = []
    for k, place in enumerate(runs["group"]):
        group = index["groups"][place]
        if group["agent"] == agent:
            facts = {name: runs[name][k] for name in runs}
            found.append(facts | {"group": group["id"], "row": k})
    return found


def first_run(viewer: Viewer, agent: str = "aide", view: str = "") -> str:
    run = places(viewer, agent)[0]
    return viewer.run_path(run["group"], run["key"], view)


def test_index_has_every_run_in_columns(viewer: Viewer) -> None:
    index = viewer.get("/api/index")
    runs = index["runs"]
    assert {len(column) for column in runs.values()} == {21}
    assert [group["agent"] for group in index["groups"]][:2] == ["aide", "tree"]
    # Seed by seed, in the order of the outcomes of the group.
    assert runs["outcome"][:9] == "Gxr-!!Sc."
    aide = index["groups"][0]
    assert aide["counts"] == {"done": 4, "running": 1, "failed": 2, "waiting": 1, "cancelled": 1}
    assert aide["medals"]["gold"] == 1 and aide["medals"]["silver"] == 1
    assert (aide["graded"], aide["total"], aide["invalid"]) == (4, 9, 1)
    assert "incomplete" in aide["flags"]
    names = [competition["id"] for competition in index["competitions"]]
    assert names[runs["competition"][0]] == "spaceship-titanic"
    titanic = index["competitions"][runs["competition"][0]]
    assert (titanic["teams"], titanic["bronze"]) == (2288, 0.80967)
    invalid = index["reasons"][runs["reason"][1]]
    assert invalid.startswith("submission has 98 rows")


def test_damaged_run_is_a_row_with_its_reason(viewer: Viewer) -> None:
    (damaged,) = [run for run in places(viewer) if run["state"] == "damaged"]
    reason = viewer.get("/api/index")["reasons"][damaged["reason"]]
    assert reason.startswith("run.json is damaged: ")
    page = viewer.get(viewer.run_path(damaged["group"], damaged["key"]))
    assert page["run"] is None and "run.json cannot be read" in page["problem"]
    assert viewer.get(viewer.run_path(damaged["group"], damaged["key"], "/log"))["total"] > 0


def test_group_page(viewer: Viewer) -> None:
    group = viewer.get("/api/index")["groups"][0]["id"]
    page = viewer.get(f"/api/g/{group}")
    assert page["group"]["settings"]["hours"] == 24
    assert "mlebench run --agent aide" in page["group"]["command"]
    assert "-c spaceship-titanic" in page["group"]["command"]
    (split,) = page["splits"]
    # Seed 0: gold, invalid, running; seed 1: below, failed, damaged.
    assert split["measures"]["gold_medal"]["values"][:2] == pytest.approx([100 / 3, 0])
    assert set(page["plots"]) == set(page["tables"]) == {"medal_rate", "timeline", "cost"}
    assert all(plot.startswith("<svg") for plot in page["plots"].values())


def test_run_page(viewer: Viewer) -> None:
    page = viewer.get(first_run(viewer))
    assert page["run"]["state"] == "finished" and page["report"]["gold_medal"] is True
    assert page["to_next_medal"] is None
    assert page["neighbours"]["previous"] is None
    assert page["neighbours"]["next"] == places(viewer)[1]["key"]
    assert {log["name"] for log in page["logs"]} >= {"agent.log", "logs/training.log"}
    assert page["has"] == {"trajectory": True, "tree": True, "files": True}
    assert set(page["plots"]) == {"rank", "hours"}
    assert page["validations"][0]["valid"] is False
    assert page["snapshots"] == sorted(page["snapshots"], key=lambda snapshot: snapshot["seconds"])
    assert "-c spaceship-titanic" in page["command"]


def test_run_is_found_by_its_whole_name_and_no_other(viewer: Viewer) -> None:
    run = places(viewer)[0]
    whole = viewer.get(viewer.run_path(run["group"], run["key"]))["run"]["run_id"]
    assert viewer.get(viewer.run_path(run["group"], whole))["key"] == run["key"]
    answer = viewer.ask(viewer.run_path(run["group"], run["key"][:-1] + "z"))
    assert answer.status == 404
    message = answer.data["error"]["message"]
    assert message.startswith("there is no run") and run["key"] in message, "the nearest is told"
    assert "aide" in viewer.ask(f"/api/g/{run['group'][:-1]}").data["error"]["message"]


def test_distance_to_the_next_medal(viewer: Viewer) -> None:
    run = next(run for run in places(viewer) if run["outcome"] == "S")
    page = viewer.get(viewer.run_path(run["group"], run["key"]))
    cut = page["competition"]["gold"]
    difference = pytest.approx(abs(cut - run["score"]))
    assert page["to_next_medal"] == {"medal": "gold", "difference": difference, "score": cut}


def test_log_pages(viewer: Viewer) -> None:
    path = first_run(viewer, view="/log")
    tail = viewer.get(f"{path}?tail=3")
    assert tail["first"] + 3 == tail["total"] and len(tail["lines"]) == 3
    assert viewer.get(f"{path}?from=5&count=1")["lines"] == [{"text": "epoch 5: 100 %"}]
    assert tail["complete"] is True
    running = next(run for run in places(viewer) if run["state"] == "running")
    page = viewer.get(viewer.run_path(running["group"], running["key"], "/log"))
    assert page["complete"] is False
    assert viewer.get(f"{path}?name=logs/training.log")["total"] == 22
    for name in ("../run.json", "logs/../run.json", "run.json", "host/report.json", "logs"):
        assert viewer.ask(f"{path}?name={name}").status == 404


def test_log_search(viewer: Viewer) -> None:
    path = first_run(viewer, view="/log")
    lines = [line["text"] for line in viewer.get(f"{path}?from=0&count=1000")["lines"]]
    found = viewer.get(f"{path}?search=fold%203")
    assert found["hits"] == [k for k, line in enumerate(lines) if "fold 3" in line]
    assert found["total_hits"] == len(found["hits"])
    assert viewer.get(f"{path}?search=FOLD%203")["hits"] == []
    assert viewer.get(f"{path}?search=FOLD%203&ignore_case=1")["hits"] == found["hits"]
    errors = viewer.get(f"{path}?errors=1")["hits"]
    assert [lines[k].split()[0] for k in errors][:2] == ["Traceback", "ValueError:"]
    assert viewer.ask(f"{path}?search=").status == 400
    assert viewer.ask(f"{path}?from=x").status == 400


def test_trajectory(viewer: Viewer) -> None:
    path = first_run(viewer, view="/trajectory")
    page = viewer.get(f"{path}?from=0&count=2")
    assert page["total"] == 6
    first, second = page["steps"]
    assert [m["role"] for m in first["messages"]] == ["system", "user", *["assistant"] * 3]
    # The second request repeats all of it; only the tool's answer is new.
    assert [m["kind"] for m in second["messages"]] == [
        "tool_result",
        "reasoning",
        "text",
        "tool_call",
    ]
    assert second["messages"][-1]["name"] == "bash"
    assert viewer.get(f"{path}?from=1&count=1")["steps"] == [second]
    columns = viewer.get(f"{path}?outline=1")
    assert len(columns["title"]) == 6 and columns["title"][1].startswith("Step 1: look at fold 1.")
    assert columns["tokens_in"][0] == first["tokens_in"] == 1201


def test_tree(viewer: Viewer) -> None:
    tree = viewer.get(first_run(viewer, view="/tree"))
    assert len(tree["nodes"]) == 12 and tree["nodes"][0]["stage"] == "draft"


def test_files(viewer: Viewer) -> None:
    path = first_run(viewer)
    listed = viewer.get(f"{path}/files")
    kinds = {entry["path"]: entry["kind"] for entry in listed["entries"]}
    assert kinds["code/notes"] == "folder" and kinds["code/notes/plan.md"] == "file"
    assert listed["truncated"] is False
    code = viewer.get(f"{path}/file?path=code/solution.py")
    assert (code["kind"], code["language"]) == ("text", "python")
    assert code["lines"][2] == {"text": "import pandas as pd"}
    table = viewer.get(f"{path}/file?path=submission/submission.csv")
    assert (table["kind"], table["columns"], table["rows"]) == ("csv", ["id", "target"], 200)
    assert table["head"][0] == ["id_0", "0"] and table["tail"][-1] == ["id_199", "1"]
    assert len(table["head"]) == 50 and len(table["tail"]) == 20


def test_submission_beside_the_sample(made: Path, tmp_path: Path, prepared: Catalogue) -> None:
    with running_viewer(made, tmp_path, catalogue=prepared) as viewer:
        found = viewer.get(first_run(viewer, view="/submission"))
        assert found["exists"] and found["is_sealed"] and found["rows"] == 200
        assert found["expected"]["columns"] == ["PassengerId", "Transported"]
        assert found["differences"][0] == "columns are missing: PassengerId, Transported"
        assert found["report"]["valid_submission"] is True
        assert found["validation"] is not None
        nothing = next(run for run in places(viewer, "tree") if run["outcome"] == "x")
        path = viewer.run_path(nothing["group"], nothing["key"], "/submission")
        assert viewer.get(path)["exists"] is False


def test_competition_page(viewer: Viewer) -> None:
    page = viewer.get("/api/c/spaceship-titanic")
    outcomes = viewer.get("/api/index")["runs"]["outcome"]
    assert "".join(outcomes[k] for k in page["runs"])[:3] == "G-S"
    assert page["thresholds"]["teams"] == 2288
    assert page["plots"]["rank"].startswith("<svg")
    answer = viewer.ask("/api/c/spaceship-titanc")
    assert answer.status == 404 and "spaceship-titanic" in answer.data["error"]["message"]


def test_compare(viewer: Viewer) -> None:
    found = viewer.get("/api/compare?a=aide&b=tree")
    assert [side["agent"] for side in found["sides"]] == ["aide", "tree"]
    rows = {row["competition"]: row for row in found["rows"]}
    titanic = rows["spaceship-titanic"]
    assert [cell["outcome"] for cell in titanic["a"]] == ["G", "-", "S"]
    assert [cell["outcome"] for cell in titanic["b"]] == ["B", "B", "B"]
    assert titanic["difference"] == pytest.approx(100 / 3)
    assert -100 <= titanic["low"] < 100 / 3 < titanic["high"] <= 100
    assert found["overall"]["difference"] == pytest.approx(
        sum(row["difference"] for row in found["rows"]) / 3
    )
    assert {one["name"] for one in found["differing_settings"]} == {"agent", "agent_digest"}
    group = found["sides"][0]["groups"][0]
    three = viewer.get(f"/api/compare?a={group}&b=tree&c=aide")
    assert [pair["b"] for pair in three["pairs"]] == ["tree", "aide"]
    assert three["pairs"][1]["overall"]["difference"] == 0
    assert viewer.ask("/api/compare?a=aide").status == 400
    assert viewer.ask("/api/compare?a=aide&b=aid").status == 404


@pytest.fixture(scope="module")
def revisions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    """An agent with two groups of v1 and one of v1.1, and an agent with one of v1.1."""
    runs = tmp_path_factory.mktemp("runs")
    ids = ["spaceship-titanic", "leaf-classification"]
    make_group(runs, "aide", ids, outcomes=["gold"])
    make_group(runs, "aide", ids, number=1, outcomes=["gold"])
    for number, agent in ((2, "aide"), (3, "tree")):
        fixed = {"revision": "v1.1"}
        make_group(runs, agent, ids, number=number, outcomes=["below"], settings=fixed)
    with running_viewer(runs, tmp_path_factory.mktemp("cache")) as running:
        yield running


def test_groups_of_two_revisions_are_not_compared(revisions: Viewer) -> None:
    old, _, fixed, _ = (group["id"] for group in revisions.get("/api/index")["groups"])
    found = revisions.get(f"/api/compare?a={old}&b={fixed}")
    assert [side["revision"] for side in found["sides"]] == ["v1", "v1.1"]
    assert found["overall"] is None
    assert "revision (v1 and v1.1)" in found["problem"]
    assert [cell["outcome"] for cell in found["rows"][0]["a"]] == ["G"]
    for row in found["rows"]:
        assert (row["difference"], row["low"], row["high"]) == (None, None, None)


def test_an_agent_is_another_one_in_each_revision(revisions: Viewer) -> None:
    agents = [group["agent"] for group in revisions.get("/api/index")["groups"]]
    assert agents == ["aide (v1)", "aide (v1)", "aide (v1.1)", "tree (v1.1)"]
    found = revisions.get("/api/compare?a=aide%20(v1.1)&b=tree%20(v1.1)")
    assert [len(side["groups"]) for side in found["sides"]] == [1, 1]
    assert found["overall"]["denominator"].endswith("revision v1.1")
    assert found["overall"]["difference"] == 0
    answer = revisions.ask("/api/compare?a=aide&b=tree")
    assert answer.status == 404 and "aide (v1.1)" in answer.data["error"]["message"]
    table = revisions.get("/api/c/leaf-classification")["tables"]["rank"]
    assert {row[0] for row in table["rows"]} >= {*agents}
    cost = revisions.get(f"/api/g/{revisions.get('/api/index')['groups'][0]['id']}")["tables"]
    assert {row[0] for row in cost["cost"]["rows"]} <= {*agents}


def test_full_text(viewer: Viewer) -> None:
    found = viewer.get("/api/search?q=look%20at%20fold%203")
    assert {hit["where"] for hit in found["hits"]} == {"trajectory"}
    assert {hit["step"] for hit in found["hits"]} == {3}, "later requests only repeat it"
    assert found["truncated"] is False and found["searched_bytes"] > 1000
    lines = viewer.get("/api/search?q=could%20not%20convert")["hits"]
    hit = lines[0]
    path = viewer.run_path(hit["group"], hit["key"], f"/log?from={hit['line']}&count=1")
    assert "could not convert" in viewer.get(path)["lines"][0]["text"]
    assert {hit["name"] for hit in lines} == {"agent.log", "logs/training.log"}
    assert viewer.get("/api/search?q=")["hits"] == []


def test_pages_and_static_files(viewer: Viewer) -> None:
    for path in ("/", "/g/x", "/g/x/r/y/log", "/c/z", "/compare?a=1", "/search?q=1"):
        answer = viewer.ask(path)
        assert answer.status == 200 and answer.body.startswith(b"<!doctype html>")
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
    assert viewer.ask("/static/tokens.css").headers["content-type"].startswith("text/css")
    for name in ("nothing.js", "..%2fapplication.py", "%2e%2e/application.py", ""):
        assert viewer.ask(f"/static/{name}").status == 404


def test_head_and_compression(viewer: Viewer) -> None:
    plain = viewer.ask("/api/index")
    packed = viewer.ask("/api/index", Accept_Encoding="gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    head = viewer.ask("/api/index", "HEAD")
    assert (head.status, head.body) == (200, b"")
    assert int(head.headers["content-length"]) == len(plain.body)


def test_one_group_alone(made: Path, tmp_path: Path) -> None:
    name = sorted(path.name for path in made.iterdir())[1]
    with running_viewer(made, tmp_path, only=name) as viewer:
        assert [group["id"] for group in viewer.get("/api/index")["groups"]] == [name]
        assert viewer.ask(f"/api/g/{sorted(p.name for p in made.iterdir())[0]}").status == 404


def test_unknown_addresses_and_numbers(viewer: Viewer) -> None:
    for path in ("/api", "/api/", "/api/nothing", "/api/g", "/raw/g/x/r/y?path=code/a"):
        assert viewer.ask(path).status == 404
    fields = "&".join(f"a{k}=1" for k in range(100))
    assert viewer.ask(f"/api/index?{fields}").status == 400


def test_foreign_metadata_and_records(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    group = make_group(runs, "aide", ["spaceship-titanic"], seeds=6, outcomes=["gold"])
    records = sorted(group.path.glob("*/run.json"))
    records[0].write_text("[]")
    records[1].write_text(json.dumps({"schema": 99}))
    records[2].write_text("[" * 100_000)
    broken = json.loads(records[3].read_text()) | {"seconds": "x", "model": [], "validations": {}}
    records[3].write_text(json.dumps(broken))
    (records[4].parent / "host" / "report.json").write_text('{"score": NaN, "valid_submission": 1}')
    nested = json.loads(records[5].read_text())
    nested["sandbox"] = json.loads('{"a":' * 600 + "1" + "}" * 600)
    records[5].write_text(json.dumps(nested))
    for name, text in (("a", "{}"), ("b", "[" * 100_000), ("c", '{"runs": [{"run_id": "../x"}]}')):
        (runs / name).mkdir()
        (runs / name / "metadata.json").write_text(text)
    (runs / "d").mkdir()
    with running_viewer(runs, tmp_path / "cache") as viewer:
        index = viewer.get("/api/index")
        problems = {g["id"]: g["problem"] for g in index["groups"]}
        assert "d" not in problems
        assert all("metadata.json is damaged" in problems[name] for name in "abc")
        assert sorted(index["runs"]["outcome"]) == sorted("!!!!!G")
        reasons = [index["reasons"][number] for number in index["runs"]["reason"] if number >= 0]
        assert sum("run.json is damaged" in reason for reason in reasons) == 3
        assert sum("newer mlebench" in reason for reason in reasons) == 1
        assert sum("report.json is damaged" in reason for reason in reasons) == 1
        for name in "abc":
            assert viewer.get(f"/api/g/{name}")["group"]["problem"]
        replies = [viewer.ask(viewer.run_path(group.path.name, k)) for k in index["runs"]["key"]]
        # How deep a record may be depends on the version of Python.
        *shown, deep = sorted(replies, key=lambda reply: reply.status)
        assert [reply.status for reply in shown] == [200] * 5
        if deep.status != 200:
            assert deep.status == 400
            assert deep.data["error"]["message"] == "a record is nested too deeply to be shown"
