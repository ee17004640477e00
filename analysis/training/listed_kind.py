"""Training: rows of the list of runs."""

from __future__ import annotations

from typing import Final

from analysis.runs.listed_kinds import ListedKind, job_rows
from analysis.training.models import Training


def training_subject(training: Training) -> str:
    """Text below the name of a row: model, yardstick and window length."""
    return f"{training.model} · {training.yardstick_title} · windows of {training.window}"


LISTED: Final = ListedKind(
    "training",
    "Training",
    "A model learns from answers: of people, of simulated series, or of another method. "
    "Nothing was computed yet.",
    "created",
    lambda study: Training.objects.light().filter(study=study),
    job_rows("training", training_subject),
)
