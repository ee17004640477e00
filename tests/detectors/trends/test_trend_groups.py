"""Groups of every past day are the package's of that day, and so is what was known of a change."""

from __future__ import annotations

import jumpavg as package
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from analysis.statistics.answers import Floats
from detectors.trends.trend import trend_of
from detectors.trends.trend_groups import (
    USUAL,
    KnownChange,
    NoTrend,
    ResultGroups,
    TrendPrecision,
    groups_over_time,
    known_changes,
)
from evidence.bench.alarms import AlarmScore, add_to_score, generate_history, nights_of_trend

PACKAGE_PRECISION = TrendPrecision(bits=12.0)
LEVELS = arrays(np.float64, st.integers(1, 25), elements=st.floats(0.5, 2.0, width=16))


def package_starts(values: Floats, precision: TrendPrecision) -> list[int]:
    options = {"unit": precision.unit} if precision.unit else {"sbps": precision.bits}
    starts, start = [], 0
    for group in package.classify(values.tolist(), **options):
        starts.append(start)
        start += group.stats.size
    return starts


@settings(max_examples=25)
@given(LEVELS, st.sampled_from(["12", "4", "8", "abs:0.25", "abs:0.001"]))
def test_groups_of_every_past_day_are_those_of_the_package(values: Floats, text: str) -> None:
    precision = TrendPrecision.from_text(text)

    daily_groups = list(groups_over_time(values, precision))

    for end, groups in enumerate(daily_groups, start=1):
        assert groups is not None
        assert list(groups.starts) == package_starts(values[:end], precision)


def test_a_coarser_precision_finds_fewer_changes() -> None:
    values = np.r_[np.full(10, 100.0), np.full(10, 101.0)] + np.tile([0.1, -0.1], 10)
    days = np.arange(20.0)

    def changes(text: str) -> int:
        precision = TrendPrecision.from_text(text)
        return len(trend_of(values, days, higher_is_better=True, precision=precision).jumps)

    assert [changes("12"), changes("abs:0.01"), changes("3"), changes("abs:50")] == [1, 1, 0, 0]


@pytest.mark.parametrize("text", ["", "0", "49", "nan", "abs:", "abs:0", "abs:-1", "abs:inf", "x"])
def test_what_is_no_precision_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        TrendPrecision.from_text(text)


def test_a_precision_is_written_as_it_is_read() -> None:
    for text in ("12", "4.5", "abs:0.5", "abs:1e-09"):
        assert str(TrendPrecision.from_text(text)) == text


def test_a_resolution_that_does_not_fit_says_so() -> None:
    with pytest.raises(NoTrend, match="resolution of 1e-200 does not fit"):
        list(groups_over_time(np.array([1.0]), TrendPrecision(unit=1e-200)))


def nights_by_definition(values: Floats) -> dict[tuple[int, str], list[int]]:
    """The results with which each change was seen, by the package, as if there were no more."""
    nights_by_change: dict[tuple[int, str], list[int]] = {}
    for end in range(1, values.size + 1):
        start, mean_before = 0, None
        for group in package.classify(values[:end].tolist()):
            mean = group.stats.avg
            if mean_before is not None and mean != mean_before:
                kind = "progression" if mean > mean_before else "regression"
                nights_by_change.setdefault((start, kind), []).append(end - 1)
            mean_before, start = mean, start + group.stats.size
    return nights_by_change


@settings(max_examples=25)
@given(LEVELS)
def test_what_was_known_is_what_each_day_would_have_found(values: Floats) -> None:
    changes = known_changes(
        list(groups_over_time(values, PACKAGE_PRECISION)), higher_is_better=True
    )

    expected = nights_by_definition(values)
    stop = values.size
    nights_by_change: dict[tuple[int, str], list[int]] = {}
    for change in changes:
        nights_by_change.setdefault((change.at, change.kind), []).extend(
            range(change.seen, change.gone or stop)
        )
        assert (change.gone is None) == (
            expected[change.at, change.kind][-1] == stop - 1
        ) or change.gone
    assert nights_by_change == expected


