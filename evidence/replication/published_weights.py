"""The published models of the learned methods as weights that a run can choose.

    python -m evidence.replication.published_weights [FOLDER] [--output MODELS] [--every N]

Writes the sets of ROCKET and FCN beside one's own, each with a card that says how its models do on
segments of benchmarks that they have not seen, and prints the names: `rocket?weights=…`. FOLDER
holds published data with `models`.
"""

from __future__ import annotations

import hashlib
import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from detectors.learned.crossfit import FOLDS, FoldModel, as_bytes
from detectors.panel.panel_models import folders
from detectors.training.figures.fold_figures import FoldFigures
from detectors.training.labels.folds import assign_folds
from detectors.training.stopping import TrainedModels
from evidence.replication.published_files import NotPublishedData, option, study_command
from evidence.replication.published_models import SLUGS, file_of, judge_model, models_of
from evidence.replication.published_study import PublishedStudy

EVERY: Final = 11  # of the segments, for the card: no divisor of the hundred of a fork
WORDS: Final = "published"


def write_weights(study: PublishedStudy, options: Namespace) -> int:
    """Write each set whose models are there; the exit status. Raises NotPublishedData."""
    output = options.output or next(folders())
    sets = [models for slug in SLUGS if (models := weights_of(study, slug, options.every))]
    if not sets:
        raise NotPublishedData(f"{study.folder / 'models'}: no published models")
    for models in sets:
        name = models.name(WORDS)
        models.write(output, name)
        sys.stdout.write(f"{models.slug}?weights={name}\n")
    return 0


def weights_of(study: PublishedStudy, slug: str, period: int = EVERY) -> TrainedModels | None:
    """The published models of a method as a set of weights; None where they are not there."""
    models = models_of(study.folder, slug)
    if not models:
        return None
    folds = assign_folds([benchmark.name for benchmark in study.benchmarks])
    files = tuple(_content(file_of(study.folder, slug, number)) for number in range(FOLDS))
    figures = [judge_model(study.stopped, folds, model, period) for model in models]
    return TrainedModels(slug, files, _card(study, files, models, folds, figures))


def _content(path: Path) -> bytes:
    with np.load(path) as arrays:
        return as_bytes(dict(arrays))


def _card(
    study: PublishedStudy,
    files: Sequence[bytes],
    models: Sequence[FoldModel],
    folds: dict[str, int],
    figures: Sequence[FoldFigures | None],
) -> dict[str, Any]:
    """Card of the weights: what decides answers, origin of the models, and their figures."""
    index = json.loads((study.folder / "models" / "index.json").read_text("utf-8"))
    answers = [
        {"sha256": hashlib.sha256(content).hexdigest(), "threshold": model.threshold}
        for content, model in zip(files, models, strict=True)
    ]
    return {
        "answers": {"folds": answers, "benchmarks": folds},
        "fitted_on": index["source"],
        "labels": "published change points",
        "cross_validation": [
            asdict(fold_figures) for fold_figures in figures if fold_figures is not None
        ],
    }


main = study_command(
    write_weights,
    option("--output", type=Path, metavar="MODELS", help="default: beside the data"),
    option("--every", type=int, default=EVERY, metavar="N", help="of the segments, for the card"),
)

if __name__ == "__main__":
    raise SystemExit(main())
