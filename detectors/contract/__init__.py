"""The contract between Plateau and a detector, whoever wrote it.

A detector is a class that says who it is, which parameters it has, and answers one
question about a series: from which iteration on is it steady? Of the ten values
9 8 7 5 5 5 5 5 5 5, "steady from 3" means that the iterations 3, 4, … 9 are kept.

    class First(Detector):
        slug, version = "first", "1"
        title, code = "First iteration", "ONE"
        source = Source("Nobody")

        def detect(self, values: Values, context: Context) -> Detection:
            return Detection(0)

    First().answer([9.0, 5.0, 5.0]).steady_start  # 0
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, Literal, Protocol, Self, TypeVar, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from detectors.contract.directions import direction_of
from detectors.contract.evidence import Bands, Curve, Events, Evidence, Figures, Levels, as_json
from detectors.contract.parameters import (
    DeclaredParameter,
    ParameterError,
    ParameterKind,
    Parameters,
    parameter,
    seed_parameter,
)
from detectors.contract.rates import RateConvention, durations_of, seconds_of

__all__ = [
    "MOST_SECONDS",
    "NEVER",
    "BadSeries",
    "Bands",
    "Certainty",
    "Context",
    "Cost",
    "Curve",
    "Decision",
    "DeclaredParameter",
    "Detection",
    "Detector",
    "DetectorError",
    "Events",
    "Evidence",
    "Figures",
    "Levels",
    "Need",
    "NotAvailable",
    "OnlineDetector",
    "ParameterError",
    "ParameterKind",
    "Parameters",
    "RateConvention",
    "Samples",
    "Setting",
    "Source",
    "TooLong",
    "TooShort",
    "Values",
    "as_json",
    "as_series",
    "parameter",
    "seed_parameter",
]

Values = NDArray[np.float64]
Setting = int | float | str
Need = Literal["samples", "settings", "seconds", "model", "benchmark"]
Cost = Literal["instant", "quick", "slow"]

# Bound of one answer with default parameters, on the machine of docs/design/cost.md.
MOST_SECONDS = 30.0
NEVER = -1  # in arrays, CSV and JSON; `None` and an empty cell mean "no answer" instead


class DetectorError(Exception):
    """An answer that is no iteration: shown to a person, stored as the detection's error."""


class TooShort(DetectorError):
    """The series has fewer values than the method can judge; `needed` is the least."""

    def __init__(self, needed: int, got: int) -> None:
        super().__init__(needed, got)
        self.needed, self.got = needed, got

    def __str__(self) -> str:
        return f"too short: needs at least {self.needed} values; got {self.got}"


class TooLong(DetectorError):
    """The series has more values than the method reads; `most` is the greatest number."""

    def __init__(self, most: int, got: int) -> None:
        super().__init__(most, got)
        self.most, self.got = most, got

    def __str__(self) -> str:
        return f"too long: reads at most {self.most} values; got {self.got}"


