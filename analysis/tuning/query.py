"""Query of an exploration, checked before anything is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, prod
from typing import Any, Final, Literal

import numpy as np

from analysis.statistics.answers import Floats
from analysis.statistics.parameter_space import (
    ParameterSpace,
    Rounding,
    VariedParameter,
    numeric_parameters,
    varied_parameter,
)
from analysis.statistics.sensitivity import run_count
from analysis.statistics.tuning_objectives import OBJECTIVES, Objective
from analysis.tuning.models import Exploration
from detectors.contract import Detector, ParameterError
from detectors.contract.parameters import parameter_text
from people.query_form import QueryField, QueryForm, choice_field, setting_field
from people.query_settings import AddressSetting

Kind = Exploration.Kind

MOST_SETS: Final = 200_000
MOST_ANSWERS: Final = 50_000_000  # sets times series, whose answers take 200 MB
MOST_LEVELS: Final = 100
LARGEST_SAMPLE: Final = 2**14
MOST_AT_ONCE: Final = 4  # most figures of a front
Output = Literal["squared"] | Objective
OUTPUTS: Final[Mapping[str, str]] = {
    "squared": "sum of squared errors, never as −1 (published)",
    **{str(name): words for name, words in OBJECTIVES.items()},
}
GOAL: Final[Mapping[Objective, float]] = {"mean_abs": 1.0, "fp": 1.0, "fn": 1.0}
"""What is looked for when nobody says: distance and yes/no alike, each 1 with the defaults."""


AT_A_GIVEN_ERROR: Final[Mapping[Objective, float]] = {"machine_time": 1.0}
"""What is looked for when only the error of the result is bounded."""


class CannotExplore(ValueError):
    """Error: a query that cannot be explored; its sentence says what to change, `field_name` names
    the field.
    """

    def __init__(self, sentence: str, field_name: str = "") -> None:
        super().__init__(sentence)
        self.field_name = field_name


@dataclass(frozen=True, slots=True)
class ParameterRange:
    """One parameter that varies: between two numbers, or in a grid over some of them."""

    parameter: VariedParameter
    levels: tuple[float, ...] = ()

    def as_json(self) -> dict[str, Any]:
        fields = {
            "name": self.parameter.name,
            "low": self.parameter.low,
            "high": self.parameter.high,
            "rounding": self.parameter.rounding,
        }
        return {**fields, "levels": list(self.levels)} if self.levels else fields

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> ParameterRange:
        rounding: Rounding = document["rounding"]
        varied_parameter = VariedParameter(
            document["name"], document["low"], document["high"], rounding
        )
        return cls(varied_parameter, tuple(document.get("levels", ())))

    @property
    def words(self) -> str:
        """`400 to 600`, `80, 90, 100`; whole numbers as the method gets them."""
        if self.levels:
            return ", ".join(map(parameter_text, self.levels))
        low, high = self.least, self.most
        odd_words = ", odd numbers" if self.parameter.rounding == "odd" else ""
        return f"{parameter_text(low)} to {parameter_text(high)}{odd_words}"

    @property
    def argument(self) -> str:
        """Range as a command line has it: `t_crit=3:5`, `medfilt=1,101`, `window=81:119:odd`."""
        if self.levels:
            return f"{self.parameter.name}={','.join(map(parameter_text, self.levels))}"
        if self.parameter.rounding == "odd":  # ends of a range of odd numbers may be even
            low, high = round(self.parameter.low + 0.5, 6), round(self.parameter.high - 0.5, 6)
            return f"{self.parameter.name}={parameter_text(low)}:{parameter_text(high)}:odd"
        return f"{self.parameter.name}={parameter_text(self.least)}:{parameter_text(self.most)}"

    @property
    def least(self) -> float:
        """The smallest number that the method gets."""
        if self.parameter.rounding == "none":
            return self.parameter.low
        return float(
            self.parameter.round_values(np.array([np.nextafter(self.parameter.low, np.inf)]))[0]
        )

    @property
    def most(self) -> float:
        if self.parameter.rounding == "none":
            return self.parameter.high
        return float(
            self.parameter.round_values(np.array([np.nextafter(self.parameter.high, -np.inf)]))[0]
        )


@dataclass(frozen=True, slots=True)
class ExplorationQuery:
    """One exploration that has not begun.

    held     the other parameters as values, by name; what is not named keeps its default
    samples  base samples of a sensitivity (a power of two), trials of a search
    goal     weights of what a search makes small, of a front what it makes small at once
    most_error  percent by which the result of a set may be off; None for any
    """

    kind: Kind
    method: type[Detector]
    ranges: tuple[ParameterRange, ...]
    held: Mapping[str, Any]
    yardstick: str
    dataset: str = ""
    samples: int = 0
    seed: int = 0
    goal: Mapping[Objective, float] = field(default_factory=lambda: dict(GOAL))
    most_error: float | None = None
    name: str = ""

    @property
    def space(self) -> ParameterSpace:
        return ParameterSpace(
            tuple(parameter_range.parameter for parameter_range in self.ranges), self.held
        )

    @property
    def sets(self) -> int:
        """Parameter sets of the whole design; tuning asks for the defaults too."""
        if self.kind == Kind.SENSITIVITY:
            return run_count(self.space, self.samples)
        if self.kind == Kind.GRID:
            return 1 + prod(len(parameter_range.levels) for parameter_range in self.ranges)
        return 1 + self.samples

    @property
    def defaults(self) -> Floats:
        """The method's own values of what varies: the set that tuning is measured against."""
        default_parameters = self.method().params
        return np.array(
            [
                [
                    float(getattr(default_parameters, parameter_range.parameter.name))
                    for parameter_range in self.ranges
                ]
            ]
        )

    def check(self) -> None:
        """Raise CannotExplore for what no worker could do."""
        min_ranges = 2 if self.kind == Kind.SENSITIVITY else 1
        if len(self.ranges) < min_ranges:
            count_phrase = "two parameters" if min_ranges == 2 else "one parameter"
            raise CannotExplore(f"Choose at least {count_phrase} to vary.", "vary")
        names = [*(parameter_range.parameter.name for parameter_range in self.ranges), *self.held]
        if repeated_names := sorted({name for name in names if names.count(name) > 1}):
            raise CannotExplore(
                f"{', '.join(repeated_names)}: named twice. A parameter varies once, or is held.",
                "vary",
            )
        self._check_size()
        self._check_limit()
        weight_count = sum(weight > 0 for weight in self.goal.values())
        if not weight_count:
            raise CannotExplore("Give at least one figure a weight above 0.", "goal")
        if self.kind == Kind.FRONT and not 2 <= weight_count <= MOST_AT_ONCE:
            raise CannotExplore(
                f"A front is of two to {MOST_AT_ONCE} figures: give so many a weight; got "
                f"{weight_count}. Of more figures at once nearly every set is best in some way.",
                "goal",
            )
        for parameter_range in self.ranges:
            self._check_ends(parameter_range)

    def _check_limit(self) -> None:
        if self.most_error is not None and not 0 <= self.most_error < inf:
            raise CannotExplore(
                f"The error of the result is at most a number of 0 or more percent; got "
                f"{self.most_error:g}.",
                "most_error",
            )

    def _check_size(self) -> None:
        if self.kind == Kind.SENSITIVITY:
            limit, remaining_bits = LARGEST_SAMPLE, self.samples & (self.samples - 1)
            if not 2 <= self.samples <= limit or remaining_bits:
                raise CannotExplore(
                    f"Base samples must be a power of two from 2 to {limit}; got {self.samples}.",
                    "samples",
                )
        elif self.kind in Exploration.SEARCHES and self.samples < 1:
            raise CannotExplore("A search needs at least one trial.", "samples")
        if self.sets > MOST_SETS:
            raise CannotExplore(
                f"These are {self.sets:,} parameter sets; at most {MOST_SETS:,} are computed. "
                "Vary fewer parameters, or in fewer steps.",
                "vary",
            )

    def _check_ends(self, parameter_range: ParameterRange) -> None:
        """Both ends, and each level, are allowed beside the values that are held."""
        is_integer = parameter_range.parameter.rounding != "none"
        for value in parameter_range.levels or (parameter_range.least, parameter_range.most):
            parameter_value = int(value) if is_integer else value
            try:
                self.method.Params.from_values(
                    {**self.held, parameter_range.parameter.name: parameter_value}
                )
            except ParameterError as error:
                raise CannotExplore(f"{self.method.title}: {error}", "vary") from error


