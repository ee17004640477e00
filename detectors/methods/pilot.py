"""Pilot: unstable phases removed by EDM, and whether what is left is enough to trust its mean.

Changepoints of medians cut the series into phases; a phase longer than half of the series is
the stable one, and without such a phase there is none. Autocorrelation and the width of the
confidence interval never move the answer: they are evidence.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from detectors.api import NEVER, Context, Detection, Detector, Source, Values, draw, parameter
from detectors.arrays.safe_range import scaled_to_range
from detectors.intervals.quantiles import student_quantile
from detectors.kernels.pilot import NO_Q, edm, slice_mean, spread_of_subsessions, subsession_size

FIXED_SHARE = 0.1  # of the series, dropped by `warmup_method` fixed
FEWEST = 3  # values from which on a subsession size can be looked for
UNKNOWN = "unknown"

Row = draw.Row


@dataclass(frozen=True, slots=True)
class Phases:
    """Changepoints, and the stable phase ``[begin, end)`` among them, if there is one."""

    changepoints: tuple[int, ...]
    stable: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class PhaseQuality:
    """Quality of the values of the stable phase; `q` is None where no size was found.

    width: of the confidence interval of the mean. required: values that would be enough.
    """

    n: int
    mean: float
    r1: float
    q: int | None = None
    r_q: float = math.nan
    width: float = math.nan
    required: int | None = None


class Pilot(Detector):
    slug, version = "pilot", "1"
    title = "Pilot"
    code, slot = "PI", 17
    source = Source(
        "Li, Gupta, Miller & Long 2016, Pilot: A framework that understands how to do "
        "performance benchmarks the right way; changepoints by James, Kejariwal & Matteson "
        "2014 (EDM)",
        doi="10.1109/MASCOTS.2016.31",
        url="https://github.com/ascar-io/pilot-bench",
    )
    family = "Published detectors"
    rates = "free"
    rates_note = (
        "Its publication reads rates this way; `mean_method` harmonic gives their mean in the "
        "evidence."
    )
    cost = "quick"
    longest = 50_000

    class Params(Detector.Params):
        min_size: int = parameter(
            30,
            low=2,
            high=100_000,
            unit="iterations",
            help="Changepoints are so far apart, and from both ends.",
        )
        percent: float = parameter(
            0.25,
            low=0.0,
            high=100.0,
            unit="share",
            help="One more changepoint must raise the statistic by this share of itself.",
        )
        degree: int = parameter(
            1,
            low=0,
            high=2,
            help="Percent is multiplied by 0 (no penalty), by 1, or by 2k + 1 (k: changepoints).",
        )
        reading: str = parameter(
            "dominant",
            choices=("dominant", "last_changepoint"),
            help="Start of the phase longer than half of the series, or the last changepoint.",
        )
        warmup_method: str = parameter(
            "edm",
            choices=("edm", "fixed", "none"),
            help="Phases by EDM; or the first tenth is dropped (fixed); or nothing.",
        )
        max_autocorrelation: float = parameter(
            0.1, low=1e-6, high=1.0, help="Evidence: subsessions count as independent below this."
        )
        confidence_level: float = parameter(
            0.95, low=0.01, high=0.999999, help="Evidence: of the interval of the mean."
        )
        ci_percent_of_mean: float = parameter(
            0.1,
            low=0.0,
            high=100.0,
            unit="share of the mean",
            help="Evidence: wanted width of the whole interval; 0 is off.",
        )
        ci_absolute: float = parameter(
            0.0,
            low=0.0,
            high=1e12,
            unit="series unit",
            help="Evidence: wanted width in units of the series; 0 is off; the narrower counts.",
        )
        min_subsessions: int = parameter(
            200, low=1, high=1_000_000, help="Evidence: fewer are never enough."
        )
        mean_method: str = parameter(
            "arithmetic",
            choices=("arithmetic", "harmonic", "proportion"),
            help="Evidence: harmonic for rates, such as operations per second; proportion for "
            "values that are all 0 or 1.",
        )

        def check(self) -> None:
            self.require(
                bool(self.ci_percent_of_mean or self.ci_absolute),
                "ci_percent_of_mean or ci_absolute must be above 0; got 0 and 0",
            )

    params: Params

    @property
    def least_length(self) -> int:
        return self.params.min_size if self.params.warmup_method == "edm" else 1

    def detect(self, values: Values, context: Context) -> Detection:
        phases = self._phases(values)
        if phases.stable is None:
            return Detection(NEVER, published_index=NEVER, flags=("no-dominant-segment",))
        begin, end = phases.stable
        return Detection(
            begin, published_index=begin, flags=("cool-down",) if end < values.size else ()
        )

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        phases = self._phases(values)
        edges = [0, *phases.changepoints, values.size]
        scaled_values, exponent = scaled_to_range(values)
        medians = [
            float(np.ldexp(np.median(scaled_values[start:stop]), exponent))
            for start, stop in pairwise(edges)
        ]
        phase_evidence: draw.Drawings = (
            draw.Events(
                phases.changepoints, label="changepoints", meaning="Where a new phase begins."
            ),
            draw.segment_levels(edges, medians, "phase medians", "The median of each phase."),
        )
        if phases.stable is None:
            return phase_evidence
        begin, end = phases.stable
        rows = self._rows(values[begin:end], context.unit)
        return (
            *phase_evidence,
            draw.Bands(
                (phases.stable,),
                label="stable phase",
                meaning="The phase whose beginning is the answer.",
            ),
            draw.Figures(
                (("end", end, "iteration"), *rows),
                label="stable phase",
                meaning="Batches large enough that their means no longer depend on each other.",
            ),
        )

    def _phases(self, values: Values) -> Phases:
        p, n = self.params, values.size
        if p.warmup_method == "none":
            return Phases((), (0, n))
        if p.warmup_method == "fixed":
            return Phases((), (min(int(FIXED_SHARE * n + 0.5), n - 1), n))
        scaled_values, _ = scaled_to_range(values)
        changepoints = tuple(edm(scaled_values, p.min_size, p.percent, p.degree).tolist())
        if p.reading == "dominant":
            return Phases(changepoints, dominant_phase(changepoints, n))
        return Phases(changepoints, (changepoints[-1] if changepoints else 0, n))

    def _rows(self, stable_values: Values, unit: str) -> tuple[Row, ...]:
        """The figures of the stable phase."""
        # In the range of its own values: a giant before it must not press them to nothing.
        stable_values, exponent = scaled_to_range(stable_values)
        if self.params.mean_method == "harmonic" and stable_values.min() <= 0:
            return (("mean", "not defined: the harmonic mean needs values above zero", ""),)
        if self.params.mean_method == "proportion" and not np.isin(stable_values, (0, 1)).all():
            return (("mean", "not defined: a proportion needs values that are 0 or 1", ""),)
        quality = self.quality(stable_values, exponent)
        half_width = quality.width / 2

        def scale_to_unit(value: float) -> float:
            with np.errstate(over="ignore"):
                return float(np.ldexp(value, exponent))

        return (
            ("n", quality.n, "iterations"),
            ("mean", scale_to_unit(quality.mean), unit),
            ("autocorrelation", quality.r1, ""),
            ("subsession size", UNKNOWN if quality.q is None else quality.q, "iterations"),
            ("autocorrelation of subsessions", quality.r_q, ""),
            ("interval from", scale_to_unit(quality.mean - half_width), unit),
            ("interval to", scale_to_unit(quality.mean + half_width), unit),
            (
                "interval width ÷ mean",
                quality.width / quality.mean if quality.mean else math.nan,
                "",
            ),
            ("required", UNKNOWN if quality.required is None else quality.required, "iterations"),
            ("enough", _verdict(quality), ""),
        )

    def quality(self, stable_values: Values, exponent: int = 0) -> PhaseQuality:
        """Autocorrelation, interval and required length of `stable_values`, in its own unit.

        `exponent`: what the values were divided by, as a power of two; `ci_absolute` was not.
        """
        p, n = self.params, stable_values.size
        harmonic = p.mean_method == "harmonic"
        mean = slice_mean(stable_values, 0, n, harmonic)
        _, r1 = spread_of_subsessions(stable_values, 1, harmonic)
        q = self._size(stable_values, harmonic=harmonic)
        if q == NO_Q:
            return PhaseQuality(n, mean, r1)
        variance, r_q = spread_of_subsessions(stable_values, q, harmonic)
        if p.mean_method == "proportion":
            variance = mean * (1 - mean)
        h = n // q
        t = student_quantile((1 + p.confidence_level) / 2, h - 1)
        required_count = self._required_count(variance, t, mean, exponent)
        width = 2 * t * math.sqrt(variance / h)
        return PhaseQuality(
            n, mean, r1, q, r_q, width, None if required_count is None else required_count * q
        )

    def _size(self, stable_values: Values, *, harmonic: bool) -> int:
        """Values of a subsession; each is one of its own where zeros and ones are counted."""
        if stable_values.size < FEWEST:
            return NO_Q
        if self.params.mean_method == "proportion":
            return 1
        return subsession_size(stable_values, self.params.max_autocorrelation, harmonic)

    def _required_count(self, variance: float, t: float, mean: float, exponent: int) -> int | None:
        """Subsessions that would be enough; None where no number of them is."""
        p = self.params
        wanted_widths = [p.ci_percent_of_mean * abs(mean)] if p.ci_percent_of_mean else []
        if p.ci_absolute:
            with np.errstate(over="ignore", under="ignore"):
                wanted_widths.append(float(np.ldexp(p.ci_absolute, -exponent)))
        half_width = min(wanted_widths) / 2
        ratio = math.sqrt(variance) * t / half_width if half_width > 0 else math.inf
        required_n = ratio * ratio
        return max(math.ceil(required_n), p.min_subsessions) if math.isfinite(required_n) else None


def dominant_phase(changepoints: tuple[int, ...], n: int) -> tuple[int, int] | None:
    """The phase longer than half of n values; there is at most one."""
    for begin, end in pairwise((0, *changepoints, n)):
        if end - begin > n // 2:
            return begin, end
    return None


def _verdict(quality: PhaseQuality) -> str:
    if quality.required is None:
        return UNKNOWN
    return "yes" if quality.n >= quality.required else "no"
