"""The form of a run: its methods and their parameters come from what the detectors declare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import cached_property

from analysis.methods.catalogue import by_family
from analysis.methods.symbols import classes
from analysis.methods.weight_sets import choices_of, sets_of
from analysis.runs.plan import check_length
from analysis.runs.selection import SeriesSelection
from analysis.runs.timing import MethodTiming, timings
from detectors.contract import Detector, ParameterError
from detectors.parameters import DeclaredParameter, ParameterKind, shown
from detectors.registry import UnknownDetector, from_key, method_slots, registry
from people.models import Study
from series.models import Benchmark, Dataset, Recording

PUBLISHED = "Published detectors"  # the family of methods that a paper proposed
COST_WORDS: Mapping[str, str] = {
    "instant": "fast",
    "quick": "under a second a series",
    "slow": "seconds a series",
}


@dataclass(frozen=True, slots=True)
class MethodChoice:
    """One method to choose, with the fields of its parameters."""

    detector: type[Detector]
    slot: int | None
    chosen: bool
    missing: str
    milliseconds: float | None  # as measured on this machine
    fields: tuple[forms.BoundField, ...]
    differs: bool
    preset: forms.BoundField | None = None  # where the study has presets of the method

    @property
    def cost(self) -> str:
        return COST_WORDS[self.detector.cost]

    @property
    def symbol(self) -> str:
        return classes(self.slot)

    @property
    def groups(self) -> str:
        """Names of the buttons that tick it."""
        quick, published = self.detector.cost != "slow", self.detector.family == PUBLISHED
        return " ".join(
            name for name, ticks in (("quick", quick), ("published", quick and published)) if ticks
        )


class RunForm(forms.Form):
    """Which series, which methods, with which parameters."""

    dataset = forms.ModelChoiceField(
        Dataset.objects.none(), label="Data set", to_field_name="slug", empty_label=None
    )
    recording = forms.ChoiceField(label="Recording", required=False)
    system = forms.ChoiceField(label="System", required=False)
    text = forms.CharField(
        label="Benchmarks",
        required=False,
        max_length=200,
        help_text="Words of the name or the parameters; empty for all.",
    )
    campaign = forms.ChoiceField(label="Only series of campaign", required=False)
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
        self._choices("recording", "all", recordings.values_list("label", flat=True))
        systems = Benchmark.objects.filter(dataset__in=datasets).exclude(system="")
        self._choices("system", "all", systems.order_by("system").values_list("system", flat=True))
        campaigns = study.campaigns.values_list("slug", "name")
        self.fields["campaign"].choices = [("", "any"), *campaigns]  # type: ignore[attr-defined]
        self.weights = sets_of(study)
        self.fields["methods"] = forms.MultipleChoiceField(
            choices=[
                (slug, each.title) for slug, each in registry().items() if not self._missing(each)
            ],
            widget=forms.CheckboxSelectMultiple,
            error_messages={"required": "Choose at least one method."},
        )
        for slug, declared in _all_parameters():
            own = choices_of(slug, self.weights) if declared.name == "weights" else []
            self.fields[f"{slug}.{declared.name}"] = field_for(declared, own)
        for slug, choices in presets_of(study).items():
            self.fields[f"{slug}.preset"] = forms.ChoiceField(
                label="Parameters", required=False, choices=[("", "as below"), *choices]
            )

    def _missing(self, method: type[Detector]) -> str:
        """Why it cannot be chosen; the study may have weights that do not come with Plateau."""
        own = any(each.slug == method.slug for each in self.weights)
        return "" if own else method.missing()

    def _choices(self, name: str, everything: str, values: Any) -> None:
        labels = list(dict.fromkeys(values))
        self.fields[name].choices = [("", everything), *((v, v) for v in labels)]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        keys = []
        for slug in cleaned.get("methods", []):
            try:
                detector = self._detector(slug, cleaned)
                check_length(detector)
                keys.append(detector.key)
            except ParameterError as error:
                self.add_error("methods", f"{registry()[slug].title}: {error}")
        cleaned["keys"] = keys
        return cleaned

    def _detector(self, slug: str, cleaned: Mapping[str, Any]) -> Detector:
        """The method with the parameters of its fields, or of the preset that was chosen."""
        chosen = cleaned.get(f"{slug}.preset")
        if chosen:
            return from_key(self.study.presets.get(public_id=chosen).detector_key)
        return registry()[slug].parse(self._texts(slug, cleaned))

    def _texts(self, slug: str, cleaned: Mapping[str, Any]) -> dict[str, str]:
        """The parameters of one method as text; what was left empty keeps its default."""
        given = {
            declared.name: cleaned.get(f"{slug}.{declared.name}")
            for declared in registry()[slug].Params.declared()
        }
        return {name: shown(value) for name, value in given.items() if value not in {None, ""}}

    @property
    def selection(self) -> SeriesSelection:
        """What the valid form selects."""
        said = {
            name: self.cleaned_data.get(name) or ""
            for name in ("recording", "system", "text", "campaign", "only")
        }
        return SeriesSelection(dataset=self.cleaned_data["dataset"].slug, **said)

    @property
    def only_count(self) -> int:
        """How many rows were chosen one by one; 0 for all that the filters leave."""
        return len(str(self["only"].value() or "").split())

    @property
    def keys(self) -> list[str]:
        """The detector keys that the valid form chooses."""
        return list(self.cleaned_data["keys"])

    @cached_property
    def choices(self) -> list[MethodChoice]:
        """Every method, in the order of looks on charts."""
        defaults = {slug: each() for slug, each in registry().items()}
        times = timings(self.study, list(defaults.values()))
        found = [self._choice(slug, times[detector.key]) for slug, detector in defaults.items()]
        return sorted(found, key=lambda choice: (choice.slot is None, choice.slot or 0))

    @property
    def unavailable_count(self) -> int:
        """How many of the choices cannot run here; each says why."""
        return sum(bool(choice.missing) for choice in self.choices)

    @property
    def families(self) -> dict[str, list[MethodChoice]]:
        """The same methods under the headings of the catalogue, in the order of their looks."""
        return by_family(self.choices, lambda choice: choice.detector)

    def _choice(self, slug: str, timing: MethodTiming) -> MethodChoice:
        detector = registry()[slug]
        chosen = self["methods"].value() or []
        fields = tuple(self[f"{slug}.{each.name}"] for each in detector.Params.declared())
        preset = self[f"{slug}.preset"] if f"{slug}.preset" in self.fields else None
        return MethodChoice(
            detector=detector,
            slot=method_slots().get(slug),
            chosen=slug in chosen,
            missing=self._missing(detector),
            milliseconds=timing.milliseconds if timing.of_key else None,
            fields=fields,
            differs=any(_differs(field) for field in fields),
            preset=preset,
        )


def presets_of(study: Study) -> dict[str, list[tuple[str, str]]]:
    """By slug the study's presets that can be asked here: public id and name."""
    found: dict[str, list[tuple[str, str]]] = {}
    for each in study.presets.all():
        try:
            from_key(each.detector_key)
        except (UnknownDetector, ParameterError):
            continue  # of another version: the page of presets says so
        found.setdefault(each.slug, []).append((each.public_id, f"preset “{each.name}”"))
    return found


