"""What a run computes: only what is not stored."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from analysis.runs import plan as planning
from analysis.runs.models import Detection, Run
from analysis.runs.plan import NothingToRun, cut_into_chunks, expected_milliseconds, plan_run
from analysis.runs.selection import SeriesSelection
from analysis.runs.services import start_run
from analysis.runs.timing import MethodTiming, timings
from detectors.contract import ParameterError
from detectors.costs import cost_ratio, interpolate_cost, measured_costs
from detectors.registry import UnknownDetector, from_key
from people.models import Study
from series.models import Benchmark, Dataset, Series
from tests.analysis.runs.conftest import FIXED, NIGHTLY
from tests.analysis.work.units import work

OTHER = "fixed@1?iteration=5"


def test_nothing_is_stored_before_the_first_run(study: Study, seven_series: list[Series]) -> None:
    plan = plan_run(study, NIGHTLY, [FIXED, OTHER])

    assert (plan.series_count, plan.wanted_count, plan.stored_count, plan.missing_count) == (
        7,
        14,
        0,
        14,
    )


def test_what_another_run_stored_is_not_computed(
    study: Study, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    for chunk in make_run(FIXED).units.all():
        work(chunk)

    plan = plan_run(study, NIGHTLY, [FIXED, OTHER])
    run = make_run(FIXED, OTHER)

    assert (plan.stored_count, plan.missing_count) == (7, 7)
    assert (run.stored_before, run.stored_by_key) == (7, {FIXED: 7, OTHER: 0})
    assert [chunk.detector_key for chunk in run.units.all()] == [OTHER]


def test_a_stored_failure_is_computed_again(
    study: Study, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    Detection.objects.create(
        series=seven_series[2],
        detector_key=FIXED,
        slug="fixed",
        outcome="failed",
        error="no memory",
    )

    assert plan_run(study, NIGHTLY, [FIXED]).missing_count == 7
    assert make_run(FIXED).to_compute == 7


def test_compute_again_leaves_nothing_out(
    study: Study, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    for chunk in make_run(FIXED).units.all():
        work(chunk)

    assert plan_run(study, NIGHTLY, [FIXED], again=True).missing_count == 7
    assert make_run(FIXED, again=True).to_compute == 7


def test_a_slug_means_its_defaults_and_a_key_counts_once(
    study: Study, seven_series: list[Series], make_run: Callable[..., Run]
) -> None:
    run = make_run("fixed", "fixed@1?iteration=500")

    assert run.detectors == ["fixed@1?iteration=500"]


def cut(series: list[tuple[int, int]], size: int, milliseconds: float = 0.0) -> list[list[int]]:
    """Primary keys by chunk, where each value takes so many milliseconds."""
    return [chunk.series_pks for chunk in cut_into_chunks(series, size, lambda n: n * milliseconds)]


def test_chunks_follow_count_and_points() -> None:
    assert cut([(1, 5), (2, 5), (3, 5)], 2) == [[1, 2], [3]]
    assert cut([], 2) == []


def test_a_long_series_is_a_chunk_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "CHUNK_POINTS", 100)

    assert cut([(1, 60), (2, 40), (3, 1), (4, 500), (5, 1)], 9) == [[3, 5, 2], [1], [4]]


def test_a_slow_series_is_a_chunk_of_its_own() -> None:
    """So that whoever waits behind it waits for one series, and short ones are stored before."""
    assert cut([(1, 9000), (2, 10), (3, 20), (4, 4000)], 9, 1.0) == [[2, 3, 4], [1]]


def test_what_a_method_does_not_read_is_expected_to_take_no_time() -> None:
    detector = from_key("cp-ssd")
    timing = MethodTiming(100.0, 3000, slug="cp-ssd")
    assert detector.longest is not None

    at_the_bound = expected_milliseconds(detector, timing, detector.longest)

    assert at_the_bound > 100.0 * detector.longest / 3000  # it grows faster than the length
    assert expected_milliseconds(detector, timing, detector.longest + 1) == 0.0


@pytest.mark.parametrize(
    ("selection", "count"),
    [
        (NIGHTLY, 7),
        (SeriesSelection("nightly", recording="first"), 7),
        (SeriesSelection("nightly", recording="second"), 0),
        (SeriesSelection("nightly", system="example"), 7),
        (SeriesSelection("nightly", forks="first"), 1),
        (SeriesSelection("nightly", text="sort MERGE"), 7),
        (SeriesSelection("nightly", text="sort quick"), 0),
        (SeriesSelection("weekly"), 0),
    ],
)
def test_a_selection_narrows_the_data_set(
    study: Study, seven_series: list[Series], selection: SeriesSelection, count: int
) -> None:
    assert selection.series(study).count() == count


def test_a_run_needs_series_and_methods(study: Study, seven_series: list[Series]) -> None:
    with pytest.raises(NothingToRun, match="at least one method"):
        start_run(study, user=None, selection=NIGHTLY, keys=[])
    with pytest.raises(NothingToRun, match="No series is selected"):
        start_run(study, user=None, selection=SeriesSelection("weekly"), keys=[FIXED])
    with pytest.raises(UnknownDetector, match="no detector 'oracle'"):
        start_run(study, user=None, selection=NIGHTLY, keys=["oracle"])


def test_another_study_with_a_data_set_of_that_name_is_not_meant(
    study: Study, seven_series: list[Series]
) -> None:
    other_study = Study.objects.create(name="Other", slug="other")

    assert not NIGHTLY.series(other_study).exists()


def test_parameters_too_long_to_be_stored_are_refused_by_name(
    study: Study, seven_series: list[Series]
) -> None:
    members = ",".join(f"kb-kssd%3Fprob_window%3D{n}" for n in range(300, 330))

    with pytest.raises(ParameterError, match="at most 2000 can be stored"):
        start_run(study, user=None, selection=NIGHTLY, keys=[f"ensemble?members={members}"])


def store_time(series: Series, key: str, milliseconds: float) -> None:
    Detection.objects.create(
        series=series,
        detector_key=key,
        slug=key.partition("@")[0],
        steady_start=0,
        milliseconds=milliseconds,
    )


def test_time_is_that_of_this_study_else_of_this_machine_else_guessed(
    study: Study, seven_series: list[Series], make_series: Callable[..., Series]
) -> None:
    other_series = make_series(range(100), name="b")
    foreign_study = Study.objects.create(name="Other", slug="other")
    Dataset.objects.filter(pk=other_series.benchmark.dataset_id).update(study=foreign_study)
    dataset = Dataset.objects.create(study=study, name="Here", slug="here")
    own_benchmark = Benchmark.objects.create(dataset=dataset, system="", name="own", params="")
    Series.objects.filter(pk=seven_series[0].pk).update(benchmark=own_benchmark)
    sdm, slope, oracle = (from_key(key) for key in ("sdm", "sdm?slope_crit=0.5", "ruptures-pelt"))
    store_time(other_series, sdm.key, 50.0)

    timing_by_key = timings(study, [sdm, slope, oracle])

    assert (timing_by_key[sdm.key].milliseconds, timing_by_key[sdm.key].is_of_key) == (50.0, True)
    assert timing_by_key[sdm.key].for_length(200) == pytest.approx(
        50.0 * cost_ratio("sdm", 200, 100)
    )
    assert (timing_by_key[slope.key].milliseconds, timing_by_key[slope.key].is_of_key) == (
        50.0,
        False,
    )
    milliseconds = 1000 * measured_costs()["ruptures-pelt"][10_000]
    assert not timing_by_key[oracle.key].is_measured
    assert timing_by_key[oracle.key].for_length(10_000) == pytest.approx(milliseconds)
    store_time(seven_series[0], sdm.key, 2.0)
    assert timings(study, [sdm])[sdm.key].milliseconds == 2.0


def test_an_estimate_follows_length_and_says_how_much_of_it_is_guessed(
    study: Study, seven_series: list[Series]
) -> None:
    store_time(seven_series[0], FIXED, 2.0)

    plan = plan_run(study, NIGHTLY, [FIXED, "sdm"])

    # Six series at 2 ms, seven of ten values as the table says, and thirteen times reading.
    guess = 1000 * interpolate_cost(measured_costs()["sdm"], 10)
    assert plan.seconds(1) == pytest.approx((6 * 2.0 + 7 * guess + 13 * 0.5) / 1000)
    assert plan.seconds(2) == pytest.approx(plan.seconds(1) / 2)
    assert plan.guessed_count == 1
