"""Series with a known answer, for training and for unannounced checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.models import Expected, Task
from detectors.contract import NEVER
from detectors.simulated.synthetic import DECIMALS, KINDS, NOISE, SECONDS, SyntheticSeries, simulate
from formats import Measurement
from people.models import Study
from series.importing import services
from series.importing.import_plan import RecordingDetails
from series.models import Dataset, Series

DATASET = "Training, simulated"
SYSTEM = "simulated"
ABOUT = (
    "Simulated series whose answer is known by construction. Annotators are trained and checked "
    "with them; their marks enter no ground truth, no agreement and no file."
)
TOLERANCE = 0.01  # of the series: how far from the truth an answer is accepted
FEWEST = 10  # iterations on each side
VISIBLE = 2.0  # standard deviations of the noise: a smaller rest of a decay is not seen


@dataclass(frozen=True, slots=True)
class SimulatedSeries:
    """A stored series with the answer that is known of it."""

    series: Series
    low: int | None
    high: int | None
    sentence: str

    def expected(self, task: Task, *, attempt: int = 1) -> Expected:
        return Expected(
            task=task,
            never=self.low is None,
            low=self.low,
            high=self.high,
            sentence=self.sentence,
            attempt=attempt,
        )


def make_series(
    study: Study,
    kinds_with_seeds: Sequence[tuple[str, int]],
    *,
    n: int,
    name: str,
    level: float = SECONDS,
    unit: str = "s/op",
) -> list[SimulatedSeries]:
    """One stored series for each (kind, seed), in their order, as forks of the benchmark `name`.

    The names say nothing of the shape. `level` and `unit` make them look like the series among
    which they stand. Made again, they are the same rows.
    """
    synthetic_series = [simulate(kind, n=n, seed=seed) for kind, seed in kinds_with_seeds]
    rows = [
        _measurement(drawn_series, fork, name, level, unit)
        for fork, drawn_series in enumerate(synthetic_series)
    ]
    dataset = _dataset(study)
    earlier_series_by_fork = _series_by_fork(dataset, name)
    if new_measurements := [
        measurement for measurement in rows if not _is_stored(measurement, earlier_series_by_fork)
    ]:
        services.import_measurements(
            dataset, new_measurements, name, occasion=RecordingDetails(label=SYSTEM)
        )
    series_by_fork = _series_by_fork(dataset, name)
    bands = (
        accepted_band(drawn_series, seed)
        for drawn_series, (_, seed) in zip(synthetic_series, kinds_with_seeds, strict=True)
    )
    return [
        SimulatedSeries(series_by_fork[fork], low, high, drawn_series.why)
        for fork, (drawn_series, (low, high)) in enumerate(
            zip(synthetic_series, bands, strict=True)
        )
    ]


def accepted_band(drawn_series: SyntheticSeries, seed: int) -> tuple[int | None, int | None]:
    """First and last accepted iteration; none for a series that is never steady.

    The truth with a tolerance on both sides. A decay fades rather than ends: its band begins
    where what is left of it can no longer be told from the noise.
    """
    if drawn_series.steady_start == NEVER:
        return None, None
    n = drawn_series.values.size
    room = max(FEWEST, round(TOLERANCE * n))
    fade_end = min(drawn_series.steady_start, _fade_end(drawn_series.kind, n, seed))
    return max(0, fade_end - room), min(n - 1, drawn_series.steady_start + room)


def _fade_end(kind: str, n: int, seed: int) -> int:
    """First iteration from which the level without its noise stays as it ends, to the eye."""
    shape = KINDS[kind](np.random.default_rng([seed, *kind.encode()]), n)
    distances = np.abs(shape.level - np.median(shape.level[-n // 10 :])) > VISIBLE * NOISE
    if kind != "decay":
        return shape.steady_start
    return int(np.flatnonzero(distances)[-1]) + 1 if distances.any() else 0


def _series_by_fork(dataset: Dataset, name: str) -> dict[int, Series]:
    rows = Series.objects.filter(benchmark__dataset=dataset, benchmark__name=name)
    return {series.fork: series for series in rows.select_related("benchmark", "stored")}


def _is_stored(measurement: Measurement, series_by_fork: Mapping[int, Series]) -> bool:
    """Return whether `measurement` is stored: in older installations with digits that are no
    longer kept.
    """
    stored_series = series_by_fork.get(measurement.fork)
    if stored_series is None or stored_series.n != measurement.values.size:
        return False
    return np.allclose(
        stored_series.array(), measurement.values, rtol=0.1**DECIMALS / NOISE, atol=0
    )


def _measurement(
    drawn_series: SyntheticSeries, fork: int, name: str, level: float, unit: str
) -> Measurement:
    values = drawn_series.values * (level / SECONDS)
    values.flags.writeable = False
    return Measurement(
        benchmark=name, values=values, label=f"{name}|{fork}", system=SYSTEM, fork=fork, unit=unit
    )


def _dataset(study: Study) -> Dataset:
    existing_dataset = Dataset.objects.filter(study=study, name=DATASET, simulated=True).first()
    return existing_dataset or services.create_dataset(
        study, name=DATASET, simulated=True, about=ABOUT
    )


def shapes(kinds: Sequence[str], count: int, seed: int) -> list[tuple[str, int]]:
    """`count` pairs of kind and seed, the kinds in turn, no two series alike."""
    return [(kinds[number % len(kinds)], seed + number) for number in range(count)]
