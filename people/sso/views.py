"""Pages of the second factor: asked for at sign-in, set up, recovery codes, removed."""

from __future__ import annotations

from allauth.account.internal.decorators import login_stage_required
from allauth.account.internal.flows.login import perform_password_login, record_authentication
from allauth.account.models import Login
from allauth.mfa.adapter import get_adapter
from allauth.mfa.stages import AuthenticateStage
from allauth.mfa.totp.internal.auth import clear_totp_secret, get_totp_secret
from axes.helpers import get_lockout_response
from django import forms
from django.contrib import messages
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from people import audit, sessions
from people.access import SignedInRequest
from people.sso import second_factor
from people.sso.forms import CodeForm, SetUpForm, proof_form
from people.views.account import WRONG_PASSWORDS, SignIn


class SignInWithCode(SignIn):
    """Name and password, and then a code of who has a second factor."""

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        user = form.get_user()
        login = Login(user=user, redirect_url=self.get_success_url())
        answer: HttpResponse = perform_password_login(
            self.request, {"username": user.get_username()}, login
        )
        return answer


sign_in = SignInWithCode.as_view()


@login_stage_required(stage=AuthenticateStage.key, redirect_urlname="sign-in")
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def sign_in_code(request: HttpRequest) -> HttpResponse:
    """The second step of a sign-in; wrong codes count as wrong passwords do."""
    if request.method == "POST" and WRONG_PASSWORDS.seconds_to_wait(request):
        return get_lockout_response(request)
    stage = request._login_stage  # type: ignore[attr-defined]  # noqa: SLF001  # as its own page reads it
    user = stage.login.user
    form = CodeForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        record_authentication(request, user, "mfa")
        answer: HttpResponse = stage.exit()
        return answer
    if form.is_bound:
        WRONG_PASSWORDS.count(request)
        audit.record(audit.Action.SIGN_IN_REFUSED, "wrong code", by=user)
    return render(request, "people/sign_in_code.html", {"form": form})


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def second_factor_page(request: SignedInRequest) -> HttpResponse:
    """Set one up; or what there is, with the ways to change it."""
    if second_factor.is_on(request.user):
        return _there(request, proof_form(request.user))
    secret = get_totp_secret()
    form = SetUpForm(request.user, secret, request.POST or None)
    if request.method == "POST" and _counted(request, form):
        codes = second_factor.set_up(request.user, secret)
        clear_totp_secret(request)
        sessions.end(request.user, but=request.session.session_key)
        return render(request, "people/recovery_codes.html", {"codes": codes, "new": True})
    adapter = get_adapter()
    picture = adapter.build_totp_svg(adapter.build_totp_url(request.user, secret))
    context = {
        "form": form,
        "secret": secret,
        "picture": mark_safe(picture),  # noqa: S308  # of numbers alone: no text stands in it
    }
    return render(request, "people/second_factor_set_up.html", context)


@never_cache
@sensitive_post_parameters()
@require_POST
def recovery_codes(request: SignedInRequest) -> HttpResponse:
    """Others, on this one answer and nowhere else."""
    form = proof_form(request.user, request.POST)
    if not second_factor.is_on(request.user) or not _counted(request, form):
        return _there(request, form)
    codes = second_factor.new_recovery_codes(request.user)
    return render(request, "people/recovery_codes.html", {"codes": codes, "new": False})


@sensitive_post_parameters()
@require_POST
def removal(request: SignedInRequest) -> HttpResponse:
    form = proof_form(request.user, request.POST)
    if not _counted(request, form):
        return _there(request, form)
    second_factor.remove(request.user, by=request.user)
    messages.success(request, "The second factor is removed.")
    return redirect("account")


def _counted(request: HttpRequest, form: forms.Form) -> bool:
    """Whether the form holds. Wrong ones count: a stolen session must not find the password out."""
    if WRONG_PASSWORDS.seconds_to_wait(request):
        form.add_error(None, "Too many wrong passwords or codes: try again in five minutes.")
        return False
    if not form.is_valid():
        WRONG_PASSWORDS.count(request)
        return False
    return True


def _there(request: SignedInRequest, form: forms.Form) -> HttpResponse:
    context = {"form": form, "left": second_factor.codes_left(request.user)}
    return render(request, "people/second_factor.html", context)
