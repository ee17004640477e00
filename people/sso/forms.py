"""Forms of the second factor."""

from __future__ import annotations

from typing import Any

from allauth.mfa.base.internal.flows import check_rate_limit
from allauth.mfa.totp.internal.auth import validate_totp_code
from django import forms

from people.forms import PasswordProofForm
from people.models import User
from people.sso import second_factor, security_keys


def code_field(label: str, help_text: str) -> forms.CharField:
    code_widget = forms.TextInput(attrs={"autocomplete": "one-time-code", "autocapitalize": "off"})
    return forms.CharField(label=label, max_length=20, help_text=help_text, widget=code_widget)


def key_field() -> forms.JSONField:
    """Field for what a browser says that a key answered; a script fills it in."""
    return forms.JSONField(
        label="Key", widget=forms.HiddenInput, error_messages={"required": "No key answered."}
    )


class CodeForm(forms.Form):
    """The code that is asked for after the password."""

    code = code_field("Code", "Six digits of your app, or a recovery code.")

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if not second_factor.has_app(user):
            self.fields["code"].label, self.fields["code"].help_text = "Recovery code", ""

    def clean_code(self) -> str:
        return _use_up_code(self.user, self.cleaned_data["code"])


def _use_up_code(user: User, code: str) -> str:
    forget = check_rate_limit(user)  # wrong ones of a person, whatever the address
    if not second_factor.accepts(user, code):
        raise forms.ValidationError(
            "This code is wrong, or was used before. Wait for the next one of your app."
        )
    forget()
    return code


class KeyForm(forms.Form):
    """The answer of a security key, in the place of a code."""

    credential = key_field()

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_credential(self) -> Any:
        forget = check_rate_limit(self.user)
        if not security_keys.accepts(self.user, self.cleaned_data["credential"]):
            raise forms.ValidationError(
                "This is no answer of a key of this account to this page. Try again."
            )
        forget()
        return self.cleaned_data["credential"]


class ProofForm(PasswordProofForm):
    """Proof of the person: the password; of who has none, as the provider signs them in, a code.

    Who has neither password nor second factor proves nothing more than the session does.
    """

    proof = code_field("Code", "Six digits of your app, or a recovery code.")

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        if user.has_usable_password() or not second_factor.is_on(user):
            del self.fields["proof"]

    def clean_proof(self) -> str:
        """Last of the fields: no code is used up where another field is wrong."""
        return "" if self.errors else _use_up_code(self.user, self.cleaned_data["proof"])


class AppForm(ProofForm):
    """The first code of an app, which proves that it has the secret."""

    code = code_field("Code of the app", "The six digits that it shows now.")
    field_order = ["code", "password", "proof"]

    def __init__(self, user: User, secret: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self.secret = secret

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        if not validate_totp_code(self.secret, code):
            raise forms.ValidationError(
                "This is not the code of this moment. Does the clock of your phone go right?"
            )
        return code


class KeyNameForm(ProofForm):
    """Name of a key."""

    name = forms.CharField(max_length=60, help_text="Such as: blue key, or phone.")
    field_order = ["name", "credential", "password", "proof"]


class NewKeyForm(KeyNameForm):
    """A key that a browser has just asked."""

    credential = key_field()

    def clean_credential(self) -> Any:
        if len(security_keys.list_keys(self.user)) >= security_keys.MOST:
            raise forms.ValidationError(
                f"{security_keys.MOST} keys are the most that an account has. Remove one first."
            )
        security_keys.check_new_key(self.user, self.cleaned_data["credential"])
        return self.cleaned_data["credential"]
