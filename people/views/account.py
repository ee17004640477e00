"""Signing in and one's own account."""

from __future__ import annotations

from axes.helpers import get_lockout_response
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash, views
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from people import audit, device_links, mail_proof, notices, services, sessions
from people.access import SignedInRequest
from people.audit import Action
from people.forms import AccountForm, ChangePasswordForm, MailForm, NewPasswordForm, SignInForm
from people.models import User
from people.throttle import Throttle

# Of one address, across names; axes counts those of one name. As many as five people behind one
# address of an office mistype before each of them is locked out.
WRONG_PASSWORDS = Throttle("sign-in", limit=5 * settings.AXES_FAILURE_LIMIT, window=300)


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


@require_http_methods(["GET", "POST"])
def account(request: SignedInRequest) -> HttpResponse:
    form = AccountForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("account")
    context = {"form": form, "has_second_factor": has_second_factor(request.user)}
    return render(request, "people/account.html", context)


def has_second_factor(user: User) -> bool:
    """Tell whether signing in asks `user` for a code or a key."""
    if settings.SECOND_FACTOR == "off":
        return False
    from people.sso import second_factor  # noqa: PLC0415  # its tables are there only where it is on

    return second_factor.is_on(user)


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def mail(request: SignedInRequest) -> HttpResponse:
    """The mail address: another one, or a link again that proves it."""
    user = request.user
    form = MailForm(user, request.POST or None, initial={"email": user.email})
    if request.method == "POST" and holds_within_limit(request, form):
        site = request.build_absolute_uri("/").rstrip("/")
        if mail_proof.change_address(user, form.cleaned_data["email"], site=site):
            messages.success(
                request, f"Saved. A link that proves the address is on its way to {user.email}."
            )
        else:
            messages.success(request, "Saved.")
        return redirect("account")
    context = {"form": form, "can_mail": notices.can_mail()}
    return render(request, "people/mail.html", context)


@require_http_methods(["GET", "POST"])
def mail_proof_page(request: SignedInRequest, mail_token: str) -> HttpResponse:
    """The page of the link that was mailed; its button proves the address."""
    user = request.user
    is_good = mail_proof.is_link_of(user, mail_token)
    if is_good and request.method == "POST":
        try:
            mail_proof.prove(user, user.email)
            messages.success(request, f"{user.email} is proven.")
        except ValidationError as refused:
            messages.error(request, refused.messages[0])
        return redirect("account")
    return render(
        request, "people/mail_proof.html", {"is_good": is_good}, status=200 if is_good else 404
    )


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def password(request: SignedInRequest) -> HttpResponse:
    """Another password; the first one of somebody who joined without."""
    form_class = ChangePasswordForm if request.user.has_usable_password() else NewPasswordForm
    form = form_class(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        update_session_auth_hash(request, form.save())
        audit.record(Action.PASSWORD_CHANGED, request.user.username)
        messages.success(request, "Your password is changed; other devices are signed out.")
        return redirect("account")
    return render(request, "people/password.html", {"form": form})


@require_POST
def other_sessions(request: SignedInRequest) -> HttpResponse:
    """Sign this person out everywhere but here."""
    device_links.use_up(request.user)
    ended = sessions.end(request.user, but=request.session.session_key)
    audit.record(Action.SESSIONS_ENDED, f"{ended} of {request.user.username}")
    messages.success(request, f"Signed out on {ended} other devices.")
    return redirect("account")
