"""What methods say of too short a series, counted."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.contract import DetectorError, TooShort
from detectors.least_lengths import least_lengths, too_short_for
from detectors.registry import get


@pytest.mark.parametrize("slug", ["exact-bayes", "georges", "kb-kssd", "kelly", "ruptures-pelt"])
def test_a_method_is_too_short_below_its_length_and_not_at_it(slug: str) -> None:
    least_length = least_lengths()[slug]
    values = np.random.default_rng(0).normal(10, 1, least_length)

    with pytest.raises(TooShort):
        get(slug)().answer(values[:-1])
    get(slug)().answer(values)


def test_methods_that_judge_one_value_or_lack_something_are_never_too_short() -> None:
    with pytest.raises(DetectorError, match="no settings"):
        get("developer")().answer(np.ones(1))

    assert (least_lengths()["fixed"], least_lengths()["developer"]) == (1, 1)


def test_the_count_follows_from_the_lengths() -> None:
    lengths = sorted(least_lengths().values())

    assert too_short_for(0).methods == len(lengths)
    assert too_short_for(lengths[-1]).methods == 0
    assert too_short_for(5) == (sum(length > 5 for length in lengths), len(lengths))
