"""The audit log: of a study for its owners, of everything for staff; as a page and as a file."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from people import audit, downloads, query_settings
from people.access import SignedInRequest, owned_study_for, refuse_unless_staff
from people.models import AuditEvent, Study
from people.models.audit_event import AuditEventQuerySet
from people.views.members import people_page

A_PAGE = 100


@require_GET
def audit_log(request: SignedInRequest, study: str = "") -> HttpResponse:
    owned_study = _study(request, study)
    query_settings.warn_unused_parameters(request, audit.AuditQuery.settings())
    query = audit.AuditQuery.from_query(request.GET)
    page = Paginator(query.of_events(_events(owned_study)), A_PAGE).get_page(
        request.GET.get("page")
    )
    context: dict[str, object] = {
        "study": owned_study,
        "query": query,
        "page": page,
        "days": audit.kept_days(),
        "file": (
            reverse("study-audit-file", args=[owned_study.slug])
            if owned_study
            else reverse("audit-file")
        )
        + query.query(),
    }
    if owned_study:
        return people_page(request, owned_study, fold=("audit", "people/_audit.html", context))
    return render(request, "people/audit.html", context)


@require_GET
def audit_file(request: SignedInRequest, study: str = "") -> StreamingHttpResponse:
    """Every line that the page's address asks for."""
    owned_study = _study(request, study)
    events = audit.AuditQuery.from_query(request.GET).of_events(_events(owned_study))
    name_parts = (owned_study.slug,) if owned_study else ()
    return downloads.csv(audit.csv(events), f"{downloads.download_name(*name_parts, 'audit')}.csv")


def _study(request: SignedInRequest, slug: str) -> Study | None:
    """The study of the address, for its owners; None on the address of all, for staff."""
    if slug:
        return owned_study_for(request, slug)
    refuse_unless_staff(request)
    return None


def _events(study: Study | None) -> AuditEventQuerySet:
    return AuditEvent.objects.filter(study=study) if study else AuditEvent.objects.all()
