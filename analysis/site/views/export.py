"""The export page, and the files it gives."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.site import exports
from annotate.models import Campaign
from people import downloads
from people.access import SignedInRequest, study_for
from people.models import Role, Study
from series.models import Dataset

OF_CAMPAIGNS = {"ground-truth", "marks"}


@require_GET
def export(request: SignedInRequest, study: str) -> HttpResponse:
    """What, of which campaign or data set, with which columns; and its first lines."""
    here = study_for(request, study)
    asked = _asked(request, here)
    context = {
        "study": here,
        "titles": exports.TITLES,
        "campaigns": _campaigns(request, here),
        "datasets": here.datasets.all(),
        "asked": asked,
        "what": asked.what if asked else request.GET.get("what", "ground-truth"),
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


def _asked_or_404(request: SignedInRequest, study: str) -> exports.ExportQuery:
    asked = _asked(request, study_for(request, study))
    if asked is None:
        raise Http404("nothing of that name to export")
    return asked


def _asked(request: SignedInRequest, study: Study) -> exports.ExportQuery | None:
    """What the address asks for; without one, what comes first; None if there is nothing."""
    default = "detections" if "dataset" in request.GET else "ground-truth"
    what = request.GET.get("what", default)
    if what not in exports.TITLES:
        return None
    scope = _scope(request, study, what)
    if scope is None:
        return None
    latest = request.GET.get("revisions") == "latest"
    return exports.ExportQuery(what, scope, request.user, latest)


def _scope(request: SignedInRequest, study: Study, what: str) -> Campaign | Dataset | None:
    kind = "campaign" if what in OF_CAMPAIGNS else "dataset"
    there: QuerySet[Campaign] | QuerySet[Dataset] = (
        _campaigns(request, study) if kind == "campaign" else study.datasets.all()
    )
    slug = request.GET.get(kind)
    return there.filter(slug=slug).first() if slug else there.first()


def _campaigns(request: SignedInRequest, study: Study) -> QuerySet[Campaign]:
    """Campaigns that this person may see: drafts are for owners."""
    if study.role_of(request.user) == Role.OWNER:
        return study.campaigns.for_truth()
    return study.campaigns.for_truth().exclude(state=Campaign.State.DRAFT)