def _all_parameters() -> Iterator[tuple[str, DeclaredParameter]]:
    for slug, detector in registry().items():
        for declared in detector.Params.declared():
            yield slug, declared


def _differs(field: forms.BoundField) -> bool:
    value = field.value()
    text = shown(value) if value is not None else ""
    return text not in {"", str(field.field.widget.attrs["data-default"])}


def field_for(declared: DeclaredParameter, known: Sequence[tuple[str, str]] = ()) -> forms.Field:
    """The control of one parameter: its kind, bounds, unit and help as declared.

    known: values and names of a text of which only these can be chosen.
    """
    attrs = {"data-default": shown(declared.default)}
    label = declared.name.replace("_", " ")
    common: dict[str, Any] = {
        "label": f"{label} ({declared.unit})" if declared.unit else label,
        "required": False,
        "initial": declared.default
        if declared.kind is ParameterKind.BOOLEAN
        else shown(declared.default),
        "help_text": _help(declared),
    }
    if declared.kind is ParameterKind.INTEGER:
        return forms.IntegerField(
            min_value=_whole(declared.low),
            max_value=_whole(declared.high),
            widget=forms.NumberInput(attrs),
            **common,
        )
    if declared.kind is ParameterKind.NUMBER:
        return forms.FloatField(
            min_value=declared.low,
            max_value=declared.high,
            widget=forms.NumberInput({**attrs, "step": "any"}),
            **common,
        )
    if declared.kind is ParameterKind.BOOLEAN:
        return forms.BooleanField(widget=forms.CheckboxInput(attrs), **common)
    if declared.kind is ParameterKind.CHOICE or known:
        choices = list(known) or [(each, each) for each in declared.choices]
        if declared.default not in dict(choices):
            common["initial"] = choices[0][0]
        return forms.ChoiceField(choices=choices, widget=forms.Select(attrs), **common)
    return forms.CharField(widget=forms.TextInput(attrs), max_length=1000, **common)


def _help(declared: DeclaredParameter) -> str:
    bounds = f" {declared.bounds}." if declared.bounds and not declared.choices else ""
    return f"{declared.help}{bounds} Default {shown(declared.default)}."


def _whole(bound: float | None) -> int | None:
    return None if bound is None else int(bound)
