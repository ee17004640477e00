"""A control for each parameter of a method: a field, and a slider where it is a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from detectors.contract import Declared, Detector, Kind
from detectors.parameters import shown

LINEAR: Final = 100.0  # bounds up to which a slider is divided evenly
REACH: Final = 20.0  # a slider on a logarithmic scale goes from default / 20 to default * 20


@dataclass(frozen=True, slots=True)
class Slider:
    """Where a slider begins and ends; the field beside it takes all that the method takes."""

    low: float
    high: float
    log: bool
    whole: bool


@dataclass(frozen=True, slots=True)
class Control:
    """One parameter as the page offers it; `value` is text."""

    declared: Declared
    value: str
    slider: Slider | None

    @property
    def name(self) -> str:
        return f"p.{self.declared.name}"

    @property
    def label(self) -> str:
        return self.declared.name.replace("_", " ")

    @property
    def default(self) -> str:
        return shown(self.declared.default)

    @property
    def is_number(self) -> bool:
        return self.declared.kind in {Kind.INTEGER, Kind.NUMBER}

    @property
    def is_switch(self) -> bool:
        return self.declared.kind is Kind.BOOLEAN

    @property
    def hint(self) -> str:
        bounds = f" {self.declared.bounds}." if self.is_number else ""
        return f"{self.declared.help}{bounds} Default {self.default or 'empty'}."


def controls(detector: Detector) -> list[Control]:
    """In the order of declaration, with the values of this instance."""
    texts = detector.params.texts()
    return [
        Control(declared, texts[declared.name], slider(declared))
        for declared in detector.Params.declared()
    ]


def slider(declared: Declared) -> Slider | None:
    """Even steps between narrow bounds; else powers around the default, or the first hundred."""
    if declared.kind not in {Kind.INTEGER, Kind.NUMBER}:
        return None
    whole = declared.kind is Kind.INTEGER
    low, high, default = float(declared.low or 0), float(declared.high or 0), declared.default
    if high - low <= LINEAR:
        return Slider(low, high, log=False, whole=whole)
    if default <= 0:
        return Slider(max(low, -LINEAR), min(high, LINEAR), log=False, whole=whole)
    least = max(low, default / REACH, 1.0 if whole else 0.0)
    return Slider(least, min(high, default * REACH), log=True, whole=whole)
