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
            _series_key(result.series),
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


def labelled_series_of_study(labels: Mapping[int, int], study: Study) -> list[LabelledSeries]:
    """Series of the study with labels that are known: the first steady iteration, or `NEVER`.

    labels: by primary key. Raises SeriesGone. A rate that stands for no duration is left out.
    """
    related_names = ("benchmark", "stored")
    series = Series.objects.filter(pk__in=labels, benchmark__dataset__study=study)
    series_rows = list(series.select_related(*related_names).order_by("pk"))
    if len(series_rows) < len(labels):
        raise SeriesGone(f"{len(labels) - len(series_rows)} of its {len(labels)} series are gone")
    return _label_series((row, labels[row.pk]) for row in series_rows)


def _label_series(series_and_labels: Iterable[tuple[Series, int]]) -> list[LabelledSeries]:
    """Series with these labels, but for rates that stand for no duration."""
    return [
        LabelledSeries(_series_key(series), values, label)
        for series, label in series_and_labels
        if (values := durations_of(series, series.array())) is not None
    ]


def _series_key(series: Series) -> str:
    benchmark = series.benchmark
    return benchmark_key(benchmark.system, benchmark.name, benchmark.params)


def labelled_series_of_dataset(
    dataset: Dataset, detector: Detector | None, report: Said = str
) -> list[LabelledSeries]:
    """Every series of a data set with a method's answer; None: with what is known of it.

    Stored answers are taken; others are computed, and not stored. Series without an answer, too
    short ones for instance, are left out.
    """
    related_names = ["benchmark", "stored"] + (
        ["samples"] if detector and "samples" in wanted_inputs(detector) else []
    )
    series = Series.objects.filter(benchmark__dataset=dataset, n__gte=WINDOW)
    series = series.select_related(*related_names).order_by("pk")
    if detector is None:
        return _label_series(
            (known_series, start)
            for known_series in series
            if (start := known_series.known_start) is not None
        )
    stored_answers = Detection.objects.filter(
        detector_key=detector.key, series__in=series, outcome=Detection.Outcome.ANSWER
    )
    window_by_pk = {
        detection.series_id: _first_window(
            detector, detection.steady_start, detection.published_index
        )
        for detection in stored_answers
    }
    return list(_label_answered(series.iterator(100), detector, window_by_pk, report))


def _label_answered(
    all_series: Iterator[Series], detector: Detector, window_by_pk: dict[int, int], report: Said
) -> Iterator[LabelledSeries]:
    for series_index, series in enumerate(all_series):
        report(f"labels of {detector.title}: series {series_index + 1}")
        first_window = window_by_pk.get(series.pk)
        if first_window is None:
            context = context_of_series(series, has_samples="samples" in wanted_inputs(detector))
            first_window = first_stable_window(detector, as_series(series.array()), context)
        values = durations_of(series, series.array())
        if first_window is not None and values is not None:
            yield LabelledSeries(_series_key(series), values, first_window)


def first_stable_window(detector: Detector, values: np.ndarray, context: Context) -> int | None:
    """The first stable window that the method's answer means; None without an answer."""
    try:
        method_answer = detector.answer(values, context)
    except DetectorError:
        return None
    return _first_window(detector, method_answer.steady_start, method_answer.published_index)


def _first_window(detector: Detector, start: int | None, published_start: int | None) -> int:
    """A change point counts as warm-up itself, as in the published labels, even at 0."""
    if start is None or start == NEVER:
        return NEVER
    if detector.slug == CHANGE_POINTS and published_start is not None:
        return published_start + 1
    return start


# --- what comes with Plateau ------------------------------------------------------------------
def shipped_series(report: Said = str) -> list[LabelledSeries]:
    """Recorded workloads with the labels of CP-SSD, and simulated series, whose answer is known."""
    return [*_recorded_series(report), *_simulated_series()]


def _recorded_series(report: Said) -> Iterator[LabelledSeries]:
    detector = get(CHANGE_POINTS)()
    for workload in CATALOGUE:
        report(f"labels of {detector.title}: {workload.name}")
        for measurement in _read_measurements(workload):
            context = Context(unit=measurement.unit, mode=measurement.mode)
            first_window = first_stable_window(detector, as_series(measurement.values), context)
            if first_window is not None:
                key = benchmark_key(measurement.system, measurement.benchmark, measurement.params)
                yield LabelledSeries(key, as_series(measurement.values), first_window)


def labelled_series_of_corpus(folder: Path) -> list[LabelledSeries]:
    """Series of the corpus as forks of the workload whose noise each holds.

    So no model judges noise that it has seen. Raises `NoPanel`.
    """
    key_by_workload = {
        workload.name: benchmark_key(
            workload.runtime_title, workload.benchmark, workload.params_text
        )
        for workload in CATALOGUE
    }
    known_series = known_series_of_folder(folder)
    if unknown_groups := {known.group for known in known_series} - key_by_workload.keys():
        raise NoPanel(
            f"{folder}: found noise of {min(unknown_groups)!r}, expected of a recorded workload"
        )
    return [
        LabelledSeries(key_by_workload[known.group], known.values, known.start)
        for known in known_series
    ]


def _read_measurements(workload: Workload) -> list[formats.Measurement]:
    """Measurements as in the demo: equal names are equal benchmarks."""
    options = formats.ReadOptions(system=workload.runtime_title)
    with workload.path.open("rb") as stream:
        return list(formats.read_series_of_file(stream, workload.file, options=options))


def _simulated_series() -> Iterator[LabelledSeries]:
    for simulation_kind in KINDS:
        for seed_index, seed in enumerate(SEEDS):
            sample = simulate(simulation_kind, seed=seed, noise=NOISES[seed_index % len(NOISES)])
            yield LabelledSeries(
                benchmark_key(SIMULATED, simulation_kind, ""), sample.values, sample.steady_start
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
        return list(_change_point_series(folder, keeps_forks=keeps_forks))
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
        fork_values = arrays["fork0"]
    for key, record, values in zip(published_keys(folder), records, fork_values, strict=True):
        yield LabelledSeries(key, as_series(values), int(record["jagt_published"]))


def _change_point_series(folder: Path, *, keeps_forks: bool) -> Iterator[LabelledSeries]:
    published_points = json.loads((folder / "cp_published.json").read_text("utf-8"))
    with np.load(folder / "series.npz") as arrays, np.load(folder / "forks.npz") as fork_arrays:
        first_forks = arrays["fork0"]
        for benchmark_index, key in enumerate(published_keys(folder)):
            array_name = f"b{benchmark_index:03}"
            fork_values = (
                fork_arrays[array_name]
                if keeps_forks and array_name in fork_arrays
                else first_forks[benchmark_index : benchmark_index + 1]
            )
            for values, point in zip(fork_values, published_points[key]["s"], strict=False):
                yield LabelledSeries(key, as_series(values), NEVER if point == NEVER else point + 1)
