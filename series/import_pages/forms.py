"""Forms of the import: how a file is read, and where it goes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, count
from typing import Any

from django import forms

from formats.columns import ROLES
from formats.iterations import stated_settings
from formats.paths import stem
from formats.registry import READERS
from people.models import Study
from series.importing import services
from series.importing.import_plan import RecordingDetails, parse_moment
from series.importing.matching import matching_dataset
from series.models import Benchmark, Dataset, Import

FORMATS = [("auto", "as detected"), *((each.name, each.title) for each in READERS)]
LAYOUTS = [
    ("auto", "as detected"),
    ("wide", "wide: a column a series"),
    ("long", "long: a row a value"),
]
SEPARATORS = [
    ("auto", "as detected"),
    (",", "comma"),
    (";", "semicolon"),
    ("\t", "tab"),
    ("|", "bar"),
]
DECIMALS = [("auto", "as detected"), (".", "point: 1204.5"), (",", "comma: 1204,5")]
HEADERS = [("auto", "as detected"), ("yes", "first row has names"), ("no", "first row has values")]
ENCODINGS = [
    ("auto", "as detected"),
    ("utf-8", "UTF-8"),
    ("windows-1252", "Windows-1252"),
    ("utf-16", "UTF-16"),
]
NEW = "+"  # no slug


class ReadForm(forms.Form):
    """Settings of how one uploaded file is read; what is left alone is as detected."""

    format = forms.ChoiceField(choices=FORMATS, label="Format")
    unit = forms.CharField(
        required=False,
        max_length=40,
        help_text="Such as ms/op, us, ops/s; used where the file names no unit.",
    )
    system = forms.CharField(required=False, max_length=200)
    benchmark = forms.CharField(required=False, max_length=400, label="Benchmark name")
    iteration = forms.CharField(
        required=False,
        max_length=40,
        label="Length of an iteration",
        help_text="Such as 100 ms, or: one operation; used where the file does not say.",
    )

    better = forms.ChoiceField(
        choices=[("", "as the unit says"), *Benchmark.Better.choices],
        required=False,
        label="Which way is better",
        help_text="Used where the unit is unknown; without this choice, less counts as better.",
    )

    encoding = forms.ChoiceField(choices=ENCODINGS, required=False, label="Encoding of text")

    def __init__(self, *args: Any, upload: Import, **kwargs: Any) -> None:
        stored_options = upload.options
        kwargs.setdefault("initial", {**stored_options, **_column_fields(stored_options)})
        super().__init__(*args, **kwargs)
        self.choice = upload.preview.get("choice")
        if self.choice:
            self._ask_for_columns(self.choice)

    def clean_iteration(self) -> str:
        text: str = self.cleaned_data["iteration"]
        try:
            stated_settings(text)
        except ValueError as error:
            raise forms.ValidationError(f"{str(error).capitalize()}.") from error
        return text

    def _ask_for_columns(self, choice: dict[str, Any]) -> None:
        self.fields["layout"] = forms.ChoiceField(choices=LAYOUTS)
        self.fields["separator"] = forms.ChoiceField(choices=SEPARATORS)
        self.fields["decimal"] = forms.ChoiceField(choices=DECIMALS, label="Decimal sign")
        self.fields["header"] = forms.ChoiceField(choices=HEADERS)
        columns = [(name, name) for name in choice["columns"]]
        if choice["layout"] == "long":
            for role in ROLES:
                self.fields[f"column_{role}"] = forms.ChoiceField(
                    choices=[("", "none"), *columns],
                    required=False,
                    label=f"Column: {role}",
                    initial=choice["roles"].get(role, ""),
                )
        else:
            self.fields["series_columns"] = forms.MultipleChoiceField(
                choices=columns,
                required=False,
                label="Columns that are series",
                initial=choice["values"],
                widget=forms.CheckboxSelectMultiple,
            )

    def options(self) -> dict[str, Any]:
        """`Import.options`: what differs from reading the file as detected."""
        cleaned_options = dict(self.cleaned_data)
        roles = {role: cleaned_options.pop(f"column_{role}", "") for role in ROLES}
        chosen_options = {
            name: value for name, value in cleaned_options.items() if value not in ("", "auto", [])
        }
        if self.choice and set(chosen_options.get("series_columns", ())) == set(
            self.choice["values"]
        ):
            chosen_options.pop("series_columns", None)
        detected_columns = self.choice["roles"] if self.choice else {}
        chosen_columns = {role: column for role, column in roles.items() if column}
        if chosen_columns and chosen_columns != detected_columns:
            chosen_options["columns"] = chosen_columns
        return chosen_options


def _column_fields(read_options: dict[str, Any]) -> dict[str, str]:
    return {f"column_{role}": name for role, name in read_options.get("columns", {}).items()}


class ConfirmForm(forms.Form):
    """Target of the files, and what is said about the recording that the files do not say."""

    dataset = forms.ChoiceField(label="Data set")
    name = forms.CharField(required=False, max_length=120, label="Name of the new data set")
    simulated = forms.BooleanField(required=False, label="These values are simulated, not measured")
    source = forms.CharField(
        required=False, max_length=300, help_text="Where the values come from."
    )
    licence = forms.CharField(required=False, max_length=120)
    label = forms.CharField(
        required=False,
        max_length=200,
        label="Recording",
        help_text="One occasion of measuring. Empty: each file's own time stamp or name.",
    )
    build = forms.CharField(required=False, max_length=200, label="Build or commit")
    measured_at = forms.CharField(
        required=False, label="Measured at", help_text="Such as 2026-03-14 02:00; UTC."
    )
    machine = forms.CharField(
        required=False, max_length=300, help_text="Its description, such as an instance type."
    )
    instance = forms.CharField(
        required=False, max_length=200, help_text="Which machine, such as its host name."
    )
    duet = forms.CharField(
        required=False,
        max_length=200,
        help_text="Recordings of one duet were measured side by side, in pairs.",
    )
    runtime = forms.CharField(required=False, max_length=300)
    on_problems = forms.ChoiceField(
        label="Files with problems",
        choices=[
            ("stop", "Import nothing of a file with a problem"),
            ("leave-out", "Leave out the series with a problem, import the rest"),
        ],
        widget=forms.RadioSelect,
    )

    def __init__(
        self, *args: Any, study: Study, uploads: Sequence[Import], dataset: str = "", **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.study = study
        if not self.is_bound:
            self.initial = _initial(study, uploads, dataset)
        stored_choices = [
            (stored_dataset.slug, stored_dataset.name) for stored_dataset in study.datasets.all()
        ]
        self.fields["dataset"].choices = [(NEW, "a new data set"), *stored_choices]  # type: ignore[attr-defined]

    def clean_measured_at(self) -> Any:
        text = self.cleaned_data["measured_at"]
        moment = parse_moment(text) if text else None
        if text and moment is None:
            raise forms.ValidationError(
                f"“{text}” is no date and time. Write it as 2026-03-14 02:00."
            )
        return moment

    def clean(self) -> dict[str, Any]:
        cleaned_fields = super().clean() or {}
        name = cleaned_fields.get("name", "").strip()
        if cleaned_fields.get("dataset") == NEW and not name:
            self.add_error("name", "A new data set needs a name.")
        elif (
            cleaned_fields.get("dataset") == NEW and self.study.datasets.filter(name=name).exists()
        ):
            self.add_error("name", f"This study has a data set called “{name}”. Choose it above.")
        return cleaned_fields

    def target(self) -> Dataset:
        """The data set chosen, made if it is a new one."""
        cleaned_fields = self.cleaned_data
        if cleaned_fields["dataset"] != NEW:
            return self.study.datasets.get(slug=cleaned_fields["dataset"])
        about_dataset = {name: cleaned_fields[name] for name in ("simulated", "source", "licence")}
        return services.ensure_dataset(self.study, cleaned_fields["name"].strip(), **about_dataset)

    def occasion(self) -> RecordingDetails:
        names = ("label", "build", "measured_at", "machine", "instance", "duet", "runtime")
        return RecordingDetails(**{name: self.cleaned_data[name] for name in names})


def _initial(study: Study, uploads: Sequence[Import], dataset: str) -> dict[str, Any]:
    """Initial values: what the files say, where they all say the same."""
    initial: dict[str, Any] = {"on_problems": "stop"}
    for name in ("label", "build", "measured_at", "machine", "instance", "runtime"):
        texts = {upload.preview.get("recording", {}).get(name, "") for upload in uploads}
        initial[name] = texts.pop() if len(texts) == 1 else ""
    target_dataset = study.datasets.filter(slug=dataset).first() or matching_dataset(study, uploads)
    initial["dataset"] = target_dataset.slug if target_dataset else NEW
    if len(uploads) == 1 and uploads[0].preview.get("recordings", 1) < 2:  # else as the file says
        initial["label"] = initial["label"] or _label(target_dataset, uploads[0])
    initial["name"] = _free_name(study, stem(uploads[0].file_name)) if uploads else ""
    return initial


def _label(target: Dataset | None, upload: Import) -> str:
    """Label where the very same file was stored before, so that importing it again changes
    nothing.
    """
    name = stem(upload.file_name)
    return services.label_for(target, upload.file_digest, default=name) if target else name


def _free_name(study: Study, name: str) -> str:
    """`name`, with a number where the study has a data set of that name."""
    used_names = set(study.datasets.values_list("name", flat=True))
    variants = (f"{name[:110]} {number}" for number in count(2))
    return next(
        candidate for candidate in chain([name[:120]], variants) if candidate not in used_names
    )
