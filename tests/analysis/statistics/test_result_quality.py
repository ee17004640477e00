"""Warm-up errors, deviations and verdicts: worked by hand, and the published tables on the subset.

Published fields: `w` last warm-up iteration, `e` last measured one, `s` the last that is not
steady, -1 for never. The published code takes s = 0 as it is: it leaves out iteration 0 even
where a fork is steady from the start, and so do these tests.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from analysis.statistics.answers import Floats
from analysis.statistics.bootstrap import BootstrapSettings
from analysis.statistics.effect_sizes import paired_errors
from analysis.statistics.error_seconds import elapsed_seconds
from analysis.statistics.measurement_deviation import RatioInterval, SteadyPart, steady_part
from analysis.statistics.result_quality import (
    BenchmarkOutcome,
    Better,
    deviations,
    gain_verdict,
    quartiles,
    tally,
    warm_up_errors,
)
from tests.published_data import replication_folder

SOP, CV, RCIW, KLD = TECHNIQUES = ("dev", "cov", "rciw", "kld")


@pytest.fixture(scope="module")
def vectors() -> dict[str, Any]:
    return json.loads((replication_folder() / "vectors" / "quality.json").read_text())


def test_seconds_and_errors_are_the_published_ones(vectors: dict[str, Any]) -> None:
    for vector in vectors["estimate_time"]:
        assert elapsed_seconds(np.array(vector["values"]))[-1] == pytest.approx(vector["seconds"])
    for vector in vectors["wee"]:
        total = elapsed_seconds(np.array(vector["values"]))
        signed_seconds = total[vector["last_warmup"] + 1] - total[vector["s"] + 1]

        assert signed_seconds == pytest.approx(vector["signed"])


def test_over_under_exact_by_hand() -> None:
    errors = warm_up_errors(np.array([2.0, -4.0, 0.0, np.nan, 6.0]), missed_count=3)

    counts = {"over": 2, "under": 1, "exact": 1, "missed": 3}
    assert errors.items() >= {**counts, "error_total": 12.0, "error_q50": 3.0}.items()
    empty_errors = warm_up_errors(np.array([]))
    assert (empty_errors["over"], empty_errors["error_total"], empty_errors["error_q50"]) == (
        0,
        None,
        None,
    )


@pytest.mark.parametrize(
    ("method", "baseline", "expected_verdict"),
    [
        (BenchmarkOutcome(False, 50), BenchmarkOutcome(True, 100), "quality improvement"),
        (BenchmarkOutcome(True, 50), BenchmarkOutcome(False, 100), "quality regression"),
        (BenchmarkOutcome(False, 50), BenchmarkOutcome(False, 100), "time improvement"),
        (BenchmarkOutcome(False, 150), BenchmarkOutcome(False, 100), "time regression"),
        (BenchmarkOutcome(False, 100), BenchmarkOutcome(False, 100), "none"),
        (BenchmarkOutcome(True, 50), BenchmarkOutcome(True, 100), "none"),
        (BenchmarkOutcome(None, 50), BenchmarkOutcome(True, 100), None),
        (BenchmarkOutcome(False, 50), BenchmarkOutcome(None, 100), None),
    ],
)
def test_quality_comes_before_time(
    method: BenchmarkOutcome, baseline: BenchmarkOutcome, expected_verdict: Better | None
) -> None:
    assert gain_verdict(method, baseline) == expected_verdict


def test_verdicts_are_the_published_ones(vectors: dict[str, Any]) -> None:
    for vector in vectors["verdict"]:
        ends = {name: vector[f"{name}_ci"] for name in ("model", "baseline")}
        model, baseline = (RatioInterval(low, high, close=False) for low, high in ends.values())
        times = vector["model_time"], vector["baseline_time"]

        verdict = gain_verdict(
            BenchmarkOutcome(model.differs, times[0]), BenchmarkOutcome(baseline.differs, times[1])
        )

        assert verdict == vector["verdict"]


def test_a_tally_has_its_shares_of_what_is_judged() -> None:
    improvements: list[Better | None] = ["quality improvement"] * 3

    tally_result = tally([*improvements, "time regression", "none", None])

    assert (tally_result.n, tally_result.improvements, tally_result.regressions) == (5, 3, 1)
    assert tally_result.net == pytest.approx(0.4)
    assert tally([None]).net is None


def test_deviations_over_differing_all_or_zeroed() -> None:
    intervals = [
        RatioInterval(1.04, 1.06, close=False),
        RatioInterval(0.98, 1.10, close=True),
        None,
        RatioInterval(1.10, 1.20, close=False, exact=False),
    ]
    medians = {scope: deviations(intervals, scope).sizes.q50 for scope in ("differing", "all")}

    summary = deviations(intervals, "zeroed")

    assert (summary.n, summary.differs, summary.close, summary.exact) == (3, 2, 1, False)
    assert summary.sizes.q50 == pytest.approx(0.05)
    assert medians == {"differing": pytest.approx(0.10), "all": pytest.approx(0.05)}
    assert deviations([]).exact
    assert quartiles([]).q50 is None


# --- the published tables, as far as the shared measurements go --------------------------------
class PublishedMeasurements(NamedTuple):
    """One benchmark: its published pairs, steady indices, and measurements where they are there.

    The developer's pairs are there for all ten forks; a test has the developer's `executed`.
    """

    pairs: dict[str, list[list[int]]]
    executed: int
    steady: list[int]
    forks: Floats | None

    def run(self, technique: str) -> list[list[int]]:
        """The pairs of the forks that a test would execute."""
        return self.pairs[technique][: self.executed if technique == SOP else None]


@pytest.fixture(scope="module")
def benchmarks() -> list[PublishedMeasurements]:
    folder = replication_folder()
    configs = json.loads((folder / "config_published.json").read_text())["benchmarks"]
    rows = csv.DictReader((folder / "index.csv").read_text(encoding="utf-8").splitlines())
    with np.load(folder / "forks.npz") as arrays:
        forks = {name: arrays[name] for name in arrays.files}
    measurements = []
    for row in rows:
        benchmark = configs["#".join(row[name] for name in ("system", "benchmark", "params"))]
        values = forks.get(f"b{int(row['row']):03d}")
        pairs = {technique: benchmark[technique] for technique in TECHNIQUES}
        measurements.append(
            PublishedMeasurements(
                pairs, int(benchmark["settings"]["forks"]), benchmark["cpssd"], values
            )
        )
    return measurements


@pytest.mark.parametrize(
    ("technique", "expected_counts"),
    [(SOP, (2433, 1062, 5)), (CV, (636, 425, 2)), (RCIW, (1088, 379, 0)), (KLD, (988, 576, 4))],
)
def test_figure_4_on_the_396_benchmarks(
    benchmarks: list[PublishedMeasurements], technique: str, expected_counts: tuple[int, int, int]
) -> None:
    signed_errors = [
        float(w - steady_start)
        for benchmark in benchmarks
        for (w, _), steady_start in zip(benchmark.pairs[technique], benchmark.steady, strict=False)
        if steady_start >= 0
    ]

    errors = warm_up_errors(np.array(signed_errors))

    assert (errors["over"], errors["under"], errors["exact"]) == expected_counts


class PublishedErrors(NamedTuple):
    """The steady forks' errors by fork, and the testing time."""

    errors: dict[int, float]
    seconds: float


