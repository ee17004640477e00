"""Times of methods: as measured on this machine, else guessed by their class; and who is told."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from django.db.models import Avg, Count, F, IntegerField, Window
from django.db.models.functions import RowNumber
from django.http import HttpRequest

from analysis.methods.catalogue import StoredResults
from analysis.runs.models import Detection, Run
from analysis.runs.models.detection import DetectionQuerySet
from annotate import blind
from detectors.contract import Detector
from detectors.costs import cost_ratio, interpolate_cost, measured_costs
from detectors.registry import registry
from people.models import Study, User
from series.import_pages.import_page import NewSeries
from series.models import Series
from series.panels import PagePanel

# Means over the methods of each class on a desktop machine, of series of 3,000 values.
GUESSED_MILLISECONDS: Final[Mapping[str, float]] = {"instant": 0.5, "quick": 50.0, "slow": 600.0}
GUESSED_VALUES: Final = 3_000
ABOUT_3000: Final = (2_500, 3_500)  # lengths of series whose times the catalogue shows


@dataclass(frozen=True, slots=True)
class MethodTiming:
    """Mean milliseconds of one method for a series of `length` values.

    is_measured  by a run, with these or other parameters; else it is the guess for its class
    is_of_key    measured with exactly these parameters
    """

    milliseconds: float
    length: float = GUESSED_VALUES
    is_measured: bool = False
    is_of_key: bool = False
    slug: str = ""

    def for_length(self, length: float) -> float:
        """Milliseconds for another length, by the measured growth of the method's cost."""
        if not self.length:
            return self.milliseconds
        return self.milliseconds * cost_ratio(self.slug, length, self.length)


def timings(study: Study, detectors: Collection[Detector]) -> dict[str, MethodTiming]:
    """Timings by detector key: measured by runs of this study, else by runs of others on this
    machine.

    Where no run has these parameters, the method's others tell; last comes the table of costs. A
    mean time says nothing of whose series it was measured on.
    """
    slug_by_key = {detector.key: detector.slug for detector in detectors}
    outcomes = Detection.Outcome
    timed_detections = Detection.objects.filter(milliseconds__isnull=False).exclude(
        outcome__in=[
            outcomes.NOT_AVAILABLE,
            outcomes.TOO_SHORT,
            outcomes.TOO_LONG,
        ]  # no answer was computed
    )
    study_detections = timed_detections.filter(series__benchmark__dataset__study=study)
    measured_timings: dict[str, MethodTiming] = {}
    for detections in (study_detections, timed_detections):
        untimed_keys = slug_by_key.keys() - measured_timings.keys()
        measured_timings |= (
            _means(detections.filter(detector_key__in=untimed_keys), "detector_key")
            if untimed_keys
            else {}
        )
    untimed_keys = slug_by_key.keys() - measured_timings.keys()
    timings_by_slug = _means(
        timed_detections.filter(slug__in={slug_by_key[key] for key in untimed_keys}), "slug"
    )
    for key in untimed_keys & {key for key, slug in slug_by_key.items() if slug in timings_by_slug}:
        measured_timings[key] = replace(timings_by_slug[slug_by_key[key]], is_of_key=False)
    guess_by_key = {detector.key: _guess(detector) for detector in detectors}
    return {
        key: replace(timing, slug=slug_by_key[key])
        for key, timing in (guess_by_key | measured_timings).items()
    }


def _guess(detector: Detector) -> MethodTiming:
    """Time of a method that nothing was measured of here: that of the table, else of its class."""
    if cost := measured_costs().get(detector.slug):
        return MethodTiming(1000 * interpolate_cost(cost, GUESSED_VALUES))
    return MethodTiming(GUESSED_MILLISECONDS[detector.cost])


def _means(rows: DetectionQuerySet, column: str) -> dict[str, MethodTiming]:
    means = (
        rows.values_list(column)
        .annotate(each=Avg("milliseconds"), values=Avg("series__n"))
        .order_by()
    )
    return {
        name: MethodTiming(milliseconds, values, is_measured=True, is_of_key=True)
        for name, milliseconds, values in means
    }


# --- for the catalogue of methods -------------------------------------------------------------
def results_by_method(person: User) -> dict[str, StoredResults]:
    """Stored results by slug, over the series whose answers this person may see."""
    series = blind.visible_series(person, Series.objects.all())
    answered_detections = Detection.objects.filter(
        series__in=series, outcome=Detection.Outcome.ANSWER
    )
    counts = (
        answered_detections.values_list("slug")
        .annotate(count=Count("series", distinct=True))
        .order_by()
    )
    medians = _medians(series.filter(n__range=ABOUT_3000))
    return {slug: StoredResults(count, *medians.get(slug, (None, 0))) for slug, count in counts}


def _medians(series: Iterable[Series]) -> dict[str, tuple[float, int]]:
    """Median milliseconds and number of results of each method with its defaults."""
    defaults = [detector().key for detector in registry().values()]
    timed_detections = Detection.objects.filter(
        series__in=series,
        detector_key__in=defaults,
        outcome=Detection.Outcome.ANSWER,
        milliseconds__isnull=False,
    ).annotate(
        rank=Window(RowNumber(), partition_by="slug", order_by="milliseconds"),
        of=Window(Count("pk"), partition_by="slug", output_field=IntegerField()),
    )
    middle = timed_detections.filter(rank=(F("of") + 1) / 2)
    medians = middle.values_list("slug", "milliseconds", "of")
    return {slug: (ms, count) for slug, ms, count in medians if ms is not None}


# --- after an import --------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class RunTime:
    """Time of `method_count` methods on `series_count` series, with the workers of the last run."""

    method_count: int
    series_count: int
    seconds: float


def run_timing_panels(_request: HttpRequest, new_series: NewSeries) -> Iterator[PagePanel]:
    """Panel with the time of a run on the imported series; none where no run was timed."""
    if run_time := expected_time(new_series.count):
        yield PagePanel("run", "analysis/runs/_after_import.html", {"time": run_time})


def expected_time(series_count: int) -> RunTime | None:
    """Time of the methods of the last run that computed something, at its seconds an answer."""
    finished_runs = Run.objects.filter(
        state=Run.State.DONE, began__isnull=False, finished__isnull=False, study__removed=None
    )
    last_run = (
        finished_runs.filter(wanted__gt=F("stored_before")).order_by("-finished", "-pk").first()
    )
    if last_run is None or not last_run.seconds or not series_count:
        return None
    answer_seconds = last_run.seconds / last_run.to_compute
    return RunTime(last_run.breadth, series_count, answer_seconds * last_run.breadth * series_count)
