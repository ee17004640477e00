"""Shares of stories that are right, by hand."""

from __future__ import annotations

import pytest

from detectors.contract import NEVER
from detectors.panel.panel_models import models_named
from detectors.panel.series_features import SeriesFeatures
from detectors.simulated.synthetic import simulate
from evidence.replication.story_sureness import ToldStory, shares_of, told_story


def test_decays_are_counted_apart() -> None:
    stories = [ToldStory(False, True, True), ToldStory(False, True, False)]
    stories += [ToldStory(True, False, False), ToldStory(True, True, True)]

    assert shares_of(stories) == (4, 0.75, 0.5, 0.5)


@pytest.mark.parametrize(
    ("low", "high", "right_flags"),
    [(0, 0, (True, True)), (51, 60, (True, False)), (NEVER, NEVER, (False, False))],
)
def test_a_story_is_right_near_its_interval(
    low: int, high: int, right_flags: tuple[bool, bool]
) -> None:
    features = SeriesFeatures.from_values(
        simulate("flat", n=200).values
    )  # so short that the story answers

    story = told_story(models_named("shipped"), None, features, low, high)

    assert story is not None
    assert (story.steady, story.near) == right_flags
