"""The series that a run is about, as a person names them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from django.db.models import Q

from people.models import Study
from people.query_form import CommandOption, QueryForm, text_field
from series.models import Benchmark, Recording, Series
from series.models.series import SeriesQuerySet
from series.queries import chosen_series, first_forks

FIRST: Final = "first"


class UnknownSelection(LookupError):
    """A narrowing names what the study does not have; the message says what there is."""


@dataclass(frozen=True, slots=True)
class SeriesSelection(QueryForm):
    """A data set, or the part of it that every given word narrows down; words are slugs and names.

    text: every word of it occurs in system, benchmark or parameters.
    forks: `first` takes the first fork of each benchmark and recording; empty takes all.
    only: public ids of chosen benchmarks or series, separated by spaces.
    """

    dataset: str = text_field("dataset", "dataset")
    recording: str = text_field(
        "recording", "recording", CommandOption("only this recording", "LABEL")
    )
    system: str = text_field("system", "system", CommandOption("only this system", "NAME"))
    text: str = text_field(
        "text", "text", CommandOption("only benchmarks in which all words occur", "WORDS")
    )
    campaign: str = text_field(
        "campaign", "campaign", CommandOption("only series of this campaign", "SLUG")
    )
    forks: str = text_field(
        "forks", "forks", CommandOption("`first`: only the first fork of each benchmark", "WHICH")
    )
    only: str = text_field(
        "only", "only", CommandOption("public ids of benchmarks or series", "IDS")
    )

    @classmethod
    def from_json(cls, field_values: dict[str, Any]) -> Self:
        return cls(**field_values)

    def as_json(self) -> dict[str, str]:
        """Fields that are set, by name."""
        return {name: value for name, value in asdict(self).items() if value}

    def series(self, study: Study) -> SeriesQuerySet:
        selected_series = Series.objects.filter(
            benchmark__dataset__study=study, benchmark__dataset__slug=self.dataset
        )
        if self.recording:
            selected_series = selected_series.filter(recording__label=self.recording)
        if self.system:
            selected_series = selected_series.filter(benchmark__system=self.system)
        for word in self.text.split():
            selected_series = selected_series.filter(
                Q(benchmark__name__icontains=word)
                | Q(benchmark__params__icontains=word)
                | Q(benchmark__system__icontains=word)
            )
        if self.only:
            selected_series = chosen_series(selected_series, self.only)
        if self.campaign:
            # A subquery: a join would repeat a series for each of its tasks.
            campaign_series = study.campaigns.filter(slug=self.campaign).values("tasks__series")
            selected_series = selected_series.filter(pk__in=campaign_series)
        return first_forks(selected_series) if self.forks else selected_series

    @property
    def narrowing_filters(self) -> dict[str, str]:
        """Filters that narrow the data set, by name; empty for all of its series."""
        return {name: value for name, value in self.as_json().items() if name != "dataset"}

    def check(self, study: Study) -> None:
        """Raise UnknownSelection for a recording, system, campaign or choice that is not there."""
        dataset_filter = {"dataset__study": study, "dataset__slug": self.dataset}
        choices_by_name: dict[str, Collection[str]] = {
            "recording": Recording.objects.filter(**dataset_filter).values_list("label", flat=True),
            "system": Benchmark.objects.filter(**dataset_filter).values_list("system", flat=True),
            "campaign": study.campaigns.values_list("slug", flat=True),
            "forks": [FIRST],
        }
        for name, choices in choices_by_name.items():
            chosen_word = getattr(self, name)
            if chosen_word and chosen_word not in choices:
                names = ", ".join(sorted(set(choices) - {""})) or "none"
                raise UnknownSelection(f"{name}: found {chosen_word!r}, expected one of: {names}")
        if self.only:
            self._check_only(study)

    def _check_only(self, study: Study) -> None:
        rows = SeriesSelection(self.dataset, only=self.only).series(study)
        ids = rows.values_list("public_id", "benchmark__public_id")
        known_ids = {public_id for pair in ids for public_id in pair}
        if unknown_ids := [
            public_id for public_id in self.only.split() if public_id not in known_ids
        ]:
            raise UnknownSelection(
                f"only: found {unknown_ids[0]!r}, expected public ids of benchmarks or series of "
                f"{study.slug}/{self.dataset}"
            )

    @property
    def words(self) -> str:
        """The narrowing, for a heading: `recording first · "sort"`; empty for a whole data set."""
        parts = (
            self.recording and f"recording {self.recording}",
            self.system and f"system {self.system}",
            self.text and f"“{self.text}”",
            self.campaign and f"campaign {self.campaign}",
            self.forks and "first forks",
            self.only and f"{len(self.only.split())} chosen",
        )
        return " · ".join(phrase for phrase in parts if phrase)
