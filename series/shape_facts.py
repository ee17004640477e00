"""Shape and noise of a series as they are stored: columns of `series.SeriesShape`. Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from detectors.contract import Values
from detectors.noise import NoiseFacts, shape_and_noise
from detectors.shapes import RULE, ShapeFacts


def row_of(values: Values) -> dict[str, Any]:
    """The columns of `SeriesShape` for a series, as JSON holds them."""
    shape, noise = shape_and_noise(values)
    return {
        "rule": RULE,
        "shape": shape.shape,
        "classes": f" {' '.join(shape.classes)} ",  # each between blanks, to be looked for
        "noise": noise.noise,
        "facts": {"shape": dataclasses.asdict(shape), "noise": dataclasses.asdict(noise)},
    }


def facts_of(stored: Mapping[str, Any]) -> tuple[ShapeFacts, NoiseFacts]:
    """The numbers behind a shape of the rules of today: its column `facts`."""
    shape, noise = (_tuples(stored[name]) for name in ("shape", "noise"))
    return ShapeFacts(**shape), NoiseFacts(**noise)


def _tuples(said: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(each) if isinstance(each, list) else each for name, each in said.items()}
