"""Learned stopping methods on published series: the published models, and which labels teach more.

    python -m evidence.replication.learned_stopping [FOLDER] [--labels]

What the published models answer on fork 0 of each benchmark; with `--labels` ROCKET fitted on
change points and on people's marks, each judged by both on systems that it has not seen. About
three minutes each. FOLDER holds, for the first, the models as arrays.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from detectors.contract import NEVER, Context, Values
from detectors.learned.crossfit import FOLDS, FoldSet
from detectors.learned.learned_stopping import LearnedStopping
from detectors.learned.rocket import RocketModel
from detectors.learned.windows import windows_from
from detectors.methods.fcn import Fcn
from detectors.methods.rocket import RocketStopping
from detectors.training.figures.fold_figures import figures_of
from detectors.training.fitting import rocket
from detectors.training.labels.folds import assign_folds
from detectors.training.labels.labelled_windows import LabelledSeries, LabelledWindows, segments_of
from evidence.replication.published_files import NotPublishedData, option, study_command
from evidence.replication.published_models import models_of
from evidence.replication.published_study import PublishedBenchmark, PublishedStudy
from formats.markdown import head, row

CAP: Final = 500  # windows
DRAWS: Final = 1000  # of a bootstrap over systems
NEAR: Final = 50  # iterations


def print_comparison(study: PublishedStudy, options: Namespace) -> int:
    """Print one of the two comparisons; the exit status."""
    (fit_by_labels if options.labels else print_published_models)(study)
    return 0


# --- published ------------------------------------------------------------------------------------


def print_published_models(study: PublishedStudy) -> None:
    """Over, under and exact of the published models against the published change points."""
    print(head("method", "steady forks", "over", "under", "exact", "capped", "median start"))
    benchmarks = benchmarks_with_starts(study)
    points = np.array([benchmark.steady[0] for benchmark in benchmarks])
    for method in (RocketStopping, Fcn):
        detector = use_published(method, study)
        detections = [
            detector.answer(benchmark.forks[0], Context(benchmark=benchmark.name))
            for benchmark in benchmarks
        ]
        is_steady = points != NEVER
        starts = np.array([detection.steady_start for detection in detections])[is_steady]
        true_points = points[is_steady] + 1
        is_capped = np.array(["capped" in detection.flags for detection in detections])[is_steady]
        shares = (starts > true_points, starts < true_points, starts == true_points, is_capped)
        cells = (f"{100 * share.mean():.1f} %" for share in shares)
        print(row(method.title, true_points.size, *cells, f"{np.median(starts):.0f}"))


def benchmarks_with_starts(study: PublishedStudy) -> list[PublishedBenchmark]:
    """Benchmarks with measurements and published steady indices."""
    return [benchmark for benchmark in study.measured if benchmark.steady]


def use_published(method: type[LearnedStopping], study: PublishedStudy) -> LearnedStopping:
    """The method with the published models in place of installed ones."""
    folds = models_of(study.folder, method.slug)
    if not folds:
        raise NotPublishedData(f"{study.folder / 'models'}: no published models of {method.slug}")
    fold_set = FoldSet(
        tuple(folds), assign_folds([benchmark.name for benchmark in study.benchmarks])
    )
    return type("Published", (method,), {"fold_set": lambda _: fold_set})()


# --- labels ---------------------------------------------------------------------------------------


def fit_by_labels(study: PublishedStudy) -> None:
    """ROCKET fitted on either kind of label, judged by both, systems held out.

    On the series that people marked and that have a published change point.
    """
    change, marks = label_series(study)
    folds = assign_folds([labelled_series.benchmark for labelled_series in change], "systems")
    number = np.array([folds[labelled_series.benchmark] for labelled_series in change])
    systems = np.array([labelled_series.system for labelled_series in change])
    kernels = rocket.draw_kernels(0)
    segments_by_labels = {"change points": segments_of(change), "marks": segments_of(marks)}
    features = {
        name: rocket.window_features(kernels, s.windows) for name, s in segments_by_labels.items()
    }
    models = {
        name: [
            rocket.fit_rocket(kernels, features[name][is_training], segments.stable[is_training])[0]
            for is_training in (number[segments.series] != fold for fold in range(FOLDS))
        ]
        for name, segments in segments_by_labels.items()
    }
    print(f"{len(change)} series of {len(set(systems))} systems, five folds of whole systems\n")
    figures = ("precision", "recall", "F1", "AUC", "balanced accuracy [95 %]")
    print(head("fitted on", "judged by", *figures))
    differences: list[str] = []
    for judge, judging_segments in segments_by_labels.items():
        drawn_accuracies = []
        for name in segments_by_labels:
            value = np.empty(judging_segments.stable.size)
            for fold, model in enumerate(models[name]):
                is_held_out = number[judging_segments.series] == fold
                value[is_held_out] = rocket.decision_values(model, features[judge][is_held_out])
            drawn_accuracies.append(resampled_accuracies(judging_segments, value > 0, systems))
            print(row(name, judge, *cells_of(judging_segments, value, drawn_accuracies[-1])))
        low, middle, high = np.percentile(
            drawn_accuracies[1] - drawn_accuracies[0], (2.5, 50, 97.5)
        )
        differences.append(f"judged by {judge}: {middle:+.3f} [{low:+.3f}, {high:+.3f}]")
    print(f"\nBalanced accuracy, marks less change points: {'; '.join(differences)}")
    starts = {
        name: [
            start_of(fold_models[k], labelled_series)
            for k, labelled_series in zip(number, change, strict=True)
        ]
        for name, fold_models in models.items()
    }
    print_whole_series(starts, {"change points": change, "marks": marks})


def print_whole_series(
    starts: Mapping[str, Sequence[int]], segments_by_labels: Mapping[str, Sequence[LabelledSeries]]
) -> None:
    """Print where the models stop, against either kind of label."""
    figures = ("mean error", "median error", "at most 50", "too early")
    print(f"\n{head('fitted on', 'judged by', *figures)}")
    for name, model_starts in starts.items():
        for judge, series in segments_by_labels.items():
            error = np.array(model_starts) - np.array(
                [labelled_series.first for labelled_series in series]
            )
            size = np.abs(error)
            shares = (f"{is_counted.mean():.3f}" for is_counted in (size <= NEAR, error < 0))
            print(row(name, judge, f"{size.mean():.0f}", f"{np.median(size):.0f}", *shares))


def label_series(study: PublishedStudy) -> tuple[list[LabelledSeries], list[LabelledSeries]]:
    """Label each series with change points, and with what people's marks come to."""
    labelled_benchmarks = [
        (benchmark, start)
        for benchmark in benchmarks_with_starts(study)
        if benchmark.marks
        and benchmark.steady[0] != NEVER
        and (start := benchmark.agreed("jagt-published")) is not None
    ]
    return (
        [
            LabelledSeries(benchmark.name, benchmark.forks[0], benchmark.steady[0] + 1)
            for benchmark, _ in labelled_benchmarks
        ],
        [
            LabelledSeries(benchmark.name, benchmark.forks[0], start)
            for benchmark, start in labelled_benchmarks
        ],
    )


