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
from people.models import Role, Study
from series.models import Dataset

FIRST = next(iter(exports.TITLES))


@require_GET
def export(request: SignedInRequest, study: str) -> HttpResponse:
    """What, of which campaign or data set, with which columns; and its first lines."""
    here = study_for(request, study)
    query_settings.warn_unused_parameters(request, ExportQuery.settings())
    asked = _asked(request, here)
    what = asked.what if asked else ExportQuery.of(request.GET).table or FIRST
    of_campaign = exports.TABLES[what].of is Campaign
    context = {
        "study": here,
        "may_archive": here.role_of(request.user) == Role.OWNER,
        "titles": exports.TITLES,
        "scope_name": "campaign" if of_campaign else "dataset",
        "scopes": truth_campaigns_for(request, here) if of_campaign else here.datasets.all(),
        "asked": asked,
        "what": what,
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
    """What the address asks for; without a table the first that has rows; None if there is none."""
    wanted = ExportQuery.of(request.GET)
    if request.GET.get("what", FIRST) not in exports.TITLES:
        return None
    for what in [wanted.table] if wanted.table else exports.TITLES:
        if scope := _scope(request, study, wanted, what):
            return exports.StudyExport(what, scope, request.user, wanted.latest)
    return None


def _scope(
    request: SignedInRequest, study: Study, wanted: ExportQuery, what: str
) -> Campaign | Dataset | None:
    """The campaign or data set that is named, else the first with rows; of a named table any."""
    there: QuerySet[Campaign] | QuerySet[Dataset] = study.datasets.all()
    slug = wanted.dataset
    if exports.TABLES[what].of is Campaign:
        there, slug = truth_campaigns_for(request, study), wanted.campaign
    if slug:
        return there.filter(slug=slug).first()
    found: Campaign | Dataset | None = exports.with_rows(what, there).first()
    return found or (there.first() if wanted.table else None)
