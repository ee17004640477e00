"""Trends: the groups are those of the package, and every word about a change has its rule."""

from __future__ import annotations

import jumpavg as package
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import Values
from detectors.trends.trend import Trend, TrendChange, trend_of
from detectors.trends.trend_groups import USUAL, NoTrend, TrendPrecision
from tests.published_data import carried_vectors

PACKAGE_PRECISION = TrendPrecision(bits=12.0)  # groups of the package


def nightly(
    levels: list[float],
    *,
    better: bool = False,
    noise: float = 0.002,
    least_builds: int = 1,
    precision: TrendPrecision = USUAL,
) -> Trend:
    """The trend of one recording a day at these levels, times a little noise."""
    ripple = np.random.default_rng(len(levels)).normal(1, noise, len(levels))
    days = np.arange(len(levels), dtype=np.float64)
    return trend_of(
        np.array(levels) * ripple,
        days,
        higher_is_better=better,
        precision=precision,
        least_builds=least_builds,
    )


def changes_of(trend: Trend) -> list[tuple[int, str, str, int | None]]:
    return [(jump.at, jump.kind, jump.pattern, jump.partner) for jump in trend.jumps]


def package_groups(values: Values) -> list[tuple[int, int, float]]:
    groups, start = [], 0
    for group in package.classify(values.tolist()):
        groups.append((start, start + group.stats.size, group.stats.avg))
        start += group.stats.size
    return groups


def test_groups_and_words_of_every_vector_of_the_package() -> None:
    vectors = carried_vectors("jumpavg")
    cases = [case for case in vectors["cases"] if not case["params"]]
    for case in cases:
        values = np.array(case["values"])

        trend = trend_of(
            values,
            np.arange(float(values.size)),
            higher_is_better=True,
            precision=PACKAGE_PRECISION,
        )

        groups = case["groups"]
        assert [(group.start, group.size, group.mean) for group in trend.groups] == [
            (group["start"], group["size"], group["avg"]) for group in groups
        ]
        changes = [
            (group["start"], group["comment"]) for group in groups if group["comment"] != "normal"
        ]
        assert [(jump.at, jump.kind) for jump in trend.jumps] == changes
    assert len(cases) > 5


@settings(max_examples=40)
@given(arrays(np.float64, st.integers(1, 30), elements=st.floats(0.5, 2.0, width=16)))
def test_groups_are_those_of_the_package(values: Values) -> None:
    trend = trend_of(
        values, np.arange(float(values.size)), higher_is_better=False, precision=PACKAGE_PRECISION
    )

    assert [(group.start, group.stop, group.mean) for group in trend.groups] == package_groups(
        values
    )
    assert sum(group.size for group in trend.groups) == values.size


@pytest.mark.parametrize("better", [False, True])
def test_the_unit_says_which_way_is_better(better: bool) -> None:  # noqa: FBT001  # drawn
    slower_trend = nightly([10.0] * 20 + [12.0] * 5, better=better)

    (jump,) = slower_trend.jumps
    assert jump.kind == ("progression" if better else "regression")
    assert (jump.at, jump.pattern) == (20, "ordinary")
    assert jump.share == pytest.approx(0.2, abs=0.005)
    assert slower_trend.last_size == 5


def test_a_regression_of_this_week_is_fresh_and_counts_against_the_long_term() -> None:
    trend = nightly([10.0] * 20 + [12.0] * 3)

    assert trend.fresh_regression == trend.jumps[-1]
    assert trend.best == trend.groups[0].mean
    assert trend.best_at == 15  # the newest recording that is a week old
    assert trend.below_best == trend.against == pytest.approx(0.2, abs=0.005)
    assert trend.loss == trend.below_best


def test_after_a_week_it_is_no_news_but_still_a_loss() -> None:
    trend = nightly([10.0] * 20 + [12.0] * 20)

    assert trend.fresh_regression is None
    assert trend.below_best == pytest.approx(0.2, abs=0.005)


def test_after_a_quarter_the_old_level_is_forgotten() -> None:
    trend = nightly([10.0] * 20 + [12.0] * 100)

    assert trend.below_best == 0.0
    assert trend.loss == trend.jumps[-1].loss == pytest.approx(0.2, abs=0.005)


def test_a_gain_of_the_last_week_is_not_yet_the_best() -> None:
    trend = nightly([10.0] * 20 + [8.0] * 4)

    assert trend.best == trend.groups[0].mean
    assert trend.against == pytest.approx(-0.2, abs=0.005)
    assert trend.below_best == 0.0
    assert trend.count("progression") == 1


def test_within_the_first_week_there_is_no_long_term() -> None:
    trend = nightly([10.0] * 4 + [12.0] * 3)

    assert (trend.best, trend.best_at, trend.against) == (None, None, None)
    assert trend.loss == pytest.approx(0.2, abs=0.005)


def test_a_change_and_the_way_back_are_a_pair() -> None:
    trend = nightly([10.0] * 15 + [13.0] * 4 + [10.0] * 12)

    assert changes_of(trend) == [
        (15, "regression", "reverted", 19),
        (19, "progression", "reversal", 15),
    ]
    assert (trend.loss, trend.fresh_regression) == (0.0, None)


def test_back_and_beyond_is_a_change_of_its_own() -> None:
    trend = nightly([10.0] * 15 + [11.0] * 8 + [8.0] * 12)

    assert changes_of(trend) == [
        (15, "regression", "reverted", 23),
        (23, "progression", "ordinary", None),
    ]


