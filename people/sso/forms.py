"""Forms of the second factor."""

from __future__ import annotations

from typing import Any

from allauth.mfa.base.internal.flows import check_rate_limit
from allauth.mfa.totp.internal.auth import validate_totp_code
from django import forms

from people.models import User
from people.sso import second_factor


def code_field(label: str, help_text: str) -> forms.CharField:
    typed = forms.TextInput(attrs={"autocomplete": "one-time-code", "autocapitalize": "off"})
    return forms.CharField(label=label, max_length=20, help_text=help_text, widget=typed)


class CodeForm(forms.Form):
    """The code that is asked for after the password."""

    code = code_field("Code", "Six digits of your app, or a recovery code.")

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        forget = check_rate_limit(self.user)  # wrong ones of a person, whatever the address
        if not second_factor.accepts(self.user, code):
            raise forms.ValidationError(
                "This code is wrong, or was used before. Wait for the next one of your app."
            )
        forget()
        return code


class PasswordProofForm(forms.Form):
    """That it is the person: the password, once more."""

    password = forms.CharField(
        label="Current password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError("This is not your password.")
        return password


class SetUpForm(PasswordProofForm):
    """The first code of an app, which proves that it has the secret."""

    code = code_field("Code", "The six digits that the app shows now.")
    field_order = ["code", "password"]

    def __init__(self, user: User, secret: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self.secret = secret
        if not user.has_usable_password():  # they sign in with the provider alone
            del self.fields["password"]

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        if not validate_totp_code(self.secret, code):
            raise forms.ValidationError(
                "This is not the code of this moment. Does the clock of your phone go right?"
            )
        return code


def proof_form(user: User, *args: Any) -> CodeForm | PasswordProofForm:
    """The password; of who has none, because they sign in with the provider, a code."""
    form = PasswordProofForm if user.has_usable_password() else CodeForm
    return form(user, *args)
