"""One series, one method, one answer."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from detectors import reference
from detectors.contract import NEVER, BadSeries, Context, Detector, as_series
from detectors.intervals.steady_interval import LEAST_EFFECTIVE, SteadyInterval, steady_interval
from detectors.kernels.jit import SHORT, can_compile, compile_when_hot
from detectors.methods.prepared import prepared_detector
from detectors.registry import DEFAULT_METHOD, from_key, registry


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of a method for a series.

    Attributes:
        start: First steady iteration, 0-based; None if the series never becomes steady.
        chance: Probability that people would call the series steady; None where the method does
            not estimate it, like the next three, which are None for never, too.
        low: Where the interval begins in which four of five of their answers lie.
        high: Where it ends.
        near: Probability that their answer lies within 50 iterations of this one.
        method: Its slug.
        key: The slug with version and every parameter.
        n: Length of the series.
        mean: Of what is kept, in the unit of the values; None for never.
        change: How far the mean of all values lies from it, as a share of it (0.12: 12 % too
            high); None for never, and where the mean is 0.
        interval: How well that mean is known: 95 % interval (unknown with fewer than 30
            independent values), effective sample size, integrated autocorrelation time; None for
            never.
        flags: Words that the method's page explains.
        reason: One sentence on why, where the method says it.
    """

    start: int | None
    steady: bool
    chance: float | None
    low: int | None
    high: int | None
    near: float | None
    method: str
    key: str
    n: int
    mean: float | None
    change: float | None
    interval: SteadyInterval | None = None
    flags: tuple[str, ...] = ()
    reason: str = ""

    def __str__(self) -> str:
        """The answer as a sentence, and why."""
        return f"{self._sentence()} ({self.reason})" if self.reason else self._sentence()

    def _sentence(self) -> str:
        if self.start is None:
            return f"{self.method}: never steady in {self.n} iterations"
        sentence = f"{self.method}: steady from {self.start} of {self.n} iterations"
        if self.interval is not None:
            sentence += _precision(self.interval)
        if self.change is None or self.start == 0:
            return sentence
        return f"{sentence}; the mean of all values is {100 * self.change:+.1f} % off"


def _precision(interval: SteadyInterval) -> str:
    """Say how well a mean is known, as the middle of a sentence; empty where that is unknown."""
    if interval.share and interval.share >= 1:
        return ", their mean not told apart from 0"
    if interval.share:
        return f", their mean known to {interval.precision_words}"
    if interval.is_too_dependent:
        worth_words = f"{interval.effective:.0f} independent values"
        return f", worth {worth_words}: an interval of their mean needs {LEAST_EFFECTIVE}"
    return ""


def detect(
    values: ArrayLike,
    method: str = DEFAULT_METHOD,
    *,
    context: Context | None = None,
    prepare: str | None = None,
    **parameters: Any,
) -> Answer:
    """Find the iteration from which on a series is steady.

    Args:
        values: One-dimensional and finite, in the order measured: an array, a list, a column of a
            data frame.
        method: A slug of `methods()`, or a key with version and parameters.
        context: Unit, mode and settings, where a method uses them; without one, values are
            seconds.
        prepare: `median`, `outliers` or `cycles` takes these off before the method reads the
            values; `auto` does so where it was seen to help the method.

    Raises:
        DetectorError: Where there is no answer: `BadSeries`, `TooShort`, `NotAvailable`.
        UnknownDetector: No method has that name.
        ParameterError: It has no such parameter, or not with that value.

    Example:
        >>> print(detect([3.0] * 20 + [1.0] * 980, method="fixed", iteration=20))
        fixed: steady from 20 of 1000 iterations; the mean of all values is +4.0 % off
    """
    detector = prepared_detector(make_detector(method, parameters), prepare)
    _check_forks(values)
    series, full_context = as_series(values), context or Context()
    with compile_when_hot() if series.size <= SHORT or not can_compile() else nullcontext():
        detection = detector.answer(series, full_context)
    certainty = detection.certainty
    place = None if detection.steady_start == NEVER else certainty
    start = None if detection.steady_start == NEVER else detection.steady_start
    mean = None if start is None else float(series[start:].mean())
    return Answer(
        start=start,
        steady=start is not None,
        chance=certainty.chance if certainty else None,
        low=place.low if place else None,
        high=place.high if place else None,
        near=place.near if place else None,
        method=detector.slug,
        key=detector.key,
        n=series.size,
        mean=mean,
        change=float(series.mean()) / mean - 1 if mean else None,
        interval=None if start is None else steady_interval(series[start:]),
        flags=detection.flags,
        reason=detection.reason,
    )


def _check_forks(values: ArrayLike) -> None:
    """Raise `BadSeries` for a pandas Series that its MultiIndex splits into several series."""
    index: Any = getattr(values, "index", None)
    if getattr(index, "nlevels", 1) > 1:
        forks = (index.droplevel(-1) if index.is_unique else index).unique().size
        if forks > 1:
            raise BadSeries(f"the index has {forks} series: ask detect_all, which keeps them apart")


def make_detector(method: str, parameters: dict[str, Any]) -> Detector:
    """The method of a slug or key, with `parameters` over what the key says."""
    base = from_key(method)
    if not parameters:
        return base
    texts = {name: str(value) for name, value in parameters.items()}
    return type(base).parse({**base.params.texts(), **texts})


def methods() -> list[dict[str, Any]]:
    """Every method there is: slug, title, family, parameters, what it needs and lacks.

    >>> [each["slug"] for each in methods() if each["slug"] in {"kb-kssd", "plateau"}]
    ['kb-kssd', 'plateau']
    """
    return [reference.method_description(detector) for detector in registry().values()]
