"""Pages that lead to the provider, and back from it; the link of one's own account."""

from __future__ import annotations

from allauth.account.utils import get_next_redirect_url
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from requests import RequestException

from people.access import SignedInRequest
from people.forms import PasswordProofForm
from people.models import User
from people.sso import provider_links
from people.sso.identity_token import CheckedIdentity
from people.sso.provider import redirect_to_provider, sign_in_refusal
from people.views.sign_in import holds_within_limit


@login_not_required
@never_cache
@require_POST
def to_provider(request: HttpRequest) -> HttpResponse:
    """A page that leads on by itself: our policy lets no form end on another host."""
    return _redirect_or_refuse(request, get_next_redirect_url(request))


def _redirect_or_refuse(
    request: HttpRequest, next_address: str | None, *, linking_user: User | None = None
) -> HttpResponse:
    try:
        answer = redirect_to_provider(request, next_address, linking_user=linking_user)
    except (RequestException, OAuth2Error) as error:
        return sign_in_refusal(request, error)
    address = answer.headers["Location"]
    if address.startswith("/"):  # what it says of itself does not hold: the sign-in page
        return answer
    context = {"address": address, "provider": settings.OIDC_NAME}
    return render(request, "people/to_provider.html", context)


@login_not_required
@never_cache
@require_GET
def from_provider(request: HttpRequest, provider_id: str) -> HttpResponse:
    """The address that is registered at the provider."""
    if provider_id != settings.OIDC_PROVIDER:
        raise Http404
    adapter = CheckedIdentity(request, provider_id)
    callback = OAuth2CallbackView.adapter_view(adapter)
    try:
        adapter.refuse_other_issuer(request)
        answer: HttpResponse = callback(request)
    except (RequestException, OAuth2Error) as error:
        return sign_in_refusal(request, error)
    return answer


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def provider_link(request: SignedInRequest) -> HttpResponse:
    """Show whether the account is linked to the provider; its form links it."""
    user = request.user
    form = PasswordProofForm(user, request.POST or None)
    if request.method == "POST" and not _refusal(user) and holds_within_limit(request, form):
        return _redirect_or_refuse(request, None, linking_user=user)
    return _link_page(request, form)


@never_cache
@sensitive_post_parameters()
@require_POST
def provider_unlinking(request: SignedInRequest) -> HttpResponse:
    user = request.user
    form = PasswordProofForm(user, request.POST)
    if _refusal(user) or not holds_within_limit(request, form):
        return _link_page(request, form)
    if provider_links.unlink(user, by=user, kept_key=request.session.session_key):
        messages.success(request, f"Your account is no longer linked to {settings.OIDC_NAME}.")
    return redirect("provider-link")


def _refusal(user: User) -> str:
    """Why a link of `user` can be neither made nor ended; empty where it can."""
    if user.has_usable_password():
        return ""
    return "Your account has no password, which linking and unlinking ask for."


def _link_page(request: SignedInRequest, form: PasswordProofForm) -> HttpResponse:
    context = {
        "form": form,
        "provider": settings.OIDC_NAME,
        "link": provider_links.user_links(request.user).first(),
        "refusal": _refusal(request.user),
    }
    return render(request, "people/provider_link.html", context)
