"""Figures of stopping techniques: a checkout that is made up, by hand, and the published subset."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from evidence.replication.monte_carlo import REPETITIONS
from evidence.replication.published_figures import BEYOND, COMPARISON, published_figures
from evidence.replication.published_files import STOPS, read_study
from evidence.replication.published_study import PublishedBenchmark
from evidence.replication.stopping_figures import (
    StoppingFigures,
    measured_techniques,
    stopping_figures_of,
)
from tests.published_data import replication_folder

FALLING = [0.4] * 10 + [0.2] * 110  # seconds an operation: one operation an iteration
LEVEL = [0.2] * 120


def classification_file(*starts: int) -> dict[str, object]:
    """A file of `classification`; early commits keep the index of a fork that is never steady."""
    forks = ["no steady state" if start < 0 else "steady state" for start in starts]
    kept_starts = [2968 if start < 0 else start for start in starts]
    return {"run": "inconsistent", "forks": forks, "steady_state_starts": kept_starts}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three benchmarks of two forks in the published layout; the third without measurements."""
    root = tmp_path_factory.mktemp("checkouts") / "steady-state"
    files = {
        "a__a#one#": {
            "timeseries/all": [FALLING, LEVEL],
            "classification": classification_file(9, 0),
            "devconfig": [[9, 59], [19, 69]],
            "dynconfig/Cov": [[14, 34], [0, 20]],
        },
        "a__a#two#n=1": {
            "timeseries/all": [FALLING, FALLING],
            "classification": classification_file(9, 9),
            "devconfig": [[9, 59], [9, 59]],
            "dynconfig/Cov": [[4, 14], [4, 14]],
        },
        "b__b#three#": {
            "classification": classification_file(-1, 9),
            "devconfig": [[0, 9], [0, 9]],
        },
    }
    for name, parts in files.items():
        for folder, content in parts.items():
            path = root / "data" / folder / f"{name}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(content))
    subjects = "project,benchmark,params,forks\na/a,one,,1\na/a,two,n=1,2\nb/b,three,,5\n"
    (root / "data" / "subjects.csv").write_text(subjects)
    return root.parent


@pytest.fixture(scope="module")
def hand_figures(checkout: Path) -> dict[str, float]:
    return stopping_figures_of(read_study(checkout).stopped).values


def test_a_checkout_is_read(checkout: Path) -> None:
    first, second, third = read_study(checkout).benchmarks

    assert [benchmark.name for benchmark in (first, second, third)] == [
        "a__a#one#",
        "a__a#two#n=1",
        "b__b#three#",
    ]
    assert first.run("SOP") == ((9, 59),)  # the developers execute one fork
    assert first.run("CV") == ((14, 34), (0, 20))
    assert second.executed == 2
    assert third.stops.get("CV") is None
    assert third.forks == ()
    assert [fork.size for fork in first.forks] == [120, 120]


def test_forks_and_segments_by_hand(hand_figures: dict[str, float]) -> None:
    """Up to iteration 9 ten windows are unstable, and one where all is steady; of 100 a fork."""
    assert (hand_figures["benchmarks"], hand_figures["steady"]) == (3, 5)
    assert (hand_figures["segments.unstable"], hand_figures["segments.stable"]) == (41, 459)
    assert hand_figures["segments.training"] == pytest.approx(400)


@pytest.mark.parametrize(
    ("technique", "n", "shares"), [("SOP", 5, (20, 20, 60)), ("CV", 4, (25, 50, 25))]
)
def test_over_under_exact_by_hand(
    hand_figures: dict[str, float], technique: str, n: int, shares: tuple[float, ...]
) -> None:
    assert hand_figures[f"{technique}.n"] == n
    own_shares = [hand_figures[f"{technique}.{name}"] for name in ("over", "under", "exact")]
    assert own_shares == pytest.approx(shares)


def test_seconds_by_hand(hand_figures: dict[str, float]) -> None:
    """SOP: 14 s in one fork, 28 s in two; CV: 9 + 4.2 s, and twice 5 s."""
    assert hand_figures["SOP.seconds.q50"] == pytest.approx(21)
    assert hand_figures["CV.seconds.q50"] == pytest.approx(11.6)
    # SOP errs 0, 3.8, 0 and 0 s, CV 1, 0, 2 and 2 s.
    assert hand_figures["SOP.error.q75"] == pytest.approx(0.95)
    assert hand_figures["CV.error.q50"] == pytest.approx(1.5)


def test_one_technique_against_another_by_hand(hand_figures: dict[str, float]) -> None:
    """CV measures slow iterations of the second benchmark, and is quicker on the first."""
    assert (hand_figures["SOP.differs"], hand_figures["CV.differs"]) == (0, 1)
    assert hand_figures["CV.deviation.q50"] == pytest.approx(50, abs=3)
    assert hand_figures["CV/SOP.n"] == 4
    assert hand_figures["CV/SOP.a12"] == 0.25
    assert hand_figures["CV/SOP.a12_all"] == pytest.approx(5.5 / 16)
    assert hand_figures["CV/SOP.r"] == pytest.approx(-0.2)
    verdicts = [hand_figures[f"CV/SOP.{name}"] for name in ("qi", "ti", "qr", "tr")]
    assert verdicts == [0, 1, 1, 0]
    assert not any(key.startswith(("RCIW", "KLD")) for key in hand_figures)


def test_without_the_developers_forks_their_test_has_no_time(checkout: Path) -> None:
    benchmark = replace(read_study(checkout).benchmarks[0], executed=None)

    values = stopping_figures_of([benchmark], quick=True).values

    assert values["SOP.n"] == 2
    assert "SOP.seconds.q50" not in values
    assert values["CV.seconds.q50"] == pytest.approx(13.2)