@dataclass(frozen=True, slots=True)
class ResultsChoice:
    """Figures that the results show, and the weights of their score.

    x, y     the two figures that are drawn
    most_error  percent by which the result of a set may be off; None for any
    mistake  why the weights are those that the exploration was started with, where others were
             asked for
    """

    weights: Mapping[Objective, float]
    output: Output = "squared"
    x: Objective = "mean_abs"
    y: Objective = "fp"
    most_error: float | None = None
    mistake: str = ""


_AXIS: Final = "the usual axis"


def _weight_field(name: Objective) -> Any:
    return _number_field(
        f"w.{name}", f"weight of {name}", default_words="what the other weights make of it"
    )


def _number_field(key: str, title: str, *, default_words: str) -> Any:
    def read(text: str) -> float:
        if not 0 <= (number := float(text)) < inf:
            raise ValueError(text)
        return number

    setting = AddressSetting(title, read, "a number of 0 or more", default_words)
    return setting_field(QueryField(key, setting, None, parameter_text))


@dataclass(frozen=True, slots=True)
class ResultsQuery(QueryForm):
    """Query of the results page, from its address.

    x, y           empty for two of the figures that the exploration was started for
    manhattan …    the weight of each figure; None all of them: those that it was started with
    most_error     percent by which a result may be off; None: as it was started with
    """

    output: Output = choice_field("of", "of", OUTPUTS.keys(), fallback="squared errors")
    x: Objective | Literal[""] = choice_field(
        "x", "axis", OBJECTIVES.keys(), default="", fallback=_AXIS
    )
    y: Objective | Literal[""] = choice_field(
        "y", "axis", OBJECTIVES.keys(), default="", fallback=_AXIS
    )
    manhattan: float | None = _weight_field("manhattan")
    fp: float | None = _weight_field("fp")
    fn: float | None = _weight_field("fn")
    bias: float | None = _weight_field("bias")
    variance: float | None = _weight_field("variance")
    mean_abs: float | None = _weight_field("mean_abs")
    median_abs: float | None = _weight_field("median_abs")
    machine_time: float | None = _weight_field("machine_time")
    result_error: float | None = _weight_field("result_error")
    most_error: float | None = _number_field(
        "e", "most error of the result", default_words="that it was started with"
    )

    def choice(
        self, goal: Mapping[Objective, float], most_error: float | None = None
    ) -> ResultsChoice:
        """Choice of figures for an exploration with this goal and limit."""
        weights_by_name = {str(name): getattr(self, name) for name in OBJECTIVES}
        chosen_weights = {
            name: weight for name, weight in weights_by_name.items() if weight is not None
        }
        mistake = "Give at least one figure a weight above 0." if chosen_weights else ""
        x, y = default_axes(goal, most_error)
        weights = checked_goal(chosen_weights)
        return ResultsChoice(
            weights or dict(goal),
            self.output,
            self.x or x,
            self.y or y,
            most_error if self.most_error is None else self.most_error,
            "" if weights else mistake,
        )


