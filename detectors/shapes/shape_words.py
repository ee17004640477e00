"""Shapes and noise in words, with the numbers that decided beside their thresholds. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, get_args

from detectors.shapes import noise, series_shape as shapes
from detectors.shapes.noise import NoiseFacts, NoiseReason
from detectors.shapes.series_shape import Shape, ShapeFacts

WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{shape: shape.replace("-", " ") for shape in get_args(Shape)},
        "steps": "steps up and down",
        "short": "too short",
    }
)
MEANINGS: Final[Mapping[Shape, str]] = MappingProxyType(
    {
        "flat": "one level, with noise on it",
        "step-down": "the level falls at once, one or several times",
        "step-up": "the level rises at once, one or several times",
        "steps": "the level changes at once, up and down",
        "decay-down": "the level falls ever more slowly, and has settled by the end",
        "decay-up": "the level rises ever more slowly, and has settled by the end",
        "drift-down": "the level falls all along, and has not settled by the end",
        "drift-up": "the level rises all along, and has not settled by the end",
        "cycles": "the values repeat themselves",
        "random-walk": "the level wanders without a form",
        "spikes": "one level, and single values far off it",
        "short": f"fewer than {shapes.LEAST} values",
    }
)
REASONS: Final[Mapping[NoiseReason, str]] = MappingProxyType(
    {
        "outliers": "many outliers",
        "dependence": "values depend on those before",
        "drift": "it drifts",
        "spread": "wide spread",
    }
)
_LEVELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "flat": "one level",
        "steps": "steps",
        "decay": "decay",
        "drift": "drift",
        "cycles": "cycles",
        "random-walk": "random walk",
    }
)


@dataclass(frozen=True, slots=True)
class RuleFigure:
    """A number that a rule looked at: `limit` says what it is held against."""

    name: str
    value: str
    limit: str = ""


def speed_word(shape: Shape, *, more_is_better: bool) -> str:
    """Word for values that get better or worse; empty where they go neither way."""
    direction = shape.rpartition("-")[2]
    if direction not in {"up", "down"}:
        return ""
    return "faster" if (direction == "up") == more_is_better else "slower"


def shape_figures(shape_facts: ShapeFacts) -> list[RuleFigure]:
    """Figures that decided the shape, in the order in which the rules ask."""
    if shape_facts.shape == "short":
        return [RuleFigure("Values", str(shape_facts.n), f"at least {shapes.LEAST}")]
    if not shape_facts.block or (not shape_facts.runner_up):
        return [RuleFigure("Values", "all equal")]
    figures = [RuleFigure("Best model of the level", *_best_figure(shape_facts))]
    if shape_facts.level != "flat":
        figures += _move_figures(shape_facts)
    figures.append(_repetition_figure(shape_facts))
    spikes_above, spikes_below = shape_facts.spikes
    low, high = shapes.SPIKE_SHARE
    figures.append(
        RuleFigure(
            "Spikes",
            f"{spikes_above:,} above, {spikes_below:,} below",
            f"from {shapes.FEWEST_SPIKES}, and {_percent(low)} to {_percent(high)} of the values",
        )
    )
    return figures


def _best_figure(shape_facts: ShapeFacts) -> tuple[str, str]:
    word = "more" if shape_facts.runner_up_margin >= 0 else "less"
    distance = abs(shape_facts.runner_up_margin)
    next_words = f"next: {_LEVELS[shape_facts.runner_up]}, BIC {distance:.1f} {word}"
    if shape_facts.level == "flat":
        return _LEVELS[shape_facts.level], next_words
    return (
        f"{_LEVELS[shape_facts.level]}, BIC {shape_facts.margin:.1f} less than one level",
        next_words,
    )


def _move_figures(shape_facts: ShapeFacts) -> list[RuleFigure]:
    figures = [
        RuleFigure("Lowest to highest level", _percent(shape_facts.reach), "at least 1 %"),
        RuleFigure("First to last level", signed_percent(shape_facts.change)),
        RuleFigure(
            "Explains of the spread",
            _percent(shape_facts.share),
            f"at least {_percent(shapes.SHARE)}",
        ),
    ]
    if shape_facts.changes:
        places = ", ".join(f"{change:,}" for change in shape_facts.changes)
        figures.append(RuleFigure("Level changes at iteration", places))
    if shape_facts.length:
        name = "Period" if shape_facts.level == "cycles" else "Time constant"
        figures.append(RuleFigure(name, f"{shape_facts.length:,.0f} iterations"))
    return figures


def _repetition_figure(shape_facts: ShapeFacts) -> RuleFigure:
    limit = f"at least {shapes.REPEATS}"
    if not shape_facts.repeats:
        return RuleFigure("Fast cycles", "none", f"autocorrelation at the period {limit}")
    if not shape_facts.period:
        return RuleFigure(
            "Fast cycles", f"autocorrelation {shape_facts.repeats:.2f} at best", limit
        )
    share = f"{_percent(shape_facts.fast_share)} of the spread"
    period_words = (
        f"period {shape_facts.period:,}, autocorrelation {shape_facts.repeats:.2f}, {share}"
    )
    return RuleFigure(
        "Fast cycles", period_words, f"{limit}, and {_percent(shapes.SHARE)} of the spread"
    )


def noise_figures(noise_facts: NoiseFacts) -> list[RuleFigure]:
    """The figures of the last half, each with what would be noisy; none where it is too short."""
    if not noise_facts.noise:
        return []
    return [
        RuleFigure(
            "Outliers", _percent(noise_facts.outliers), f"at most {_percent(noise.MOST_OUTLIERS)}"
        ),
        RuleFigure("Autocorrelation at lag 1", f"{noise_facts.lag_one:.2f}".replace("-", "−")),
        RuleFigure(
            "Values worth one independent one",
            f"{noise_facts.time:,.1f}",
            f"at most {noise.MOST_TIME:g}",
        ),
        RuleFigure(
            "Drift",
            f"{signed_percent(noise_facts.drift)}, p {noise_facts.p:.2g}",
            f"at most {_percent(noise.MOST_DRIFT)}, or p from {noise.SURE:g}",
        ),
        RuleFigure(
            "Spread", _percent(noise_facts.spread), f"at most {_percent(noise.MOST_SPREAD)}"
        ),
    ]


def noise_sentence(noise_facts: NoiseFacts) -> str:
    """`noisy: many outliers, wide spread`."""
    reasons = ", ".join(REASONS[reason] for reason in noise_facts.reasons)
    return f"{noise_facts.noise or 'too short'}{': ' if reasons else ''}{reasons}"


def classes_sentence(shape_facts: ShapeFacts) -> str:
    """`steps down, also spikes`."""
    other_shapes = [WORDS[shape] for shape in shape_facts.classes if shape != shape_facts.shape]
    return WORDS[shape_facts.shape] + (
        f", also {' and '.join(other_shapes)}" if other_shapes else ""
    )


def _percent(share: float) -> str:
    return f"{100 * share:,.3g} %"


def signed_percent(share: float) -> str:
    return f"{100 * share:+,.3g} %".replace("-", "−")
