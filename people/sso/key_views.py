"""Pages of security keys: one is added, renamed, removed."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from people.access import SignedInRequest
from people.models import User
from people.sso import second_factor, security_keys
from people.sso.forms import KeyNameForm, NewKeyForm
from people.sso.security_keys import SecurityKey
from people.sso.views import set_up_page
from people.views.sign_in import holds_within_limit


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def new_key(request: SignedInRequest) -> HttpResponse:
    form = NewKeyForm(request.user, request.POST or None)
    if request.method == "POST" and holds_within_limit(request, form):
        name = form.cleaned_data["name"]
        security_keys.add(request.user, name, form.cleaned_data["credential"])
        codes = second_factor.first_codes(request.user)
        return set_up_page(request, codes, f"The key “{name}” is added.")
    context = {"form": form, "options": security_keys.creation_options(request.user)}
    return render(request, "people/security_key_new.html", context)


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def key_page(request: SignedInRequest, slug: str) -> HttpResponse:
    """Another name for a key."""
    key = _key(request.user, slug)
    form = KeyNameForm(request.user, request.POST or None, initial={"name": key.name})
    if request.method == "POST" and holds_within_limit(request, form):
        security_keys.rename_security_key(request.user, key, form.cleaned_data["name"])
        messages.success(request, "The key is renamed.")
        return redirect("second-factor")
    return _key_page(request, key, form)


@sensitive_post_parameters()
@require_POST
def key_removal(request: SignedInRequest, slug: str) -> HttpResponse:
    key = _key(request.user, slug)
    form = KeyNameForm(request.user, request.POST)
    if not holds_within_limit(request, form):
        return _key_page(request, key, form)
    security_keys.remove_security_key(request.user, key)
    second_factor.end_without_factor(request.user)
    messages.success(request, f"The key “{key.name}” is removed.")
    return redirect("second-factor")


def _key(user: User, slug: str) -> SecurityKey:
    """The key of that name in the address; 404 for those of others."""
    for key in security_keys.list_keys(user):
        if key.slug == slug:
            return key
    raise Http404


def _key_page(request: SignedInRequest, key: SecurityKey, form: KeyNameForm) -> HttpResponse:
    return render(request, "people/security_key.html", {"form": form, "key": key})
