"""Signing in and out, and how often a password or a code may be wrong."""

from __future__ import annotations

from axes.helpers import get_lockout_response
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, views
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from people import audit, services
from people.audit import Action
from people.forms import SignInForm
from people.models import User
from people.throttle import WRONG_PASSWORDS


class SignIn(views.LoginView):
    """The form of name and password, which an address may get wrong only so often."""

    template_name = "people/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if WRONG_PASSWORDS.seconds_to_wait(request):
            return get_lockout_response(request)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        answer = super().form_valid(form)
        audit.record(Action.SIGNED_IN, by=form.get_user())
        return answer

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        WRONG_PASSWORDS.count(self.request)
        audit.record_refused_sign_in(str(form.data.get("username", "")))
        return super().form_invalid(form)

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        page_context = {
            "nobody": not User.objects.exists(),
            "may_make": services.may_make_first_account(),
            "provider": settings.OIDC_NAME,
        }
        return super().get_context_data(**kwargs, **page_context)


sign_in = SignIn.as_view()


def holds_within_limit(request: HttpRequest, form: forms.Form) -> bool:
    """Return whether the form holds. Wrong ones count: a stolen session must not find the
    password out.
    """
    if WRONG_PASSWORDS.seconds_to_wait(request):
        form.add_error(None, "Too many wrong passwords or codes: try again in five minutes.")
        return False
    if not form.is_valid():
        WRONG_PASSWORDS.count(request)
        return False
    return True


@login_not_required
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        audit.record(Action.SIGNED_OUT)
    logout(request)
    messages.success(request, "You are signed out.")
    return redirect("home")
