"""Which series there are, and that each is made by its plan and the seed alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256

import numpy as np

from corpus.levels import LEVELS
from corpus.noise import RecordedNoise
from corpus.series import LENGTHS, CorpusSeries, made, planned

Noises = Mapping[str, Sequence[RecordedNoise]]


def test_every_shape_stands_in_every_length_with_the_noise_of_every_workload(
    corpus: list[CorpusSeries], noises: Noises
) -> None:
    found = Counter((each.plan.workload, each.plan.shape, each.plan.n) for each in corpus)

    assert found == Counter((w, s, n) for w in noises for s in LEVELS for n in LENGTHS)
    assert len(corpus) == 2420
    assert all(each.nanoseconds.size == each.plan.n for each in corpus)


def test_names_are_unique_and_their_numbers_tell_no_shape(corpus: list[CorpusSeries]) -> None:
    assert len({each.plan.name for each in corpus}) == len(corpus)
    first = {each.plan.shape for each in corpus if each.plan.name.endswith("-000")}

    assert len(first) > 5
    assert not any(shape in each.plan.name for each in corpus for shape in LEVELS)


def test_a_series_alone_is_the_series_among_all(corpus: list[CorpusSeries], noises: Noises) -> None:
    for each in corpus[::301]:
        alone = made(each.plan, {each.plan.workload: noises[each.plan.workload]})

        assert np.array_equal(alone.nanoseconds, each.nanoseconds)
        assert alone.known.steady_start == each.known.steady_start


def test_another_seed_is_another_corpus(corpus: list[CorpusSeries], noises: Noises) -> None:
    other = next(iter(planned(noises, 1)))

    assert other != corpus[0].plan
    assert not np.array_equal(made(corpus[0].plan, noises, 1).nanoseconds, corpus[0].nanoseconds)


def test_values_are_seconds_and_their_digest_is_that_of_exports(
    corpus: list[CorpusSeries],
) -> None:
    one = corpus[7]

    assert one.values.tolist() == (one.nanoseconds / 1e9).tolist()
    assert one.digest == sha256((one.nanoseconds / 1e9).astype("<f8").tobytes()).hexdigest()


def test_a_series_is_its_level_with_noise_of_its_workload(corpus: list[CorpusSeries]) -> None:
    """Divided by level and shape, what is left are blocks of the recording, to half a unit."""
    for each in corpus[::211]:
        left = each.nanoseconds / (each.noise.level * each.known.values)
        nearest = np.abs(left[:, None] - each.noise.ratios).min(axis=1)

        assert (nearest * each.noise.level * each.known.values <= 1).all()
        assert each.noise.workload == each.plan.workload
