"""Cost against length: one rule for every method, by the table that was measured."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.contract import MOST_SECONDS, Context, Detection, Detector, Source, TooLong, Values
from detectors.costs import cost_ratio, interpolate_cost, measured_costs
from detectors.registry import registry
from evidence.bench.growth import LENGTHS, MILLION
from evidence.bench.methods import measurable

BOUNDED = [slug for slug, detector in registry().items() if detector.longest is not None]


@pytest.mark.parametrize("slug", measurable())
def test_an_answer_takes_no_longer_than_the_bound(slug: str) -> None:
    """A method that reads any series has answered a million values; any other, its longest."""
    longest_length = registry()[slug].longest or MILLION

    assert measured_costs()[slug][longest_length] <= MOST_SECONDS


@pytest.mark.parametrize("slug", BOUNDED)
def test_a_method_that_could_answer_a_million_values_in_time_refuses_none(slug: str) -> None:
    assert interpolate_cost(measured_costs()[slug], MILLION) > MOST_SECONDS


@pytest.mark.parametrize("slug", measurable())
def test_every_length_of_the_table_below_the_bound_was_measured(slug: str) -> None:
    """From the first that is long enough for the method on."""
    cost = measured_costs()[slug]
    longest_length = registry()[slug].longest or MILLION

    assert {n for n in LENGTHS if min(cost) <= n <= longest_length} <= cost.keys()


class ReadsTen(Detector):
    slug, version = "reads-ten", "1"
    title, code = "Reads ten", "TEN"
    source = Source("this test")
    longest = 10

    def detect(self, values: Values, context: Context) -> Detection:
        return Detection(0)


def test_a_longer_series_is_too_long_at_once_wherever_it_is_asked() -> None:
    eleven = np.ones(11)

    assert ReadsTen().answer(eleven[:10]) == Detection(0)
    with pytest.raises(TooLong, match="too long: reads at most 10 values; got 11"):
        ReadsTen().answer(eleven)
    with pytest.raises(TooLong):
        ReadsTen().explained(eleven, Context())


@pytest.mark.parametrize("slug", BOUNDED)
def test_a_method_that_has_a_bound_keeps_it(slug: str) -> None:
    detector = registry()[slug]()
    assert detector.longest is not None

    with pytest.raises(TooLong) as error:
        detector.answer(np.ones(detector.longest + 1))

    assert (error.value.most, error.value.got) == (detector.longest, detector.longest + 1)


def test_costs_between_measured_lengths_follow_a_power() -> None:
    cost = {100: 1.0, 1_000: 100.0}

    assert interpolate_cost(cost, 300) == pytest.approx(9.0)
    assert interpolate_cost(cost, 10_000) == pytest.approx(10_000)
    assert cost_ratio("nobody-measured-it", 600, 300) == 2
    assert cost_ratio("cp-ssd", 30_000, 3_000) > 20
