"""Parameters that a recipe declares: the one source for form, command line, docs and stored key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


class RecipeParameterError(ValueError):
    """A parameter that the recipe does not have, or a value that it does not take."""


@dataclass(frozen=True, slots=True)
class RecipeParameter:
    """One declared whole number: its default, inclusive bounds, unit and meaning."""

    name: str
    default: int
    low: int
    high: int
    unit: str
    help: str

    def clean(self, value: object) -> int:
        """The value as a whole number within the bounds; text such as "50" is taken too."""
        number = _whole_number(value)
        if number is None or not self.low <= number <= self.high:
            raise RecipeParameterError(
                f"{self.name}: found {value!r}, "
                f"expected a whole number from {self.low} to {self.high}"
            )
        return number


def _whole_number(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = int(value)
    except (ValueError, OverflowError):
        return None
    return number if isinstance(value, str) or number == value else None


def clean(
    parameters: tuple[RecipeParameter, ...], values: Mapping[str, object] | None
) -> Mapping[str, int]:
    """Every declared parameter with its given or default value, in declared order.

    Raises RecipeParameterError for a name that is not declared and for a value out of bounds.
    """
    values = values or {}
    names = [parameter.name for parameter in parameters]
    for name in values:
        if name not in names:
            raise RecipeParameterError(f"no parameter {name!r}; there are: {', '.join(names)}")
    return MappingProxyType(
        {
            parameter.name: parameter.clean(values.get(parameter.name, parameter.default))
            for parameter in parameters
        }
    )


def canonical_parameters(values: Mapping[str, int]) -> str:
    """``eps=50&min_samples=3``: declared order, defaults written out."""
    return "&".join(f"{name}={value}" for name, value in values.items())
