"""Pages of the costs: methods, benchmarks of one method, files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.views.requested import compared_or_none, with_yardstick
from analysis.cost import exports
from analysis.cost.answer import cost_answer
from analysis.cost.pairs import pair_rows, segment_rows
from analysis.cost.query import JUDGED, MORE, CostQuery
from analysis.cost.sentences import cost_sentences, training_sentences
from analysis.cost.table import ComparisonCosts, comparison_costs
from analysis.references import yardsticks
from analysis.web.table_files import table_file, wanted_table
from people import downloads, query_settings
from people.access import SignedInRequest, study_for
from people.models import Role, Study

ROWS: Final = 50
AT_ONCE: Final = 0.6  # seconds of exact intervals in one answer, while a page asks for more


@require_GET
@never_cache
def cost(request: SignedInRequest, study: str) -> HttpResponse:
    """The page; asked again by itself while intervals are previews, only what changes."""
    found, context = _requested(request, study)
    context["may_run"] = context["study"].role_of(request.user) == Role.OWNER
    again = "HX-Request" in request.headers
    if found is None:
        return render(request, "analysis/cost/cost.html", context)
    if again:
        found.compute(AT_ONCE)
        context["swapped"] = True
    context["answer"] = cost_answer(found, context["query"])
    context["sentences"] = cost_sentences(found)
    context["knew"] = list(training_sentences(found))
    return render(request, f"analysis/cost/{'_figures' if again else 'cost'}.html", context)


@require_GET
@never_cache
def benchmarks(request: SignedInRequest, study: str) -> HttpResponse:
    """One method, benchmark by benchmark; without any method the page that says so."""
    of = {"of": query_settings.AddressSetting("method")}
    found, context = _requested(request, study, of)
    if found is None:
        return _first_page(context)
    method = request.GET.get("of", "") or found.methods[0]
    if method not in found.methods:
        raise Http404(f"no method {method!r} here; there are: {', '.join(found.methods)}")
    shown = Paginator(found.by_benchmark[method], ROWS).get_page(request.GET.get("page"))
    context |= {
        "page": shown,
        "rows": [(row, found.forks_of(method, row.group.places)) for row in shown],
        "look": found.compared.looks[method],
        "of": method,
        "paging": context["asked"].query(found.wanted, of=method),
    }
    return render(request, "analysis/cost/benchmarks.html", context)


@require_GET
@never_cache
def tables(request: SignedInRequest, study: str) -> HttpResponse:
    """The tables of the publication; without any method the page that says so."""
    found, context = _requested(request, study)
    if found is None:
        return _first_page(context)
    found.compute(AT_ONCE)
    context |= {"segments": list(segment_rows(found)), "pairs": list(pair_rows(found))}
    return render(request, "analysis/cost/tables.html", context)


@require_GET
def file(request: SignedInRequest, study: str) -> HttpResponse | StreamingHttpResponse:
    """One table as CSV or JSON. Intervals that nobody has waited for say that they are previews."""
    here = study_for(request, study)
    what = wanted_table(request, exports.FILES)
    compared = compared_or_none(request, here, _asked(request, here))
    found = comparison_costs(compared, CostQuery.of(request.GET))
    nothing = {"what": f"costs: {what}", "rows": []}
    document = partial(exports.cost_document, found, what) if found else lambda: nothing
    rows = exports.cost_rows(found, what) if found else ()
    name = downloads.named(here.slug, "costs", what)
    return table_file(request, name, exports.FILES[what], rows, document)


def _asked(request: SignedInRequest, study: Study) -> ComparisonQuery:
    """Costs are about the first steady iteration, whatever index a comparison shows."""
    asked = ComparisonQuery.of(request.GET).alone.changed(index="steady_start")
    return with_yardstick(study, asked)


def _requested(
    request: SignedInRequest, study: str, *more: Mapping[str, query_settings.AddressSetting]
) -> tuple[ComparisonCosts | None, dict[str, Any]]:
    """The costs that the address asks for, if there are any, and what all pages of them show.

    more  settings of the address that one page has beside those of all
    """
    here = study_for(request, study)
    settings = (ComparisonQuery.settings(), CostQuery.settings(), *more)
    query_settings.warn_unused_parameters(request, *settings)
    asked, wanted = _asked(request, here), CostQuery.of(request.GET)
    compared = compared_or_none(request, here, asked)
    found = comparison_costs(compared, wanted)
    further = [*wanted.controls(MORE), *wanted.controls(JUDGED)]
    return found, {
        "study": here,
        "asked": asked,
        "wanted": wanted,
        "compared": compared,
        "found": found,
        "yardsticks": yardsticks.yardsticks(here),
        "datasets": here.datasets.all(),
        "query": asked.query(wanted) or "?",
        "titles": exports.TITLES,
        "more_changed": asked.dataset or wanted.baseline or any(one.changed for one in further),
    }


def _first_page(context: Mapping[str, Any]) -> HttpResponse:
    query = context["asked"].query(context["wanted"])
    return redirect(reverse("cost", args=[context["study"].slug]) + query)
