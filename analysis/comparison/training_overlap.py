"""Overlap of a method's training data with the series that it is compared on.

A learned method may have been trained on some of them: then the model that has not seen a series'
system answers it, unless somebody chose another. Parameters may have been tuned on them. Answers
of who had seen the series say nothing about others: such a method has figures and no rank.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from django.db.models import Count

from analysis.methods.method_style import MethodStyle
from analysis.runs.models import Detection, Preset
from analysis.runs.models.detection import flag_words
from detectors.registry import registry
from people.models import Study
from people.templatetags.writing import grouped
from series.models.series import SeriesQuerySet

HELD_OUT: Final = "unseen"
SEEN: Final = "seen"


@dataclass(frozen=True, slots=True)
class TrainingOverlap:
    """Series of a comparison that one method knew.

    held_out_count  was trained on, and answered by a model that has not seen their system or
                    benchmark
    seen_count      answered by a model that has seen them
    tuned_count     its parameters were chosen on them
    preset          the name they are kept under
    """

    held_out_count: int = 0
    seen_count: int = 0
    tuned_count: int = 0
    preset: str = ""

    @property
    def in_sample(self) -> bool:
        """True if the overlap flatters the method's figures."""
        return bool(self.seen_count or self.tuned_count)

    @property
    def mark(self) -> str:
        """A few words for beside its name; nothing where its figures are fair."""
        if self.seen_count:
            return f"trained on {grouped(self.seen_count)} of these"
        return f"tuned on {grouped(self.tuned_count)} of these" if self.tuned_count else ""

    @property
    def sentence(self) -> str:
        """Sentence for below a table; empty without an overlap."""
        parts = []
        if self.seen_count:
            parts.append(
                f"a model that has seen {grouped(self.seen_count)} of these series answers them"
            )
        if self.tuned_count:
            tuned_text = grouped(self.tuned_count)
            parts.append(
                f"its parameters, “{self.preset}”, were chosen on {tuned_text} of these series"
            )
        if parts:
            return f"{', and '.join(parts)}: its figures are too good, and it has no rank."
        if self.held_out_count:
            return (
                f"{grouped(self.held_out_count)} of these series are of systems or benchmarks that "
                "it was trained on. Each is answered by the model that has not seen its own."
            )
        return ""


NOTHING: Final = TrainingOverlap()


def training_overlaps(
    study: Study, series: SeriesQuerySet, pks: Collection[int], looks: Iterable[MethodStyle]
) -> dict[str, TrainingOverlap]:
    """Training overlaps by name of a method that knew anything. pks: of `series`."""
    looks = list(looks)
    overlaps = _overlaps(series, [look for look in looks if look.slug in learned_slugs()])
    for key, (preset, count) in _tuned_presets(study, pks, {look.key for look in looks}).items():
        overlaps[key] = replace(overlaps.get(key, NOTHING), tuned_count=count, preset=preset)
    return {look.name: overlaps[look.key] for look in looks if look.key in overlaps}


@cache
def learned_slugs() -> frozenset[str]:
    """Slugs of methods that ask for the benchmark of a series: it may be one they know."""
    return frozenset(slug for slug, method in registry().items() if "benchmark" in method.uses)


def _overlaps(series: SeriesQuerySet, looks: Collection[MethodStyle]) -> dict[str, TrainingOverlap]:
    if not looks:
        return {}
    rows = (
        Detection.objects.filter(
            series__in=series.order_by().values("pk"), detector_key__in=[look.key for look in looks]
        )
        .flagged(SEEN, HELD_OUT)
        .order_by()
        .values_list("detector_key", "flags")
        .annotate(Count("pk"))
    )
    overlaps: dict[str, TrainingOverlap] = {}
    for key, flags, count in rows:
        earlier_overlap, words = overlaps.get(key, NOTHING), flag_words(flags)
        overlaps[key] = replace(
            earlier_overlap,
            held_out_count=earlier_overlap.held_out_count + count * (HELD_OUT in words),
            seen_count=earlier_overlap.seen_count + count * (SEEN in words),
        )
    return overlaps


def _tuned_presets(
    study: Study, pks: Collection[int], keys: Collection[str]
) -> Mapping[str, tuple[str, int]]:
    """Names of presets and how many of these series they were chosen on, by detector key."""
    compared_pks = set(pks)
    presets = Preset.objects.filter(
        study=study, detector_key__in=keys, exploration__isnull=False
    ).values_list("detector_key", "name", "exploration__series_ids")
    preset_by_key = {
        key: (name, len(compared_pks.intersection(series))) for key, name, series in presets
    }
    return {
        key: preset_and_count
        for key, preset_and_count in preset_by_key.items()
        if preset_and_count[1]
    }
