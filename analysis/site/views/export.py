"""The export page, and the files it gives."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.site import exports
from analysis.site.query import ExportQuery
from annotate.access import truth_campaigns_for
from annotate.models import Campaign
from people import downloads, query_settings
from people.access import SignedInRequest, study_for
from people.models import Study
from series.models import Dataset

OF_CAMPAIGNS = {"ground-truth", "marks"}


@require_GET
def export(request: SignedInRequest, study: str) -> HttpResponse:
    """What, of which campaign or data set, with which columns; and its first lines."""
    here = study_for(request, study)
    query_settings.warn_unused_parameters(request, ExportQuery.settings())
    asked = _asked(request, here)
    context = {
        "study": here,
        "titles": exports.TITLES,
        "campaigns": truth_campaigns_for(request, here),
        "datasets": here.datasets.all(),
        "asked": asked,
        "what": asked.what if asked else ExportQuery.of(request.GET).table,
        "preview": exports.preview(asked) if asked else [],
        "columns": exports.export_columns(asked.what) if asked else [],
    }
    return render(request, "analysis/site/export.html", context)


@require_GET
def file(request: SignedInRequest, study: str) -> StreamingHttpResponse:
    asked = _asked_or_404(request, study)
    return downloads.csv(exports.export_pieces(asked), asked.file_name)


@require_GET
def about(request: SignedInRequest, study: str) -> JsonResponse:
    asked = _asked_or_404(request, study)
    response = JsonResponse(exports.export_about(asked), json_dumps_params={"indent": 2})
    downloads.attach(response, f"{asked.file_name}.about.json")
    return response


def _asked_or_404(request: SignedInRequest, study: str) -> exports.StudyExport:
    asked = _asked(request, study_for(request, study))
    if asked is None:
        raise Http404("nothing of that name to export")
    return asked


def _asked(request: SignedInRequest, study: Study) -> exports.StudyExport | None:
    """What the address asks for; without one, what comes first; None if there is nothing."""
    wanted = ExportQuery.of(request.GET)
    there: QuerySet[Campaign] | QuerySet[Dataset] = study.datasets.all()
    slug = wanted.dataset
    if wanted.table in OF_CAMPAIGNS:
        there, slug = truth_campaigns_for(request, study), wanted.campaign
    scope = (there.filter(slug=slug) if slug else there).first()
    if scope is None or request.GET.get("what", wanted.table) not in exports.TITLES:
        return None
    return exports.StudyExport(wanted.table, scope, request.user, wanted.latest)
