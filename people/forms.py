"""Forms about people: account, studies, invitations."""

from __future__ import annotations

import zoneinfo

from django import forms
from django.contrib.auth.forms import UserCreationForm

from people.models import Role, Study, User


class AccountForm(forms.ModelForm):
    """How a person likes their pages."""

    zone = forms.ChoiceField(
        label="Time zone",
        choices=lambda: [
            (name, name.replace("_", " ")) for name in sorted(zoneinfo.available_timezones())
        ],
        help_text="Dates and times are written in it.",
    )

    class Meta:
        model = User
        fields = ["first_name", "last_name", "email", "theme", "density", "zone", "single_keys"]
        labels = {"email": "Mail"}
        help_texts = {
            "single_keys": "Off: letters do nothing; buttons, arrows and Enter still do everything."
        }


class StudyForm(forms.ModelForm):
    """Name and purpose of a study."""

    class Meta:
        model = Study
        fields = ["name", "about"]
        widgets = {"about": forms.Textarea(attrs={"rows": 3})}
        labels = {"about": "What it is about"}
        help_texts = {"name": "Such as “JMH 2026” or “Startup of our services”."}


class InvitationForm(forms.Form):
    """Whom a link makes a member, as what."""

    role = forms.ChoiceField(
        choices=[
            (Role.ANNOTATOR, "annotator: marks series, sees results once they have answered"),
            (Role.VIEWER, "viewer: reads"),
            (Role.OWNER, "owner: everything"),
        ]
    )
    note = forms.CharField(
        required=False, max_length=200, help_text="Only you and the other owners see it."
    )


class RoleForm(forms.Form):
    """Another role for a member."""

    role = forms.ChoiceField(choices=Role.choices)


class JoinForm(UserCreationForm):
    """A new account, made while accepting an invitation."""

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username", "first_name", "last_name")
