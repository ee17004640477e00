"""Tables of a study as files: of a campaign or of a data set."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404, StreamingHttpResponse
from django.views.decorators.http import require_GET

from analysis.site import exports
from analysis.site.query import ExportQuery
from annotate.access import truth_campaigns_for
from annotate.models import Campaign
from people import downloads
from people.access import SignedInRequest, study_for
from people.models import Study
from series.models import Dataset

FIRST = next(iter(exports.TITLES))


@require_GET
def export_file(request: SignedInRequest, study: str) -> StreamingHttpResponse:
    """The table that the address names, as CSV."""
    wanted_export = _asked(request, study_for(request, study))
    if wanted_export is None:
        raise Http404("nothing of that name to export")
    return downloads.csv(exports.export_pieces(wanted_export), wanted_export.file_name)


def _asked(request: SignedInRequest, study: Study) -> exports.StudyExport | None:
    """Export that the address asks for, by default of the first table with rows; None without
    rows.
    """
    export_query = ExportQuery.from_query(request.GET)
    if request.GET.get("what", FIRST) not in exports.TITLES:
        return None
    for table_name in [export_query.table] if export_query.table else exports.TITLES:
        if scope := _scope(request, study, export_query, table_name):
            return exports.StudyExport(table_name, scope, request.user, export_query.latest)
    return None


def _scope(
    request: SignedInRequest, study: Study, export_query: ExportQuery, table_name: str
) -> Campaign | Dataset | None:
    """The campaign or data set that is named, else the first with rows; of a named table any."""
    scopes: QuerySet[Campaign] | QuerySet[Dataset] = study.datasets.all()
    slug = export_query.dataset
    if exports.TABLES[table_name].of is Campaign:
        scopes, slug = truth_campaigns_for(request, study), export_query.campaign
    if slug:
        return scopes.filter(slug=slug).first()
    first_with_rows: Campaign | Dataset | None = exports.with_rows(table_name, scopes).first()
    return first_with_rows or (scopes.first() if export_query.table else None)