@pytest.fixture(scope="module")
def forty_measurements(benchmarks: list[PublishedMeasurements]) -> list[PublishedMeasurements]:
    return [benchmark for benchmark in benchmarks if benchmark.forks is not None]


@pytest.fixture(scope="module")
def timed_errors(
    forty_measurements: list[PublishedMeasurements],
) -> dict[str, list[PublishedErrors]]:
    return {
        technique: [published_errors(benchmark, technique) for benchmark in forty_measurements]
        for technique in TECHNIQUES
    }


def published_errors(
    published_measurements: PublishedMeasurements, technique: str
) -> PublishedErrors:
    assert published_measurements.forks is not None
    totals = [elapsed_seconds(fork) for fork in published_measurements.forks]
    errors = {
        fork: float(totals[fork][w + 1] - totals[fork][published_measurements.steady[fork] + 1])
        for fork, (w, _) in enumerate(published_measurements.pairs[technique])
        if published_measurements.steady[fork] >= 0
    }
    run = enumerate(published_measurements.run(technique))
    return PublishedErrors(errors, sum(float(totals[fork][e + 1]) for fork, (_, e) in run))


@pytest.mark.parametrize(
    ("technique", "n", "total", "sizes", "times", "seconds_in_all"),
    [
        (SOP, 346, 104042.331, (10.201, 42.3504, 96.5751), (45.7031, 100.0004, 250.0022), 7111.621),
        (CV, 106, 41239.874, (12.4000, 23.9008, 115.8041), (53.6321, 62.0036, 103.2029), 3277.778),
        (
            RCIW,
            148,
            47097.534,
            (34.2719, 49.4899, 88.2002),
            (299.0778, 300.0013, 300.772),
            11316.714,
        ),
        (KLD, 144, 59702.521, (8.7736, 17.9533, 126.3126), (79.7551, 108.5001, 151.7627), 5583.803),
    ],
)
def test_errors_and_testing_times_of_the_40_benchmarks(
    timed_errors: dict[str, list[PublishedErrors]],
    technique: str,
    n: int,
    total: float,
    sizes: tuple[float, float, float],
    times: tuple[float, float, float],
    seconds_in_all: float,
) -> None:
    rows = timed_errors[technique]
    errors = warm_up_errors(np.array([error for row in rows for error in row.errors.values()]))
    seconds = quartiles(row.seconds for row in rows)

    counts = [errors[key] for key in ("over", "under", "exact")]
    assert sum(count or 0 for count in counts) == n
    assert errors["error_total"] == pytest.approx(total, abs=5e-4)
    error_quartiles = [errors[f"error_{quartile}"] for quartile in ("q25", "q50", "q75")]
    assert error_quartiles == pytest.approx(sizes, abs=5e-5)
    assert (seconds.q25, seconds.q50, seconds.q75) == pytest.approx(times, abs=1e-4)
    assert sum(row.seconds for row in rows) == pytest.approx(seconds_in_all, abs=5e-4)


