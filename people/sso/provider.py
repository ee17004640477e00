"""Sign-in of who comes from the provider (OpenID Connect), and which account is theirs.

An identity is linked to an account once, with its password, and found by the provider's own name of
it (`sub`) from then on. No account is made but by an invitation.
"""

from __future__ import annotations

import logging
import secrets
from typing import NoReturn
from urllib.parse import urlencode, urlsplit

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, get_adapter
from allauth.socialaccount.models import SocialLogin
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import Resolver404, resolve
from django.utils import timezone

from people import audit, mail_proof, services
from people.mail_address import address_key
from people.models import Invitation, User
from people.models.invitation import digest_of_token
from people.slugs import free_slug
from people.sso import provider_links
from people.sso.identity_token import CheckedIdentity, IdentityClaims

log = logging.getLogger(__name__)
LONGEST_NAME = 150  # of Django's first name


def redirect_to_provider(
    request: HttpRequest, next_address: str | None, *, linking_user: User | None = None
) -> HttpResponse:
    """Lead to the provider's page. `linking_user`: who is signed in, and wants to be linked."""
    provider = get_adapter().get_provider(request, provider=settings.OIDC_PROVIDER)
    provider.oauth2_adapter_class = CheckedIdentity
    nonce = secrets.token_urlsafe()  # comes back in the identity token
    auth_params = {**provider.get_auth_params(), "nonce": nonce}
    answer: HttpResponse = provider.redirect(
        request,
        process="login",
        next_url=next_address,
        auth_params=auth_params,
        nonce=nonce,
        linking=linking_user.pk if linking_user else None,
    )
    return answer


def sign_in_refusal(request: HttpRequest, error: object) -> HttpResponse:
    """Back to the sign-in page: the provider refused, is not there, or says what does not hold."""
    log.warning("%s signed nobody in: %s", settings.OIDC_NAME, error)
    audit.record(audit.Action.SIGN_IN_REFUSED, f"by {settings.OIDC_NAME}")
    messages.error(
        request, f"{settings.OIDC_NAME} did not sign you in. Try again, or use your password."
    )
    return redirect(settings.LOGIN_URL)


class ProviderAdapter(DefaultSocialAccountAdapter):
    """Lets in whom an account is found for; all others see a sentence on the sign-in page."""

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        claims: IdentityClaims = sociallogin.claims
        linking_user = sociallogin.state.get("linking")
        try:
            _check_nonce(claims, sociallogin.state.get("nonce"))
            if linking_user is not None:
                _link_signed_in_user(request, linking_user, claims)
            elif sociallogin.is_existing:
                request.session.pop(provider_links.WAITING, None)
                if claims.has_verified_email and not sociallogin.user.has_proven_email:
                    provider_links.note_verified_address(sociallogin.user, claims.email)
            else:
                _find_account(request, sociallogin, claims)
        except ValidationError as error:
            sentence = error.messages[0]
            audit.record(audit.Action.SIGN_IN_REFUSED, f"by {settings.OIDC_NAME}: {sentence}")
            messages.error(request, sentence)
            raise ImmediateHttpResponse(redirect(settings.LOGIN_URL)) from error

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: object,
        error: object = None,
        exception: object = None,
        extra_context: object = None,
    ) -> None:
        raise ImmediateHttpResponse(sign_in_refusal(request, exception or error))


def _check_nonce(claims: IdentityClaims, nonce: str | None) -> None:
    """ValidationError unless the identity token was made for this very sign-in."""
    if not nonce or claims.nonce != nonce:
        raise ValidationError(f"{settings.OIDC_NAME} gave an answer to another sign-in. Try again.")


def _link_signed_in_user(request: HttpRequest, user_pk: int, claims: IdentityClaims) -> None:
    """Link the identity to who is signed in, and has just given the password; back to the page."""
    user = request.user
    if not isinstance(user, User) or user.pk != user_pk:
        raise ValidationError("You were signed out meanwhile. Sign in, and link the account again.")
    address = claims.email if claims.has_verified_email else ""
    try:
        provider_links.link_identity(user, claims.sub, address=address)
        messages.success(request, f"Your account is linked to {settings.OIDC_NAME}.")
    except ValidationError as error:
        messages.error(request, error.messages[0])
    raise ImmediateHttpResponse(redirect("provider-link"))


