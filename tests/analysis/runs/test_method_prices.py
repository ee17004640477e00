"""Prices of methods: which are slow, and how the time bar is cut."""

from __future__ import annotations

import pytest

from analysis.runs.method_prices import MethodPrice, method_prices, time_bar
from analysis.runs.plan import RunPlan
from analysis.runs.timing import MethodTiming
from analysis.web.templatetags.run_figures import duration
from detectors.registry import registry

SERIES = 100


def plan_of(milliseconds: dict[str, float], stored_counts: dict[str, int] | None = None) -> RunPlan:
    """Plan of methods that take so long for each of 100 series of 3,000 values."""
    detectors = {slug: registry()[slug]() for slug in milliseconds}
    return RunPlan(
        detectors=tuple(detectors.values()),
        series_count=SERIES,
        stored_by_key={
            method.key: (stored_counts or {}).get(slug, 0) for slug, method in detectors.items()
        },
        timings={
            method.key: MethodTiming(milliseconds[slug]) for slug, method in detectors.items()
        },
        count_by_length={3000: SERIES},
    )


def slow_in(plan: RunPlan, worker_count: int = 1) -> set[str]:
    return {slug for slug, price in method_prices(plan, worker_count).items() if price.is_slow}


def test_slow_takes_ten_seconds_and_a_tenth_of_all() -> None:
    assert slow_in(plan_of({"kelly": 1, "ruptures-pelt": 200, "sdm": 1})) == {"ruptures-pelt"}
    assert slow_in(plan_of({"kelly": 1, "ruptures-pelt": 90})) == set()
    assert slow_in(plan_of({"kelly": 120, "ruptures-pelt": 5000})) == {"ruptures-pelt"}


def test_what_is_stored_costs_nothing() -> None:
    plan = plan_of({"kelly": 1, "ruptures-pelt": 200}, {"ruptures-pelt": SERIES})

    assert slow_in(plan) == set()
    assert method_prices(plan, 1)["ruptures-pelt"].seconds == 0


def test_workers_share_the_price() -> None:
    plan = plan_of({"kelly": 1, "ruptures-pelt": 200})
    lone_price, shared_price = (method_prices(plan, workers)["ruptures-pelt"] for workers in (1, 4))

    assert lone_price.seconds == pytest.approx(4 * shared_price.seconds)
    assert lone_price.is_slow
    assert not shared_price.is_slow


def test_the_bar_has_the_chosen_as_one_part_and_each_slow_one_left_out() -> None:
    prices = [
        MethodPrice(registry()["kelly"], 10, is_slow=False),
        MethodPrice(registry()["sdm"], 20, is_slow=False),
        MethodPrice(registry()["ruptures-pelt"], 65, is_slow=True),
        MethodPrice(registry()["fcn"], 5, is_slow=True),
    ]

    bar = time_bar(prices, ["kelly", "sdm"], {"fcn": "FCN", "ruptures-pelt": "PELT"})

    assert [(bar_part.start, bar_part.width) for bar_part in bar] == [(0, 30), (30, 5), (35, 65)]
    assert [bar_part.label for bar_part in bar] == ["2 methods", "", "PELT"]
    assert [bar_part.is_chosen for bar_part in bar] == [True, False, False]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 s"), (34.4, "34 s"), (84, "1 min 24 s"), (66, "1 min 06 s"), (7500, "2 h 5 min")],
)
def test_a_duration_is_said_to_the_second(seconds: float, words: str) -> None:
    assert duration(seconds).replace("\u00a0", " ") == words
