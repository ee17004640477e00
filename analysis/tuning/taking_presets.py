"""Keeping a parameter set of an exploration as a preset, with where it came from."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from analysis.runs.models import Preset
from analysis.statistics.objectives import OBJECTIVES
from analysis.tuning.query import ResultsChoice
from analysis.tuning.reads import ExplorationResults, NoResultsYet
from detectors.contract import ParameterError
from detectors.registry import UnknownDetector
from people.models import Study, User


class PresetError(ValueError):
    """It cannot be kept under this name; the sentence says what to change."""


def take_over(
    reading: ExplorationResults, choice: ResultsChoice, at: int, name: str, *, by: User | None
) -> Preset:
    """Keep a complete set under `name`, with where it came from. Raises PresetError."""
    name = " ".join(name.split())
    if not name:
        raise PresetError("Give the preset a name.")
    if len(name) > 80:
        raise PresetError("The name has more than 80 characters.")
    if not 0 <= at < len(reading.sets):
        raise PresetError("Choose one of the parameter sets of the table.")
    try:
        key = reading.detector_key(at)
    except (UnknownDetector, ParameterError) as error:
        raise PresetError(f"{str(error).capitalize()}.") from error
    try:
        with transaction.atomic():
            return Preset.objects.create(
                study=reading.exploration.study,
                name=name,
                detector_key=key,
                exploration=reading.exploration,
                provenance=provenance(reading, choice, at),
                by=by,
            )
    except IntegrityError as taken:
        raise PresetError(
            f"There is a preset “{name}” already. Give this one another name."
        ) from taken


def fields_of(preset: Preset) -> dict[str, Any]:
    """Columns of a preset as JSON has them, for `put_back`."""
    names = ("name", "detector_key", "exploration_id", "provenance", "by_id")
    return {name: getattr(preset, name) for name in names} | {"when": preset.when.isoformat()}


def put_back(study: Study, public_id: str, fields: dict[str, Any]) -> Preset:
    """Store a removed preset again. Raises PresetError where its name is taken."""
    when = datetime.fromisoformat(fields.pop("when"))
    try:
        with transaction.atomic():
            preset = Preset.objects.create(study=study, public_id=public_id, **fields)
            Preset.objects.filter(pk=preset.pk).update(when=when)
    except IntegrityError as taken:
        raise PresetError(f"“{fields['name']}” cannot be put back: its name is taken.") from taken
    return preset


def provenance(reading: ExplorationResults, choice: ResultsChoice, at: int) -> dict[str, Any]:
    """As it was when it was taken over: what explored, on what, and its figures then."""
    of, found = reading.exploration, reading.figures
    figures = {name: float(found[name][at]) for name in OBJECTIVES}
    scores = reading.scores(choice.weights, choice.most_error)
    return {
        "exploration": of.public_id,
        "name": of.name,
        "kind": of.kind,
        "yardstick": of.yardstick,
        "yardstick_title": of.yardstick_title,
        "yardstick_digest": of.truth_digest,
        "series": int(reading.columns.size),
        "sets": len(scores),
        "seed": of.seed,
        "weights": dict(choice.weights),
        "most_error": choice.most_error,
        "score": _plain(scores[at]),
        "score_of_defaults": _plain(scores[0]),
        "score_unseen": _unseen(reading, choice, at),
        "figures": {name: _plain(value) for name, value in figures.items()},
    }


def _plain(value: float) -> float | None:
    return float(value) if abs(float(value)) < float("inf") else None


def _unseen(reading: ExplorationResults, choice: ResultsChoice, at: int) -> float | None:
    """What choosing the best set is worth; of another set it would say nothing."""
    try:
        found = reading.unseen(choice.weights, choice.most_error)
    except NoResultsYet:
        return None
    return _plain(found.score) if found.best == at else None
