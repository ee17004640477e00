"""A new name, and the name that is asked for where marks are lost."""

from __future__ import annotations

from typing import Any

from django import forms


class NewNameForm(forms.Form):
    """Form with the new name of a thing."""

    def __init__(self, max_length: int, *args: Any, **kwargs: Any) -> None:
        """longest: characters that the name's column takes."""
        super().__init__(*args, **kwargs)
        self.fields["name"] = forms.CharField(max_length=max_length, label="New name")


class TypedNameForm(forms.Form):
    """The name of what is removed, typed, so that nobody does it by mistake."""

    typed = forms.CharField(label="Its name", widget=forms.TextInput(attrs={"autocomplete": "off"}))

    def __init__(self, name: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.name = name
        self.fields["typed"].help_text = "Type it as it stands above."

    def clean_typed(self) -> str:
        typed_name: str = self.cleaned_data["typed"]
        if typed_name != self.name:
            raise forms.ValidationError(f"found “{typed_name}”, expected “{self.name}”")
        return typed_name
