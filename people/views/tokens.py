"""Tokens of a study, for programs. Owners only."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from people import tokens as services
from people.access import SignedInRequest, owned_study_for
from people.forms import TokenForm
from people.models import Study
from people.undo import state_before, success_with_undo
from people.views.members import people_page


@never_cache
@require_http_methods(["GET", "POST"])
def tokens(request: SignedInRequest, study: str) -> HttpResponse:
    """The tokens that there are; a POST makes one, whose text is on this one answer only."""
    owned = owned_study_for(request, study)
    form = TokenForm(request.POST or None)
    if request.method == "GET" or not form.is_valid():
        return _page(request, owned, form, status=422 if form.errors else 200)
    made, text = services.make_token(
        owned,
        by=request.user,
        name=form.cleaned_data["name"],
        scopes=form.cleaned_data["scopes"],
        days=form.cleaned_data["days"] or None,
    )
    return _page(request, owned, TokenForm(), made=made.name, text=text)


def _page(
    request: SignedInRequest, study: Study, form: TokenForm, *, status: int = 200, **more: str
) -> HttpResponse:
    now = timezone.now()
    found = study.tokens.select_related("by")
    rows = [(each, each.state(now), services.requests_lately(each)) for each in found]
    address = request.build_absolute_uri("/").rstrip("/")
    context = {"form": form, "tokens": rows, "address": address}
    context |= {"limit": services.REQUESTS_A_MINUTE, **more}
    fold = ("tokens", "people/_tokens.html", context)
    return people_page(request, study, fold=fold, status=status)


@require_POST
def revoke(request: SignedInRequest, study: str, api_token: str) -> HttpResponse:
    """Let no program use a token any more, or undo that."""
    owned = owned_study_for(request, study)
    found = get_object_or_404(owned.tokens, public_id=api_token)
    if state_before(request) is not None:
        services.reinstate(found)
        messages.success(request, f"“{found.name}” works again.")
    elif services.revoke(found):
        sentence = f"“{found.name}” is revoked: no program can use it any more."
        success_with_undo(request, sentence, request.path, before={})
    else:
        messages.info(request, f"“{found.name}” was revoked already.")
    return redirect("tokens", owned.slug)
