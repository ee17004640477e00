"""Sensitivity and tuning: rows of the list of runs."""

from __future__ import annotations

from typing import Final

from analysis.runs.listed_kinds import ListedKind, job_rows
from analysis.tuning.models import Exploration


def exploration_subject(exploration: Exploration) -> str:
    """Text below the name of a row: kind, method and yardstick."""
    kind, yardstick_title = exploration.get_kind_display(), exploration.yardstick_title
    return f"{kind} · {exploration.method_title} · {yardstick_title}"


LISTED: Final = ListedKind(
    "sensitivity",
    "Sensitivity and tuning",
    "Parameters are measured against answers: of people, of simulated series, "
    "or of another method. Nothing was computed yet.",
    "created",
    lambda study: Exploration.objects.light().filter(study=study),
    job_rows("sensitivity", exploration_subject),
)
