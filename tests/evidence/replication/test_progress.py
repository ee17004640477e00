"""What a long computation says while it goes on."""

from __future__ import annotations

import io
from itertools import count

import pytest

from evidence.replication.progress import rough_duration, track_items


def test_a_long_computation_says_how_far_it_is_and_how_long_it_goes_on() -> None:
    seconds, stream = count(step=2), io.StringIO()

    items = list(
        track_items(range(1200), "forks", stream=stream, clock=lambda: float(next(seconds)))
    )

    lines = stream.getvalue().splitlines()
    assert items == list(range(1200))
    assert lines[0] == "forks: 2 of 1,200, about 40 min to go"
    assert lines[-1].endswith(" of 1,200, about 2 s to go")
    assert len(lines) == 400


def test_the_first_item_may_take_long_for_reasons_of_its_own() -> None:
    moments, stream = iter([0.0, 0.0, 600.0, 606.0, 612.0]), io.StringIO()

    list(track_items("abcd", "letters", stream=stream, clock=lambda: next(moments)))

    assert stream.getvalue().splitlines() == [
        "letters: 1 of 4",
        "letters: 2 of 4, about 12 s to go",
        "letters: 3 of 4, about 6 s to go",
    ]


def test_a_short_computation_says_nothing() -> None:
    stream = io.StringIO()

    assert list(track_items("abc", "letters", stream=stream, clock=lambda: 1.0)) == ["a", "b", "c"]
    assert not stream.getvalue()


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "1 s"), (89, "89 s"), (600, "10 min"), (3900, "1 h 5 min")]
)
def test_an_estimate_is_said_in_few_digits(seconds: float, words: str) -> None:
    assert rough_duration(seconds) == words
