"""The space of a sensitivity or a tuning: varied parameters with their ranges.

A space is made of numbers of a method that stand for themselves; everything else of the method
is fixed. Samples are arrays (k, parameters) in the order of the space.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final, Literal, TypeVar

import numpy as np

from analysis.statistics.answers import Floats
from detectors.contract.parameters import (
    DeclaredParameter,
    ParameterError,
    ParameterKind,
    Parameters,
    parameter_text,
)

Rounding = Literal["none", "whole", "odd"]
AnyParameters = TypeVar("AnyParameters", bound=Parameters)

HALF: Final = 0.5 - 1e-9  # beyond both ends; a full half would round to a number out of bounds


@dataclass(frozen=True, slots=True)
class VariedParameter:
    """One parameter, drawn evenly between `low` and `high` and then rounded.

    "whole": to the nearest whole number; "odd": to the nearest, an even one minus 1.
    """

    name: str
    low: float
    high: float
    rounding: Rounding = "none"

    def __post_init__(self) -> None:
        if not (np.isfinite([self.low, self.high]).all() and self.low < self.high):
            raise ParameterError(
                f"{self.name}: found the range {self.low} to {self.high}, expected a least and a "
                "greatest number, the first below the second"
            )

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest value that the method can get."""
        least_value, most_value = self.round_values(np.array([self.low, self.high])).tolist()
        return least_value, most_value

    def round_values(self, values: Floats) -> Floats:
        """`values` as the method will get them."""
        if self.rounding == "none":
            return values
        integers = np.rint(values)
        return integers - (integers % 2 == 0) if self.rounding == "odd" else integers


@dataclass(frozen=True, slots=True)
class ParameterSpace:
    """The varied parameters, and the values of others that differ from the method's defaults."""

    varied: tuple[VariedParameter, ...]
    fixed: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [*self.names, *self.fixed]
        repeated_names = sorted({name for name in names if names.count(name) > 1})
        if repeated_names:
            raise ParameterError(
                f"{', '.join(repeated_names)}: found twice, expected varied or fixed once"
            )

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(parameter.name for parameter in self.varied)

    def round_samples(self, samples: Floats) -> Floats:
        """Samples (k, parameters), each column rounded as its parameter is."""
        columns = [
            parameter.round_values(samples[:, column])
            for column, parameter in enumerate(self.varied)
        ]
        return np.column_stack(columns)

    def parameters(self, params: type[AnyParameters], samples: Floats) -> list[AnyParameters]:
        """The parameter sets that samples stand for; raises ParameterError if one cannot be."""
        return [
            params.from_values({**self.fixed, **dict(zip(self.names, row, strict=True))})
            for row in samples.tolist()
        ]


def varied_parameter(
    params: type[Parameters], name: str, low: float | None = None, high: float | None = None
) -> VariedParameter:
    """A declared numeric parameter, within its own bounds or narrower ones (inclusive).

    A whole number is drawn from half below to half above, so that all are equally likely.
    Raises ParameterError for bounds outside the declared ones.
    """
    declared_parameter = _numeric_parameter(params, name)
    least_value = float(declared_parameter.accept(declared_parameter.low if low is None else low))
    most_value = float(declared_parameter.accept(declared_parameter.high if high is None else high))
    is_odd_only = declared_parameter.kind is ParameterKind.INTEGER and _allows_odd_only(
        params, declared_parameter
    )
    if is_odd_only:
        least_value, most_value = (
            least_value + (least_value % 2 == 0),
            most_value - (most_value % 2 == 0),
        )
    if least_value >= most_value:
        raise ParameterError(
            f"{name}: found the range {parameter_text(least_value)} to {parameter_text(most_value)}"
            f"{' of odd numbers' if is_odd_only else ''}, expected a least and a greatest number, "
            "the "
            "first below the second"
        )
    if declared_parameter.kind is ParameterKind.NUMBER:
        return VariedParameter(name, least_value, most_value)
    if is_odd_only:
        return VariedParameter(name, least_value - HALF, most_value + 1 + HALF, "odd")
    return VariedParameter(name, least_value - HALF, most_value + HALF, "whole")