def cells_of(segments: LabelledWindows, value: Values, drawn_accuracies: Values) -> Iterator[str]:
    fold_figures = figures_of(0, segments.stable, value > 0)
    auc = roc_auc_score(segments.stable, value)
    yield from (
        f"{figure:.3f}"
        for figure in (fold_figures.precision, fold_figures.recall, fold_figures.f1, auc)
    )
    low, high = np.percentile(drawn_accuracies, (2.5, 97.5))
    yield f"{fold_figures.balanced_accuracy:.3f} [{low:.3f}, {high:.3f}]"


def resampled_accuracies(
    segments: LabelledWindows, is_accepted: NDArray[np.bool_], systems: NDArray[np.str_]
) -> Values:
    """Balanced accuracy of resamples of systems, in the same order for the same segments."""
    system_of_segment = systems[segments.series]
    names = np.unique(system_of_segment)
    counts = np.array(
        [
            [
                (segments.stable & is_accepted)[system_of_segment == name].sum(),
                segments.stable[system_of_segment == name].sum(),
                (~segments.stable & ~is_accepted)[system_of_segment == name].sum(),
                (~segments.stable)[system_of_segment == name].sum(),
            ]
            for name in names
        ]
    )
    system_draws = np.random.default_rng(0).integers(0, names.size, (DRAWS, names.size))
    accepted_stable, stable_counts, neither_counts, unstable_counts = (
        counts[system_draws].sum(axis=1).T
    )
    shares: Values = (accepted_stable / stable_counts + neither_counts / unstable_counts) / 2
    return shares


def start_of(model: RocketModel, labelled_series: LabelledSeries, cap: int = CAP) -> int:
    """Iteration where the model would stop."""
    for start, window in enumerate(windows_from(labelled_series.values, 0, cap)):
        if model.score(window) > 0:
            return start
    return cap


main = study_command(
    print_comparison,
    option("--labels", action="store_true", help="compare change points with marks"),
)

if __name__ == "__main__":
    sys.exit(main())
