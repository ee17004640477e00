"""The form of a series, and how noisy the machine was: the rules of `docs/guide/shapes.md`."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from detectors.shapes.noise import Noise, NoiseFacts, NoiseReason, shape_and_noise
from detectors.shapes.series_shape import Shape, ShapeFacts
from detectors.shapes.shape_words import classes_sentence, noise_sentence


@dataclass(frozen=True, slots=True)
class SeriesShape:
    """Shape of a series, as its values alone tell it.

    shape: the one that explains most of their spread; classes: all that it shows, `shape` among
    them. noise: "quiet", "noisy", or "" of fewer than 60 values; reasons: what makes it noisy.
    level, half: the numbers that decided, of the whole series and of its last half.
    """

    shape: Shape
    classes: tuple[Shape, ...]
    noise: Noise
    reasons: tuple[NoiseReason, ...]
    n: int
    level: ShapeFacts
    half: NoiseFacts

    def __str__(self) -> str:
        """Shape and noise as a sentence."""
        return f"{classes_sentence(self.level)}; noise: {noise_sentence(self.half)}"


def shape(values: ArrayLike) -> SeriesShape:
    """The shape and the noise of a series.

    values: one-dimensional and finite, in the order measured. Up and down are those of the values
    as they are: with times down is faster, with rates slower. Raises `BadSeries`.

        >>> found = shape([3.0, 3.1] * 100 + [1.0, 1.1] * 400)
        >>> found.shape, found.noise, found.level.changes
        ('step-down', 'quiet', (200,))
    """
    level, last_half = shape_and_noise(values)
    return SeriesShape(
        level.shape, level.classes, last_half.noise, last_half.reasons, level.n, level, last_half
    )
