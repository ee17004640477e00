"""Who comes from the provider (OpenID Connect), and which account is theirs.

An identity is linked to an account once, and found by the provider's own name of it (`sub`) from
then on. No account is made but by an invitation.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, get_adapter
from allauth.socialaccount.models import SocialLogin
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve
from django.utils import timezone

from people import audit, services
from people.models import Invitation, User
from people.models.invitation import digest_of
from people.slugs import free_slug

log = logging.getLogger(__name__)
LONGEST_NAME = 150  # of Django's first name


def redirect_to_provider(request: HttpRequest, onward: str | None) -> HttpResponse:
    """To the provider's page."""
    provider = get_adapter().get_provider(request, provider=settings.OIDC_PROVIDER)
    nonce = secrets.token_urlsafe()  # comes back in the identity token
    asked = {**provider.get_auth_params(), "nonce": nonce}
    answer: HttpResponse = provider.redirect(
        request, process="login", next_url=onward, auth_params=asked, nonce=nonce
    )
    return answer


def not_signed_in(request: HttpRequest, error: object) -> HttpResponse:
    """Back to the sign-in page: the provider refused, is not there, or says what does not hold."""
    log.warning("%s signed nobody in: %s", settings.OIDC_NAME, error)
    audit.record(audit.Action.SIGN_IN_REFUSED, f"by {settings.OIDC_NAME}")
    messages.error(
        request,
        f"{settings.OIDC_NAME} did not sign you in. Try again, or use your password.",
    )
    return redirect(settings.LOGIN_URL)


class ProviderAdapter(DefaultSocialAccountAdapter):
    """Lets in whom an account is found for; all others see a sentence on the sign-in page."""

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        try:
            _refuse_contradiction(sociallogin.account.extra_data, sociallogin.state.get("nonce"))
            if not sociallogin.is_existing:
                _link(request, sociallogin)
        except ValidationError as refused:
            _refuse(request, refused.messages[0])

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: object,
        error: object = None,
        exception: object = None,
        extra_context: object = None,
    ) -> None:
        raise ImmediateHttpResponse(not_signed_in(request, exception or error))


def _refuse(request: HttpRequest, sentence: str) -> None:
    audit.record(audit.Action.SIGN_IN_REFUSED, f"by {settings.OIDC_NAME}: {sentence}")
    messages.error(request, sentence)
    raise ImmediateHttpResponse(redirect(settings.LOGIN_URL))


def _refuse_contradiction(said: Mapping[str, Any], nonce: str | None) -> None:
    """Both answers are there, of the issuer of the settings, of this sign-in, about one person."""
    token, info = said.get("id_token") or {}, said.get("userinfo") or {}
    issuer = str(token.get("iss", "")).rstrip("/")
    of_this = nonce is not None and token.get("nonce") == nonce
    if (
        not of_this
        or issuer != settings.OIDC_ISSUER
        or not token.get("sub")
        or token["sub"] != info.get("sub")
    ):
        raise ValidationError(
            f"{settings.OIDC_NAME} gave two answers that do not belong together. Try again. "
            "Whoever runs this installation finds the settings under PLATEAU_OIDC_ISSUER."
        )


@transaction.atomic
def _link(request: HttpRequest, sociallogin: SocialLogin) -> None:
    """Link the identity to the account that is theirs; ValidationError where there is none."""
    claims = sociallogin.account.extra_data["userinfo"]
    mail = _verified_mail(claims)
    invitation = _invitation(sociallogin.state.get("next") or "")
    user = _account_of(mail)
    if user is None and invitation:
        user = _made(claims, mail)
        sociallogin.state["next"] = services.accept(invitation, by=user)
    if user is None:
        raise ValidationError(
            f"No account here has the mail address {mail}, and signing in makes none. Ask an owner "
            "of a study for an invitation, and sign in on its page."
        )
    sociallogin.user = user
    sociallogin.save(request, connect=True)
    audit.record(audit.Action.PROVIDER_LINKED, f"{user.username} to {settings.OIDC_NAME}", by=user)


def _verified_mail(claims: Mapping[str, Any]) -> str:
    mail = claims.get("email")
    if isinstance(mail, str) and mail and claims.get("email_verified") is True:
        return mail
    raise ValidationError(
        f"{settings.OIDC_NAME} does not say that a mail address of yours is verified, by which "
        "your account would be found. Have it verified there."
    )


def _account_of(mail: str) -> User | None:
    """The one account with the mail address; ValidationError for several."""
    found = list(User.objects.filter(email__iexact=mail, simulated=False)[:2])
    if len(found) > 1:
        raise ValidationError(
            f"Several accounts have the mail address {mail}. Sign in with your password, and "
            "change the address of the others, or ask whoever runs this installation."
        )
    return found[0] if found else None


def _invitation(onward: str) -> Invitation | None:
    """The open invitation on whose page they came to sign in."""
    try:
        found = resolve(urlsplit(onward).path)
    except Resolver404:
        return None
    token = found.kwargs.get("token", "") if found.url_name == "join" else ""
    return Invitation.objects.open(timezone.now()).filter(token_digest=digest_of(token)).first()


def _made(claims: Mapping[str, Any], mail: str) -> User:
    """A new account without a password, whose name is the provider's, or of the mail address."""
    wished = str(claims.get("preferred_username") or mail).partition("@")[0].replace(".", "-")
    taken = {each.lower() for each in User.objects.values_list("username", flat=True)}
    user = User(username=free_slug(wished, taken=taken, otherwise="person"), email=mail)
    user.first_name = str(claims.get("name") or "")[:LONGEST_NAME]
    user.set_unusable_password()
    user.save()
    return services.made_account(user)
