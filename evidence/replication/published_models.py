"""Published learned models on segments of benchmarks that they have not seen: Table 2.

Reads `models/rocket_fold0.npz` … and `models/fcn_fold0.npz` … beside the data, with the thresholds
of `models/index.json`: those of FCN are not published and stand there as estimated again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

import numpy as np

from detectors.contract import NEVER, as_series
from detectors.learned.crossfit import FOLDS, READERS, FoldModel
from detectors.training.figures.fold_figures import FoldFigures, figures_of
from detectors.training.labels.folds import assign_folds
from detectors.training.labels.labelled_windows import LabelledSeries, segments_of
from evidence.replication.progress import track_items
from evidence.replication.published_study import PublishedBenchmark

SLUGS: Final = ("rocket", "fcn")
FIGURES: Final = ("precision", "recall", "f1", "balanced_accuracy")
EVERY_QUICK: Final = 47  # no divisor of the hundred segments of a fork


def model_figures(
    folder: Path, benchmarks: Sequence[PublishedBenchmark], *, quick: bool = False
) -> dict[str, float]:
    """Means over the five folds, by name; empty where models or measurements are not there.

    `quick` asks about a part of the segments.
    """
    folds = (
        assign_folds([benchmark.name for benchmark in benchmarks])
        if len(benchmarks) >= FOLDS
        else {}
    )
    figure_by_name: dict[str, float] = {}
    for slug in SLUGS:
        if folds and (models := models_of(folder, slug)):
            period = EVERY_QUICK if quick else 1
            tracked_models = track_items(models, f"{slug}, models")
            parts = [judge_model(benchmarks, folds, model, period) for model in tracked_models]
            figure_by_name |= dict(
                _means(slug, [part_figures for part_figures in parts if part_figures is not None])
            )
    return figure_by_name


def file_of(folder: Path, slug: str, number: int) -> Path:
    """Path of the model of a fold."""
    return folder / "models" / f"{slug}_fold{number}.npz"


def models_of(folder: Path, slug: str) -> list[FoldModel]:
    """The models of all folds, or none."""
    files = [file_of(folder, slug, number) for number in range(FOLDS)]
    index_path = folder / "models" / "index.json"
    if not all(model_file.is_file() for model_file in [*files, index_path]):
        return []
    index_document = json.loads(index_path.read_text("utf-8"))
    thresholds = index_document["fcn_thresholds"] if slug == "fcn" else [0.0] * FOLDS
    models = []
    for number, (path, threshold) in enumerate(zip(files, thresholds, strict=True)):
        with np.load(path) as arrays:
            models.append(FoldModel(number, READERS[slug](arrays), threshold))
    return models


def _labelled_forks(
    benchmarks: Sequence[PublishedBenchmark], folds: dict[str, int], number: int
) -> Iterator[LabelledSeries]:
    """The forks of a fold's benchmarks that are measured; a change point p means p + 1."""
    for benchmark in benchmarks:
        if folds[benchmark.name] == number:
            for values, steady_index in zip(benchmark.forks, benchmark.steady, strict=False):
                yield LabelledSeries(
                    benchmark.name,
                    as_series(values),
                    NEVER if steady_index < 0 else steady_index + 1,
                )


def judge_model(
    benchmarks: Sequence[PublishedBenchmark], folds: dict[str, int], fold: FoldModel, period: int
) -> FoldFigures | None:
    """Figures of a model on each `period`-th segment that it has not seen; None without one."""
    segments = segments_of(list(_labelled_forks(benchmarks, folds, fold.number)))
    windows, is_stable = segments.windows[::period], segments.stable[::period]
    if not is_stable.size:
        return None
    model = fold.model
    scores = [model.judged(model.look(window)) for window in windows]
    is_accepted = [model.accepts(score, fold.threshold) for score in scores]
    return figures_of(fold.number, is_stable, np.array(is_accepted, np.bool_))


def _means(slug: str, folds: Sequence[FoldFigures]) -> Iterator[tuple[str, float]]:
    for figure in FIGURES:
        values = [
            value for fold_figures in folds if (value := getattr(fold_figures, figure)) is not None
        ]
        if values:
            yield f"{slug}.{figure}", fmean(values)
