"""A person's own account: name, mail address, password, other sessions."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from people import audit, device_links, mail_proof, notices, sessions
from people.access import SignedInRequest
from people.audit import Action
from people.forms import AccountForm, ChangePasswordForm, MailForm, NewPasswordForm
from people.models import User
from people.views.sign_in import holds_within_limit


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
        except ValidationError as error:
            messages.error(request, error.messages[0])
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
    device_links.use_links_up(request.user)
    session_count = sessions.end(request.user, but=request.session.session_key)
    audit.record(Action.SESSIONS_ENDED, f"{session_count} of {request.user.username}")
    messages.success(request, f"Signed out on {session_count} other devices.")
    return redirect("account")
