"""A bounded share of the fuzz campaign, and the cases that it found before."""

from __future__ import annotations

import csv
import io
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.catalogue import Catalogue
from mlebench.http.messages import RequestRefused
from mlebench.http.parsing import MAX_HEAD_BYTES, find_head_end, parse_head
from mlebench.validation.multipart import FormError, find_file
from tests.fuzz.campaign import Target
from tests.fuzz.checker import Checker
from tests.fuzz.mutations import MUTATIONS, mutated
from tests.fuzz.targets import CORPUS, TARGETS

SHARE = 150
SAMPLE = b"id,x\n007,0.5\n8,1.25\n"
FOUND = [
    b"id,x\n7,True\n8,False\n",
    b"id,x\n7,0.5\n8,\n",
    b"id,x\n7,null\n8,0.5\n",
    b"id,x\n7,-Infinity\n8,0.5\n",
    b"id,x\n7,0.5\n\xe2\x80\x8b8,0.5\n",
    b"id,x\n7,0.5\n7,0.5\n8,0.5\n",
    b"id,x,y\n7,0.5,1\n8,0.5,1\n",
    b"id,x,x\n7,0.5,1\n8,0.5,1\n",
    b"id,x\n7,0.5,1\n8,0.5,1\n",
    b"id,x\n7,0.5\n8\n",
    b"id,x\n7,0x10\n8,0.5\n",
]


@pytest.mark.parametrize("competition_id", ["spaceship-titanic", "leaf-classification"])
def test_any_bytes_get_a_score_or_a_sentence(competition_id: str, prepared: Catalogue) -> None:
    target = Target(prepared.get_competition(competition_id))
    seed = 1  # `make fuzz` takes others; a test is to be repeatable
    for number in range(SHARE):
        assert target.problems(target.data(seed, number)) == [], (seed, number)


@settings(max_examples=60)
@given(st.binary(max_size=300))
def test_arbitrary_bytes_get_a_score_or_a_sentence(prepared: Catalogue, data: bytes) -> None:
    target = _target(prepared)
    assert target.problems(data) == []
    assert target.problems(b"PassengerId,Transported\n" + data) == []


_targets: dict[str, Target] = {}


def _target(catalogue: Catalogue) -> Target:
    name = "spaceship-titanic"
    return _targets.setdefault(name, Target(catalogue.get_competition(name)))


@pytest.mark.parametrize("data", FOUND)
def test_the_checker_refuses_what_is_surely_wrong(data: bytes) -> None:
    checker = Checker.from_sample(SAMPLE)
    assert checker.problem(data)
    assert checker.problem(SAMPLE) is None
    assert checker.problem(b"x,id\n1,7\n2.5,8\n") is None


def test_every_mutation_changes_something() -> None:
    lines = SAMPLE.strip().split(b"\n") * 3
    for mutation in MUTATIONS:
        rng = random.Random(1)
        assert any(mutation(list(lines), rng) != lines for _ in range(50)), mutation.__name__
    assert mutated(SAMPLE, random.Random(5)) == mutated(SAMPLE, random.Random(5))


@settings(max_examples=300)
@given(
    st.binary(max_size=400), st.sampled_from([b"GET / HTTP/1.1\r\n", b"POST /validate HTTP", b""])
)
def test_any_head_is_parsed_or_refused(data: bytes, start: bytes) -> None:
    try:
        end = find_head_end(start + data, 0)
        if end:
            head = parse_head((start + data)[:end])
            assert head.body_bytes >= 0
            assert len(head.path) <= MAX_HEAD_BYTES
    except RequestRefused as refused:
        assert 400 <= refused.status < 500


@settings(max_examples=300)
@given(st.binary(max_size=80), st.binary(max_size=400))
def test_any_form_has_a_file_or_is_refused(kind: bytes, body: bytes) -> None:
    for content_type in (kind, b"multipart/form-data; boundary=" + kind):
        try:
            place = find_file(content_type, body)
        except FormError:
            continue
        assert 0 <= place.start <= place.stop <= len(body)


def test_the_checker_reads_as_the_csv_module() -> None:
    rows = list(csv.reader(io.StringIO(SAMPLE.decode())))
    assert rows[1:] == [["007", "0.5"], ["8", "1.25"]]


@pytest.mark.parametrize("name", TARGETS)
def test_the_corpus_of_a_target_is_parsed_or_refused(name: str) -> None:
    files = sorted((CORPUS / name).iterdir())
    assert len(files) > 1
    for file in files:
        TARGETS[name](file.read_bytes())
