"""The form of an exploration: what varies, and where to, comes from what the method declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms

from analysis.references import yardsticks
from analysis.runs.forms import field_for
from analysis.statistics.parameter_space import (
    HALF,
    PUBLISHED_BASE,
    PUBLISHED_GRID,
    PUBLISHED_SOBOL,
    STATED_SOBOL,
    VariedParameter,
    allows,
    numeric_parameters,
)
from analysis.statistics.tuning_objectives import OBJECTIVES
from analysis.tuning.models import Exploration
from analysis.tuning.query import (
    AT_A_GIVEN_ERROR,
    GOAL,
    MOST_LEVELS,
    CannotExplore,
    ExplorationQuery,
    Kind,
    ParameterRange,
    checked_goal,
    checked_range,
    even_range,
    is_variable,
)
from detectors.contract import Detector, ParameterError
from detectors.contract.parameters import (
    DeclaredParameter,
    ParameterKind as Sort,
    Parameters,
    parameter_text,
)
from detectors.registry import registry
from people.models import Study

KINDS: Final[Mapping[str, str]] = {
    Kind.SENSITIVITY: "which parameters matter",
    Kind.GRID: "the best of a grid",
    Kind.SEARCH: "the best by a search",
    Kind.FRONT: "the trade-off between figures, by a search",
}
BASES: Final = tuple(2**power for power in range(4, 15))
USUAL_BASE, USUAL_TRIALS, USUAL_LEVELS = 256, 200, 5
USUAL_ERROR: Final = 1.0  # percent, default of the most error of a result
FEW, WIDE, HALVINGS = 3, 10.0, 12  # levels of a grid, factor of a range and halvings by default
PUBLISHED_METHOD: Final = "kb-kssd"  # method whose ranges a publication gives


@dataclass(frozen=True, slots=True)
class ParameterControls:
    """The controls of one parameter; of one that is no number only what it is held at."""

    name: str
    unit: str
    help: str
    hold: forms.BoundField
    vary: forms.BoundField | None = None
    low: forms.BoundField | None = None
    high: forms.BoundField | None = None
    levels: forms.BoundField | None = None
    rounding: forms.BoundField | None = None

    @property
    def errors(self) -> list[str]:
        fields = (self.vary, self.low, self.high, self.levels, self.hold)
        return [
            str(text)
            for bound_field in fields
            if bound_field is not None
            for text in bound_field.errors
        ]


class ExplorationForm(forms.Form):
    """Against which yardstick, which parameters vary, and what is made of it."""

    yardstick = forms.ChoiceField(label="Yardstick")
    dataset = forms.ChoiceField(label="Data set", required=False)
    name = forms.CharField(
        label="Name", required=False, max_length=120, help_text="Empty: kind, method, yardstick."
    )

    def __init__(
        self,
        study: Study,
        kind: Kind,
        method: type[Detector],
        data: Mapping[str, Any] | None = None,
        *,
        uses_published_ranges: bool = False,
        has_error: bool = False,
    ) -> None:
        super().__init__(data)
        self.study, self.kind, self.method = study, kind, method
        choices = [(yardstick.code, yardstick.title) for yardstick in yardsticks.yardsticks(study)]
        self.fields["yardstick"].choices = choices  # type: ignore[attr-defined]
        datasets = study.datasets.values_list("slug", "name")
        self.fields["dataset"].choices = [("", "all"), *datasets]  # type: ignore[attr-defined]
        self._add_samples(uses_published_ranges=uses_published_ranges)
        if kind != Kind.SENSITIVITY:
            self._add_goal(has_error=has_error)
        ranges = dict(_published_ranges(kind)) if uses_published_ranges else {}
        fixed_values = PUBLISHED_SOBOL.fixed if uses_published_ranges and kind == Kind.GRID else {}
        varying_names = {parameter.name for parameter in numeric_parameters(method.Params)}
        for parameter in method.Params.declared():
            self._add_hold(parameter, fixed_values)
            if parameter.name in varying_names:
                self._add_range(parameter, ranges.get(parameter.name))

    # --- fields -----------------------------------------------------------------------------
    def _add_samples(self, *, uses_published_ranges: bool) -> None:
        if self.kind == Kind.SENSITIVITY:
            self.fields["samples"] = forms.TypedChoiceField(
                label="Base samples",
                coerce=int,
                choices=[(base, str(base)) for base in BASES],
                initial=PUBLISHED_BASE if uses_published_ranges else USUAL_BASE,
                help_text="Each is tried 2 × parameters + 2 times. More: narrower intervals.",
            )
        elif self.is_search:
            self.fields["samples"] = forms.IntegerField(
                label="Trials", min_value=1, max_value=20_000, initial=USUAL_TRIALS
            )
        if self.kind != Kind.GRID:
            self.fields["seed"] = forms.IntegerField(
                label="Seed", min_value=0, max_value=2**32 - 1, initial=0, required=False
            )

    def _add_goal(self, *, has_error: bool) -> None:
        goal = AT_A_GIVEN_ERROR if has_error else GOAL
        for name, label in OBJECTIVES.items():
            self.fields[f"weight.{name}"] = _weight_field(label, goal.get(name, 0.0))
        self.fields["most_error"] = forms.FloatField(
            label="Result off by at most, %",
            required=False,
            min_value=0.0,
            initial=USUAL_ERROR if has_error else None,
            help_text="Only sets within it count. Empty: any.",
        )

    def _add_hold(self, parameter: DeclaredParameter, fixed_values: Mapping[str, Any]) -> None:
        field = field_for(parameter)
        if parameter.name in fixed_values:
            field.initial = parameter_text(fixed_values[parameter.name])
        self.fields[f"hold.{parameter.name}"] = field

    def _add_range(
        self, parameter: DeclaredParameter, range_defaults: RangeDefaults | None
    ) -> None:
        range_default = range_defaults or _default_range(self.method.Params, parameter)
        step_attribute = {"step": "any" if parameter.kind is Sort.NUMBER else 1}
        bounds: dict[str, Any] = {
            "min_value": parameter.low,
            "max_value": parameter.high,
            "required": False,
        }
        name = parameter.name
        self.fields[f"vary.{name}"] = forms.BooleanField(
            label=f"Vary {name}", required=False, initial=range_defaults is not None
        )
        for end, end_label, value in (
            ("low", "from", range_default.low),
            ("high", "to", range_default.high),
        ):
            self.fields[f"{end}.{name}"] = forms.FloatField(
                label=f"{name}, {end_label}",
                initial=parameter_text(value),
                widget=forms.NumberInput({**step_attribute, "class": "input"}),
                **bounds,
            )
        if self.kind == Kind.GRID:
            self.fields[f"levels.{name}"] = forms.IntegerField(
                label=f"{name}, levels",
                initial=range_default.levels,
                min_value=2,
                max_value=MOST_LEVELS,
                required=False,
                widget=forms.NumberInput({"class": "input"}),
            )
        self.fields[f"rounding.{name}"] = forms.CharField(
            required=False, initial=range_default.rounding, widget=forms.HiddenInput
        )

    @property
    def is_search(self) -> bool:
        """True where sets are planned round by round: ranges, no levels."""
        return self.kind in Exploration.SEARCHES

    @property
    def weights(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("weight.")]

    @property
    def rows(self) -> Iterator[ParameterControls]:
        """Every parameter of the method, in its order."""
        for parameter in self.method.Params.declared():
            control_names = ("vary", "low", "high", "levels", "rounding")
            controls = {
                control_name: self[f"{control_name}.{parameter.name}"]
                for control_name in control_names
                if f"{control_name}.{parameter.name}" in self.fields
            }
            hold_field = self[f"hold.{parameter.name}"]
            yield ParameterControls(
                parameter.name, parameter.unit, parameter.help, hold_field, **controls
            )

    # --- reading ----------------------------------------------------------------------------
    def clean(self) -> dict[str, Any]:
        cleaned_fields = super().clean() or {}
        if not self.errors:
            try:
                cleaned_fields["asked"] = self._query(cleaned_fields)
                cleaned_fields["asked"].check()
            except CannotExplore as error:
                self.add_error(
                    error.field_name if error.field_name in self.fields else None, str(error)
                )
        return cleaned_fields

    def _query(self, cleaned_fields: Mapping[str, Any]) -> ExplorationQuery:
        ranges = tuple(self._ranges(cleaned_fields))
        weights = {str(name): cleaned_fields.get(f"weight.{name}") or 0.0 for name in OBJECTIVES}
        return ExplorationQuery(
            kind=self.kind,
            method=self.method,
            ranges=ranges,
            held=self._held_values(
                cleaned_fields, {parameter_range.parameter.name for parameter_range in ranges}
            ),
            yardstick=cleaned_fields["yardstick"],
            dataset=cleaned_fields["dataset"],
            samples=cleaned_fields.get("samples") or 0,
            seed=cleaned_fields.get("seed") or 0,
            goal=dict(GOAL) if self.kind == Kind.SENSITIVITY else checked_goal(weights),
            most_error=cleaned_fields.get("most_error"),
            name=cleaned_fields["name"],
        )

    def _ranges(self, cleaned_fields: Mapping[str, Any]) -> Iterator[ParameterRange]:
        for parameter in numeric_parameters(self.method.Params):
            name = parameter.name
            if not cleaned_fields.get(f"vary.{name}"):
                continue
            low, high = cleaned_fields.get(f"low.{name}"), cleaned_fields.get(f"high.{name}")
            if low is None or high is None:
                raise CannotExplore(f"{name}: give a lowest and a highest value.", f"vary.{name}")
            if self.kind == Kind.GRID:
                levels = cleaned_fields.get(f"levels.{name}") or USUAL_LEVELS
                yield even_range(self.method, name, low, high, levels)
            elif cleaned_fields.get(f"rounding.{name}") == "odd":
                checked_range(self.method, name, low, high)  # raises outside the declared range
                yield ParameterRange(VariedParameter(name, low - HALF, high + HALF, "odd"))
            else:
                yield checked_range(self.method, name, low, high)

    def _held_values(
        self, cleaned_fields: Mapping[str, Any], varying_names: set[str]
    ) -> dict[str, Any]:
        """Values that are not the default, of what does not vary. Raises CannotExplore."""
        text_by_name = {
            parameter.name: parameter_text(value)
            for parameter in self.method.Params.declared()
            if parameter.name not in varying_names
            and (value := cleaned_fields.get(f"hold.{parameter.name}")) not in {None, ""}
        }
        try:
            params = self.method.Params.parse(text_by_name)
        except ParameterError as error:
            raise CannotExplore(f"{self.method.title}: {error}", "hold") from error
        default_parameters = self.method().params
        return {
            name: getattr(params, name)
            for name in text_by_name
            if getattr(params, name) != getattr(default_parameters, name)
        }


@dataclass(frozen=True, slots=True)
class RangeDefaults:
    """Initial values of the controls of a range."""

    low: float
    high: float
    levels: int = USUAL_LEVELS
    rounding: str = ""


def _published_ranges(kind: Kind) -> Iterator[tuple[str, RangeDefaults]]:
    """The ranges that KB-KSSD's paper states, as whole numbers where it takes them."""
    if kind == Kind.GRID:
        for name, levels in PUBLISHED_GRID.items():
            yield name, RangeDefaults(levels[0], levels[-1], len(levels))
        return
    for varied_parameter in STATED_SOBOL.varied:
        if varied_parameter.rounding == "none":
            yield varied_parameter.name, RangeDefaults(varied_parameter.low, varied_parameter.high)
        else:
            rounding = "odd" if varied_parameter.rounding == "odd" else ""
            yield (
                varied_parameter.name,
                RangeDefaults(
                    varied_parameter.low + HALF, varied_parameter.high - HALF, rounding=rounding
                ),
            )


