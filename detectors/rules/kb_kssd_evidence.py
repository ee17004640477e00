"""Evidence of KB-KSSD stage by stage: sections and what was replaced in them, steps, windows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from detectors.api import Values, draw
from detectors.kernels.kb_kssd import NO_STEP, copy_in_range, large_step, mean_about, short_step

Sections = Sequence[tuple[int, int]]
REPLACED = "Values beyond their section's percentiles; each note says what stands for it."


def sections(n: int, window: int) -> list[tuple[int, int]]:
    """Spans ``(start, stop)`` in which outliers are looked for: all but value 0, lengths within 1.

    n: iterations, more than `window`.
    """
    body = n - 1
    size, longer_count = divmod(body, body // window)
    lengths = [size + (number < longer_count) for number in range(body // window)]
    return list(pairwise(np.r_[1, 1 + np.cumsum(lengths)].tolist()))


def section_evidence(
    values: Values, prepared_values: Values, window: int, percents: tuple[float, float]
) -> draw.Drawings:
    """Medians and percentiles of the sections, in the series' own unit, and what was replaced.

    values, prepared_values: (n,) before and after substitution; the latter may be values times a
    power of two, which this undoes. percents: the lower and the upper percentile, in percent.
    """
    scaled_values = copy_in_range(values)
    exponent = _exponent(values, scaled_values)
    spans = sections(values.size, window)
    low, high = percents
    return (
        _levels(
            scaled_values, spans, exponent, 50.0, "median", "What takes the place of outliers."
        ),
        _levels(scaled_values, spans, exponent, high, f"percentile {high:g}", "Above: replaced."),
        _levels(scaled_values, spans, exponent, low, f"percentile {low:g}", "Below: replaced."),
        _replaced_bands(scaled_values, prepared_values, exponent),
    )


def _exponent(values: Values, scaled_values: Values) -> int:
    """Exponent of two by which `scaled_values` becomes `values` again: a factor could overflow."""
    peak_index = int(np.argmax(np.abs(values)))
    return math.frexp(values[peak_index])[1] - math.frexp(scaled_values[peak_index])[1]


def _levels(  # noqa: PLR0917
    scaled_values: Values,
    spans: Sections,
    exponent: int,
    percent: float,
    level_name: str,
    meaning: str,
) -> draw.Levels:
    levels = [float(np.percentile(scaled_values[start:stop], percent)) for start, stop in spans]
    pieces = [
        (start, stop, math.ldexp(level, exponent))
        for (start, stop), level in zip(spans, levels, strict=True)
    ]
    return draw.Levels(tuple(pieces), label=f"{level_name} of each section", meaning=meaning)


def _replaced_bands(scaled_values: Values, prepared_values: Values, exponent: int) -> draw.Bands:
    iterations = replaced_iterations(scaled_values, prepared_values).tolist()
    return draw.Bands(
        tuple((i, i + 1) for i in iterations),
        label=f"{len(iterations):,} replaced values",
        notes=tuple(
            f"{math.ldexp(scaled_values[i], exponent):.4g} → "
            f"{math.ldexp(prepared_values[i], exponent):.4g}"
            for i in iterations
        ),
        meaning=REPLACED,
    )


def replaced_iterations(scaled_values: Values, prepared_values: Values) -> NDArray[np.int64]:
    """Iterations whose value was replaced by another one."""
    return np.flatnonzero(scaled_values != prepared_values)


def window_evidence(starts: Values, probabilities: Values, threshold: float) -> draw.Bands:
    """Kelly's windows with their probability, and whether that is enough.

    starts: (k + 1,) first iterations and the end; probabilities: (k,).
    """
    probability_words = [
        f"{p:.3f} {'≥' if p >= threshold else '<'} {threshold:g}" for p in probabilities
    ]
    return draw.Bands(
        tuple((int(a), int(b)) for a, b in pairwise(starts)),
        label="windows of Kelly's test",
        notes=tuple(f"P = {comparison}" for comparison in probability_words),
        meaning="The start of the last unbroken run of windows with enough is the answer.",
    )


def step_figures(
    smoothed_values: Values, half_width: int, kernels: str, step: int
) -> list[tuple[str, int | str]]:
    """Step that each kernel in use proposes, and the step that was taken; (name, iteration)."""
    mean = mean_about(smoothed_values, float(np.median(smoothed_values)))
    step_by_kernel = {
        "large": int(large_step(smoothed_values, mean)),
        "short": int(short_step(smoothed_values, half_width)),
    }
    rows = [
        (f"step of the {name} kernel", _iteration(iteration))
        for name, iteration in step_by_kernel.items()
        if kernels in {"both", name}
    ]
    return [*rows, ("step taken", _iteration(step))]


@dataclass(frozen=True, slots=True)
class StepChoice:
    """Medians by which one of two steps is taken, in the series' own unit.

    early, late    last iterations before the steps
    between        median of what lies between the steps
    behind         median of everything behind the later step
    before, after  medians of `window` values on either side of the later step
    """

    n: int
    early: int
    late: int
    window: int
    between: float
    behind: float
    before: float
    after: float

    @property
    def fall(self) -> float:
        return self.between - self.behind

    @property
    def least_fall(self) -> float:
        """Fall above which the later step is taken."""
        return 2 * abs(self.before - self.after)

    @property
    def drawings(self) -> draw.Drawings:
        start, stop = max(self.late - self.window, 0), min(self.late + self.window + 1, self.n)
        cut_index = self.late + 1
        return (
            draw.Levels(
                ((self.early + 1, self.late, self.between), (cut_index, self.n, self.behind)),
                label="medians between the two steps and behind the later one",
                meaning="The later step is taken only if they differ by more than twice the change "
                "around it.",
            ),
            draw.Levels(
                ((start, cut_index, self.before), (cut_index, stop, self.after)),
                label=f"medians of {self.window} values around the later step",
                meaning="Twice their difference is what the level must fall by behind the step.",
            ),
        )

    @property
    def rows(self) -> list[tuple[str, float | int, str]]:
        return [
            ("fall from between the steps to behind them", self.fall, ""),
            ("later step above a fall of", self.least_fall, ""),
        ]


def step_choice(
    values: Values, smoothed_values: Values, window: int, half_width: int
) -> StepChoice | None:
    """Medians that decide between the steps of both kernels; None where they propose one step.

    values, smoothed_values: (n,) before and after substitution and smoothing.
    """
    x, n = smoothed_values, smoothed_values.size
    large_index = int(large_step(x, mean_about(x, float(np.median(x)))))
    short_index = int(short_step(x, half_width))
    early_step, late_step = sorted((large_index, short_index))
    if large_index in {NO_STEP, n - 1} or late_step - early_step <= 1 or early_step == 0:
        return None
    exponent = _exponent(values, copy_in_range(values))
    median_between, median_behind, median_before, median_after = (
        math.ldexp(float(np.median(section)), exponent)
        for section in (
            x[early_step + 1 : late_step],
            x[late_step + 1 :],
            x[max(late_step - window, 0) : late_step + 1],
            x[late_step + 1 : late_step + window + 1],
        )
    )
    return StepChoice(
        n, early_step, late_step, window, median_between, median_behind, median_before, median_after
    )


def _iteration(step: int) -> int | str:
    return "none" if step == NO_STEP else step


def decision_figures(
    steps: Sequence[tuple[str, int | str]], numbers: Sequence[tuple[str, float | int, str]]
) -> draw.Figures:
    """Everything that decided, as one table."""
    rows = [(name, step, "") for name, step in steps]
    return draw.Figures(
        (*rows, *numbers),
        label="what decided",
        meaning="A step is the last iteration before it, counted from 0.",
    )
