"""The corpus, made once for all tests of it: 1,936 series in two or three seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from evidence.corpus.noise import RecordedNoise, recorded_noise
from evidence.corpus.series import CorpusSeries, planned_series, planted_series


@pytest.fixture(scope="session")
def noises() -> Mapping[str, Sequence[RecordedNoise]]:
    return recorded_noise()


@pytest.fixture(scope="session")
def corpus(noises: Mapping[str, Sequence[RecordedNoise]]) -> list[CorpusSeries]:
    return [planted_series(plan, noises) for plan in planned_series(noises)]
