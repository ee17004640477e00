"""To the provider, and back from it."""

from __future__ import annotations

from allauth.account.utils import get_next_redirect_url
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from requests import RequestException

from people.sso.identity_token import CheckedIdentity
from people.sso.provider import not_signed_in, redirect_to_provider


@login_not_required
@never_cache
@require_POST
def to_provider(request: HttpRequest) -> HttpResponse:
    """A page that leads on by itself: our policy lets no form end on another host."""
    try:
        answer = redirect_to_provider(request, get_next_redirect_url(request))
    except RequestException as error:
        return not_signed_in(request, error)
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
    callback = OAuth2CallbackView.adapter_view(CheckedIdentity(request, provider_id))
    try:
        answer: HttpResponse = callback(request)
    except RequestException as error:
        return not_signed_in(request, error)
    return answer