# --- the published comparisons ------------------------------------------------------------------
class PublishedComparison(NamedTuple):
    """A row of the published comparison: p of Wilcoxon's test, A12 both ways, rank-biserial r."""

    n: int
    p: float
    paired: float
    all_pairs: float
    r: float


@pytest.mark.parametrize(
    ("pair", "expected_comparison"),
    [
        ((CV, SOP), PublishedComparison(106, 0.69238, 0.4717, 0.5626, 0.0447)),
        ((RCIW, SOP), PublishedComparison(148, 0.15407, 0.5, 0.4556, 0.158)),
        ((KLD, SOP), PublishedComparison(144, 0.057922, 0.5382, 0.5657, 0.1828)),
        ((KLD, CV), PublishedComparison(103, 0.0013666, 0.6262, 0.5481, 0.3725)),
        ((RCIW, KLD), PublishedComparison(131, 0.99351, 0.4008, 0.3552, -0.0008)),
    ],
)
def test_paired_errors_of_the_40_benchmarks(
    timed_errors: dict[str, list[PublishedErrors]],
    pair: tuple[str, str],
    expected_comparison: PublishedComparison,
) -> None:
    """Baseline less model, so that effects above a half, and above 0, favour the model."""
    error_pairs = zip(timed_errors[pair[0]], timed_errors[pair[1]], strict=True)
    sizes = np.array(
        [
            (abs(model.errors[fork]), abs(base.errors[fork]))
            for model, base in error_pairs
            for fork in model.errors.keys() & base.errors.keys()
        ]
    )

    effect = paired_errors(sizes[:, 0], sizes[:, 1])

    assert effect is not None
    assert effect.pairs == expected_comparison.n
    assert effect.p == pytest.approx(expected_comparison.p, rel=5e-5)
    assert effect.r == pytest.approx(expected_comparison.r, abs=5e-5)
    assert effect.a12 == pytest.approx(expected_comparison.paired, abs=5e-5)
    assert effect.a12_all == pytest.approx(expected_comparison.all_pairs, abs=5e-5)


