"""Pages of the second factor: asked for at sign-in; an app set up; recovery codes; removed."""

from __future__ import annotations

from allauth.account.internal.decorators import login_stage_required
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.adapter import get_adapter
from allauth.mfa.stages import AuthenticateStage
from allauth.mfa.totp.internal.auth import clear_totp_secret, get_totp_secret
from axes.helpers import get_lockout_response
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from people import audit, sessions
from people.access import SignedInRequest
from people.sso import second_factor, security_keys
from people.sso.forms import AppForm, CodeForm, KeyForm, ProofForm
from people.throttle import WRONG_PASSWORDS
from people.views.sign_in import holds_within_limit


@login_stage_required(stage=AuthenticateStage.key, redirect_urlname="sign-in")
@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def sign_in_code(request: HttpRequest) -> HttpResponse:
    """The second step of a sign-in; wrong codes and keys count as wrong passwords do."""
    if request.method == "POST" and WRONG_PASSWORDS.seconds_to_wait(request):
        return get_lockout_response(request)
    stage = request._login_stage  # type: ignore[attr-defined]  # noqa: SLF001  # as its own page reads it
    user = stage.login.user
    has_key = "credential" in request.POST
    form = (KeyForm if has_key else CodeForm)(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        record_authentication(request, user, "key" if has_key else "mfa")
        answer: HttpResponse = stage.exit()
        return answer
    if form.is_bound:
        WRONG_PASSWORDS.count(request)
        audit.record(audit.Action.SIGN_IN_REFUSED, f"wrong {'key' if has_key else 'code'}", by=user)
    keys = security_keys.list_keys(user)
    context = {
        "form": CodeForm(user) if has_key else form,
        "key_form": form if has_key else KeyForm(user),
        "options": security_keys.request_options(user) if keys else None,
    }
    return render(request, "people/sign_in_code.html", context)


@never_cache
@require_GET
def second_factor_page(request: SignedInRequest) -> HttpResponse:
    """Show what there is, with the ways to change it."""
    return overview(request, ProofForm(request.user))


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def app_page(request: SignedInRequest) -> HttpResponse:
    """Set up an app for codes."""
    if second_factor.has_app(request.user):
        return redirect("second-factor")
    secret = get_totp_secret()
    form = AppForm(request.user, secret, request.POST or None)
    if request.method == "POST" and holds_within_limit(request, form):
        codes = second_factor.set_up_codes(request.user, secret)
        clear_totp_secret(request)
        return set_up_page(request, codes, "The app is set up.")
    adapter = get_adapter()
    picture = adapter.build_totp_svg(adapter.build_totp_url(request.user, secret))
    context = {
        "form": form,
        "secret": secret,
        "picture": mark_safe(picture),  # noqa: S308  # of numbers alone: no text stands in it
    }
    return render(request, "people/second_factor_app.html", context)


def set_up_page(request: SignedInRequest, codes: list[str], message: str) -> HttpResponse:
    """After a new factor: recovery codes with the first one; others are signed out."""
    sessions.end(request.user, but=request.session.session_key)
    if codes:
        return render(request, "people/recovery_codes.html", {"codes": codes, "new": True})
    messages.success(request, message)
    return redirect("second-factor")


@never_cache
@sensitive_post_parameters()
@require_POST
def recovery_codes(request: SignedInRequest) -> HttpResponse:
    """Others, on this one answer and nowhere else."""
    form = ProofForm(request.user, request.POST)
    if not second_factor.is_on(request.user) or not holds_within_limit(request, form):
        return overview(request, form)
    codes = second_factor.new_recovery_codes(request.user)
    return render(request, "people/recovery_codes.html", {"codes": codes, "new": False})


@sensitive_post_parameters()
@require_POST
def app_removal(request: SignedInRequest) -> HttpResponse:
    form = ProofForm(request.user, request.POST)
    if not holds_within_limit(request, form):
        return overview(request, form)
    second_factor.remove_app(request.user)
    messages.success(request, "The app is removed.")
    return redirect("second-factor")


@sensitive_post_parameters()
@require_POST
def remove_second_factor_page(request: SignedInRequest) -> HttpResponse:
    form = ProofForm(request.user, request.POST)
    if not holds_within_limit(request, form):
        return overview(request, form)
    second_factor.remove_second_factor(request.user, by=request.user)
    messages.success(request, "The second factor is removed.")
    return redirect("account")


def overview(request: SignedInRequest, form: forms.Form) -> HttpResponse:
    user = request.user
    context = {
        "form": form,
        "on": second_factor.is_on(user),
        "app": second_factor.has_app(user),
        "keys": security_keys.list_keys(user),
        "codes_left": second_factor.unused_code_count(user),
    }
    return render(request, "people/second_factor.html", context)