# --- the published subset -----------------------------------------------------------------------
@pytest.fixture(scope="module")
def benchmarks() -> Sequence[PublishedBenchmark]:
    return read_study(replication_folder()).stopped


@pytest.fixture(scope="module")
def all_figures(benchmarks: Sequence[PublishedBenchmark]) -> StoppingFigures:
    return stopping_figures_of(benchmarks, quick=True)


@pytest.fixture(scope="module")
def subset_figures(all_figures: StoppingFigures) -> dict[str, float]:
    return all_figures.values


def test_previews_judge_as_the_published_draws(benchmarks: Sequence[PublishedBenchmark]) -> None:
    few_benchmarks = [b for b in benchmarks if len(b.forks) == 10][:4]

    for benchmark in few_benchmarks:
        exact_figures, quick_figures = (
            measured_techniques(benchmark),
            measured_techniques(benchmark, quick=True),
        )

        assert exact_figures.keys() == quick_figures.keys()
        for technique, figures in exact_figures.items():
            drawn_interval, preview = figures.interval, quick_figures[technique].interval
            assert drawn_interval is not None
            assert preview is not None
            assert (drawn_interval.exact, preview.exact) == (True, False)
            assert preview.differs == drawn_interval.differs or drawn_interval.close
            width = drawn_interval.high - drawn_interval.low
            assert preview.deviation == pytest.approx(drawn_interval.deviation, abs=0.05 * width)


def test_segments_and_folds_of_the_subset(subset_figures: dict[str, float]) -> None:
    """Whole systems are there, so that folds are those of the complete data."""
    assert (subset_figures["benchmarks"], subset_figures["steady"]) == (396, 3500)
    assert (subset_figures["segments.stable"], subset_figures["segments.unstable"]) == (
        261_441,
        88_559,
    )
    assert [subset_figures[f"fold.{fold}"] for fold in range(5)] == [80, 80, 79, 79, 78]


@pytest.mark.parametrize(
    ("technique", "counts", "differing_count", "errors"),
    [
        ("SOP", (2433, 1062, 5), 20, (10.2010, 42.3504, 96.5751)),
        ("CV", (636, 425, 2), 26, (12.4000, 23.9008, 115.8041)),
        ("RCIW", (1088, 379, 0), 7, (34.2719, 49.4899, 88.2002)),
        ("KLD", (988, 576, 4), 22, (8.7736, 17.9533, 126.3126)),
    ],
)
def test_every_technique_on_the_subset(
    subset_figures: dict[str, float],
    technique: str,
    counts: tuple[int, ...],
    differing_count: int,
    errors: tuple[float, ...],
) -> None:
    shares = [subset_figures[f"{technique}.{name}"] for name in ("over", "under", "exact")]
    assert shares == pytest.approx([100 * count / sum(counts) for count in counts])
    assert subset_figures[f"{technique}.differs"] == differing_count
    quartiles = [subset_figures[f"{technique}.error.{name}"] for name in ("q25", "q50", "q75")]
    assert quartiles == pytest.approx(errors, abs=5e-5)


@pytest.mark.parametrize(
    ("pair", "n", "p", "effects", "verdicts"),
    [
        ("CV/SOP", 106, 0.69238, (0.4717, 0.5626, 0.0447), (4, 6, 10, 4)),
        ("RCIW/SOP", 148, 0.15407, (0.5000, 0.4556, 0.1580), (15, 8, 2, 10)),
        ("KLD/SOP", 144, 0.057922, (0.5382, 0.5657, 0.1828), (5, 8, 7, 5)),
        ("KLD/CV", 103, 0.0013666, (0.6262, 0.5481, 0.3725), (7, 3, 3, 8)),
        ("RCIW/KLD", 131, 0.99351, (0.4008, 0.3552, -0.0008), (16, 3, 1, 14)),
    ],
)
def test_every_pair_on_the_subset(
    subset_figures: dict[str, float],
    pair: str,
    n: int,
    p: float,
    effects: tuple[float, ...],
    verdicts: tuple[int, ...],
) -> None:
    assert subset_figures[f"{pair}.n"] == n
    assert subset_figures[f"{pair}.p"] == pytest.approx(p, rel=5e-5)
    own_effects = [subset_figures[f"{pair}.{name}"] for name in ("a12", "a12_all", "r")]
    assert own_effects == pytest.approx(effects, abs=5e-5)
    assert tuple(subset_figures[f"{pair}.{name}"] for name in ("qi", "ti", "qr", "tr")) == verdicts


def test_every_published_figure_is_computed(subset_figures: dict[str, float]) -> None:
    named_keys = {
        claim.key for claim in published_figures() if claim.group not in COMPARISON | BEYOND
    }

    assert named_keys - subset_figures.keys() == set()


def test_pairs_hold_a_stop_for_each_fork_of_the_developers(
    benchmarks: Sequence[PublishedBenchmark],
) -> None:
    assert {len(benchmark.stops["SOP"]) for benchmark in benchmarks} == {10}
    assert {technique for benchmark in benchmarks for technique in benchmark.stops} == set(STOPS)


def test_every_figure_of_the_bootstrap_has_a_deviation(all_figures: StoppingFigures) -> None:
    random = {
        claim.key for claim in published_figures() if claim.random and claim.group not in BEYOND
    }

    assert set(all_figures.spreads) == random
    assert {spread.n for spread in all_figures.spreads.values()} == {REPETITIONS}
