"""Simulated series are stored once, whichever version of the program drew them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from annotate.answering.simulated import make_series
from detectors.simulated import synthetic
from formats import FormatError
from people.models import Study
from series.models import Import, Series

WANTED = [("decay", 3), ("step", 4)]
make = partial(make_series, n=300, name="Set 1")


def test_made_again_they_are_the_same_rows(study: Study) -> None:
    first = make(study, WANTED)
    second_series = make(study, WANTED, level=synthetic.SECONDS)

    assert [simulated_series.series.pk for simulated_series in first] == [
        simulated_series.series.pk for simulated_series in second_series
    ]
    assert Import.objects.count() == 1


def test_older_installations_keep_theirs_with_all_digits(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older_patch:
        older_patch.setattr(synthetic, "round_shares", np.array)
        series_before = make(study, WANTED)
    simulated_values = synthetic.simulate("decay", n=300, seed=3).values
    assert not np.array_equal(series_before[0].series.array(), simulated_values)

    series_after = make(study, [*WANTED, ("drift", 5)])

    assert [simulated_series.series.pk for simulated_series in series_after[:2]] == [
        simulated_series.series.pk for simulated_series in series_before
    ]
    assert [
        (simulated_series.low, simulated_series.high) for simulated_series in series_after[:2]
    ] == [(simulated_series.low, simulated_series.high) for simulated_series in series_before]
    assert Series.objects.count() == 3


@pytest.mark.parametrize("other_options", [{"level": 2e-3}, {"n": 301}])
def test_other_values_under_a_name_that_is_taken_are_refused(
    study: Study, other_options: dict[str, Any]
) -> None:
    make(study, WANTED)

    with pytest.raises(FormatError, match="other values than are stored"):
        make(study, WANTED, **other_options)