def _numeric_parameter(params: type[Parameters], name: str) -> DeclaredParameter:
    parameter_by_name = {parameter.name: parameter for parameter in numeric_parameters(params)}
    if name not in parameter_by_name:
        names = ", ".join(parameter_by_name) or "none at all"
        raise ParameterError(f"{name!r} cannot be varied; of this method there are: {names}")
    return parameter_by_name[name]


def _allows_odd_only(params: type[Parameters], declared_parameter: DeclaredParameter) -> bool:
    """True where a rule allows only odd numbers: even ones beside the default are refused for that.

    Not for being out of bounds, nor by a rule that refuses odd ones too.
    """
    low, high, default_value = (
        declared_parameter.low,
        declared_parameter.high,
        declared_parameter.default,
    )
    near_values = [default_value + step for step in (-2, -1, 1, 2)]
    neighbours = [
        neighbour
        for neighbour in near_values
        if (low is None or low <= neighbour) and (high is None or neighbour <= high)
    ]
    allowed_by_value = {
        neighbour: allows(params, declared_parameter.name, neighbour) for neighbour in neighbours
    }
    allows_even = [allowed_by_value[neighbour] for neighbour in neighbours if neighbour % 2 == 0]
    allows_odd = [allowed_by_value[neighbour] for neighbour in neighbours if neighbour % 2]
    return bool(allows_even) and not any(allows_even) and any(allows_odd)


def allows(params: type[Parameters], name: str, value: float) -> bool:
    """True where no rule refuses this value beside the defaults of the other parameters."""
    try:
        params.from_values({name: value})
    except ParameterError:
        return False
    return True


def numeric_parameters(params: type[Parameters]) -> tuple[DeclaredParameter, ...]:
    """The parameters of a method that can be varied; its seed is none of them."""
    return tuple(
        parameter
        for parameter in params.declared()
        if parameter.kind in {ParameterKind.INTEGER, ParameterKind.NUMBER}
        and parameter.name != "seed"
    )


def grid(levels: Mapping[str, Sequence[float]]) -> Floats:
    """Every combination of the levels, (k, parameters); the last parameter changes first."""
    return np.array(list(product(*levels.values())), dtype=np.float64)


PUBLISHED_SOBOL: Final = ParameterSpace(
    varied=(
        VariedParameter("prob_window", 400.5, 600.5, "whole"),
        VariedParameter("step_window", 50.5, 90.5, "whole"),
        VariedParameter("t_crit", 3.5, 5.5),
        VariedParameter("prob_threshold", 0.75, 0.95),
        VariedParameter("outlier_window", 80.5, 120.5, "odd"),
    ),
    fixed={"pct_low": 2.0, "pct_high": 85.0, "min_steady_length": 0},
)
"""KB-KSSD's space in the program behind the published indices (Beseda et al. 2025).

The paper prints t_crit from 3 to 5; the program that gave the figures draws it from 3.5 to 5.5.
"""

STATED_SOBOL: Final = ParameterSpace(
    varied=(
        VariedParameter("prob_window", 400 - HALF, 600 + HALF, "whole"),
        VariedParameter("step_window", 50 - HALF, 90 + HALF, "whole"),
        VariedParameter("t_crit", 3.0, 5.0),
        VariedParameter("prob_threshold", 0.75, 0.95),
        VariedParameter("outlier_window", 80 - HALF, 120 + HALF, "odd"),
    ),
    fixed={},
)
"""KB-KSSD's space as its paper states it: the printed ranges, and all else as in its results."""

PUBLISHED_BASE: Final = 2**11
"""Base samples of the published indices: 24,576 parameter sets of five parameters."""

PUBLISHED_GRID: Final[Mapping[str, tuple[float, ...]]] = {
    "outlier_window": (80, 90, 100, 110, 120),
    "prob_window": (200, 350, 500, 650, 800),
    "t_crit": (3.0, 3.5, 4.0, 4.5),
    "step_window": (60, 70, 80, 90, 100),
    "prob_threshold": (0.75, 0.80, 0.85, 0.90, 0.95),
    "medfilt": (1, 101, 201, 301, 401, 501),
}
"""KB-KSSD's published parameter search: 15,000 sets, with the fixed values of the indices."""
