"""Forms about people: account, studies, invitations."""

from __future__ import annotations

import zoneinfo
from typing import Any

from django import forms
from django.contrib.auth.forms import (
    AuthenticationForm,
    PasswordChangeForm,
    PasswordResetForm,
    SetPasswordForm,
    UserCreationForm,
)
from django.http import HttpRequest

from people import notices
from people.models import Role, Study, User
from people.models.token import SCOPES
from people.slugs import create_with_slug


class AccountForm(forms.ModelForm):
    """Preferences of a person for their pages."""

    zone = forms.ChoiceField(
        label="Time zone",
        choices=lambda: [
            (name, name.replace("_", " ")) for name in sorted(zoneinfo.available_timezones())
        ],
        help_text="Dates and times are written in it.",
    )

    class Meta:
        model = User
        fields = ["first_name", "last_name", "theme", "density", "zone", "single_keys"]
        help_texts = {
            "single_keys": "Off: letters do nothing; buttons, arrows and Enter still do everything."
        }


class PasswordProofForm(forms.Form):
    """Proof that it is the person who is signed in; who has no password proves nothing more."""

    password = forms.CharField(
        label="Current password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if not user.has_usable_password():
            del self.fields["password"]

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError("This is not your password.")
        return password


class MailForm(PasswordProofForm):
    """The mail address of an account."""

    email = forms.EmailField(
        label="Mail address", required=False, max_length=254, help_text="Empty: no mails."
    )
    field_order = ["email", "password"]


class StudyForm(forms.ModelForm):
    """Name and purpose of a study."""

    class Meta:
        model = Study
        fields = ["name", "about"]
        widgets = {"about": forms.Textarea(attrs={"rows": 3})}
        labels = {"about": "What it is about"}
        help_texts = {"name": "Such as “JMH 2026” or “Startup of our services”."}


class TokenForm(forms.Form):
    """Name of a token, its scopes, and how long it can be used."""

    name = forms.CharField(max_length=80, help_text="Such as “nightly build”: who uses it.")
    scopes = forms.MultipleChoiceField(
        label="For",
        choices=[(name, f"{name}: {meaning}") for name, meaning in SCOPES.items()],
        widget=forms.CheckboxSelectMultiple,
        initial=["read"],
    )
    days = forms.TypedChoiceField(
        label="Expires",
        choices=[(30, "in 30 days"), (90, "in 90 days"), (365, "in a year"), (0, "never")],
        coerce=int,
        initial=90,
    )


class InvitationForm(forms.Form):
    """Role and note of a new invitation."""

    role = forms.ChoiceField(
        choices=[(role, role.label) for role in (Role.ANNOTATOR, Role.VIEWER, Role.OWNER)]
    )
    note = forms.CharField(
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"placeholder": "for owners only"}),
    )


class RoleForm(forms.Form):
    """Another role for a member."""

    role = forms.ChoiceField(choices=Role.choices)


USER_NAME_HELP = "You sign in with it: letters, digits and @ . + - _"
LONG_ENOUGH = "At least 8 characters; not your name, not only digits, not one that many people use."


class JoinForm(UserCreationForm):
    """A new account, made while accepting an invitation."""

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("first_name", "username")
        labels = {"first_name": "Your name", "username": "User name"}
        help_texts = {
            "first_name": "As the owners of the study see it.",
            "username": USER_NAME_HELP,
        }
        error_messages = {
            "username": {
                "unique": "Somebody has this user name already.",
                "invalid": "A user name has letters, digits and @ . + - _ only, and no blanks.",
            }
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say_passwords(self, "password1", "password2")


class StartForm(forms.Form):
    """The name of somebody who joins without a password."""

    name = forms.CharField(
        max_length=150, label="Your name", widget=forms.TextInput(attrs={"autocomplete": "name"})
    )

    def save(self) -> User:
        """A new account without a password, under a user name made of the name."""
        name = self.cleaned_data["name"]

        def create(username: str) -> User:
            user = User(username=username, first_name=name)
            user.set_unusable_password()
            user.save(force_insert=True)
            return user

        return create_with_slug(
            name,
            read_slugs=lambda: set(User.objects.values_list("username", flat=True)),
            fallback="person",
            create=create,
        )


class FirstAccountForm(JoinForm):
    """The account of who runs the installation: staff, as `createsuperuser` makes it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["first_name"].help_text = "As people whom you invite see it."
        self.instance.is_staff = self.instance.is_superuser = True


class SignInForm(AuthenticationForm):
    """User name and password."""

    error_messages = {
        "invalid_login": "User name or password is wrong. Upper and lower case matter in both.",
        "inactive": "This account is closed.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "User name"


class NewPasswordForm(SetPasswordForm):
    """A password for an account that is there."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say_passwords(self, "new_password1", "new_password2")


class ChangePasswordForm(PasswordChangeForm):
    """Another password, for who knows the one before."""

    error_messages = {
        **SetPasswordForm.error_messages,
        "password_incorrect": "This is not your password.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["old_password"].label = "Current password"
        _say_passwords(self, "new_password1", "new_password2")


class ForgottenForm(PasswordResetForm):
    """The mail address to which a link for a new password goes, if it is somebody's."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = "Mail address"

    def save(self, *, request: HttpRequest, **_: Any) -> None:  # type: ignore[override]
        """Let a worker send the links; Django's own form sends them while somebody waits."""
        users = list(self.get_users(self.cleaned_data["email"]))
        notices.send_password_links(users, site=request.build_absolute_uri("/").rstrip("/"))


def _say_passwords(form: forms.BaseForm, first_field: str, second_field: str) -> None:
    form.fields[first_field].label, form.fields[second_field].label = "Password", "Password again"
    form.fields[first_field].help_text, form.fields[second_field].help_text = LONG_ENOUGH, ""