def default_axes(
    goal: Mapping[Objective, float], most_error: float | None
) -> tuple[Objective, Objective]:
    """The two figures that are drawn when nobody says: of those that it was started for."""
    if most_error is not None:
        return "machine_time", "result_error"
    default_choice = ResultsChoice(goal)
    if len(goal) < 2 or {default_choice.x, default_choice.y} <= goal.keys():
        return default_choice.x, default_choice.y
    first_objective, second_objective, *_ = goal
    return first_objective, second_objective


def checked_range(
    method: type[Detector], name: str, low: float | None, high: float | None
) -> ParameterRange:
    """A parameter between two numbers (its own bounds where None). Raises CannotExplore."""
    try:
        return ParameterRange(varied_parameter(method.Params, name, low, high))
    except ParameterError as error:
        raise CannotExplore(f"{method.title}: {error}", "vary") from error


def level_range(method: type[Detector], name: str, levels: Sequence[float]) -> ParameterRange:
    """A parameter over some numbers. Raises CannotExplore."""
    if len(set(levels)) < 2:
        raise CannotExplore(f"{name}: give at least two levels; got {len(set(levels))}.", "vary")
    if len(levels) > MOST_LEVELS:
        raise CannotExplore(f"{name}: {len(levels)} levels; at most {MOST_LEVELS}.", "vary")
    sorted_levels = tuple(sorted(set(map(float, levels))))
    return ParameterRange(
        checked_range(method, name, sorted_levels[0], sorted_levels[-1]).parameter, sorted_levels
    )


def even_range(
    method: type[Detector], name: str, low: float, high: float, level_count: int
) -> ParameterRange:
    """A parameter over `level_count` numbers from `low` to `high`, rounded as it needs."""
    if not 2 <= level_count <= MOST_LEVELS:
        raise CannotExplore(f"{name}: give 2 to {MOST_LEVELS} levels; got {level_count}.", "vary")
    varied_parameter = checked_range(method, name, low, high).parameter
    levels = np.linspace(low, high, level_count)
    # Twelve digits: 0.8 of 0.75, 0.8, 0.85 and not 0.8000000000000002.
    return level_range(
        method, name, [float(f"{level:.12g}") for level in varied_parameter.round_values(levels)]
    )


def is_variable(method: type[Detector]) -> bool:
    """True if the method has a number that could vary, and can work here."""
    return bool(numeric_parameters(method.Params)) and not method.missing()


def checked_goal(weights: Mapping[str, float]) -> dict[Objective, float]:
    """Weights above 0 by objective, in their order. Raises CannotExplore."""
    unknown_names = [name for name in weights if name not in OBJECTIVES]
    if unknown_names:
        names = ", ".join(OBJECTIVES)
        raise CannotExplore(f"No figure {', '.join(unknown_names)}; there are: {names}.", "goal")
    for name, weight in weights.items():
        if not np.isfinite(weight) or weight < 0:
            raise CannotExplore(f"{name}: weights are numbers of 0 or more; got {weight}.", "goal")
    return {name: float(weights[name]) for name in OBJECTIVES if weights.get(name)}
