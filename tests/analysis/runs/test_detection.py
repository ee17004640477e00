"""A stored detection: its flags are words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from analysis.runs.models import Detection
from analysis.runs.models.detection import flag_words
from series.models import Series

FLAGS = (
    "",
    "seen",
    "unseen",
    "majority seen",
    "seen capped",
    "snapped unseen capped",
    "a seen b",
    "seen-before",
    "unseen seen",
)


@pytest.fixture
def flagged(make_series: Callable[..., Series]) -> None:
    series = make_series([1.0, 2.0])
    for number, flags in enumerate(FLAGS):
        Detection.objects.create(
            series=series, detector_key=f"m@{number}", slug="m", steady_start=0, flags=flags
        )


@pytest.mark.usefixtures("flagged")
@pytest.mark.parametrize(
    "words", [("seen",), ("unseen",), ("seen", "unseen"), ("capped",), ("see",), ("%",)]
)
def test_flags_are_found_as_words(words: tuple[str, ...]) -> None:
    detections = Detection.objects.flagged(*words).values_list("flags", flat=True)

    expected_flags = [flags for flags in FLAGS if not set(words).isdisjoint(flags.split(" "))]
    assert sorted(detections) == sorted(expected_flags)


def test_words_come_back_as_the_method_gave_them() -> None:
    assert [flag_words(flags) for flags in ("", "seen", "majority seen")] == [
        (),
        ("seen",),
        ("majority", "seen"),
    ]
