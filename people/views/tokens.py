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
from people.undo import MOMENT, success_with_undo, undone_moment, undone_state
from people.views.members import people_page


@never_cache
@require_http_methods(["GET", "POST"])
def tokens(request: SignedInRequest, study: str) -> HttpResponse:
    """The tokens that there are; a POST makes one, whose text is on this one answer only."""
    owned_study = owned_study_for(request, study)
    form = TokenForm(request.POST or None)
    if request.method == "GET" or not form.is_valid():
        return _page(request, owned_study, form, status=422 if form.errors else 200)
    token, secret = services.make_token(
        owned_study,
        by=request.user,
        name=form.cleaned_data["name"],
        scopes=form.cleaned_data["scopes"],
        days=form.cleaned_data["days"] or None,
    )
    return _page(request, owned_study, TokenForm(), token_name=token.name, text=secret)


def _page(
    request: SignedInRequest, study: Study, form: TokenForm, *, status: int = 200, **more: str
) -> HttpResponse:
    current_time = timezone.now()
    study_tokens = study.tokens.select_related("by")
    rows = [
        (token, token.state(current_time), services.recent_request_count(token))
        for token in study_tokens
    ]
    address = request.build_absolute_uri("/").rstrip("/")
    context = {"form": form, "tokens": rows, "address": address}
    context |= {"limit": services.REQUESTS_A_MINUTE, **more}
    fold = ("tokens", "people/_tokens.html", context)
    return people_page(request, study, fold=fold, status=status)


@require_POST
def revoke_token_page(request: SignedInRequest, study: str, api_token: str) -> HttpResponse:
    """Let no program use a token any more, or undo that."""
    owned_study = owned_study_for(request, study)
    token = get_object_or_404(owned_study.tokens, public_id=api_token)
    state = undone_state(request)
    if state is None:
        if moment := services.revoke_token(token):
            sentence = f"“{token.name}” is revoked: no program can use it any more."
            success_with_undo(request, sentence, request.path, before={MOMENT: moment.isoformat()})
        else:
            messages.info(request, f"“{token.name}” was revoked already.")
    elif (moment := undone_moment(state)) and services.reinstate_token(token, revoked_at=moment):
        messages.success(request, f"“{token.name}” works again.")
    else:
        messages.error(request, "Nothing changed: this revocation was undone before.")
    return redirect("tokens", owned_study.slug)
