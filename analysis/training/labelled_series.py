"""Labelled series for the learned stopping methods: from a campaign, a method, or what is known."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, Literal

import numpy as np

import formats
from analysis.methods.series_context import context_of_series, durations_of, wanted_inputs
from analysis.runs.models import Detection
from annotate.blind import EVERYTHING
from annotate.models import Campaign
from annotate.truth.results import SeriesResult, results
from demo.catalogue import CATALOGUE, Workload
from detectors.contract import NEVER, Context, Detector, DetectorError, Values, as_series
from detectors.learned.crossfit import benchmark_key
from detectors.learned.windows import WINDOW
from detectors.registry import get
from detectors.simulated.synthetic import KINDS, simulate
from detectors.training.labels.known_answers import known_series_of_folder
from detectors.training.labels.labelled_windows import LabelledSeries
from detectors.training.labels.published import NoPanel
from people.models import Study
from series.models import Dataset, Series
from series.values.read_ahead import read_arrays

Said = Callable[[str], object]
PublishedLabels = Literal["change-points", "marks"]

CHANGE_POINTS: Final = "cp-ssd"  # prints the last change point, as the published labels do
KNOWN: Final = "known"  # labels of simulated series
SIMULATED: Final = "simulated"  # the system of simulated series, here and in the demo
SEEDS: Final = range(100, 110)  # others than those of the demo and of the pictures
NOISES: Final = (0.01, 0.03, 0.1)  # shares of the steady level, in turn
FILES: Final = ("index.csv", "series.npz", "forks.npz", "cp_published.json", "expected.json")


def labelled_series_of_campaign(campaign: Campaign) -> list[LabelledSeries]:
    """The settled ground truth of a campaign; undecided series are left out.

    Rates are given as durations, as the methods read them.
    """
    return [
        LabelledSeries(
            _key(result.series),
            values,
            int(result.settled.value or 0) if result.settled.steady else NEVER,
        )
        for result, values in settled_series(campaign, WINDOW)
    ]


def settled_series(campaign: Campaign, length: int) -> list[tuple[SeriesResult, Values]]:
    """Series with settled ground truth and `length` values or more, and the values as durations."""
    settled_results = [
        result
        for result in results(campaign, EVERYTHING)
        if result.settled.steady is not None and result.series.n >= length
    ]
    arrays = read_arrays([result.series.pk for result in settled_results])
    results_and_values = (
        (result, durations_of(result.series, raw_values))
        for result, raw_values in zip(settled_results, arrays, strict=True)
    )
    return [(result, values) for result, values in results_and_values if values is not None]


class SeriesGone(LookupError):
    """Series that are not there any more; the sentence says how many."""


def of_labels(labels: Mapping[int, int], study: Study) -> list[LabelledSeries]:
    """Series of the study with labels that are known: the first steady iteration, or `NEVER`.

    labels: by primary key. Raises SeriesGone. A rate that stands for no duration is left out.
    """
    tables = ("benchmark", "stored")
    series = Series.objects.filter(pk__in=labels, benchmark__dataset__study=study)
    series_rows = list(series.select_related(*tables).order_by("pk"))
    if len(series_rows) < len(labels):
        raise SeriesGone(f"{len(labels) - len(series_rows)} of its {len(labels)} series are gone")
    return _label_series((one_series, labels[one_series.pk]) for one_series in series_rows)


def _label_series(series_and_labels: Iterable[tuple[Series, int]]) -> list[LabelledSeries]:
    """Series with these labels, but for rates that stand for no duration."""
    return [
        LabelledSeries(_key(series), values, label)
        for series, label in series_and_labels
        if (values := durations_of(series, series.array())) is not None
    ]


def _key(series: Series) -> str:
    benchmark = series.benchmark
    return benchmark_key(benchmark.system, benchmark.name, benchmark.params)


def of_dataset(
    dataset: Dataset, labels: Detector | None, report: Said = str
) -> list[LabelledSeries]:
    """Every series of a data set with a method's answer; None: with what is known of it.

    Stored answers are taken; others are computed, and not stored. Series without an answer, too
    short ones for instance, are left out.
    """
    tables = ["benchmark", "stored"] + (
        ["samples"] if labels and "samples" in wanted_inputs(labels) else []
    )
    series = Series.objects.filter(benchmark__dataset=dataset, n__gte=WINDOW)
    series = series.select_related(*tables).order_by("pk")
    if labels is None:
        return _label_series(
            (known_series, start)
            for known_series in series
            if (start := known_series.known_start) is not None
        )
    stored_answers = Detection.objects.filter(
        detector_key=labels.key, series__in=series, outcome=Detection.Outcome.ANSWER
    )
    starts = {
        detection.series_id: _window(labels, detection.steady_start, detection.published_index)
        for detection in stored_answers
    }
    return list(_label_answered(series.iterator(100), labels, starts, report))


def _label_answered(
    series: Iterator[Series], labels: Detector, starts: dict[int, int], report: Said
) -> Iterator[LabelledSeries]:
    for number, one_series in enumerate(series):
        report(f"labels of {labels.title}: series {number + 1}")
        first_window = starts.get(one_series.pk)
        if first_window is None:
            context = context_of_series(one_series, has_samples="samples" in wanted_inputs(labels))
            first_window = first_stable_window(labels, as_series(one_series.array()), context)
        values = durations_of(one_series, one_series.array())
        if first_window is not None and values is not None:
            yield LabelledSeries(_key(one_series), values, first_window)


def first_stable_window(labels: Detector, values: np.ndarray, context: Context) -> int | None:
    """The first stable window that the method's answer means; None without an answer."""
    try:
        method_answer = labels.answer(values, context)
    except DetectorError:
        return None
    return _window(labels, method_answer.steady_start, method_answer.published_index)


