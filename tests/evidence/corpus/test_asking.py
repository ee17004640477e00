"""Methods asked for the corpus: whom they may not have met, what is counted, and by group."""

from __future__ import annotations

import numpy as np
import pytest

from demo.catalogue import CATALOGUE, Workload
from detectors.contract import NEVER, Detection
from detectors.methods.barrett import Barrett
from detectors.methods.fixed import Fixed
from detectors.methods.rocket import RocketStopping
from evidence.corpus.asking import (
    ALL,
    LENGTHS,
    SPREADS,
    AskedCorpus,
    context_of_workload,
    figures_by_group,
    groups,
    harness_costs,
    inputs,
    recordings,
    timed_answers,
)
from evidence.corpus.levels import LEVELS, KnownLevel
from evidence.corpus.noise import RecordedNoise
from evidence.corpus.series import CorpusSeries, SeriesPlan


@pytest.fixture(scope="module")
def few_series(corpus: list[CorpusSeries]) -> list[CorpusSeries]:
    """Two of each shape, of 200 and 400 values, from as many workloads as there are."""
    series = []
    for shape_index, shape in enumerate(LEVELS):
        shape_series = [s for s in corpus if s.plan.shape == shape and s.plan.n in {200, 400}]
        series += [shape_series[2 * shape_index], shape_series[2 * shape_index + 1]]
    return series


@pytest.mark.parametrize("workload", CATALOGUE, ids=lambda each: each.name)
def test_a_learned_method_is_judged_by_the_model_that_has_not_seen_the_workload(
    workload: Workload,
) -> None:
    jury = RocketStopping().jury(context_of_workload(workload))

    assert jury.flags == ("unseen",)
    assert len(jury.folds) == 1


def test_every_series_names_the_workload_of_its_noise(few_series: list[CorpusSeries]) -> None:
    for series, (values, context) in zip(few_series, inputs(few_series), strict=True):
        assert np.array_equal(values, series.values)
        own_workload = next(
            workload for workload in CATALOGUE if workload.name == series.plan.workload
        )
        assert f"#{own_workload.benchmark}#" in context.benchmark


def test_groups_cover_every_series_once_by_shape_by_spread_and_by_runtime(
    corpus: list[CorpusSeries],
) -> None:
    indices_by_group = groups(corpus)
    runtimes = set(indices_by_group) - {ALL, *LEVELS, *SPREADS, *LENGTHS}

    assert runtimes == {"OpenJDK", "Node.js (V8)", "PyPy"}
    for group_names in (LEVELS, SPREADS, LENGTHS, runtimes):
        indices = np.concatenate([indices_by_group[name] for name in group_names])
        assert (
            sorted(indices.tolist()) == indices_by_group[ALL].tolist() == list(range(len(corpus)))
        )


def test_errors_are_distances_and_a_never_is_the_constant(few_series: list[CorpusSeries]) -> None:
    corpus = AskedCorpus(few_series, np.arange(len(few_series), dtype=np.float64))
    answers = [Detection(10 if index % 2 else NEVER) for index in range(len(few_series))]

    figures = corpus.figures(Fixed(), answers)

    starts = [10 if index % 2 else index for index in range(len(few_series))]
    errors = [
        max(s.known.within_spread - start, start - s.known.steady_start, 0)
        for s, start in zip(few_series, starts, strict=True)
        if s.is_steady
    ]
    assert (figures.asked, figures.answered, figures.never) == (22, 22, 11)
    assert figures.figures is not None
    assert figures.figures.series == 16
    assert figures.figures.mean == pytest.approx(np.mean(errors))
    assert figures.figures.balanced == 0.5


def test_no_error_lies_between_both_ends_of_a_decay(few_series: list[CorpusSeries]) -> None:
    decays = [s for s in few_series if s.plan.shape == "decay-down"]
    corpus = AskedCorpus(decays, np.zeros(2))
    first_level, second_level = (decay.known for decay in decays)
    inside_detection = Detection(first_level.within_spread)
    late_detection = Detection(second_level.steady_start + 7)

    figures = corpus.figures(Fixed(), [inside_detection, late_detection]).figures
    early_figures = corpus.figures(
        Fixed(), [Detection(first_level.within_spread - 3), None]
    ).figures

    assert (figures and figures.mean, early_figures and early_figures.mean) == (3.5, 3)


def test_a_series_without_an_answer_is_given_the_constant(few_series: list[CorpusSeries]) -> None:
    steps = [s for s in few_series if s.plan.shape == "step-down"]
    first_start, second_start = (step.known.steady_start for step in steps)
    corpus = AskedCorpus(steps, np.array([first_start + 4.0, second_start + 8.0]))

    figures = corpus.figures(Fixed(), [Detection(first_start + 2), None])

    assert (figures.figures and figures.figures.mean, figures.filled) == (2, 5)


def test_a_harness_pays_for_what_it_runs_and_for_a_wrong_result() -> None:
    values = np.where(np.arange(400) < 200, 1.5, 1.0)
    step = KnownLevel.from_change(values, 200, "")
    noise = RecordedNoise("w", "R", 0, 1000.0, np.ones(1000), 0.01)
    plan = SeriesPlan("w-0", "w", "step-down", 400)
    series = CorpusSeries(plan, noise, step, (1000 * values).astype("<u4"))

    costs = harness_costs([series] * 5, np.array([200, 100, NEVER, 399, np.nan]))

    assert costs.tolist() == [0.75, 1.5, 1.0, 1.0, 1.0]


def test_a_group_without_a_steady_series_or_an_answer_has_no_figures(
    few_series: list[CorpusSeries],
) -> None:
    drifts = [s for s in few_series if not s.is_steady]
    figures = AskedCorpus(drifts, np.zeros(len(drifts))).figures(
        Fixed(), [Detection(5)] * len(drifts)
    )
    silent_figures = AskedCorpus(few_series, np.zeros(len(few_series))).figures(
        Barrett(), [None] * len(few_series)
    )

    assert (figures.figures, figures.cost, figures.never, figures.answered) == (None, None, 0, 6)
    assert (silent_figures.figures, silent_figures.answered) == (None, 0)


def test_a_method_is_timed_on_every_series_and_may_refuse_one(
    few_series: list[CorpusSeries],
) -> None:
    fixed_answers = timed_answers(Fixed(iteration=350), inputs(few_series), int)
    barrett_answers = timed_answers(Barrett(), inputs(few_series), int)

    assert fixed_answers.milliseconds.shape == (len(few_series),)
    starts = [detection and detection.steady_start for detection in fixed_answers.found]
    assert starts == [NEVER if s.plan.n == 200 else 350 for s in few_series]
    assert barrett_answers.found == [None] * len(few_series)  # it needs 501 values
    assert {
        name for name, _ in figures_by_group(AskedCorpus(few_series, np.zeros(22)), fixed_answers)
    } > {ALL}


def test_all_recorded_forks_are_asked_for() -> None:
    assert len(recordings()) == 110
