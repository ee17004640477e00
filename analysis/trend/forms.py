"""Form of a person's judgement about a regression."""

from __future__ import annotations

from typing import Any

from django import forms

from analysis.trend.models import RegressionAlarm
from people.models import User
from series.models import Benchmark, Recording


class AlarmForm(forms.ModelForm):
    """State, who looks after it, a note, and the address of a commit."""

    recording = forms.ModelChoiceField(
        Recording.objects.none(),
        widget=forms.HiddenInput,
        error_messages={
            "required": "No recording was sent.",
            "invalid_choice": "The benchmark was not measured in that recording.",
        },
    )
    commit = forms.URLField(
        required=False,
        max_length=300,
        assume_scheme="https",
        widget=forms.URLInput(attrs={"placeholder": "https://…/commit/4f2c91a"}),
        error_messages={"invalid": "Commit: expected an address such as https://…/commit/4f2c91a."},
    )

    class Meta:
        model = RegressionAlarm
        fields = ["recording", "state", "assignee", "note", "commit"]
        labels = {"assignee": "Assigned to"}
        widgets = {"note": forms.Textarea(attrs={"rows": 2, "maxlength": 500})}

    def __init__(self, benchmark: Benchmark, *args: Any, **form_options: Any) -> None:
        super().__init__(*args, **form_options)
        recording = self.fields["recording"]
        assert isinstance(recording, forms.ModelChoiceField)  # noqa: S101  # as declared
        recording.queryset = Recording.objects.filter(series__benchmark=benchmark).distinct()
        members = User.objects.filter(memberships__study=benchmark.dataset.study)
        people = members.order_by("first_name", "username")
        assignee = self.fields["assignee"]
        assert isinstance(assignee, forms.ModelChoiceField)  # noqa: S101  # of a foreign key
        assignee.queryset, assignee.empty_label = people, "nobody"
