"""Steps that help a method: on which classes of series, as it was measured.

`gains.json` holds what `python -m evidence.replication.preparation_gains --ask` measured. A step
is taken only where the mean error falls on both sources, the corpus of known answers and people's
marks: both 95 % intervals exclude 0 (whole systems drawn anew), and so do p-values that are
adjusted for all pairs of method and step.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple, cast

from detectors.contract import Values
from detectors.preparation.steps import LEAST, STEPS, Step
from detectors.shapes.series_shape import shape_of

ALPHA: Final = 0.05  # false discoveries among what is switched on, at the most
FILE: Final = Path(__file__).with_name("gains.json")
EVERY_SERIES: Final = "all"
PREPARED_WORDS: Final[Mapping[Step, str]] = MappingProxyType(
    {
        "none": "nothing",
        "median": "median of five values",
        "outliers": "outliers replaced",
        "cycles": "cycles taken off",
    }
)
FLAGS: Final[Mapping[Step, str]] = MappingProxyType(
    {
        "none": "unprepared",
        "median": "median-filtered",
        "outliers": "outliers-replaced",
        "cycles": "cycles-removed",
    }
)


class Gain(NamedTuple):
    """Fall of the mean error, as a share of the length, with its 95 % interval."""

    mean: float
    low: float
    high: float
    series: int
    systems: int


@dataclass(frozen=True, slots=True)
class MeasuredGain:
    """Gain of one step for one method on one class of series; None where there are too few.

    corpus_p, people_p  adjusted p-values on all series; None of classes, and on people's marks
                        where the corpus leaves nothing to confirm
    """

    step: Step
    series_class: str
    corpus: Gain | None
    people: Gain | None
    corpus_p: float | None = None
    people_p: float | None = None

    @property
    def is_above_zero(self) -> bool:
        """True where both intervals lie above 0."""
        return all(gain is not None and gain.low > 0 for gain in (self.corpus, self.people))

    @property
    def helps(self) -> bool:
        """True where the gain is more than chance on both sources."""
        is_significant = all(p is not None and p <= ALPHA for p in (self.corpus_p, self.people_p))
        return self.is_above_zero and is_significant

    @property
    def sureness(self) -> float:
        """The smaller of both lower ends, by which steps are ranked; 0 where one is missing."""
        return min(gain.low if gain else 0.0 for gain in (self.corpus, self.people))


@dataclass(frozen=True, slots=True)
class Preparation:
    """Values as the method reads them, what was done, and why."""

    values: Values
    step: Step
    why: str

    @property
    def flag(self) -> str:
        """The flag of an answer that names what was done."""
        return FLAGS[self.step]


@cache
def measured_gains() -> Mapping[str, tuple[MeasuredGain, ...]]:
    """All measured gains by the key of the method."""
    document = json.loads(FILE.read_text("utf-8"))["methods"]
    return MappingProxyType({key: tuple(_gains(rows)) for key, rows in document.items()})


def _gains(rows: Iterable[Mapping[str, Any]]) -> Iterator[MeasuredGain]:
    for row in rows:
        corpus, people = (
            None if row[source] is None else Gain(*row[source]) for source in ("corpus", "people")
        )
        yield MeasuredGain(row["step"], row["class"], corpus, people, *row.get("p", ()))


def preparation_of(values: Values, key: str, way: str) -> Preparation:
    """Prepare a series for the method of `key`; `way` is one step, or `auto`: what helps."""
    if values.size < LEAST:
        return Preparation(values, "none", f"fewer than {LEAST} values")
    if way != "auto":
        return _prepare(values, cast("Step", way), "chosen, whatever the series")
    gains = measured_gains().get(key)
    if gains is None:
        return Preparation(values, "none", "not measured for this method with these settings")
    helpful_gains = [gain for gain in gains if gain.helps]
    if not helpful_gains:
        return Preparation(values, "none", "no step was seen to help this method")
    best_gain = max(helpful_gains, key=lambda gain: gain.sureness)
    return _prepare(values, best_gain.step, "seen to help this method")


def _prepare(values: Values, step: Step, reason: str) -> Preparation:
    prepared_values = STEPS[step](values, shape_of(values))
    if (prepared_values == values).all():
        return Preparation(values, "none", f"{PREPARED_WORDS[step]} would change no value")
    return Preparation(prepared_values, step, reason)
