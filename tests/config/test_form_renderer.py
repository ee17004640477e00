"""Fields of forms have the text that Django's templates give them."""

from __future__ import annotations

from typing import Any

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates
from django.utils.safestring import mark_safe

from config.form_renderer import FieldRenderer

NAMES = [("a", "first <one>"), ("b&", 12_345), ("Group", [("c", "third"), (None, "none")])]


class EveryField(forms.Form):
    text = forms.CharField(max_length=9, widget=forms.TextInput(attrs={"autofocus": True}))
    number = forms.FloatField(min_value=0.5, max_value=20_000)
    mail = forms.EmailField()
    address = forms.URLField(assume_scheme="https")
    password = forms.CharField(widget=forms.PasswordInput(attrs={"data-x": '"<'}))
    hidden = forms.IntegerField(widget=forms.HiddenInput)
    flag = forms.BooleanField(required=False)
    choice = forms.ChoiceField(choices=NAMES)
    several = forms.MultipleChoiceField(choices=NAMES)
    marked = forms.CharField(widget=forms.TextInput(attrs={"title": mark_safe("a &amp; b")}))
    radio = forms.ChoiceField(choices=NAMES[:2], widget=forms.RadioSelect)


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"text": '<b> & "', "number": "0.5", "flag": "on", "choice": "b&", "several": ["a", "c"]},
    ],
)
def test_the_text_is_that_of_the_templates(data: Any) -> None:
    forms_written = [
        EveryField(data, initial={"number": 1234.5, "hidden": 7}, renderer=renderer)
        for renderer in (FieldRenderer(), DjangoTemplates())
    ]

    ours, templates = (
        {field.name: (str(field), str(field.errors)) for field in form} for form in forms_written
    )

    assert ours == templates