def _window(labels: Detector, start: int | None, published_start: int | None) -> int:
    """A change point counts as warm-up itself, as in the published labels, even at 0."""
    if start is None or start == NEVER:
        return NEVER
    if labels.slug == CHANGE_POINTS and published_start is not None:
        return published_start + 1
    return start


# --- what comes with Plateau ------------------------------------------------------------------
def own_workloads(report: Said = str) -> list[LabelledSeries]:
    """Recorded workloads with the labels of CP-SSD, and simulated series, whose answer is known."""
    return [*_recorded_series(report), *_simulated_series()]


def _recorded_series(report: Said) -> Iterator[LabelledSeries]:
    labels = get(CHANGE_POINTS)()
    for workload in CATALOGUE:
        report(f"labels of {labels.title}: {workload.name}")
        for measurement in _measure(workload):
            context = Context(unit=measurement.unit, mode=measurement.mode)
            first_window = first_stable_window(labels, as_series(measurement.values), context)
            if first_window is not None:
                key = benchmark_key(measurement.system, measurement.benchmark, measurement.params)
                yield LabelledSeries(key, as_series(measurement.values), first_window)


def of_corpus(folder: Path) -> list[LabelledSeries]:
    """Series of the corpus as forks of the workload whose noise each holds.

    So no model judges noise that it has seen. Raises `NoPanel`.
    """
    keys = {
        workload.name: benchmark_key(
            workload.runtime_title, workload.benchmark, workload.params_text
        )
        for workload in CATALOGUE
    }
    known_series = known_series_of_folder(folder)
    if unknown_groups := {one_series.group for one_series in known_series} - keys.keys():
        raise NoPanel(f"{folder}: noise of {min(unknown_groups)!r}, which is no recorded workload")
    return [
        LabelledSeries(keys[one_series.group], one_series.values, one_series.start)
        for one_series in known_series
    ]


def _measure(workload: Workload) -> list[formats.Measurement]:
    """Measurements as in the demo: equal names are equal benchmarks."""
    options = formats.ReadOptions(system=workload.runtime_title)
    with workload.path.open("rb") as stream:
        return list(formats.read_series_of_file(stream, workload.file, options=options))


def _simulated_series() -> Iterator[LabelledSeries]:
    for simulation_kind in KINDS:
        for number, seed in enumerate(SEEDS):
            sample = simulate(simulation_kind, seed=seed, noise=NOISES[number % len(NOISES)])
            yield LabelledSeries(
                benchmark_key(SIMULATED, simulation_kind, ""),
                sample.values,
                sample.steady_start,
            )


# --- published --------------------------------------------------------------------------------
def labelled_series_of_folder(
    folder: Path, labels: PublishedLabels, *, keeps_forks: bool = True
) -> list[LabelledSeries]:
    """Published measurements with change points (all forks there are), or with marks (fork 0).

    Raises `NoPanel`.
    """
    if missing_names := [name for name in FILES if not (folder / name).is_file()]:
        raise NoPanel(f"{folder}: found no {', '.join(missing_names)}, expected {', '.join(FILES)}")
    try:
        if labels == "marks":
            return list(_marked_series(folder))
        return list(_changing(folder, keeps_forks=keeps_forks))
    except (KeyError, TypeError, ValueError, OSError, zipfile.BadZipFile) as error:
        raise NoPanel(f"{folder}: cannot be read: {error!r}") from error


def published_keys(folder: Path) -> list[str]:
    """The benchmark of each row."""
    rows = csv.DictReader((folder / "index.csv").read_text("utf-8").splitlines())
    return [benchmark_key(row["system"], row["benchmark"], row["params"]) for row in rows]


def _marked_series(folder: Path) -> Iterator[LabelledSeries]:
    """Series with the ground truth of five people's marks; never where a fork was not shown for
    a mark.
    """
    records = json.loads((folder / "expected.json").read_text("utf-8"))
    with np.load(folder / "series.npz") as arrays:
        values = arrays["fork0"]
    for key, record, row in zip(published_keys(folder), records, values, strict=True):
        yield LabelledSeries(key, as_series(row), int(record["jagt_published"]))


def _changing(folder: Path, *, keeps_forks: bool) -> Iterator[LabelledSeries]:
    published_points = json.loads((folder / "cp_published.json").read_text("utf-8"))
    with np.load(folder / "series.npz") as arrays, np.load(folder / "forks.npz") as fork_arrays:
        first_forks = arrays["fork0"]
        for number, key in enumerate(published_keys(folder)):
            name = f"b{number:03}"
            values = (
                fork_arrays[name]
                if keeps_forks and name in fork_arrays
                else first_forks[number : number + 1]
            )
            for row, point in zip(values, published_points[key]["s"], strict=False):
                yield LabelledSeries(key, as_series(row), NEVER if point == NEVER else point + 1)
