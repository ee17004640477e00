"""Which series a run is about, as a person says it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Self

from django.db.models import Q

from people.models import Study
from series.models import Series
from series.models.series import SeriesQuerySet
from series.queries import chosen


@dataclass(frozen=True, slots=True)
class Selection:
    """A data set, or the part of it that every given word narrows down; words are slugs and names.

    text: every word of it occurs in system, benchmark or parameters.
    only: public ids of chosen benchmarks or series, separated by spaces.
    """

    dataset: str
    recording: str = ""
    system: str = ""
    text: str = ""
    campaign: str = ""
    only: str = ""

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Self:
        return cls(**stored)

    def as_json(self) -> dict[str, str]:
        """What is said, without what is not."""
        return {name: value for name, value in asdict(self).items() if value}

    def series(self, study: Study) -> SeriesQuerySet:
        found = Series.objects.filter(
            benchmark__dataset__study=study, benchmark__dataset__slug=self.dataset
        )
        if self.recording:
            found = found.filter(recording__label=self.recording)
        if self.system:
            found = found.filter(benchmark__system=self.system)
        for word in self.text.split():
            found = found.filter(
                Q(benchmark__name__icontains=word)
                | Q(benchmark__params__icontains=word)
                | Q(benchmark__system__icontains=word)
            )
        if self.only:
            found = chosen(found, self.only)
        if self.campaign:
            # A subquery: a join would repeat a series for each of its tasks.
            tasks = study.campaigns.filter(slug=self.campaign).values("tasks__series")
            found = found.filter(pk__in=tasks)
        return found

    @property
    def words(self) -> str:
        """The narrowing, for a heading: `recording first · "sort"`; empty for a whole data set."""
        parts = (
            self.recording and f"recording {self.recording}",
            self.system and f"system {self.system}",
            self.text and f"“{self.text}”",
            self.campaign and f"campaign {self.campaign}",
            self.only and f"{len(self.only.split())} chosen",
        )
        return " · ".join(part for part in parts if part)
