"""Content of the page that starts a run: chips of methods, their prices, the time, the series."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from django import forms
from django.utils.datastructures import MultiValueDict

from analysis.methods.catalogue import group_by_family
from analysis.methods.short_titles import short_titles
from analysis.methods.symbols import classes
from analysis.runs.forms import SERIES_FIELDS, RunForm
from analysis.runs.method_prices import (
    SLOW_SECONDS,
    SLOW_SHARE,
    MethodPrice,
    TimeBarPart,
    method_prices,
    time_bar,
    unchosen_slow_methods,
)
from analysis.runs.plan import RunPlan, plan_run
from analysis.runs.preselections import Preselection, preselections
from analysis.runs.selection import SeriesSelection
from detectors.contract import Detector
from detectors.contract.parameters import parameter_text
from detectors.registry import method_slots, registry
from people.models import Study, User
from people.templatetags.writing import grouped
from series.models import Series

SAMPLE: Final = 9  # outlines in one row


@dataclass(frozen=True, slots=True)
class MethodChip:
    """One method to choose, with the fields of its parameters.

    missing  why it cannot run here, or nothing
    price    what it adds to the run; None where that is not known
    """

    detector: type[Detector]
    is_chosen: bool
    missing: str
    price: MethodPrice | None
    fields: tuple[forms.BoundField, ...]
    preset: forms.BoundField | None = None  # None if the study has no preset of the method

    @property
    def title(self) -> str:
        return short_titles()[self.detector.slug]

    @property
    def symbol(self) -> str:
        return classes(method_slots().get(self.detector.slug))

    @property
    def reason(self) -> str:
        """Why it cannot run, in few words."""
        first_reason = self.missing.partition(";")[0].replace("`", "")
        return "needs weights" if first_reason == "weights not installed" else first_reason

    @property
    def is_changed(self) -> bool:
        """True where a parameter is not the default, or a preset is chosen."""
        has_preset = bool(self.preset and self.preset.value())
        return has_preset or any(_differs(field) for field in self.fields)


@dataclass(frozen=True, slots=True)
class LongSeries:
    """Series of `n` values: how many there are, and the seconds that they take."""

    n: int
    count: int
    seconds: float


@dataclass(frozen=True)
class StartPage:
    """Everything that follows the choice of methods and series.

    full_plan  plan of all methods that can run here; None while no series can be selected
    """

    form: RunForm
    study: Study
    person: User
    workers: int
    full_plan: RunPlan | None

    @cached_property
    def prices(self) -> Mapping[str, MethodPrice]:
        return method_prices(self.full_plan, self.workers) if self.full_plan else {}

    @cached_property
    def preselections(self) -> Mapping[str, Preselection]:
        return preselections(self.prices, self.study, self.person)

    @cached_property
    def chosen_slugs(self) -> list[str]:
        return self.form.chosen_slugs

    @property
    def preselection(self) -> str:
        """Code of the button whose methods are chosen; empty for a choice of one's own."""
        chosen_slugs = set(self.chosen_slugs)
        matching_codes = (
            preselection.code
            for preselection in self.preselections.values()
            if set(preselection.slugs) == chosen_slugs
        )
        return next(matching_codes, "")

    @property
    def preselection_sentence(self) -> str:
        """Sentence on why these methods; empty for buttons whose label says it."""
        if self.preselection not in {"best", "default"}:
            return ""
        return self.preselections[self.preselection].sentence

    @cached_property
    def plan(self) -> RunPlan | None:
        """Plan of the chosen methods; None without any, or while a parameter is refused."""
        if self.full_plan is None or not self.chosen_slugs or self.form.errors:
            return None
        return self.full_plan.with_methods(
            {self.form.detector_by_slug[slug].key for slug in self.chosen_slugs}
        )

    @cached_property
    def seconds(self) -> float:
        return self.plan.seconds(self.workers) if self.plan else 0.0

    @property
    def time_bar_parts(self) -> list[TimeBarPart]:
        return time_bar(self.prices.values(), self.chosen_slugs, dict(short_titles()))

    @property
    def unchosen_slow_count(self) -> int:
        return len(unchosen_slow_methods(self.prices.values(), self.chosen_slugs))

    @property
    def slow_seconds(self) -> float:
        """Seconds that the slow methods left out would add."""
        left_out = unchosen_slow_methods(self.prices.values(), self.chosen_slugs)
        return sum(price.seconds for price in left_out)

    @property
    def slow_count(self) -> int:
        return sum(price.is_slow for price in self.prices.values())

    @cached_property
    def chips(self) -> list[MethodChip]:
        """Every method, in the order of looks on charts."""
        slots = method_slots()
        return [
            self._chip(registry()[slug]) for slug in sorted(slots, key=lambda slug: slots[slug])
        ]

    @property
    def unavailable_count(self) -> int:
        """Number of methods that cannot run here; each chip says why."""
        return sum(bool(chip.missing) for chip in self.chips)

    @property
    def changed_count(self) -> int:
        """Number of chosen methods that do not run with their defaults."""
        return sum(chip.is_chosen and chip.is_changed for chip in self.chips)

    @property
    def families(self) -> dict[str, list[MethodChip]]:
        """The chips under the headings of the catalogue."""
        return group_by_family(self.chips, lambda chip: chip.detector)

    def with_methods(self, slugs: Iterable[str]) -> StartPage:
        """Return a copy of the page with these methods chosen."""
        values = MultiValueDict(self.form.data)
        values.setlist("methods", [*slugs])
        form = RunForm(self.study, values)
        form.is_valid()
        return replace(self, form=form)

    def _chip(self, detector: type[Detector]) -> MethodChip:
        slug, form = detector.slug, self.form
        preset = form[f"{slug}.preset"] if f"{slug}.preset" in form.fields else None
        return MethodChip(
            detector=detector,
            is_chosen=slug in self.chosen_slugs,
            missing=form.missing(detector),
            price=self.prices.get(slug),
            fields=tuple(
                form[f"{slug}.{parameter.name}"] for parameter in detector.Params.declared()
            ),
            preset=preset,
        )

    @property
    def series_count(self) -> int:
        return self.full_plan.series_count if self.full_plan else 0

    @property
    def lengths_text(self) -> str:
        """Number of values of a series, or least and most: `120` or `120 to 3000`."""
        lengths = self.full_plan.count_by_length.keys() if self.full_plan else ()
        if not lengths:
            return ""
        least, most = grouped(min(lengths)), grouped(max(lengths))
        return least if least == most else f"{least} to {most}"

    @property
    def long_series(self) -> LongSeries | None:
        """The longest series, where these take much of the run."""
        if self.plan is None or len(self.plan.count_by_length) < 2:
            return None
        n = max(self.plan.count_by_length)
        seconds = self.plan.seconds_of_length(n, self.workers)
        if seconds < max(SLOW_SECONDS, SLOW_SHARE * self.seconds):
            return None
        return LongSeries(n, self.plan.count_by_length[n], seconds)

    @property
    def dataset_series_count(self) -> int:
        """Series of the chosen data set, whatever narrows it."""
        if self.full_plan is None:
            return 0
        return SeriesSelection(dataset=self.form.selection.dataset).series(self.study).count()

    @property
    def sample_series(self) -> list[Series]:
        """The first chosen series, for their outlines."""
        if self.full_plan is None:
            return []
        rows = self.form.selection.series(self.study).select_related("benchmark")
        return list(rows.order_by("fork", "pk")[:SAMPLE])


def start_page(study: Study, form: RunForm, person: User, workers: int) -> StartPage:
    """Plan all methods on the series that the form selects."""
    form.is_valid()
    if form.errors.keys() & {*SERIES_FIELDS, "only"}:
        return StartPage(form, study, person, workers, None)
    keys = [detector.key for detector in form.detector_by_slug.values()]
    full_plan = plan_run(study, form.selection, keys, again=form.cleaned_data["again"])
    return StartPage(form, study, person, workers, full_plan)


def _differs(field: forms.BoundField) -> bool:
    value = field.value()
    value_text = parameter_text(value) if value is not None else ""
    return value_text not in {"", str(field.field.widget.attrs["data-default"])}
