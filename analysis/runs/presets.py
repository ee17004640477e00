"""Parameters under a name: taken over from an exploration, offered where a method is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction

from analysis.methods.method_style import MethodStyle, style_of
from analysis.runs.models import Preset
from analysis.statistics.objectives import OBJECTIVES
from analysis.tuning.page import ResultsQuery
from analysis.tuning.reads import ExplorationResults, NoResultsYet
from annotate.blind import open_series
from detectors.contract import ParameterError
from detectors.registry import UnknownDetector, from_key
from people.models import Study, User
from people.templatetags.writing import whole


class PresetError(ValueError):
    """It cannot be kept under this name; the sentence says what to change."""


class UnknownPreset(LookupError):
    """No such preset; the sentence says which there are."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class PresetRow:
    """A preset as pages show it.

    problem  why its method cannot be asked here, or nothing
    source   where it came from; without figures for who has yet to answer series of the study
    """

    preset: Preset
    look: MethodStyle
    problem: str
    source: str


def take_over(
    reading: ExplorationResults, choice: ResultsQuery, at: int, name: str, *, by: User | None
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


def provenance(reading: ExplorationResults, choice: ResultsQuery, at: int) -> dict[str, Any]:
    """As it was when it was taken over: what explored, on what, and its figures then."""
    of, found = reading.exploration, reading.figures
    figures = {name: float(found[name][at]) for name in OBJECTIVES}
    scores = reading.scores(choice.weights)
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
        "score": _plain(scores[at]),
        "score_of_defaults": _plain(scores[0]),
        "score_unseen": _unseen(reading, choice, at),
        "figures": {name: _plain(value) for name, value in figures.items()},
    }


def _plain(value: float) -> float | None:
    return float(value) if abs(float(value)) < float("inf") else None


def _unseen(reading: ExplorationResults, choice: ResultsQuery, at: int) -> float | None:
    """What choosing the best set is worth; of another set it would say nothing."""
    try:
        found = reading.unseen(choice.weights)
    except NoResultsYet:
        return None
    return _plain(found.score) if found.best == at else None


def source_of(stored: Mapping[str, Any], *, told: bool = True) -> str:
    """`From “Grid of KB-KSSD …”: 15 001 sets on 407 series of Steady 586, ground truth; …`."""
    if not stored:
        return ""
    text = (
        f"From “{stored['name']}”: {whole(stored['sets'])} sets on {whole(stored['series'])} "
        f"series of {stored['yardstick_title']}"
    )
    figures = [
        f"{words} {stored[key]:.3g}"
        for key, words in (
            ("score", "scores"),
            ("score_unseen", "on systems not seen the choice scores"),
            ("score_of_defaults", "the defaults"),
        )
        if told and stored.get(key) is not None
    ]
    return f"{text}; {', '.join(figures)}." if figures else f"{text}."


def study_presets(study: Study, reader: User) -> list[PresetRow]:
    """The study's presets, by name."""
    mine = open_series(reader).filter(benchmark__dataset__study=study)
    told = not mine.exists()
    return [
        PresetRow(
            preset=each,
            look=style_of(each.detector_key),
            problem=problem_of(each),
            source=source_of(each.provenance, told=told),
        )
        for each in study.presets.select_related("by", "exploration__study")
    ]


def problem_of(preset: Preset) -> str:
    """Why its method cannot be asked here: another version, a parameter that is no more."""
    try:
        return from_key(preset.detector_key).missing()
    except (UnknownDetector, ParameterError) as error:
        return str(error)


def preset_named(study: Study, name: str) -> Preset:
    """The preset of that name. Raises UnknownPreset."""
    found = study.presets.filter(name=name).first()
    if found is None:
        there = ", ".join(study.presets.values_list("name", flat=True)) or "none"
        raise UnknownPreset(f"no preset {name!r} in {study.slug}; there are: {there}")
    return found
