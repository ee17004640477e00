"""Forms of an annotator: an answer, a problem with a series."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from annotate.answering.series_aliases import digest_behind
from annotate.models import Mark, Problem, Task
from detectors.arrays.robust_range import RULE
from people.models import User

Y_MODES = ("robust", "window", "full", "plateau")
DAMAGED = "The view of this answer is damaged. Reload the page."
MOST_DIGITS = 9  # of an iteration
LONGEST_LOOK = 24 * 3600.0  # seconds; more is a clock that went wrong


class MarkForm(forms.ModelForm):
    """One answer. The client id is no field of the model form: a repeat is a retry, no mistake."""

    client_id = forms.UUIDField()
    digest = forms.RegexField(r"\A[0-9a-f]{64}\Z")
    seconds = forms.FloatField(min_value=0, max_value=LONGEST_LOOK, required=False)
    guide_version = forms.IntegerField(min_value=1, required=False)
    changes = forms.CharField(required=False)  # iterations with spaces between them
    # Text: a JSONField raises what is no ValidationError for lists in lists and for long numbers.
    view = forms.CharField(required=False)

    class Meta:
        model = Mark
        fields = ("kind", "index", "unsure", "difficulty", "note", "view")

    def __init__(self, data: Any, *, task: Task, by: User) -> None:
        super().__init__(data, instance=Mark(task=task))
        self.by = by
        self.fields["index"] = forms.IntegerField(
            required=False, error_messages={"invalid": self._span(task)}
        )

    def clean_digest(self) -> str:
        return digest_behind(self.cleaned_data["digest"], self.instance.task, self.by)

    def clean_guide_version(self) -> int:
        return self.cleaned_data["guide_version"] or 1

    def clean_changes(self) -> list[int] | None:
        """Positions of an answer that is changes of level, in order; None of another answer."""
        if self.cleaned_data.get("kind") != Mark.Kind.CHANGES:
            return None
        words = self.cleaned_data["changes"].split()
        if not all(
            word.isascii() and word.isdecimal() and len(word) <= MOST_DIGITS for word in words
        ):
            raise ValidationError(self._span(self.instance.task))
        self.instance.changes = sorted({int(word) for word in words})
        return self.instance.changes

    def clean_view(self) -> dict[str, Any]:
        try:
            view = json.loads(self.cleaned_data["view"] or "{}")
        except (ValueError, RecursionError) as error:
            raise ValidationError(DAMAGED) from error
        return view_of({} if view is None else view)

    def clean_index(self) -> int | None:
        index: int | None = self.cleaned_data["index"]
        task = self.instance.task
        if index is not None and not 0 <= index < task.series.n:
            raise ValidationError(self._span(task))
        return index

    @staticmethod
    def _span(task: Task) -> str:
        return f"Series {task.position} has iterations 0 to {task.series.n - 1}."

    def clean(self) -> dict[str, Any]:
        cleaned_fields: dict[str, Any] = super().clean() or self.cleaned_data
        screening = self.instance.task.campaign.is_screening
        is_steady = cleaned_fields.get("kind") == Mark.Kind.STEADY and not screening
        if is_steady and cleaned_fields.get("index") is None and "index" not in self.errors:
            self.add_error("index", "Say from which iteration on the series is steady.")
        if not is_steady:
            cleaned_fields["index"] = None
        return cleaned_fields


class ProblemForm(forms.ModelForm):
    """Problem with a series, in words."""

    class Meta:
        model = Problem
        fields = ("text",)
        error_messages = {"text": {"required": "Say what is wrong; one sentence is enough."}}


def view_of(sent_view: object) -> dict[str, Any]:
    """Check what the person had on the screen: it tells how exact a click could be.

    Raises ValidationError: the page made it, so a person can only reload.
    """
    damage_error = ValidationError(DAMAGED)
    if not isinstance(sent_view, dict):
        raise damage_error
    view = {
        "from": _number(sent_view.get("from", 0)),
        "to": _number(sent_view.get("to", 0)),
        "y": sent_view.get("y", "robust"),
        "rule": sent_view.get("rule", 1),  # pages of the first rule did not name it
        "log": sent_view.get("log", False),
        "width": _number(sent_view.get("width", 0)),
        "ratio": _number(sent_view.get("ratio", 1)),
    }
    if None in view.values() or view["y"] not in Y_MODES or not isinstance(view["log"], bool):
        raise damage_error
    if view["rule"] not in range(1, RULE + 1) or isinstance(view["rule"], bool):
        raise damage_error
    return view if sent_view else {}


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if 0 <= value < 1e9 else None
