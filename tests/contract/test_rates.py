"""Rates as the methods declare to read them: twins of one series, as times and as rates."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pytest

from detectors.command.checks import answer_or_error, broken_lines
from detectors.command.online_decisions import OnlineWatch
from detectors.contract import (
    BadSeries,
    Context,
    Detection,
    Detector,
    Evidence,
    Levels,
    Source,
    Values,
    as_durations,
    as_series,
)
from detectors.contract.rates import CONVENTIONS, seconds_of
from detectors.methods.jumpavg import Jumpavg
from detectors.methods.kb_kssd import KbKssd
from detectors.methods.r_test import RTest
from detectors.parameter_sets.evaluation import NO_ANSWER, answers
from detectors.registry import get, registry
from detectors.simulated.synthetic import simulate

SETTINGS = {
    "warmup_iterations": 5, "warmup_seconds": 1.0,
    "measurement_iterations": 5, "measurement_seconds": 1.0,
}  # fmt: skip
TIMES = Context("s/op", "avgt", seconds_per_iteration=0.1, settings=SETTINGS)
RATES = Context("ops/s", "thrpt", seconds_per_iteration=0.1, settings=SETTINGS)
PER_MS = Context("ops/ms", "thrpt", seconds_per_iteration=0.1, settings=SETTINGS)


def textbook(n: int, noise: float) -> Values:
    """10 operations a millisecond, and 20 from 300 on, as the time of one operation."""
    level = np.where(np.arange(n) < 300, 1e-4, 0.5e-4)
    return as_series(level * (1 + noise * np.random.default_rng(n).standard_normal(n)))


TWINS: Mapping[str, Values] = MappingProxyType(
    {
        "textbook": textbook(800, 0.02),
        **{kind: simulate(kind, n=600).values for kind in ("step", "slowdown", "decay")},
    }
)
STEPS = ("textbook", "step", "slowdown")


def methods_of_convention(*names: str) -> dict[str, type[Detector]]:
    return {slug: detector for slug, detector in registry().items() if detector.rates in names}


INVERSE, FREE = methods_of_convention("inverse"), methods_of_convention("free")


@pytest.mark.parametrize("detector", INVERSE.values(), ids=INVERSE)
def test_inverse_times_and_rates_have_one_answer(detector: type[Detector]) -> None:
    for name, times in TWINS.items():
        context, rates = (RATES, 1 / times) if name == "step" else (PER_MS, 1e-3 / times)

        expected = answer_or_error(detector(), times, TIMES)

        assert answer_or_error(detector(), as_series(rates), context) == expected, name


@pytest.mark.parametrize("detector", FREE.values(), ids=FREE)
def test_direction_free_a_series_and_itself_turned_round_have_one_answer(
    detector: type[Detector],
) -> None:
    for name, times in TWINS.items():
        assert detector().answer(-times, RATES) == detector().answer(times, TIMES), name


@pytest.mark.parametrize("name", STEPS)
def test_jumpavg_reads_rates_as_they_are_and_finds_the_same_step(name: str) -> None:
    method = Jumpavg()

    start = method.answer(1 / TWINS[name], RATES).steady_start

    assert abs(start - method.answer(TWINS[name], TIMES).steady_start) <= 2 * method.params.block


def test_each_member_of_an_ensemble_reads_rates_by_its_own_convention() -> None:
    ensemble = get("ensemble")(members=("kb-kssd", "plateau"))

    for name, times in TWINS.items():
        assert ensemble.answer(1 / times, RATES) == ensemble.answer(times, TIMES), name


def test_every_convention_is_used_and_says_itself() -> None:
    assert {detector.rates for detector in registry().values()} == set(CONVENTIONS)
    assert all(detector.rates_note for detector in methods_of_convention("own").values())


@pytest.mark.parametrize("n", [1000, 3000])
@pytest.mark.parametrize("noise", [0.02, 0.05])
def test_a_textbook_rise_is_a_warm_up(n: int, noise: float) -> None:
    rates = 1e-3 / textbook(n, noise)

    assert 200 < get("plateau")().answer(rates, PER_MS).steady_start <= 360
    barrett = get("barrett")(delta=5.0, delta_unit="percent", raw_deltas=True)
    detection = barrett.answer(rates, PER_MS)
    assert (detection.steady_start, detection.flags) == (300, ("warm-up",))


class SeesValues(Detector):
    """Answers 0 and shows what it got."""

    slug, version, title, code = "sees-values", "1", "Sees values", "SV"
    source = Source("this test")

    def detect(self, values: Values, context: Context) -> Detection:
        return Detection(0)

    def evidence(self, values: Values, context: Context) -> tuple[Evidence, ...]:
        return (Levels(((0, 2, float(values.mean())),), label=context.unit),)


def test_levels_of_durations_are_shown_as_rates_again() -> None:
    levels, note = SeesValues().explained(as_series([4.0, 4.0]), Context("ops/ms", "thrpt"))

    assert isinstance(levels, Levels)
    assert (levels.pieces, levels.label) == (((0, 2, 4.0),), "s/op")
    assert ("values", "the time of one operation, 1/x", "s/op") in note.rows  # type: ignore[union-attr]
    assert len(SeesValues().explained(as_series([4.0, 4.0]), TIMES)) == 1


def test_an_iteration_without_an_operation_took_its_whole_length() -> None:
    values, context = as_durations(as_series([20.0, 0.0]), RATES)

    assert values.tolist() == [0.05, 0.1]
    assert (context.unit, context.mode, context.is_rate) == ("s/op", "avgt", False)
    assert as_durations(values, context)[0] is values  # once is enough


@pytest.mark.parametrize(
    ("rates", "context", "sentence"),
    [
        ([2.0, 0.0], Context("ops/s"), "value 1 is 0, and nothing says how long an iteration"),
        ([2.0, -3.0], RATES, "rates must be above 0 to be read as durations; value 1 is -3"),
    ],
)
def test_a_rate_that_stands_for_no_duration_is_refused(
    rates: list[float], context: Context, sentence: str
) -> None:
    with pytest.raises(BadSeries, match=sentence):
        get("plateau")().answer(rates, context)
    assert answers(get("kb-kssd"), [get("kb-kssd").Params()], [rates], [context]) == NO_ANSWER


def test_an_owner_may_know_better_than_the_unit() -> None:
    times = TWINS["step"]

    assert Context("widgets", more_is_better=True).is_rate
    assert not Context("ops/s", "thrpt", more_is_better=False).is_rate
    detection = get("kb-kssd")().answer(1 / times, Context("widgets", more_is_better=True))
    assert detection == get("kb-kssd")().answer(times)


def test_many_parameter_sets_read_rates_as_one_does() -> None:
    method, times = KbKssd, TWINS["step"]
    params_list = [method.Params(), method.Params(direction="either")]

    starts = answers(method, params_list, [1 / times], [RATES])

    expected = [method.with_params(params).answer(times).steady_start for params in params_list]
    assert starts[:, 0].tolist() == expected


def test_a_watch_reads_rates_as_the_method_does() -> None:
    method, times = RTest(), TWINS["step"]
    watch = OnlineWatch(method, RATES)
    for value in (1 / times).tolist():
        watch.read(as_series([value]))
    watch.end()

    assert watch.start == method.answer(times).steady_start


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("ops/s", (1.0, "s/op")),
        ("ops/ms", (1e-3, "s/op")),
        ("op/µs", (1e-6, "s/op")),
        ("ops/hr", (3600.0, "s/op")),
        ("MB/sec", (1.0, "s")),
        ("requests per minute", (60.0, "s")),
        ("items_per_second", (1.0, "s")),
        ("Mpps", (1e-6, "s")),
        ("QPS", (1.0, "s")),
        ("score", (1.0, "1/score")),
        ("", (1.0, "")),
    ],
)
def test_the_time_of_one_is_in_seconds_where_the_unit_says(
    unit: str, expected: tuple[float, str]
) -> None:
    assert seconds_of(unit) == expected


def test_a_method_that_is_not_what_it_declares_is_noticed() -> None:
    class Turned(SeesValues):
        rates = "free"

        def detect(self, values: Values, context: Context) -> Detection:
            return Detection(int(values.size > 1 and values[0] < values[-1]))

    assert any("-x has another answer than x" in line for line in broken_lines(Turned))
