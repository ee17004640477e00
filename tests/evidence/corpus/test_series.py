"""Which series there are, and that each is made by its plan and the seed alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

import numpy as np

from evidence.corpus.folder import manifest
from evidence.corpus.levels import LEVELS
from evidence.corpus.noise import RecordedNoise, variance_inflation
from evidence.corpus.series import LEAST_SEEN, CorpusSeries, planned_series, planted_series
from evidence.corpus.versions import CURRENT

Noises = Mapping[str, Sequence[RecordedNoise]]


def test_every_shape_stands_in_every_length_with_the_noise_of_every_workload(
    corpus: list[CorpusSeries], noises: Noises
) -> None:
    counts = Counter((s.plan.workload, s.plan.shape, s.plan.n) for s in corpus)

    assert counts == Counter((w, s, n) for w in noises for s in LEVELS for n in CURRENT.lengths)
    assert len(corpus) == 1936
    assert all(s.nanoseconds.size == s.plan.n for s in corpus)


def test_names_are_unique_and_their_numbers_tell_no_shape(corpus: list[CorpusSeries]) -> None:
    assert len({s.plan.name for s in corpus}) == len(corpus)
    shapes = {s.plan.shape for s in corpus if s.plan.name.endswith("-000")}

    assert len(shapes) > 5
    assert not any(shape in s.plan.name for s in corpus for shape in LEVELS)


def test_a_series_alone_is_the_series_among_all(corpus: list[CorpusSeries], noises: Noises) -> None:
    for series in corpus[::301]:
        series_alone = planted_series(
            series.plan, {series.plan.workload: noises[series.plan.workload]}
        )

        assert np.array_equal(series_alone.nanoseconds, series.nanoseconds)
        assert series_alone.known.steady_start == series.known.steady_start


def test_another_seed_is_another_corpus(corpus: list[CorpusSeries], noises: Noises) -> None:
    other_plan = next(iter(planned_series(noises, 1)))

    assert other_plan != corpus[0].plan
    assert not np.array_equal(
        planted_series(corpus[0].plan, noises, 1).nanoseconds, corpus[0].nanoseconds
    )


def test_values_are_seconds_and_their_digest_is_that_of_exports(corpus: list[CorpusSeries]) -> None:
    series = corpus[7]

    assert series.values.tolist() == (series.nanoseconds / 1e9).tolist()
    assert series.digest == sha256((series.nanoseconds / 1e9).astype("<f8").tobytes()).hexdigest()


def test_a_series_is_its_level_with_noise_of_its_workload(corpus: list[CorpusSeries]) -> None:
    """Without slow noise, what is left are blocks of the recording, to half a unit."""
    quick_series = [s for s in corpus if not s.noise.slow]
    assert len(quick_series) > 50
    for series in quick_series[::9]:
        remaining_ratios = series.nanoseconds / (series.noise.level * series.known.values)
        distances = np.abs(remaining_ratios[:, None] - series.noise.ratios).min(axis=1)

        assert (distances * series.noise.level * series.known.values <= 1).all()
        assert series.noise.workload == series.plan.workload


def test_every_change_can_be_seen(corpus: list[CorpusSeries]) -> None:
    """Whoever finds one below three spreads has found a series that is labelled so."""
    assert min(s.height for s in corpus) >= LEAST_SEEN
    for series in corpus:
        start = series.known.steady_start
        if start > 0 and series.known.exactness == "exact":
            change = abs(series.known.values[start - 1] - series.known.values[start])
            assert change >= LEAST_SEEN * series.noise.spread


def test_a_change_that_hides_is_planted_anew(noises: Noises) -> None:
    plans = [plan for plan in planned_series(noises) if plan.shape == "step-up" and plan.n <= 200]
    first_series = [
        planted_series(replace(plan, version=replace(CURRENT, replants=False)), noises)
        for plan in plans
    ]
    hidden_series = [series for series in first_series if not series.is_seen]

    assert hidden_series
    for series in hidden_series:
        replanted_series = planted_series(
            next(plan for plan in plans if plan.name == series.plan.name), noises
        )
        assert replanted_series.is_seen


def test_a_change_that_stays_hidden_is_too_small_to_see(corpus: list[CorpusSeries]) -> None:
    step = next(s for s in corpus if s.plan.shape == "step-down")
    noisy_step = replace(step, noise=replace(step.noise, spread=10.0))

    assert not noisy_step.is_seen
    assert manifest([noisy_step]).splitlines()[1].split(",").count("too small to see") == 1


def test_means_of_100_calls_vary_as_in_recordings(corpus: list[CorpusSeries]) -> None:
    long_series = [s for s in corpus if s.plan.n >= 1500]
    median, high_inflation = np.percentile(
        [variance_inflation(s.noise_ratios) for s in long_series], (50, 95)
    )

    assert 1.7 < median < 2.3
    assert 35 < high_inflation < 91
