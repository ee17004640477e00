"""Prices of methods: the time that each adds to a run on the chosen series."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.runs.plan import RunPlan
from detectors.contract import Detector

SLOW_SECONDS: Final = 10.0  # seconds from which on a method counts as slow
SLOW_SHARE: Final = 0.1  # share of the time of all methods
LABEL_SHARE: Final = 0.13  # share of the bar from which on a part has room for its name


@dataclass(frozen=True, slots=True)
class MethodPrice:
    """Seconds that one method adds to a run; of a slow method the page warns before it is chosen.

    seconds  what is left to compute, shared by the workers
    """

    detector: type[Detector]
    seconds: float
    is_slow: bool


@dataclass(frozen=True, slots=True)
class TimeBarPart:
    """A part of the time bar, as percentages of its width; its label is empty without room."""

    start: float
    width: float
    label: str
    seconds: float
    is_chosen: bool


def method_prices(plan: RunPlan, workers: int) -> dict[str, MethodPrice]:
    """Price by slug of every method of the plan."""
    total_seconds = {
        detector.slug: plan.seconds_of(detector, workers, stored=False)
        for detector in plan.detectors
    }
    total = sum(total_seconds.values())
    prices = {}
    for detector in plan.detectors:
        seconds_left = plan.seconds_of(detector, workers)
        is_slow = seconds_left >= SLOW_SECONDS and total_seconds[detector.slug] > SLOW_SHARE * total
        prices[detector.slug] = MethodPrice(type(detector), seconds_left, is_slow)
    return prices


def time_bar(
    prices: Collection[MethodPrice], chosen_slugs: Collection[str], names: dict[str, str]
) -> list[TimeBarPart]:
    """Parts of the time bar: all chosen methods as one, then each slow method that is left out."""
    seconds = sum(price.seconds for price in prices if price.detector.slug in chosen_slugs)
    chosen_label = f"{len(chosen_slugs)} method{'' if len(chosen_slugs) == 1 else 's'}"
    slow_prices = unchosen_slow_methods(prices, chosen_slugs)
    labelled_parts = [(chosen_label, seconds, True)] if seconds else []
    labelled_parts += [(names[price.detector.slug], price.seconds, False) for price in slow_prices]
    total = sum(part[1] for part in labelled_parts)
    bar: list[TimeBarPart] = []
    start = 0.0
    for label, length, is_chosen in labelled_parts:
        width = 100 * length / total
        shown_label = label if width >= 100 * LABEL_SHARE else ""
        bar.append(TimeBarPart(start, width, shown_label, length, is_chosen))
        start += width
    return bar


def unchosen_slow_methods(
    prices: Collection[MethodPrice], chosen_slugs: Collection[str]
) -> Sequence[MethodPrice]:
    """The slow methods that are not chosen, the fastest first."""
    slow_prices = (
        price for price in prices if price.is_slow and price.detector.slug not in chosen_slugs
    )
    return sorted(slow_prices, key=lambda price: price.seconds)
