"""Accounts of the installation: a list, and the switch of each. Staff only."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from people import accounts as services, query_settings
from people.access import SignedInRequest, refuse_unless_staff
from people.models import User
from people.undo import success_with_undo

A_PAGE = 100


@require_GET
def accounts(request: SignedInRequest) -> HttpResponse:
    refuse_unless_staff(request)
    query_settings.warn_unused_parameters(request, services.AccountQuery.settings())
    query = services.AccountQuery.from_query(request.GET)
    page = Paginator(query.accounts(), A_PAGE).get_page(request.GET.get("page"))
    return render(request, "people/accounts.html", {"query": query, "page": page})


@require_POST
def disable(request: SignedInRequest, username: str) -> HttpResponse:
    sentence = "{} cannot sign in any more; their sessions and tokens have ended."
    return _do(request, username, services.disable, sentence, "account-enabling")


@require_POST
def enable(request: SignedInRequest, username: str) -> HttpResponse:
    sentence = "{} can sign in again. Tokens stay revoked: new ones can be made."
    return _do(request, username, services.enable, sentence, "account-disabling")


def _do(
    request: SignedInRequest,
    username: str,
    change_account: Callable[..., None],
    sentence: str,
    undo_route: str,
) -> HttpResponse:
    refuse_unless_staff(request)
    user = get_object_or_404(User, username=username, simulated=False)
    try:
        change_account(user, by=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        success_with_undo(request, sentence.format(user), reverse(undo_route, args=[username]))
    return redirect("accounts")
