"""Keeping a parameter set of an exploration as a preset, with where it came from."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from analysis.runs.models import Preset
from analysis.statistics.tuning_objectives import OBJECTIVES
from analysis.tuning.query import ResultsChoice
from analysis.tuning.reads import ExplorationResults, NoResultsYet
from detectors.contract import ParameterError
from detectors.registry import UnknownDetector
from people.models import Study, User


class PresetError(ValueError):
    """Error: a preset cannot be kept under this name; its sentence says what to change."""


def take_preset(
    reading: ExplorationResults,
    choice: ResultsChoice,
    set_index: int,
    name: str,
    *,
    user: User | None,
) -> Preset:
    """Keep a complete set under `name`, with where it came from. Raises PresetError."""
    name = " ".join(name.split())
    if not name:
        raise PresetError("Give the preset a name.")
    if len(name) > 80:
        raise PresetError(f"The name has {len(name)} characters. Give one of at most 80.")
    if not 0 <= set_index < len(reading.sets):
        raise PresetError(f"No parameter set {set_index}. Choose one of the table.")
    try:
        key = reading.detector_key(set_index)
    except (UnknownDetector, ParameterError) as error:
        raise PresetError(f"{str(error).capitalize()}.") from error
    try:
        with transaction.atomic():
            return Preset.objects.create(
                study=reading.exploration.study,
                name=name,
                detector_key=key,
                exploration=reading.exploration,
                provenance=provenance(reading, choice, set_index),
                by=user,
            )
    except IntegrityError as error:
        raise PresetError(
            f"There is a preset “{name}” already. Give this one another name."
        ) from error


def preset_fields(preset: Preset) -> dict[str, Any]:
    """Columns of a preset as JSON has them, for `put_back`."""
    column_names = ("name", "detector_key", "exploration_id", "provenance", "by_id")
    return {name: getattr(preset, name) for name in column_names} | {
        "when": preset.when.isoformat()
    }


def restore_preset(study: Study, public_id: str, fields: dict[str, Any]) -> Preset:
    """Store a removed preset again. Raises PresetError where its name is taken."""
    stored_time = datetime.fromisoformat(fields.pop("when"))
    try:
        with transaction.atomic():
            preset = Preset.objects.create(study=study, public_id=public_id, **fields)
            Preset.objects.filter(pk=preset.pk).update(when=stored_time)
    except IntegrityError as error:
        raise PresetError(f"“{fields['name']}” cannot be put back: its name is taken.") from error
    return preset


def provenance(
    reading: ExplorationResults, choice: ResultsChoice, set_index: int
) -> dict[str, Any]:
    """Origin of a preset: its exploration, yardstick and figures at the time."""
    exploration, objective_figures = reading.exploration, reading.figures
    figures = {name: float(objective_figures[name][set_index]) for name in OBJECTIVES}
    scores = reading.scores(choice.weights, choice.most_error)
    return {
        "exploration": exploration.public_id,
        "name": exploration.name,
        "kind": exploration.kind,
        "yardstick": exploration.yardstick,
        "yardstick_title": exploration.yardstick_title,
        "yardstick_digest": exploration.truth_digest,
        "series": int(reading.columns.size),
        "sets": len(scores),
        "seed": exploration.seed,
        "weights": dict(choice.weights),
        "most_error": choice.most_error,
        "score": _finite_float(scores[set_index]),
        "score_of_defaults": _finite_float(scores[0]),
        "score_unseen": _unseen_score(reading, choice, set_index),
        "figures": {name: _finite_float(value) for name, value in figures.items()},
    }


def _finite_float(value: float) -> float | None:
    return float(value) if abs(float(value)) < float("inf") else None


def _unseen_score(
    reading: ExplorationResults, choice: ResultsChoice, set_index: int
) -> float | None:
    """Score of choosing the best set, on systems held out; None for any other set."""
    try:
        validation = reading.unseen(choice.weights, choice.most_error)
    except NoResultsYet:
        return None
    return _finite_float(validation.score) if validation.best == set_index else None
