"""Plans of benchmarks: by hand, against their formulas, and on forks that were never seen."""

from __future__ import annotations

import io
import json
import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import stats

from detectors.contract import NEVER
from detectors.planning.benchmark_plan import (
    ASSURANCE,
    CREEP_ERRORS,
    FRUGAL,
    ITERATIONS,
    LONGER,
    MOST_FORKS,
    MOST_TIMES,
    PRIOR_FREEDOM,
    PRIOR_POWER,
    PRIOR_SCALE,
    ROUND_PRECISIONS,
    MeasuredFork,
    RepeatCosts,
    WarmUp,
    benchmark_plan,
    largest_deviation,
    needed_warm_up,
    variance_levels,
)
from detectors.planning.plan_rows import (
    PlannedBenchmark,
    configured_seconds,
    plan_row,
    write_jsonl,
    write_text,
)
from detectors.planning.plan_trial_results import nearest_trials
from detectors.planning.plan_words import (
    duration_words,
    plan_note,
    plan_sentence,
    trial_words,
    unrecorded_words,
    warm_up_words,
)

SECONDS = RepeatCosts(iteration=0.1, fork=1.0)
NAME = "Größe.sort"


def recorded_forks(
    starts: list[int],
    *,
    n: int = 600,
    spread_between: float = 0.02,
    spread_within: float = 0.05,
    seed: int = 0,
) -> list[MeasuredFork]:
    """Forks around a level of 10 that are twice as slow until they are steady."""
    rng = np.random.default_rng(seed)
    levels = 10 + rng.normal(0, 10 * spread_between, len(starts))
    values = levels[:, np.newaxis] + rng.normal(0, 10 * spread_within, (len(starts), n))
    for row, start in zip(values, starts, strict=True):
        row[: start if start != NEVER else n // 2] += 10
    return [MeasuredFork(row, start) for row, start in zip(values, starts, strict=True)]


@pytest.mark.parametrize(
    ("starts", "iterations", "covered_count"),
    [
        ([0, 0, 0], 0, 3),
        ([31, 28, 31, 21, 25], 40, 5),
        ([40], 40, 1),
        ([20] * 9 + [40], 40, 10),
        ([20] * 9 + [41], 20, 9),  # one of ten is far off
        ([20] * 8 + [300, 300], 300, 10),  # two of ten are no exception
        ([30] * 9 + [NEVER], 30, 9),
    ],
)
def test_the_warm_up_covers_the_forks_but_one_of_ten_that_is_far_off(
    starts: list[int], iterations: int, covered_count: int
) -> None:
    warm_up = needed_warm_up(recorded_forks(starts, n=400))

    assert warm_up is not None
    assert (warm_up.iterations, warm_up.covered) == (iterations, covered_count)
    assert warm_up.never == starts.count(NEVER)
    assert warm_up.low <= warm_up.high <= max(starts)


@pytest.mark.parametrize("starts", [[NEVER], [30, NEVER, NEVER], [30] * 5 + [NEVER] * 4])
def test_forks_that_never_become_steady_have_no_plan(starts: list[int]) -> None:
    plan = benchmark_plan(recorded_forks(starts, n=100), SECONDS)

    assert (plan.warm_up, plan.recommended, plan.lacking) == (None, None, "never steady")


def test_fewer_than_three_forks_have_a_warm_up_and_nothing_else() -> None:
    plan = benchmark_plan(recorded_forks([20, 30]), SECONDS)

    assert plan.warm_up is not None
    assert (plan.warm_up.iterations, plan.lacking) == (30, "too few forks")
    assert plan.configuration(30, 10, 5).half_width is None
    assert plan.configuration(30, 10, 5).seconds == 5 * (1 + 40 * 0.1)
    assert plan_sentence(plan) == (
        "Leave out 30 iterations; how exact the result is takes 3 steady forks or more."
    )


def test_three_steady_forks_are_enough_and_two_are_not() -> None:
    plan = benchmark_plan(recorded_forks([20, 30, 25]), SECONDS, target=0.1)
    plan_of_two = benchmark_plan(recorded_forks([20] * 2), SECONDS, target=0.1)

    assert plan.recommended is not None
    assert (plan.lacking, plan_of_two.recommended) == ("", None)
    assert variance_levels(recorded_forks([20, 30, 25])) is not None
    assert variance_levels(recorded_forks([20, 30])) is None


@pytest.mark.parametrize(("steady_count", "lack"), [(19, "too short"), (20, "")])
def test_steady_parts_that_are_too_short_are_called_so_and_not_alike(
    steady_count: int, lack: str
) -> None:
    plan = benchmark_plan(recorded_forks([30] * 4, n=30 + steady_count), SECONDS, target=0.4)

    assert plan.lacking == lack


def test_levels_rest_on_the_iterations_that_all_forks_have() -> None:
    """Forks that begin and end at different iterations of their processes."""
    forks = recorded_forks([40] * 4)
    bounds = ((0, 560), (5, 600), (10, 580), (15, 590))
    cut = [
        MeasuredFork(fork.values[begin:end], fork.start - begin, recorded_from=begin)
        for fork, (begin, end) in zip(forks, bounds, strict=True)
    ]
    equal_forks = [MeasuredFork(fork.values[15:560], 25, recorded_from=15) for fork in forks]

    levels, common_levels = variance_levels(cut), variance_levels(equal_forks)

    assert levels is not None
    assert common_levels is not None
    assert (
        (levels.first, levels.recorded)
        == (common_levels.first, common_levels.recorded)
        == (15, 560)
    )
    steps = np.diff(levels.away) * levels.mean - np.diff(common_levels.away) * common_levels.mean
    np.testing.assert_allclose(steps, steps[:, :1] @ np.ones((1, 545)), atol=1e-9)


def test_a_fork_may_have_run_before_its_first_value() -> None:
    """Iterations count from the start of the process, also where forks begin at different ones."""
    forks = recorded_forks([40] * 6)
    cut_forks = [
        MeasuredFork(fork.values[begin:], fork.start - begin, recorded_from=begin)
        for fork, begin in zip(forks, (0, 5, 10, 15, 20, 25), strict=True)
    ]

    whole_plan, cut_plan = (
        benchmark_plan(forks, SECONDS, target=0.03),
        benchmark_plan(cut_forks, SECONDS, target=0.03),
    )

    assert whole_plan.warm_up is not None
    assert cut_plan.warm_up == replace(whole_plan.warm_up, unrecorded=25)
    assert whole_plan.recommended is not None
    assert cut_plan.recommended is not None
    assert cut_plan.recommended.off == pytest.approx(whole_plan.recommended.off)
    assert cut_plan.recommended.seconds == whole_plan.recommended.seconds
    assert cut_plan.levels is not None
    assert whole_plan.levels is not None
    assert (cut_plan.levels.first, cut_plan.levels.recorded) == (25, whole_plan.levels.recorded)
    assert cut_plan.configuration(30, 50, 4).bias == pytest.approx(
        whole_plan.configuration(30, 50, 4).bias
    )
    assert cut_plan.configuration(24, 50, 4).bias is None


@pytest.mark.parametrize(
    ("recorded_from", "start", "warm_up"),
    [
        ([100] * 5, 0, 100),
        ([100] * 5, 30, 100),
        ([60] * 5, 0, 60),
        ([0, 25, 50, 75, 95], 0, 100),
        ([0] * 10 + [500], 0, 500),  # far off, so that the warm-up does not cover it
    ],
)
def test_iterations_before_the_first_recorded_value_are_never_measured(
    recorded_from: list[int], start: int, warm_up: int
) -> None:
    forks = [
        replace(fork, start=start, recorded_from=begin)
        for fork, begin in zip(
            recorded_forks([0] * len(recorded_from), spread_between=0.001, spread_within=0.01),
            recorded_from,
            strict=True,
        )
    ]

    plan = benchmark_plan(forks, SECONDS, target=0.02)

    assert plan.levels is not None
    assert plan.recommended is not None
    assert (plan.lacking, plan.recommended.off <= 0.02) == ("", True)
    assert plan.levels.first <= plan.recommended.warm_up == warm_up


def test_a_test_of_more_than_five_times_the_present_one_is_no_advice() -> None:
    forks = recorded_forks([30, 35, 40, 28, 31, 33])
    free_plan = benchmark_plan(forks, SECONDS, target=0.2)
    assert free_plan.recommended is not None
    needed_seconds = free_plan.recommended.seconds

    equal_plan = benchmark_plan(forks, SECONDS, target=0.2, present=needed_seconds / MOST_TIMES)
    longer_plan = benchmark_plan(
        forks, SECONDS, target=0.2, present=0.9 * needed_seconds / MOST_TIMES
    )
    refused_plan = benchmark_plan(forks, SECONDS, target=0.2, present=0.1)

    assert (equal_plan.lacking, equal_plan.recommended) == ("", free_plan.recommended)
    assert (longer_plan.lacking, longer_plan.refused) == ("too long", free_plan.recommended)
    assert longer_plan.present is not None
    assert plan_sentence(longer_plan).startswith(
        f"±20 % takes {duration_words(needed_seconds)}, more than 5 times the present "
        f"{duration_words(longer_plan.present)}"
    )
    assert "Missing: more recorded forks" in plan_note(longer_plan)
    assert (refused_plan.lacking, refused_plan.recommended) == ("too long", None)
    assert plan_sentence(refused_plan).endswith(", and no precision up to ±50 % is in reach.")


def test_a_precision_wider_than_half_of_the_mean_is_no_advice() -> None:
    """The forks are said to be steady from a value on that is a hundred times the others."""
    rng = np.random.default_rng(0)
    values = np.abs(1 + 0.05 * rng.normal(size=(4, 200)))
    values[:, 15] = 800 * np.arange(1, 5)

    plan = benchmark_plan([MeasuredFork(row, 5) for row in values], SECONDS, target=0.02)

    assert (plan.lacking, plan.recommended, plan.refused) == ("out of reach", None, None)
    assert plan_sentence(plan) == (
        "±2 % is out of reach, and no precision up to ±50 % is in reach."
    )
    assert "Missing: more recorded forks" in plan_note(plan)


def test_forks_that_are_all_alike_need_no_plan() -> None:
    """Three are enough to say so, of two nobody knows how forks differ."""
    alike_forks = [MeasuredFork(np.full(100, 3.0), 0)] * 4

    assert [benchmark_plan(alike_forks[:n], SECONDS).lacking for n in (2, 3, 4)] == [
        "too few forks", "alike", "alike",
    ]  # fmt: skip
    assert plan_sentence(benchmark_plan(alike_forks, SECONDS)) == (
        "Leave out 0 iterations; nothing varies afterwards, so a single iteration is enough."
    )


def test_the_levels_of_variance_are_those_that_the_forks_were_made_with() -> None:
    variances = variance_levels(recorded_forks([50] * 200, n=500))

    assert variances is not None
    assert variances.mean == pytest.approx(10, rel=0.01)
    assert math.sqrt(variances.between) == pytest.approx(0.2, rel=0.15)
    assert math.sqrt(variances.within) == pytest.approx(0.5, rel=0.15)
    assert variances.fork_levels.std(ddof=1) == pytest.approx(0.02, rel=0.15)


def test_the_variance_of_a_result_is_that_of_the_formula() -> None:
    variances = variance_levels(recorded_forks([50] * 6), seconds=0.1)

    assert variances is not None
    freedom = PRIOR_FREEDOM + 5
    prior_deviation = (
        PRIOR_SCALE
        * (math.sqrt(variances.within * 0.1) / variances.mean) ** PRIOR_POWER
        * variances.mean
    )
    recorded_total = (variances.fork_levels * variances.mean).var(ddof=1)
    total = (PRIOR_FREEDOM * prior_deviation**2 + 5 * recorded_total) / freedom
    squared = (
        total - variances.noise_variance + variances.within / 2000
    )  # of more iterations than are recorded
    bound = freedom / stats.chi2.ppf(1 - ASSURANCE, freedom)
    assert variances.deviation(50, np.array([2000]))[0] == pytest.approx(
        math.sqrt(bound * squared) / variances.mean
    )


def test_forks_that_differ_in_what_would_be_measured_say_so() -> None:
    forks = recorded_forks([50] * 6)
    for fork, shift in zip(forks, (-4, -2, -1, 1, 2, 4), strict=True):
        fork.values[100:120] += shift
    variances = variance_levels(forks)

    assert variances is not None
    results = np.array([fork.values[100:120].mean() for fork in forks]) / variances.mean
    bound = math.sqrt(variances.inflation * results.var(ddof=1))
    assert variances.deviation(100, np.array([20]))[0] == pytest.approx(bound)
    assert variances.deviation(200, np.array([20]))[0] < bound / 2


def test_a_bias_leaves_less_room_for_chance_but_not_on_both_sides() -> None:
    assert largest_deviation(1.0, 0.0, 0.95) == pytest.approx(stats.norm.ppf(0.975))
    assert largest_deviation(0.0, 3.0, 0.95) == 3
    for bias in (0.0, 0.1, 0.3, 1.0, 3.0):
        most_deviation = largest_deviation(1.0, bias, 0.95)
        share_within = stats.norm.cdf(most_deviation - bias) - stats.norm.cdf(
            -most_deviation - bias
        )
        assert 0.9499 <= share_within <= 0.9551


def test_a_fork_that_never_becomes_steady_counts_with_its_second_half() -> None:
    forks = [*recorded_forks([50] * 4), MeasuredFork(np.repeat([30.0, 20.0], 300), NEVER)]

    plan = benchmark_plan(forks, SECONDS, target=0.05)

    assert plan.levels is not None
    assert plan.levels.fork_levels[-1] == pytest.approx(20 / plan.levels.mean)
    assert plan.warm_up is not None
    assert (plan.warm_up.never, plan.warm_up.iterations) == (1, 50)
    assert plan.lacking == "out of reach"  # four forks are near 10


def test_two_results_show_a_change_of_the_half_width_of_their_difference() -> None:
    plan = benchmark_plan(recorded_forks([50] * 6), SECONDS, target=0.03)
    own_choice, single_choice = plan.configuration(50, 120, 4), plan.configuration(50, 120, 1)

    assert own_choice.half_width is not None
    assert own_choice.shows == pytest.approx(
        math.hypot(own_choice.half_width, own_choice.half_width)
    )
    assert (single_choice.half_width, single_choice.shows, single_choice.off) == (
        None,
        None,
        math.inf,
    )


def test_the_noise_of_iterations_is_no_difference_between_forks() -> None:
    """Forks of one level: what their means differ by comes from few, noisy iterations."""
    variances = variance_levels(recorded_forks([0] * 300, n=60, spread_between=0.0))

    assert variances is not None
    assert variances.between < 0.5 * variances.within / 60


def test_the_bias_is_bounded_by_how_much_forks_differ_in_it() -> None:
    """Nothing is recorded after these iterations, so that no later ones count."""
    forks = recorded_forks([50] * 5)
    variances = variance_levels(forks)
    assert variances is not None
    deviations = [
        (fork.values[-30:].mean() - fork.values[50:].mean()) / variances.mean for fork in forks
    ]

    mean, most_bias = (float(share[0]) for share in variances.bias(570, np.array([30])))

    assert mean == pytest.approx(np.mean(deviations))
    spread = np.std(deviations, ddof=1) / math.sqrt(5)
    assert most_bias == pytest.approx(abs(mean) + CREEP_ERRORS * spread)
    assert variances.bias(560, np.array([30]))[1] >= most_bias
    assert variances.bias(600, np.array([30]))[1] == 0


def test_the_upper_bound_of_a_variance_holds_as_often_as_it_says() -> None:
    """Levels of six forks, 400 times: in 5 % of them the bound is below the true variance."""
    rng = np.random.default_rng(1)
    count_below = 0
    for _ in range(400):
        levels = rng.normal(10, 0.2, 6)
        values = levels[:, np.newaxis] + 1e-6 * rng.normal(size=(6, 40))
        variances = variance_levels([MeasuredFork(row, 0) for row in values], assurance=0.95)
        assert variances is not None
        count_below += variances.deviation(0, np.array([40]))[0] < 0.02

    assert (
        0.02 < count_below / 400 < 0.085
    )  # what is known of other benchmarks is far from 2 % here


def test_the_recommendation_is_the_shortest_test_that_reaches_the_target() -> None:
    plan = benchmark_plan(recorded_forks([30, 35, 40, 28, 31, 33]), SECONDS, target=0.1)

    assert plan.recommended is not None
    assert plan.warm_up is not None
    assert (plan.lacking, plan.precision) == ("", 0.1)
    assert plan.recommended.off <= 0.1
    configurations = [
        plan.configuration(plan.recommended.warm_up, m, f)
        for m, f in product(ITERATIONS, range(2, MOST_FORKS + 1))
    ]
    assert plan.recommended.seconds == min(
        configuration.seconds for configuration in configurations if configuration.off <= 0.1
    )


def test_a_fork_that_is_dear_to_start_is_measured_for_longer() -> None:
    forks = recorded_forks([30, 35, 40, 28, 31, 33])

    cheap_test, dear_test = (
        benchmark_plan(forks, RepeatCosts(0.1, seconds), target=0.02).refused
        for seconds in (0.0, 60.0)
    )

    assert cheap_test is not None
    assert dear_test is not None
    assert (dear_test.iterations, dear_test.forks) > (cheap_test.iterations, 0)
    assert dear_test.forks < cheap_test.forks


def test_what_creeps_after_its_start_counts_against_the_target() -> None:
    """Called steady from 20 on, and 8 % too slow until 200, in every fork."""
    forks = [
        MeasuredFork(fork.values + 0.8 * (np.arange(3000) < 200), 20)
        for fork in recorded_forks([20] * 8, n=3000, spread_between=0.002)
    ]

    plan = benchmark_plan(forks, SECONDS, target=0.01)

    test = plan.refused
    assert test is not None
    assert test.off <= 0.01
    assert test.warm_up + test.iterations > 10 * 200
    early_test = plan.configuration(20, 40, test.forks)
    assert early_test.bias == pytest.approx(0.075, rel=0.1)  # of the mean, in which the creeping is
    assert early_test.off > 0.01


def test_a_target_out_of_reach_has_the_nearest_round_precision_in_reach() -> None:
    forks = recorded_forks([30] * 5)
    plan = benchmark_plan(forks, SECONDS, target=0.03)

    assert plan.recommended is not None
    assert plan.refused is not None
    assert (plan.lacking, plan.precision in ROUND_PRECISIONS) == ("out of reach", True)
    assert 0.03 < plan.recommended.off <= plan.precision
    assert plan.refused.off <= 0.03
    suggested = benchmark_plan(forks, SECONDS, target=plan.precision, assurance=0.5).recommended
    assert suggested is not None
    assert plan.recommended.seconds <= FRUGAL * suggested.seconds
    nearer = max(precision for precision in ROUND_PRECISIONS if precision < plan.precision)
    assert benchmark_plan(forks, SECONDS, target=nearer).lacking == "out of reach"
    assert plan_sentence(plan).startswith(
        "±3 % is out of reach at 2 times the least time that 5 forks suggest; "
        f"±{100 * plan.precision:g} % is in reach: leave out"
    )
    assert "What ±3 % itself may take: leave out" in plan_note(plan)


def test_a_precision_in_reach_takes_no_longer_than_somebody_has() -> None:
    forks = recorded_forks([30] * 5)
    free = benchmark_plan(forks, SECONDS, target=0.2)
    assert free.recommended is not None
    seconds = 0.9 * free.recommended.seconds

    bounded = benchmark_plan(forks, SECONDS, target=0.2, most_seconds=seconds)

    assert (bounded.lacking, bounded.refused) == ("out of reach", free.recommended)
    assert bounded.recommended is None or bounded.recommended.seconds <= seconds
    assert plan_sentence(bounded).startswith(f"±20 % is out of reach in {duration_words(seconds)}")
    assert benchmark_plan(forks, SECONDS, most_seconds=1).recommended is None


def test_a_warm_up_is_shorter_where_little_is_off_before() -> None:
    """Slower by 1 % until 200: as good as steady for ±10 %, not for ±1 %."""
    forks = [
        MeasuredFork(fork.values + 0.1 * (np.arange(3000) < 200), 200)
        for fork in recorded_forks([0] * 8, n=3000, spread_between=0.001, spread_within=0.01)
    ]

    rough_plan, exact_plan = (
        benchmark_plan(forks, SECONDS, target=target) for target in (0.1, 0.005)
    )

    assert rough_plan.recommended is not None
    assert exact_plan.recommended is not None
    assert (rough_plan.recommended.warm_up, exact_plan.recommended.warm_up) == (100, 200)
    assert plan_note(exact_plan).startswith("All 8 forks are steady by then")
    assert plan_note(rough_plan).startswith("All 8 forks are steady by iteration 200")
    assert "of such plans for ±10 % were kept" in trial_words(rough_plan)


def test_trials_are_those_of_the_precision_that_is_promised() -> None:
    forks = recorded_forks([30] * 5)
    plan = benchmark_plan(forks, SECONDS, target=0.03)
    other_plan = benchmark_plan(forks, SECONDS, target=0.03, confidence=0.99)
    trials = nearest_trials(plan.precision)

    rows = [plan_row(PlannedBenchmark(NAME, 5, made_plan)) for made_plan in (plan, other_plan)]

    assert trials.precision > 0.03
    assert f"plans for ±{100 * trials.precision:g} % were kept" in trial_words(plan)
    assert trial_words(other_plan) == ""
    assert [(row.precision, row.trials_kept, row.trials_oracle) for row in rows] == [
        (plan.precision, trials.kept, trials.oracle),
        (other_plan.precision, None, None),
    ]


def test_most_plans_keep_their_promise_on_forks_that_they_have_not_seen() -> None:
    """Plans from five forks of a population that is known; each is tried 200 times on others."""
    rng = np.random.default_rng(4)
    is_kept = []
    for seed in range(40):
        plan = benchmark_plan(recorded_forks([40] * 5, seed=seed), SECONDS, target=0.02)
        if plan.recommended is None:
            continue
        m, f = plan.recommended.iterations, plan.recommended.forks
        deviations = 0.2 / math.sqrt(f), 0.5 / math.sqrt(f * m)
        errors = rng.normal(0, math.hypot(*deviations), 200) / 10
        is_kept.append((np.abs(errors) <= plan.precision).mean() >= 0.95)

    assert len(is_kept) >= 20
    assert np.mean(is_kept) >= 0.9


def test_a_configured_test_takes_its_iterations_and_the_start_of_each_fork() -> None:
    counts = {"forks": 3, "warmup_iterations": 5, "measurement_iterations": 10}

    assert configured_seconds(counts, SECONDS) == pytest.approx(3 * (1 + 15 * 0.1))
    assert configured_seconds({**counts, "warmup_seconds": 2.0}, SECONDS) == pytest.approx(36)
    assert configured_seconds({**counts, "forks": None}, SECONDS) is None
    assert configured_seconds({**counts, "warmup_iterations": None}, SECONDS) is None


def test_a_single_fork_has_no_interval_of_its_start() -> None:
    warm_up = WarmUp(iterations=740, low=739, high=739, covered=1, steady=1, forks=1)

    assert warm_up_words(warm_up) == "The only fork is steady by then, from 739."


@pytest.mark.parametrize(
    ("unrecorded_count", "high", "begins", "has_more"),
    [
        (1, 5, "1 of these iterations was run", False),
        (4, 5, "4 of these iterations were run", False),
        (2, 2, "2 of these iterations were run", True),
    ],
)
def test_iterations_that_nobody_has_seen_are_counted_and_may_be_enough(
    unrecorded_count: int, high: int, begins: str, *, has_more: bool
) -> None:
    warm_up = WarmUp(10, 1, high, covered=3, steady=3, forks=3, unrecorded=unrecorded_count)

    words = unrecorded_words(warm_up)

    assert words.startswith(begins)
    assert ("All forks are steady there" in words) is has_more


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        *((0.4, "0.4 s"), (9.96, "10 s"), (10.4, "10 s"), (59.6, "1 min 0 s")),
        *((88, "1 min 28 s"), (3600, "1 h 0 min"), (11100, "3 h 5 min")),
    ],
)
def test_durations_have_two_parts_at_the_most(seconds: float, words: str) -> None:
    assert duration_words(seconds) == words


@pytest.mark.parametrize("tried_counts", [ITERATIONS, LONGER])
def test_what_is_tried_grows_from_one_by_at_most_the_double(
    tried_counts: tuple[float, ...],
) -> None:
    steps = np.array(tried_counts[1:]) / tried_counts[:-1]

    assert 1 in tried_counts
    assert (steps > 1).all()
    assert (steps <= 2).all()


def test_a_plan_is_written_with_its_name_as_it_is() -> None:
    plan = benchmark_plan(recorded_forks([30, 35, 40, 28, 31, 33]), SECONDS, target=0.03)
    lines, text = io.StringIO(), io.StringIO()

    write_jsonl([PlannedBenchmark(NAME, 6, plan)], lines)
    write_text([PlannedBenchmark(NAME, 6, plan), PlannedBenchmark("b", 2, None)], text)

    assert json.loads(lines.getvalue())["forks_recorded"] == 6
    assert f'"{NAME}"' in lines.getvalue()
    assert text.getvalue().startswith(f"{NAME} (6 forks)\n  {plan_sentence(plan)}\n  All 6 forks")
    assert "b (2 forks)" in text.getvalue()
