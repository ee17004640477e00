"""A control for each parameter of a method: a field, and a slider where it is a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from detectors.contract import DeclaredParameter, Detector, ParameterKind
from detectors.contract.parameters import parameter_text

LINEAR: Final = 100.0  # upper bounds up to which a slider is linear
REACH: Final = 20.0  # a slider on a logarithmic scale goes from default / 20 to default * 20


@dataclass(frozen=True, slots=True)
class ParameterSlider:
    """Bounds and scale of a slider; the field beside it takes all that the method takes."""

    low: float
    high: float
    is_log: bool
    is_whole: bool


@dataclass(frozen=True, slots=True)
class ParameterControl:
    """One parameter as the page offers it; `value` is text."""

    parameter: DeclaredParameter
    value: str
    slider: ParameterSlider | None

    @property
    def name(self) -> str:
        return f"p.{self.parameter.name}"

    @property
    def label(self) -> str:
        return self.parameter.name.replace("_", " ")

    @property
    def default(self) -> str:
        return parameter_text(self.parameter.default)

    @property
    def is_number(self) -> bool:
        return self.parameter.kind in {ParameterKind.INTEGER, ParameterKind.NUMBER}

    @property
    def is_switch(self) -> bool:
        return self.parameter.kind is ParameterKind.BOOLEAN

    @property
    def hint(self) -> str:
        bounds = f" {self.parameter.bounds}." if self.is_number else ""
        return f"{self.parameter.help}{bounds} Default {self.default or 'empty'}."


def controls(detector: Detector) -> list[ParameterControl]:
    """Controls in the order of declaration, with the values of this instance."""
    texts = detector.params.texts()
    return [
        ParameterControl(parameter, texts[parameter.name], slider(parameter))
        for parameter in detector.Params.declared()
    ]


def slider(parameter: DeclaredParameter) -> ParameterSlider | None:
    """Even steps between narrow bounds; else powers around the default, or the first hundred."""
    if parameter.kind not in {ParameterKind.INTEGER, ParameterKind.NUMBER}:
        return None
    is_integer = parameter.kind is ParameterKind.INTEGER
    low, high, default = float(parameter.low or 0), float(parameter.high or 0), parameter.default
    if high - low <= LINEAR:
        return ParameterSlider(low, high, is_log=False, is_whole=is_integer)
    if default <= 0:
        return ParameterSlider(
            max(low, -LINEAR), min(high, LINEAR), is_log=False, is_whole=is_integer
        )
    lower_bound = max(low, default / REACH, 1.0 if is_integer else 0.0)
    return ParameterSlider(
        lower_bound, min(high, default * REACH), is_log=True, is_whole=is_integer
    )