def _find_account(request: HttpRequest, sociallogin: SocialLogin, claims: IdentityClaims) -> None:
    """Ask for the password of the account with the address, or make one for an invitation."""
    address = _verified_address(claims)
    user = mail_proof.find_proven_account(address)
    next_address = sociallogin.state.get("next") or ""
    if user:
        _ask_for_password(request, user, claims, next_address)
    invitation = _invitation(next_address)
    if invitation is None:
        raise ValidationError(
            f"No account here has proven the mail address {address}, and signing in makes none. "
            f"If you have an account, sign in with its password and link it to "
            f"{settings.OIDC_NAME} under Account. If not, ask an owner of a study for an "
            "invitation, and sign in on its page."
        )
    sociallogin.user, sociallogin.state["next"] = _invited_account(claims, invitation)


def _ask_for_password(
    request: HttpRequest, user: User, claims: IdentityClaims, next_address: str
) -> NoReturn:
    provider_links.refuse_second_identity(user)
    if request.user.is_authenticated:
        raise ValidationError(
            f"The account {user.username} is not linked to {settings.OIDC_NAME}. Sign out first, "
            "or link the account that you are signed in with under Account."
        )
    if not user.is_active:
        raise ValidationError("This account is closed.")
    if not user.has_usable_password():
        raise ValidationError(
            f"The account {user.username} has this mail address and no password to link it with. "
            "Ask whoever runs this installation."
        )
    provider_links.wait_for_password(request, user, claims.sub, claims.email)
    messages.info(
        request,
        f"The account {user.username} has your mail address. Sign in with its password once, "
        f"and it is linked to {settings.OIDC_NAME}.",
    )
    query = f"?{urlencode({'next': next_address})}" if next_address else ""
    raise ImmediateHttpResponse(redirect(resolve_url(settings.LOGIN_URL) + query))


@transaction.atomic
def _invited_account(claims: IdentityClaims, invitation: Invitation) -> tuple[User, str]:
    """A new account with the role of the invitation; where it goes on."""
    user = _create_account(claims)
    next_address = services.accept(invitation, by=user)
    provider_links.link_identity(user, claims.sub, address=claims.email)
    return user, next_address


def _verified_address(claims: IdentityClaims) -> str:
    """The address that the provider calls verified; ValidationError for none that can be told."""
    if not claims.email or not claims.has_verified_email:
        raise ValidationError(
            f"{settings.OIDC_NAME} does not say that a mail address of yours is verified, by which "
            "your account would be found. Have it verified there."
        )
    if not address_key(claims.email):
        raise ValidationError(
            f"{settings.OIDC_NAME} names a mail address with letters that can be taken for others. "
            "No account is found by it."
        )
    return claims.email


def _invitation(next_address: str) -> Invitation | None:
    """The open invitation on whose page they came to sign in."""
    try:
        match = resolve(urlsplit(next_address).path)
    except Resolver404:
        return None
    token = match.kwargs.get("token", "") if match.url_name == "join" else ""
    return (
        Invitation.objects.open(timezone.now()).filter(token_digest=digest_of_token(token)).first()
    )


def _create_account(claims: IdentityClaims) -> User:
    """A new account without a password, whose name is the provider's, or of the mail address."""
    wished_name = (claims.username or claims.email).partition("@")[0].replace(".", "-")
    usernames = {name.lower() for name in User.objects.values_list("username", flat=True)}
    user = User(
        username=free_slug(wished_name, used_slugs=usernames, fallback="person"), email=claims.email
    )
    user.first_name = claims.name[:LONGEST_NAME]
    user.set_unusable_password()
    user.save()
    return services.made_account(user)