@pytest.fixture(scope="module")
def differs_by_technique(forty_measurements: list[PublishedMeasurements]) -> dict[str, list[bool]]:
    """Which results differ, with a part of the draws: as many as the table needs."""
    bootstrap = BootstrapSettings(repeats=300)
    differs_by_technique: dict[str, list[bool]] = {
        technique_name: [] for technique_name in TECHNIQUES
    }
    for benchmark in forty_measurements:
        steady_bootstrap = steady_part(list(steady_of(benchmark)), bootstrap)
        assert steady_bootstrap is not None
        for technique in TECHNIQUES:
            differs_by_technique[technique].append(differs(benchmark, technique, steady_bootstrap))
    return differs_by_technique


def steady_of(published_measurements: PublishedMeasurements) -> Iterator[Floats]:
    assert published_measurements.forks is not None
    yield from (
        fork[s + 1 :]
        for fork, s in zip(published_measurements.forks, published_measurements.steady, strict=True)
        if s >= 0
    )


def differs(
    published_measurements: PublishedMeasurements, technique: str, part: SteadyPart
) -> bool:
    assert published_measurements.forks is not None
    run = published_measurements.run(technique)
    interval = part.interval(
        [published_measurements.forks[fork][w + 1 : e + 1] for fork, (w, e) in enumerate(run)]
    )
    assert interval is not None
    return interval.differs


@pytest.mark.parametrize(
    ("technique", "expected_count"), [(SOP, 20), (CV, 26), (RCIW, 7), (KLD, 22)]
)
def test_results_that_differ_of_the_40_benchmarks(
    differs_by_technique: dict[str, list[bool]], technique: str, expected_count: int
) -> None:
    assert sum(differs_by_technique[technique]) == expected_count


@pytest.mark.parametrize(
    ("pair", "expected_counts"),
    [
        ((CV, SOP), (4, 6, 10, 4, 16)),
        ((RCIW, SOP), (15, 8, 2, 10, 5)),
        ((KLD, SOP), (5, 8, 7, 5, 15)),
        ((KLD, CV), (7, 3, 3, 8, 19)),
        ((RCIW, KLD), (16, 3, 1, 14, 6)),
    ],
)
def test_verdicts_on_the_40_benchmarks(
    differs_by_technique: dict[str, list[bool]],
    timed_errors: dict[str, list[PublishedErrors]],
    pair: tuple[str, str],
    expected_counts: tuple[int, ...],
) -> None:
    model, baseline = pair
    verdicts = [
        gain_verdict(
            BenchmarkOutcome(differs_by_technique[model][benchmark_index], model_errors.seconds),
            BenchmarkOutcome(
                differs_by_technique[baseline][benchmark_index], baseline_errors.seconds
            ),
        )
        for benchmark_index, (model_errors, baseline_errors) in enumerate(
            zip(timed_errors[model], timed_errors[baseline], strict=True)
        )
    ]

    tally_result = tally(verdicts)

    counts = (
        tally_result.quality_improvement,
        tally_result.time_improvement,
        tally_result.quality_regression,
        tally_result.time_regression,
        tally_result.none,
    )
    assert counts == expected_counts