def test_two_steps_the_same_way_are_two_ordinary_changes() -> None:
    trend = nightly([10.0] * 15 + [11.0] * 8 + [12.5] * 12)

    assert [jump.pattern for jump in trend.jumps] == ["ordinary", "ordinary"]


@pytest.mark.parametrize("precision", [USUAL, PACKAGE_PRECISION])
def test_a_change_below_one_percent_is_small_and_no_loss(precision: TrendPrecision) -> None:
    levels = [10.0] * 40 + [10.05] * 40

    trend = nightly(levels, noise=0.0004, precision=precision)

    assert changes_of(trend) == [(40, "regression", "small", None)]
    assert (trend.fresh_regression, trend.jumps[-1].loss) == (None, 0.0)


def test_a_small_change_hides_no_regression_of_the_week() -> None:
    trend = nightly([10.0] * 40 + [11.0] * 4 + [11.07] * 3, noise=0.0002)

    assert changes_of(trend) == [
        (40, "regression", "ordinary", None),
        (44, "regression", "small", None),
    ]
    assert trend.fresh_regression == trend.last_change == trend.jumps[0]
    assert trend.loss == pytest.approx(0.1, abs=0.01)


def test_an_alarm_does_not_end_just_below_one_percent() -> None:
    values = np.r_[np.tile([0.9995, 1.0005], 15), [1.013] * 3, [1.007] * 9]

    trends = [
        trend_of(values[:stop], np.arange(float(stop)), higher_is_better=False)
        for stop in range(33, values.size + 1)
    ]

    assert trends[-1].jumps[0].share < 0.01
    assert {trend.jumps[0].pattern for trend in trends} == {"ordinary"}


@pytest.mark.parametrize(
    ("least_builds", "pattern", "counts"),
    [(1, "ordinary", True), (2, "ordinary", True), (3, "short", False), (50, "short", False)],
)
def test_a_level_of_fewer_recordings_than_asked_does_not_count(
    least_builds: int,
    pattern: str,
    counts: bool,  # noqa: FBT001
) -> None:
    trend = nightly([1.0] * 20 + [1.3] * 2, least_builds=least_builds)

    assert changes_of(trend) == [(20, "regression", pattern, None)]
    assert (trend.fresh_regression is not None) == counts
    assert [group.start for group in trend.groups] == [0, 20]


def test_one_recording_alone_is_short_where_two_are_asked_for_and_hides_no_news() -> None:
    steps = [1.0] * 20 + [1.3] * 3 + [1.6]

    trend = nightly(steps, least_builds=2)

    assert changes_of(trend) == [
        (20, "regression", "ordinary", None),
        (23, "regression", "short", None),
    ]
    assert trend.fresh_regression is not None
    assert trend.fresh_regression.at == 20
    assert nightly(steps).fresh_regression.at == 23  # type: ignore[union-attr]


def test_one_recording_alone_is_unconfirmed_and_counts() -> None:
    trend = nightly([10.0] * 20 + [15.0])

    assert changes_of(trend) == [(20, "regression", "unconfirmed", None)]
    assert trend.fresh_regression == trend.jumps[0]


def test_a_change_can_show_after_its_first_recording() -> None:
    """The first recordings at the new level are put down to chance."""
    first_results = [10.1, 10.2, 10.1, 9.6, 10.3, 10.1, 9.8, 10.2, 10.1, 10.1]
    values = np.array([*first_results, 10.7, 10.9, 10.5, 10.7, 10.6, 10.9, 10.7])
    days = np.arange(float(values.size))
    starts_by_day: list[tuple[int, ...]] = []
    for stop in range(1, values.size + 1):
        trend = trend_of(values[:stop], days[:stop], higher_is_better=False)
        starts_by_day.append(tuple(jump.at for jump in trend.jumps))

    (jump,) = trend_of(values, days, higher_is_better=False).jumps
    assert jump.at < jump.shown
    assert jump.at not in starts_by_day[jump.shown - 1]
    assert all(jump.at in starts for starts in starts_by_day[jump.shown :])


@pytest.mark.parametrize("values", [[], [0.0, 0.0], [-1.0]])
def test_without_a_scale_there_is_no_trend(values: list[float]) -> None:
    with pytest.raises(NoTrend):
        trend_of(np.array(values), np.arange(float(len(values))), higher_is_better=True)


@settings(max_examples=40)
@given(
    arrays(np.float64, st.integers(1, 40), elements=st.floats(1.0, 1.25, width=16)),
    st.integers(-900, 900),
    st.booleans(),
)
def test_the_unit_of_the_results_changes_no_word(
    values: Values,
    exponent: int,
    better: bool,  # noqa: FBT001
) -> None:
    days = np.arange(float(values.size)) * 5

    plain_trend = trend_of(values, days, higher_is_better=better)
    scaled_trend = trend_of(np.ldexp(values, exponent), days, higher_is_better=better)

    assert changes_of(scaled_trend) == changes_of(plain_trend)
    assert (scaled_trend.loss, scaled_trend.best_at) == (plain_trend.loss, plain_trend.best_at)
    assert all(jump.shown >= jump.at for jump in plain_trend.jumps)
    jump_by_start = {jump.at: jump for jump in plain_trend.jumps}
    assert all(
        jump_by_start[jump.partner].kind != jump.kind
        for jump in plain_trend.jumps
        if jump.pattern == "reversal" and jump.partner is not None
    )


def test_jumps_are_what_tables_show() -> None:
    assert TrendChange(3, "regression", 0.5, 4, "ordinary").loss == 0.5
    assert TrendChange(3, "progression", -0.5, 4, "ordinary").loss == 0.0