class NotAvailable(DetectorError):
    """The method lacks something it needs: its model file, raw samples, a duration."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"not available: {self.reason}"


class BadSeries(DetectorError):
    """Values that are no series: the sentence says which, where, and what was expected."""


@dataclass(frozen=True, slots=True)
class Source:
    """Origin of a method: authors and year, and how to find it."""

    citation: str
    doi: str = ""
    url: str = ""
    section: str = ""


class Samples(Protocol):
    """The raw (value, count) pairs of each iteration, packed one after the other.

    Iteration i owns ``values[offsets[i]:offsets[i + 1]]`` and the same slice of `counts`;
    `offsets` has one entry more than there are iterations. `formats.Samples` is one.
    """

    @property
    def values(self) -> NDArray[np.float64]: ...
    @property
    def counts(self) -> NDArray[np.int64]: ...
    @property
    def offsets(self) -> NDArray[np.int64]: ...


@dataclass(frozen=True, slots=True)
class Context:
    """Facts about a series beside its values.

    seconds_per_iteration: the configured or known duration of one iteration.
    settings: what was configured, as far as the file said: `warmup_iterations`,
        `warmup_seconds` (of one iteration), `measurement_iterations`, `measurement_seconds`,
        `forks`, `threads`; `unrecorded_iterations` of warm-up that were run before the first
        value, each of `warmup_seconds`; `operations_per_iteration`, 1 where a value is how long
        its iteration lasted.
    samples: None where the file had one value an iteration.
    benchmark: ``system#name#params``, so that a learned method can take the model that has
        not seen it; empty where nobody says.
    more_is_better: whether values are rates or scores; None: as unit and mode say.
    """

    unit: str = "s"
    mode: str = ""
    seconds_per_iteration: float | None = None
    settings: Mapping[str, Setting] = field(default_factory=dict)
    samples: Samples | None = None
    benchmark: str = ""
    more_is_better: bool | None = None

    @property
    def is_rate(self) -> bool:
        """True where more is better: operations a second, a score."""
        if self.more_is_better is None:
            return direction_of(self.unit, self.mode).more
        return self.more_is_better


@dataclass(frozen=True, slots=True)
class Certainty:
    """Certainty of a method about its answer.

    chance: probability that people would call the series steady. low, high: first iterations
    between which four of five of their answers lie. near: probability that their answer lies
    within 50 iterations of the method's, if they call the series steady.
    """

    chance: float
    low: int
    high: int
    near: float


@dataclass(frozen=True, slots=True)
class Detection:
    """One detector's answer for one series.

    steady_start: first iteration of the steady state, 0-based; `NEVER` if there is none.
    published_index: what the publication would have printed; None if there is none to print.
        A method that prints one prints `NEVER` for never (or what its publication does).
    decided_at: iteration at which an online method's decision fell; None if it has none.
    flags: words that the method's page explains.
    certainty: how sure the method is; None where it does not estimate that. No part of what two
        answers are compared by: a probability may differ in its last digit between units.
    reason: one sentence on why, or nothing; no part of what answers are compared by either.
    changes: first iterations of new levels, rising, of a method that `gives_changes`; empty where
        nothing changes, None of another method; no part of what answers are compared by.
    """

    steady_start: int
    published_index: int | None = None
    decided_at: int | None = None
    flags: tuple[str, ...] = ()
    certainty: Certainty | None = field(default=None, compare=False)
    reason: str = field(default="", compare=False)
    changes: tuple[int, ...] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Decision:
    """Judgement of an online method after `n` values.

    detection: None while there is no answer yet. `final`: no later value can change it.
    figures: named numbers of the moment (a step, a probability), for a display.
    """

    n: int
    detection: Detection | None = None
    final: bool = False
    figures: Mapping[str, float] = field(default_factory=dict)


def as_series(values: ArrayLike) -> Values:
    """`values` as every method gets them: 1-D, C-contiguous float64, finite, read-only.

    An array that is so already is given back as it is; otherwise a copy, and the caller's
    array stays writable. Raises `BadSeries`.
    """
    try:
        array = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise BadSeries(f"values must be numbers: {error}") from None
    if np.ndim(values) != 1:
        raise BadSeries(f"values must be one-dimensional; got {np.ndim(values)} dimensions")
    if not np.isfinite(array).all():
        first = int(np.flatnonzero(~np.isfinite(array))[0])
        raise BadSeries(f"values must be finite; value {first} is {array[first]}")
    if array.flags.writeable:
        # A frozen view of the caller's own array would still change under the method.
        array = array.copy() if array is values or array.base is not None else array
        array.setflags(write=False)
    return array


READ_AS = "the time of one operation, 1/x"


def as_durations(values: Values, context: Context) -> tuple[Values, Context]:
    """Rates as the time of one operation, with the context of such; others as they are.

    Raises `BadSeries` for a rate below 0, and for 0 where nothing says how long an iteration is.
    """
    if not context.is_rate:
        return values, context
    seconds = durations_of(values, context.unit, context.seconds_per_iteration)
    wrong_indices = np.flatnonzero(np.isnan(seconds))
    if wrong_indices.size:
        index = int(wrong_indices[0])
        raise BadSeries(
            f"rates must be above 0 to be read as durations; value {index} is {values[index]:g}"
            + ("" if values[index] else ", and nothing says how long an iteration took")
        )
    _, unit = seconds_of(context.unit)
    return seconds, replace(context, unit=unit, mode="avgt", samples=None, more_is_better=False)


def _as_rates(evidence: Evidence, scale: float) -> Evidence:
    """Levels of durations as the rates that they stand for; other kinds have no such unit."""
    if not isinstance(evidence, Levels):
        return evidence
    pieces = ((start, stop, scale / level) for start, stop, level in evidence.pieces if level)
    return replace(evidence, pieces=tuple(pieces))


class Detector(ABC):
    """A method with its parameters: the same values always give the same answer.

    A subclass declares itself (below), its `Params`, and `detect`. An instance holds its
    parameters and nothing else, so that threads may share it.
    """

    slug: ClassVar[str]  # lower case, in keys and addresses
    version: ClassVar[str]  # changes when an answer may
    title: ClassVar[str]
    code: ClassVar[str]  # two to four capitals, the label on charts
    slot: ClassVar[int | None] = None  # the look on charts; None takes the next free one
    source: ClassVar[Source]
    family: ClassVar[str] = "other"  # heading in the catalogue; ours: `detectors.families`
    cost: ClassVar[Cost] = "instant"  # 3,000 values: under 1 ms, under 1 s, longer
    longest: ClassVar[int | None] = None  # values; a longer series would take over MOST_SECONDS
    needs: ClassVar[tuple[Need, ...]] = ()  # beside the values
    uses: ClassVar[tuple[Need, ...]] = ()  # where they are there; answers without them, too
    online: ClassVar[bool] = False
    rates: ClassVar[RateConvention] = "inverse"  # how a series is read of which more is better
    rates_note: ClassVar[str] = ""  # one sentence more for its page
    says_certainty: ClassVar[bool] = False  # every answer has a `certainty`
    gives_changes: ClassVar[bool] = False  # every answer has `changes`

    class Params(Parameters):
        """No parameters, unless a subclass declares some."""

    params: Parameters

    def __init__(self, **parameters: Any) -> None:
        self.params = self.Params.from_values(parameters)

    @classmethod
    def parse(cls, texts: Mapping[str, str]) -> Self:
        """The method with parameters given as text: by a form, a command line."""
        return cls.with_params(cls.Params.parse(texts))

    @classmethod
    def with_params(cls, params: Parameters) -> Self:
        detector = cls()
        detector.params = params
        return detector

    @classmethod
    def missing(cls) -> str:
        """Why the method cannot work here ("weights not installed"), or nothing."""
        return ""

    @property
    def key(self) -> str:
        """``slug@version?name=value&…``: names the answer, defaults written out."""
        text = self.params.as_text()
        return f"{self.slug}@{self.version}" + (f"?{text}" if text else "")

    @final
    def answer(self, values: ArrayLike, context: Context | None = None) -> Detection:
        """`detect` for values from anywhere: through `as_series`, and never out of range.

        Rates are given to it as the method declares to read them. Raises `TooLong`, and
        `TooShort` for fewer values than `least_length`.
        """
        checked_values = as_series(values)
        self.check_length(checked_values.size)
        series, read_context = self.reads(checked_values, context or Context())
        self.check_least_length(series.size)
        detection = self.detect(series, read_context)
        if not NEVER <= detection.steady_start < series.size:
            raise RuntimeError(
                f"{self.key} answered {detection.steady_start} for {series.size} values; "
                f"expected {NEVER} for never, or 0 to {series.size - 1}"
            )
        return detection

    @final
    def explained(self, values: Values, context: Context) -> tuple[Evidence, ...]:
        """`evidence` for `values` from `as_series`, levels in the unit of the series."""
        self.check_length(values.size)
        series, read_context = self.reads(values, context)
        self.check_least_length(series.size)
        drawings = self.evidence(series, read_context)
        if series is values:
            return drawings
        scale, unit = seconds_of(context.unit)
        note = Figures((("values", READ_AS, unit),), label="how rates are read")
        return (*(_as_rates(drawing, scale) for drawing in drawings), note)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        names = ("needed", "least_length")  # the first in plug-ins of earlier versions
        definitions = (vars(base)[n] for base in cls.__mro__ for n in names if n in vars(base))
        cls.needed = cls.least_length = next(definitions)  # type: ignore[method-assign]

    @property
    def least_length(self) -> int:
        """The fewest values that the method can judge, as far as its parameters say."""
        return 0

    needed = least_length

    def check_least_length(self, n: int) -> None:
        """Raise `TooShort` for fewer values than `least_length`."""
        if n < self.least_length:
            raise TooShort(needed=self.least_length, got=n)

    @classmethod
    @final
    def check_length(cls, n: int) -> None:
        """Raise `TooLong` for more values than the method reads."""
        if cls.longest is not None and n > cls.longest:
            raise TooLong(most=cls.longest, got=n)

    @classmethod
    @final
    def reads(cls, values: Values, context: Context) -> tuple[Values, Context]:
        """Values for `detect`: the series, or the durations that its rates stand for.

        Raises `BadSeries` for a rate that stands for none.
        """
        if cls.rates != "inverse":
            return values, context
        return as_durations(values, context)

    @abstractmethod
    def detect(self, values: Values, context: Context) -> Detection:
        """The answer for `values` from `as_series`; raises a `DetectorError` instead of one.

        There are `least_length` values or more.
        With ``rates = "inverse"``, the default, values are never rates: `answer` gives durations.
        """

    def evidence(self, values: Values, context: Context) -> tuple[Evidence, ...]:
        """Evidence that led to the answer; computed only where it is shown."""
        return ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.key}>"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)


State = TypeVar("State")


class OnlineDetector(Detector, Generic[State]):
    """A detector that also reads values as they come.

    `update` in batches of any size and then `finish` end with the answer of `detect`.
    """

    online: ClassVar[bool] = True

    @abstractmethod
    def start(self, context: Context) -> State:
        """The state before the first value."""

    @abstractmethod
    def update(self, state: State, batch: Values) -> Decision:
        """Take the next values (any number, through `as_series`) into `state`, and judge."""

    @abstractmethod
    def finish(self, state: State) -> Decision:
        """No more values: judge a last, incomplete batch. Raises `TooShort` as `detect` does."""

    def detect(self, values: Values, context: Context) -> Detection:
        return self.read_to_end(values, context)[1]

    def read_to_end(self, values: Values, context: Context) -> tuple[State, Detection]:
        """State after all values, and the answer."""
        state = self.start(context)
        self.update(state, values)
        detection = self.finish(state).detection
        if detection is None:
            raise RuntimeError(f"{self.key} finished without an answer")
        return state, detection
