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
def few(corpus: list[CorpusSeries]) -> list[CorpusSeries]:
    """Two of each shape, of 200 and 400 values, from as many workloads as there are."""
    found = []
    for at, shape in enumerate(LEVELS):
        mine = [each for each in corpus if each.plan.shape == shape and each.plan.n in {200, 400}]
        found += [mine[2 * at], mine[2 * at + 1]]
    return found


@pytest.mark.parametrize("workload", CATALOGUE, ids=lambda each: each.name)
def test_a_learned_method_is_judged_by_the_model_that_has_not_seen_the_workload(
    workload: Workload,
) -> None:
    jury = RocketStopping().jury(context_of_workload(workload))

    assert jury.flags == ("unseen",)
    assert len(jury.folds) == 1


def test_every_series_names_the_workload_of_its_noise(few: list[CorpusSeries]) -> None:
    for each, (values, context) in zip(few, inputs(few), strict=True):
        assert np.array_equal(values, each.values)
        own = next(one for one in CATALOGUE if one.name == each.plan.workload)
        assert f"#{own.benchmark}#" in context.benchmark


def test_groups_cover_every_series_once_by_shape_by_spread_and_by_runtime(
    corpus: list[CorpusSeries],
) -> None:
    found = groups(corpus)
    runtimes = set(found) - {ALL, *LEVELS, *SPREADS, *LENGTHS}

    assert runtimes == {"OpenJDK", "Node.js (V8)", "PyPy"}
    for kind in (LEVELS, SPREADS, LENGTHS, runtimes):
        places = np.concatenate([found[name] for name in kind])
        assert sorted(places.tolist()) == found[ALL].tolist() == list(range(len(corpus)))


def test_errors_are_distances_and_a_never_is_the_constant(few: list[CorpusSeries]) -> None:
    whole = AskedCorpus(few, np.arange(len(few), dtype=np.float64))
    answers = [Detection(10 if at % 2 else NEVER) for at in range(len(few))]

    found = whole.figures(Fixed(), answers)

    said = [10 if at % 2 else at for at in range(len(few))]
    errors = [
        max(each.known.within_spread - start, start - each.known.steady_start, 0)
        for each, start in zip(few, said, strict=True)
        if each.is_steady
    ]
    assert (found.asked, found.answered, found.never) == (22, 22, 11)
    assert found.figures is not None
    assert found.figures.series == 16
    assert found.figures.mean == pytest.approx(np.mean(errors))
    assert found.figures.balanced == 0.5


def test_no_error_lies_between_both_ends_of_a_decay(few: list[CorpusSeries]) -> None:
    decays = [each for each in few if each.plan.shape == "decay-down"]
    whole = AskedCorpus(decays, np.zeros(2))
    first, second = (each.known for each in decays)
    inside = Detection(first.within_spread)
    late = Detection(second.steady_start + 7)

    both = whole.figures(Fixed(), [inside, late]).figures
    early = whole.figures(Fixed(), [Detection(first.within_spread - 3), None]).figures

    assert (both and both.mean, early and early.mean) == (3.5, 3)


def test_a_series_without_an_answer_is_given_the_constant(few: list[CorpusSeries]) -> None:
    steps = [each for each in few if each.plan.shape == "step-down"]
    first, second = (each.known.steady_start for each in steps)
    whole = AskedCorpus(steps, np.array([first + 4.0, second + 8.0]))

    found = whole.figures(Fixed(), [Detection(first + 2), None])

    assert (found.figures and found.figures.mean, found.filled) == (2, 5)


def test_a_harness_pays_for_what_it_runs_and_for_a_wrong_result() -> None:
    values = np.where(np.arange(400) < 200, 1.5, 1.0)
    step = KnownLevel.from_change(values, 200, "")
    noise = RecordedNoise("w", "R", 0, 1000.0, np.ones(1000), 0.01)
    plan = SeriesPlan("w-0", "w", "step-down", 400)
    series = CorpusSeries(plan, noise, step, (1000 * values).astype("<u4"))

    costs = harness_costs([series] * 5, np.array([200, 100, NEVER, 399, np.nan]))

    assert costs.tolist() == [0.75, 1.5, 1.0, 1.0, 1.0]


def test_a_group_without_a_steady_series_or_an_answer_has_no_figures(
    few: list[CorpusSeries],
) -> None:
    drifts = [each for each in few if not each.is_steady]
    said = AskedCorpus(drifts, np.zeros(len(drifts))).figures(Fixed(), [Detection(5)] * len(drifts))
    silent = AskedCorpus(few, np.zeros(len(few))).figures(Barrett(), [None] * len(few))

    assert (said.figures, said.cost, said.never, said.answered) == (None, None, 0, 6)
    assert (silent.figures, silent.answered) == (None, 0)


def test_a_method_is_timed_on_every_series_and_may_refuse_one(few: list[CorpusSeries]) -> None:
    fixed = timed_answers(Fixed(iteration=350), inputs(few), int)
    barrett = timed_answers(Barrett(), inputs(few), int)

    assert fixed.milliseconds.shape == (len(few),)
    starts = [each and each.steady_start for each in fixed.found]
    assert starts == [NEVER if each.plan.n == 200 else 350 for each in few]
    assert barrett.found == [None] * len(few)  # it needs 501 values
    assert {name for name, _ in figures_by_group(AskedCorpus(few, np.zeros(22)), fixed)} > {ALL}


def test_all_recorded_forks_are_asked_for() -> None:
    assert len(recordings()) == 110
