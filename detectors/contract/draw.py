"""Drawings of evidence: the kinds, and those that many methods make alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from detectors.contract import NEVER, Detection
from detectors.contract.evidence import Bands, Curve, Events, Evidence, Figures, Levels

__all__ = [
    "Bands",
    "Curve",
    "Drawings",
    "Events",
    "Figures",
    "Levels",
    "Row",
    "decision_band",
    "event",
    "segment_levels",
    "stage_bands",
]

Drawings = tuple[Evidence, ...]
Row = tuple[str, float | int | str, str]
"""Name, number and unit of a figure."""


def event(iteration: int, label: str, meaning: str) -> tuple[Events, ...]:
    """One event at `iteration`, or none where it is `NEVER`."""
    return () if iteration == NEVER else (Events((iteration,), label=label, meaning=meaning),)


def decision_band(detection: Detection, label: str, meaning: str) -> tuple[Bands, ...]:
    """Iterations from the answer to the decision; none where the answer is never."""
    if detection.steady_start == NEVER or detection.decided_at is None:
        return ()
    span = (detection.steady_start, detection.decided_at + 1)
    return (Bands((span,), label=label, meaning=meaning),)


def stage_bands(stages: Mapping[str, tuple[int, int]], label: str, meaning: str) -> Bands:
    """Half-open spans by the name of their stage; stages without an iteration are left out."""
    spans = {name: span for name, span in stages.items() if span[1] > span[0]}
    return Bands(tuple(spans.values()), label=label, notes=tuple(spans), meaning=meaning)


def segment_levels(
    edges: Iterable[int], levels: Iterable[float], label: str, meaning: str
) -> Levels:
    """One level for each segment between two neighbours among `edges`."""
    pieces = zip(pairwise(edges), levels, strict=True)
    return Levels(
        tuple((start, stop, level) for (start, stop), level in pieces), label, meaning=meaning
    )
