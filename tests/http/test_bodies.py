"""Memory that is lent and files that are remembered: nobody's bytes are written over."""

from __future__ import annotations

from mlebench.http.bodies import SMALLEST, Bodies
from mlebench.validation.recent import REMEMBERED_BYTES, Recent
from mlebench.validation.validator import Verdict

GOOD, BAD = Verdict(True, "good", None), Verdict(False, "bad", None)


def test_an_array_is_lent_again_unless_somebody_still_looks_at_it() -> None:
    bodies = Bodies()
    first = bodies.take(SMALLEST)
    bodies.give_back(first)
    assert bodies.take(SMALLEST + 7) is first
    assert len(first) == SMALLEST + 7
    view = memoryview(first)[5:9]
    bodies.give_back(first)
    assert bodies.take(SMALLEST) is not first
    view.release()
    bodies.give_back(first)
    assert bodies.take(SMALLEST) is first


def test_files_are_compared_whole_and_where_they_lie() -> None:
    recent = Recent()
    body = bytearray(b"head" + b"1" * 2000 + b"end")
    place = slice(4, 2004)
    recent.add(body, place, GOOD)
    assert recent.find(bytearray(body), place).verdict is GOOD  # type: ignore[union-attr]
    for changed in (4, 700, 1500, 2003):
        other = bytearray(body)
        other[changed] = ord("2")
        assert recent.find(other, place) is None
        recent.add(other, place, BAD)
        assert recent.find(other, place).verdict is BAD  # type: ignore[union-attr]
    # The same bytes stand in this one, but before the file.
    twice = bytearray(body + b"1" * 1000 + b"2" + b"1" * 999)
    assert recent.find(twice, slice(2007, 4007)) is None


def test_the_oldest_files_are_forgotten() -> None:
    recent = Recent()
    size = REMEMBERED_BYTES // 4
    bodies = [bytearray(b"%d" % k + bytes(size - 1)) for k in range(5)]
    for body in bodies:
        recent.add(body, slice(0, 10), GOOD)
    found = [recent.find(body, slice(0, 10)) is not None for body in bodies]
    assert found == [False, True, True, True, True]
    recent.add(bytearray(REMEMBERED_BYTES + 1), slice(0, 10), GOOD)
    assert recent.find(bodies[-1], slice(0, 10)) is not None
