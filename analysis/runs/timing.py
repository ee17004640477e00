"""Times of methods for a series: as measured on this machine, else guessed by their class."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

from django.db.models import Avg

from analysis.runs.models import Detection
from analysis.runs.models.detection import DetectionQuerySet
from detectors.contract import Detector
from people.models import Study

# Means over the methods of each class on a desktop machine, of series of 3,000 values.
GUESSED_MILLISECONDS: Final[Mapping[str, float]] = {"instant": 0.5, "quick": 50.0, "slow": 600.0}
GUESSED_VALUES: Final = 3_000


@dataclass(frozen=True, slots=True)
class MethodTiming:
    """Mean milliseconds of one method for a series of `values` values.

    measured  by a run, with these or other parameters; else it is the guess for its class
    of_key    measured with exactly these parameters
    """

    milliseconds: float
    values: float = GUESSED_VALUES
    measured: bool = False
    of_key: bool = False

    def of(self, values: float) -> float:
        """For series of another length; methods that take longer than in proportion are rare."""
        return self.milliseconds * values / self.values if self.values else self.milliseconds


def timings(study: Study, detectors: Collection[Detector]) -> dict[str, MethodTiming]:
    """By key: as runs of this study measured it, else runs of others on this machine.

    Where no run has these parameters, the method's others tell; last comes the guess. A mean time
    says nothing of whose series it was measured on.
    """
    slugs = {each.key: each.slug for each in detectors}
    computed = Detection.objects.filter(milliseconds__isnull=False).exclude(
        outcome=Detection.Outcome.NOT_AVAILABLE  # nothing was computed
    )
    ours = computed.filter(series__benchmark__dataset__study=study)
    found: dict[str, MethodTiming] = {}
    for rows in (ours, computed):
        lacking = slugs.keys() - found.keys()
        found |= _means(rows.filter(detector_key__in=lacking), "detector_key") if lacking else {}
    lacking = slugs.keys() - found.keys()
    others = _means(computed.filter(slug__in={slugs[key] for key in lacking}), "slug")
    for key in lacking & {key for key, slug in slugs.items() if slug in others}:
        found[key] = replace(others[slugs[key]], of_key=False)
    return {each.key: found.get(each.key, _guess(each)) for each in detectors}


def _guess(detector: Detector) -> MethodTiming:
    return MethodTiming(GUESSED_MILLISECONDS[detector.cost])


def _means(rows: DetectionQuerySet, column: str) -> dict[str, MethodTiming]:
    means = (
        rows.values_list(column)
        .annotate(each=Avg("milliseconds"), values=Avg("series__n"))
        .order_by()
    )
    return {
        name: MethodTiming(each, values, measured=True, of_key=True) for name, each, values in means
    }
