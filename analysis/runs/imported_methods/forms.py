"""The form about a file of answers."""

from __future__ import annotations

from typing import Any

from django import forms

from analysis.methods.models import ImportedMethod
from analysis.runs.imported_methods import services
from formats.answers import CONVENTIONS


class ImportedMethodForm(forms.Form):
    """Name, version and convention of a waiting file; valid, it has described `waiting`."""

    title = forms.CharField(max_length=60, label="Name", help_text="Such as “Our classifier”.")
    version = forms.CharField(
        max_length=40, initial="1", help_text="Another one for every change of its answers."
    )
    code = forms.CharField(
        required=False,
        max_length=4,
        label="Code",
        help_text="Two to four letters, the label on charts; another one is taken where it is "
        "not free.",
    )
    convention = forms.ChoiceField(
        choices=list(CONVENTIONS.items()), label="Which index, and how", widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, waiting_method: ImportedMethod, **kwargs: Any) -> None:
        names = ("title", "version", "code", "convention")
        kwargs.setdefault("initial", {name: getattr(waiting_method, name) for name in names})
        super().__init__(*args, **kwargs)
        self.waiting = waiting_method

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            try:
                services.set_description(self.waiting, **data)
            except services.ImportRefused as refused:
                self.add_error(refused.field, str(refused))
        return data
