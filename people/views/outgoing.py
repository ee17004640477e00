"""The log of a study's mails and webhook calls, for its owners: what was sent, and what was not."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_POST

from people import notices, outbox
from people.access import SignedInRequest, owned_study_for
from people.models import OutgoingNotice
from people.views.members import people_page

A_PAGE = 50


@require_GET
def outgoing_notices(request: SignedInRequest, study: str) -> HttpResponse:
    owned_study = owned_study_for(request, study)
    shown_notices = OutgoingNotice.objects.shown_in(owned_study)
    rows = Paginator(shown_notices, A_PAGE)
    context = {"page": rows.get_page(request.GET.get("page")), "is_on": notices.is_on()}
    return people_page(request, owned_study, fold=("notices", "people/_notices.html", context))


@require_POST
def send_again_page(request: SignedInRequest, study: str, notice: str) -> HttpResponse:
    """Try one that was given up once more, from the beginning."""
    owned_study = owned_study_for(request, study)
    outgoing_notice = get_object_or_404(
        OutgoingNotice.objects.shown_in(owned_study), public_id=notice
    )
    if outbox.send_again(outgoing_notice):
        messages.success(request, "A worker sends it within a minute.")
    return redirect("notices", study=study)
