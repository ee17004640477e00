"""Files of costs: what each method would take, and how far its results are off."""

from __future__ import annotations

from functools import partial
from typing import Final

from django.http import HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_GET

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.views.requested import compared_or_none, with_yardstick
from analysis.cost import exports
from analysis.cost.query import CostQuery
from analysis.cost.table import comparison_costs
from analysis.web.table_files import table_file, wanted_table
from people import downloads
from people.access import SignedInRequest, study_for
from people.models import Study

AT_ONCE: Final = 2.0  # seconds of exact intervals in one file
WITHOUT_INTERVALS: Final = {"forks", "segments"}


@require_GET
def cost_file(request: SignedInRequest, study: str) -> HttpResponse | StreamingHttpResponse:
    """One table as CSV or JSON; intervals that the time did not suffice for say so."""
    visible_study = study_for(request, study)
    table_name = wanted_table(request, exports.FILES)
    compared = compared_or_none(request, visible_study, _asked(request, visible_study))
    costs = comparison_costs(compared, CostQuery.from_query(request.GET))
    if costs and table_name not in WITHOUT_INTERVALS:
        costs.compute(AT_ONCE)
    nothing = {"what": f"costs: {table_name}", "rows": []}
    document = partial(exports.cost_document, costs, table_name) if costs else lambda: nothing
    rows = exports.cost_rows(costs, table_name) if costs else ()
    name = downloads.download_name(visible_study.slug, "costs", table_name)
    return table_file(request, name, exports.FILES[table_name], rows, document)


def _asked(request: SignedInRequest, study: Study) -> ComparisonQuery:
    """Costs are about the first steady iteration, whatever index a comparison shows."""
    query = ComparisonQuery.from_query(request.GET).alone.changed(index="steady_start")
    return with_yardstick(study, query)
