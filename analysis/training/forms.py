"""The form of a training: what is learned from, and which model that the installation allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final

from django import forms

from analysis.references import yardsticks
from analysis.training.plan import MOST_SEEDS
from detectors.learned.fitted_classifiers import VARIABLE, allowed_classes
from detectors.learned.windows import LEAST_WINDOW, LONGEST_WINDOW, WINDOW
from people.models import Study

NETWORKS: Final[Mapping[str, str]] = {"fcn": "FCN", "oscnn": "OSCNN"}
UNSEEN: Final = (("benchmarks", "benchmarks"), ("systems", "whole systems"))


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model that may be trained. missing: the package that it needs and that is not here."""

    code: str
    title: str
    missing: str = ""


def _class_choice(target: str) -> ModelChoice:
    package = target.partition(":")[0].partition(".")[0]
    missing_package = "" if find_spec(package) else package
    return ModelChoice(target, f"{target.rpartition(':')[2]} ({package})", missing_package)


class TrainingForm(forms.Form):
    """Form of a training: labels, model, size and repetitions."""

    yardstick = forms.ChoiceField(label="Learn from")
    dataset = forms.ChoiceField(label="Data set", required=False)
    model = forms.CharField(label="Model", max_length=200)
    window = forms.IntegerField(
        label="Window length (values)",
        min_value=LEAST_WINDOW,
        max_value=LONGEST_WINDOW,
        initial=WINDOW,
    )
    size = forms.IntegerField(
        label="Benchmarks to learn from", min_value=1, required=False, help_text="Empty: all."
    )
    seeds = forms.IntegerField(
        label="Seeds",
        min_value=1,
        max_value=MOST_SEEDS,
        initial=3,
        help_text="Each seed fits all models again; the weights are those of the first seed.",
    )
    unseen = forms.ChoiceField(
        label="Judge on unseen", choices=UNSEEN, help_text="No model learns from what judges it."
    )
    name = forms.CharField(
        label="Name", required=False, max_length=120, help_text="Empty: model and labels."
    )

    def __init__(self, study: Study, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        missing_package = "" if find_spec("torch") else "torch"
        self.models = [
            ModelChoice("rocket", "ROCKET"),
            *(ModelChoice(slug, title, missing_package) for slug, title in NETWORKS.items()),
            *(_class_choice(target) for target in allowed_classes()),
        ]
        choices = [(yardstick.code, yardstick.title) for yardstick in yardsticks.yardsticks(study)]
        self.fields["yardstick"].choices = choices  # type: ignore[attr-defined]
        datasets = study.datasets.values_list("slug", "name")
        self.fields["dataset"].choices = [("", "all"), *datasets]  # type: ignore[attr-defined]

    @property
    def chosen_model(self) -> str:
        """The one that the select shows."""
        return str(self["model"].value() or self.models[0].code)

    @property
    def missing_choices(self) -> list[ModelChoice]:
        return [model_choice for model_choice in self.models if model_choice.missing]

    def clean_model(self) -> str:
        """Check that the model is listed: a class is a program, which a form must not choose
        freely.
        """
        code: str = self.cleaned_data["model"]
        model_choice = next(
            (candidate for candidate in self.models if candidate.code == code), None
        )
        if model_choice is None:
            codes = ", ".join(candidate.code for candidate in self.models if not candidate.missing)
            raise forms.ValidationError(
                f"{code} is not allowed here: a class is a program that the workers would run. "
                f"There are: {codes}. Whoever runs this installation lists others in {VARIABLE}."
            )
        if model_choice.missing:
            raise forms.ValidationError(
                f"{model_choice.title} needs {model_choice.missing}, not installed here."
            )
        return code
