"""The form of a run: its methods and their parameters come from what the detectors declare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.functional import cached_property

from analysis.methods.weight_sets import choices_of, sets_of
from analysis.runs.plan import check_length
from analysis.runs.selection import FIRST, SeriesSelection
from detectors.contract import Detector, ParameterError
from detectors.contract.parameters import DeclaredParameter, ParameterKind, parameter_text
from detectors.registry import UnknownDetector, from_key, registry
from people.models import Study
from series.models import Benchmark, Dataset, Recording, Series

SERIES_FIELDS: Final = ("dataset", "recording", "system", "campaign", "forks", "text")


class RunForm(forms.Form):
    """Choice of the series, the methods and their parameters."""

    dataset = forms.ModelChoiceField(
        Dataset.objects.none(), label="Data set", to_field_name="slug", empty_label=None
    )
    recording = forms.ChoiceField(label="Recording", required=False)
    system = forms.ChoiceField(label="System", required=False)
    text = forms.CharField(
        label="Words",
        required=False,
        max_length=200,
        widget=forms.TextInput(
            {"placeholder": "any", "title": "Words of the name or the parameters; empty for all."}
        ),
    )
    campaign = forms.ChoiceField(label="Campaign", required=False)
    forks = forms.ChoiceField(label="Forks", required=False)
    only = forms.CharField(
        label="Chosen benchmarks", required=False, max_length=4000, widget=forms.HiddenInput
    )
    name = forms.CharField(
        label="Name", required=False, max_length=120, help_text="Empty: methods and data set."
    )
    again = forms.BooleanField(
        label="Compute again what is stored",
        required=False,
        help_text=(
            "Checks that results are identical and reports differences. "
            "What is stored is not replaced."
        ),
    )

    def __init__(self, study: Study, data: Mapping[str, Any] | None = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.study = study
        datasets = Dataset.objects.filter(study=study)
        self.fields["dataset"].queryset = datasets  # type: ignore[attr-defined]
        recordings = Recording.objects.filter(dataset__in=datasets).order_by("-pk")
        self._set_choices("recording", "all", recordings.values_list("label", flat=True))
        systems = Benchmark.objects.filter(dataset__in=datasets).exclude(system="")
        system_names = systems.order_by("system").values_list("system", flat=True)
        self._set_choices("system", "all", system_names)
        campaigns = study.campaigns.values_list("slug", "name")
        self.fields["campaign"].choices = [("", "any"), *campaigns]  # type: ignore[attr-defined]
        has_several_forks = Series.objects.filter(
            benchmark__dataset__study=study, fork__gt=0
        ).exists()
        first_fork_choice = [(FIRST, "first of each")] if has_several_forks else []
        self.fields["forks"].choices = [("", "all"), *first_fork_choice]  # type: ignore[attr-defined]
        self.weights = sets_of(study)
        self.fields["methods"] = forms.MultipleChoiceField(
            choices=[
                (slug, method.title)
                for slug, method in registry().items()
                if not self.missing(method)
            ],
            widget=forms.CheckboxSelectMultiple,
            error_messages={"required": "Choose at least one method."},
        )
        for slug, parameter in _all_parameters():
            weight_choices = choices_of(slug, self.weights) if parameter.name == "weights" else []
            self.fields[f"{slug}.{parameter.name}"] = field_for(parameter, weight_choices)
        for slug, choices in preset_choices(study).items():
            self.fields[f"{slug}.preset"] = forms.ChoiceField(
                label="Parameters", required=False, choices=[("", "as below"), *choices]
            )

    def missing(self, method: type[Detector]) -> str:
        """Why it cannot be chosen; the study may have weights that do not come with Plateau."""
        has_own_weights = any(weight_set.slug == method.slug for weight_set in self.weights)
        return "" if has_own_weights else method.missing()

    def _set_choices(self, name: str, all_label: str, values: Any) -> None:
        labels = list(dict.fromkeys(values))
        self.fields[name].choices = [("", all_label), *((v, v) for v in labels)]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned_fields = super().clean() or {}
        keys = []
        for slug in cleaned_fields.get("methods", []):
            try:
                detector = self._detector(slug, cleaned_fields)
                check_length(detector)
                keys.append(detector.key)
            except ParameterError as error:
                self.add_error("methods", f"{registry()[slug].title}: {error}")
        cleaned_fields["keys"] = keys
        return cleaned_fields

    def _detector(self, slug: str, cleaned_fields: Mapping[str, Any]) -> Detector:
        """The method with the parameters of its fields, or of the preset that was chosen."""
        preset_id = cleaned_fields.get(f"{slug}.preset")
        if preset_id:
            return from_key(self.study.presets.get(public_id=preset_id).detector_key)
        return registry()[slug].parse(self._texts(slug, cleaned_fields))

    def _texts(self, slug: str, cleaned_fields: Mapping[str, Any]) -> dict[str, str]:
        """The parameters of one method as text; what was left empty keeps its default."""
        values = {
            parameter.name: cleaned_fields.get(f"{slug}.{parameter.name}")
            for parameter in registry()[slug].Params.declared()
        }
        return {
            name: parameter_text(value) for name, value in values.items() if value not in {None, ""}
        }

    @property
    def selection(self) -> SeriesSelection:
        """Series that the valid form selects."""
        filters = {
            name: self.cleaned_data.get(name) or ""
            for name in ("recording", "system", "text", "campaign", "forks", "only")
        }
        return SeriesSelection(dataset=self.cleaned_data["dataset"].slug, **filters)

    @property
    def series_controls(self) -> list[forms.BoundField]:
        """The fields that select series, without those that leave no choice."""
        return [self[name] for name in SERIES_FIELDS if not self._is_idle(name)]

    @property
    def folded_series_controls(self) -> list[forms.BoundField]:
        """Fields that few runs need: in the fold until they have a value."""
        return [
            field
            for field in self.series_controls
            if field.name in {"forks", "text"} and not field.value()
        ]

    @property
    def idle_series_controls(self) -> list[forms.BoundField]:
        """Fields with one possible value: hidden, so that an address can still set them."""
        return [self[name] for name in SERIES_FIELDS if self._is_idle(name)]

    def _is_idle(self, name: str) -> bool:
        choices = getattr(self.fields[name], "choices", None)
        # The first choice of most fields is everything; forks with one choice are no field.
        max_idle_choices = 1 if name in {"dataset", "forks"} else 2
        return choices is not None and len(choices) <= max_idle_choices and not self[name].errors

    @property
    def only_count(self) -> int:
        """Number of rows chosen one by one; 0 for all that the filters leave."""
        return len(str(self["only"].value() or "").split())

    @property
    def keys(self) -> list[str]:
        """The detector keys that the valid form chooses."""
        return list(self.cleaned_data["keys"])

    @cached_property
    def detector_by_slug(self) -> dict[str, Detector]:
        """Every method that can run here, by slug, as the bound form sets it.

        A method whose parameters are refused stands with its defaults.
        """
        cleaned_fields = getattr(self, "cleaned_data", {})
        return {
            slug: self._detector_or_default(slug, cleaned_fields)
            for slug, method in registry().items()
            if not self.missing(method)
        }

    def _detector_or_default(self, slug: str, cleaned_fields: Mapping[str, Any]) -> Detector:
        try:
            detector = self._detector(slug, cleaned_fields)
            check_length(detector)
        except ParameterError:
            return registry()[slug]()
        return detector

    @property
    def chosen_slugs(self) -> list[str]:
        """Slugs of the methods that are ticked and can run here."""
        return [slug for slug in self["methods"].value() or [] if slug in self.detector_by_slug]


def preset_choices(study: Study) -> dict[str, list[tuple[str, str]]]:
    """Presets of the study that can run here, by slug: public id and name."""
    choices: dict[str, list[tuple[str, str]]] = {}
    for preset in study.presets.all():
        try:
            from_key(preset.detector_key)
        except (UnknownDetector, ParameterError):
            continue  # a preset of another version: the page of presets says so
        choices.setdefault(preset.slug, []).append((preset.public_id, f"preset “{preset.name}”"))
    return choices


def _all_parameters() -> Iterator[tuple[str, DeclaredParameter]]:
    for slug, detector in registry().items():
        for parameter in detector.Params.declared():
            yield slug, parameter


def field_for(
    parameter: DeclaredParameter, known_choices: Sequence[tuple[str, str]] = ()
) -> forms.Field:
    """The control of one parameter: its kind, bounds, unit and help as declared.

    known: values and names of a text of which only these can be chosen.
    """
    attrs = {"data-default": parameter_text(parameter.default)}
    label = parameter.name.replace("_", " ")
    common_options: dict[str, Any] = {
        "label": f"{label} ({parameter.unit})" if parameter.unit else label,
        "required": False,
        "initial": parameter.default
        if parameter.kind is ParameterKind.BOOLEAN
        else parameter_text(parameter.default),
        "help_text": _help(parameter),
    }
    if parameter.kind is ParameterKind.INTEGER:
        return forms.IntegerField(
            min_value=_whole_number(parameter.low),
            max_value=_whole_number(parameter.high),
            widget=forms.NumberInput(attrs),
            **common_options,
        )
    if parameter.kind is ParameterKind.NUMBER:
        return forms.FloatField(
            min_value=parameter.low,
            max_value=parameter.high,
            widget=forms.NumberInput({**attrs, "step": "any"}),
            **common_options,
        )
    if parameter.kind is ParameterKind.BOOLEAN:
        return forms.BooleanField(widget=forms.CheckboxInput(attrs), **common_options)
    if parameter.kind is ParameterKind.CHOICE or known_choices:
        choices = list(known_choices) or [(choice, choice) for choice in parameter.choices]
        if parameter.default not in dict(choices):
            common_options["initial"] = attrs["data-default"] = choices[0][0]
        return forms.ChoiceField(choices=choices, widget=forms.Select(attrs), **common_options)
    return forms.CharField(widget=forms.TextInput(attrs), max_length=1000, **common_options)


def _help(parameter: DeclaredParameter) -> str:
    bounds = f" {parameter.bounds}." if parameter.bounds and not parameter.choices else ""
    return f"{parameter.help}{bounds} Default {parameter_text(parameter.default)}."


def _whole_number(bound: float | None) -> int | None:
    return None if bound is None else int(bound)