def test_late_and_vanished_changes_are_told_apart() -> None:
    first_results = [10.1, 10.2, 10.1, 9.6, 10.3, 10.1, 9.8, 10.2, 10.1, 10.1]
    values = np.array([*first_results, 10.7, 10.9, 10.5, 10.7, 10.6, 10.9, 10.7])

    trend = trend_of(values, np.arange(17.0), higher_is_better=False)

    (late_change,) = trend.late
    (jump,) = trend.jumps
    assert (late_change.at, late_change.seen) == (jump.at, jump.shown)
    assert late_change.delay > 0
    for vanished_change in trend.vanished:
        assert vanished_change.gone is not None
        assert vanished_change.seen < vanished_change.gone < 17
        assert (
            vanished_change.at not in {jump.at for jump in trend.jumps}
            or vanished_change.gone <= late_change.seen
        )


def test_a_change_that_is_put_elsewhere_says_where() -> None:
    days = [
        ResultGroups(tuple(starts), tuple(means))
        for starts, means in (
            ([0], [10.0]),
            ([0, 3], [10.0, 9.0]),
            ([0, 2], [10.0, 9.0]),  # the same fall, put one earlier
            ([0, 2], [10.0, 11.0]),  # no fall: a rise
        )
    ]

    assert known_changes([None, *days], higher_is_better=True) == (
        KnownChange(3, "regression", -0.1, seen=2, gone=3, moved=2, peak=0.1),
        KnownChange(2, "regression", -0.1, seen=3, gone=4, peak=0.1),
        KnownChange(2, "progression", 0.1, seen=4, peak=0.1),
    )


def test_a_certain_step_is_never_moved_or_lost() -> None:
    random = np.random.default_rng(3)
    values = random.normal(1, 0.01, 90) * np.repeat([1.0, 1.06, 1.02], 30)

    starts = [groups.starts for groups in groups_over_time(values, USUAL) if groups]

    seen_nights = [night for night in range(90) if 30 in starts[night]]
    assert seen_nights == list(range(30, 90))
    assert starts[-1] == (0, 30, 60)


def test_a_small_step_moves_no_change_that_matters() -> None:
    random = np.random.default_rng(5)
    values = random.normal(1, 0.002, 75) * np.repeat([1.0, 1.007, 1.03], 25)

    days = [groups for groups in groups_over_time(values, USUAL) if groups]

    assert days[-1].starts == (0, 25, 50)
    small_share, large_share = (
        share for _, share in days[-1].changes(higher_is_better=True).values()
    )
    assert small_share == pytest.approx(0.007, abs=0.001)
    assert large_share == pytest.approx(
        1.03 / 1.0035 - 1, abs=0.002
    )  # against the level as a whole


@pytest.mark.parametrize(
    ("seed", "number"),
    [(0, 171), (1, 91), (2, 27), (11, 139)],
    ids=["below 1 % for a night", "way back", "slow way back", "value astray"],
)
def test_a_confirmed_change_is_not_lost(seed: int, number: int) -> None:
    history, score = generate_history(seed, number), AlarmScore()

    add_to_score(score, history, nights_of_trend(history.values, USUAL))

    assert score.confirmed == len(history.planted)
    assert (score.lost, score.missed) == (0, 0)


def test_a_step_is_dropped_when_most_results_have_returned() -> None:
    values = np.array([1.0] * 15 + [1.3] * 2 + [1.0] * 4)

    starts = [groups.starts for groups in groups_over_time(values, USUAL) if groups]

    assert starts[15:] == [(0, 15), (0, 15), (0, 15), (0, 15), (0,), (0,)]


@pytest.mark.parametrize("values", [[5.0], [5.0, 5.0], [0.0, 5.0], [5.0, 0.0]])
def test_few_results_have_a_group_each_day(values: list[float]) -> None:
    daily_groups = list(groups_over_time(np.array(values), USUAL))

    assert len(daily_groups) == len(values)
    assert [groups is None for groups in daily_groups] == [
        not any(values[: n + 1]) for n in range(len(values))
    ]
