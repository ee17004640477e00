"""Parameters under a name, offered where a method is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from analysis.methods.method_style import MethodStyle, style_of
from analysis.runs.models import Preset
from annotate.blind import open_series
from detectors.contract import ParameterError
from detectors.registry import UnknownDetector, from_key
from people.models import Study, User
from people.templatetags.writing import grouped


class UnknownPreset(LookupError):
    """No such preset; the sentence says which there are."""


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

    @property
    def run_query(self) -> str:
        """The address of a new run with this preset chosen, after its path."""
        slug = self.look.slug
        return "?" + urlencode({"methods": slug, f"{slug}.preset": self.preset.public_id})


def preset_source(provenance: Mapping[str, Any], *, has_figures: bool = True) -> str:
    """`From “Grid of KB-KSSD …”: 15 001 sets on 407 series of Steady 586, ground truth; …`."""
    if not provenance:
        return ""
    origin = (
        f"From “{provenance['name']}”: {grouped(provenance['sets'])} sets on "
        f"{grouped(provenance['series'])} "
        f"series of {provenance['yardstick_title']}"
    )
    figures = [
        f"{phrase} {provenance[key]:.3g}"
        for key, phrase in (
            ("score", "scores"),
            ("score_unseen", "on systems not seen the choice scores"),
            ("score_of_defaults", "the defaults"),
        )
        if has_figures and provenance.get(key) is not None
    ]
    return f"{origin}; {', '.join(figures)}." if figures else f"{origin}."


def study_presets(study: Study, reader: User) -> list[PresetRow]:
    """The study's presets, by name."""
    unanswered_series = open_series(reader).filter(benchmark__dataset__study=study)
    has_figures = not unanswered_series.exists()
    return [
        PresetRow(
            preset=preset,
            look=style_of(preset.detector_key),
            problem=preset_problem(preset),
            source=preset_source(preset.provenance, has_figures=has_figures),
        )
        for preset in study.presets.select_related("by", "exploration__study")
    ]


def preset_problem(preset: Preset) -> str:
    """Why its method cannot be asked here: another version, a parameter that is no more."""
    try:
        return from_key(preset.detector_key).missing()
    except (UnknownDetector, ParameterError) as error:
        return str(error)


def find_preset(study: Study, name: str) -> Preset:
    """The preset of that name. Raises UnknownPreset."""
    preset = study.presets.filter(name=name).first()
    if preset is None:
        preset_names = ", ".join(study.presets.values_list("name", flat=True)) or "none"
        raise UnknownPreset(f"no preset {name!r} in {study.slug}; there are: {preset_names}")
    return preset