def _default_range(params: type[Parameters], parameter: DeclaredParameter) -> RangeDefaults:
    """Range from half of the default to twice, as far as other defaults allow it."""
    low, high = float(parameter.low or 0.0), float(parameter.high or 0.0)
    default_value = float(parameter.default)
    lower_end, upper_end = (
        max(low, min(default_value / 2, default_value * 2)),
        min(high, max(default_value / 2, default_value * 2)),
    )
    if parameter.kind is Sort.INTEGER:
        lower_end, upper_end = float(int(lower_end)), float(int(upper_end))
        if upper_end - lower_end < FEW:
            upper_end = min(high, lower_end + WIDE)
    elif lower_end >= upper_end:
        upper_end = min(high, lower_end + WIDE)
    candidate_ends = [min(high, upper_end * 10**power) for power in range(4)]
    allowed_ends = (
        upper_end for upper_end in candidate_ends if _is_allowed(params, parameter, upper_end)
    )
    upper_end = next(allowed_ends, _nearest_allowed(params, parameter, upper_end))
    return RangeDefaults(_nearest_allowed(params, parameter, lower_end), upper_end)


def _is_allowed(params: type[Parameters], parameter: DeclaredParameter, value: float) -> bool:
    return allows(params, parameter.name, int(value) if parameter.kind is Sort.INTEGER else value)


def _nearest_allowed(params: type[Parameters], parameter: DeclaredParameter, value: float) -> float:
    """`value`, or what lies nearer to the default, so that no rule refuses it."""
    is_integer, default_value = parameter.kind is Sort.INTEGER, float(parameter.default)
    for _ in range(HALVINGS):
        if _is_allowed(params, parameter, value):
            return value
        value = (
            float(int((value + default_value) / 2)) if is_integer else (value + default_value) / 2
        )
    return default_value


def _weight_field(label: str, initial: float) -> forms.FloatField:
    return forms.FloatField(
        label=label, required=False, min_value=0.0, initial=f"{initial:g}", max_value=1e6
    )


def tunable_methods(kind: Kind) -> list[type[Detector]]:
    """The methods that have numbers enough that could vary, and can work here, by title."""
    min_parameters = 2 if kind == Kind.SENSITIVITY else 1
    variable_classes = (method for method in registry().values() if is_variable(method))
    variable_methods = [
        method
        for method in variable_classes
        if len(numeric_parameters(method.Params)) >= min_parameters
    ]
    return sorted(variable_methods, key=lambda method: method.title.casefold())
