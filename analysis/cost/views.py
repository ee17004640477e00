"""Pages of the costs: methods, benchmarks of one method, files."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult
from analysis.comparison.views.requested import compared_or_none
from analysis.cost import exports
from analysis.cost.answer import cost_answer
from analysis.cost.pairs import pair_rows, segment_rows
from analysis.cost.query import CostQuery
from analysis.cost.sentences import cost_sentences, training_sentences
from analysis.cost.table import ComparisonCosts, comparison_costs
from analysis.references import yardsticks
from analysis.references.yardsticks import Yardstick
from analysis.web.table_files import table_file, wanted_table
from people import downloads, query_settings
from people.access import SignedInRequest, study_for
from people.models import Role, Study

ROWS: Final = 50
ADDRESS: Final = (ComparisonQuery.settings(), CostQuery.settings())
AT_ONCE: Final = 0.6  # seconds of exact intervals in one answer, while a page asks for more


@require_GET
@never_cache
def cost(request: SignedInRequest, study: str) -> HttpResponse:
    """The page; asked again by itself while intervals are previews, only what changes."""
    here = study_for(request, study)
    query_settings.warn_unused_parameters(request, *ADDRESS)
    asked, wanted = _asked(request, here), CostQuery.of(request.GET)
    compared = compared_or_none(request, here, asked)
    found = comparison_costs(compared, wanted)
    context = _frame(here, asked, wanted, compared, found)
    context["may_run"] = here.role_of(request.user) == Role.OWNER
    if found is not None:
        if request.headers.get("HX-Request"):
            found.compute(AT_ONCE)
            context["swapped"] = True
        context["answer"] = cost_answer(found, context["query"])
        context["sentences"] = cost_sentences(found)
        context["knew"] = list(training_sentences(found))
    fragment = found is not None and request.headers.get("HX-Request")
    template = "_figures.html" if fragment else "cost.html"
    return render(request, f"analysis/cost/{template}", context)


@require_GET
@never_cache
def benchmarks(request: SignedInRequest, study: str) -> HttpResponse:
    """One method, benchmark by benchmark; without any method the page that says so."""
    here = study_for(request, study)
    query_settings.warn_unused_parameters(
        request, *ADDRESS, {"of": query_settings.AddressSetting("method")}
    )
    asked, wanted = _asked(request, here), CostQuery.of(request.GET)
    compared = compared_or_none(request, here, asked)
    found = comparison_costs(compared, wanted)
    if found is None:
        return redirect(reverse("cost", args=[here.slug]) + asked.query(wanted))
    method = request.GET.get("of", "") or found.methods[0]
    if method not in found.methods:
        raise Http404(f"no method {method!r} here; there are: {', '.join(found.methods)}")
    shown = Paginator(found.by_benchmark[method], ROWS).get_page(request.GET.get("page"))
    context = _frame(here, asked, wanted, compared, found) | {
        "page": shown,
        "rows": [(row, found.forks_of(method, row.group.places)) for row in shown],
        "look": found.compared.looks[method],
        "of": method,
        "paging": asked.query(wanted, of=method),
    }
    return render(request, "analysis/cost/benchmarks.html", context)


@require_GET
@never_cache
def tables(request: SignedInRequest, study: str) -> HttpResponse:
    """The tables of the publication; without any method the page that says so."""
    here = study_for(request, study)
    query_settings.warn_unused_parameters(request, *ADDRESS)
    asked, wanted = _asked(request, here), CostQuery.of(request.GET)
    compared = compared_or_none(request, here, asked)
    found = comparison_costs(compared, wanted)
    if found is None:
        return redirect(reverse("cost", args=[here.slug]) + asked.query(wanted))
    found.compute(AT_ONCE)
    context = _frame(here, asked, wanted, compared, found) | {
        "segments": list(segment_rows(found)),
        "pairs": list(pair_rows(found)),
    }
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
    """Costs are about the first steady iteration, whatever index a comparison shows.

    A data set without a word on the yardstick is held against the first that knows its series.
    """
    asked = ComparisonQuery.of(request.GET).alone.changed(index="steady_start")
    if asked.yardstick or not asked.dataset:
        return asked
    there = (each for each in yardsticks.yardsticks(study) if _covers(each, asked))
    first = next(there, None)
    return asked.changed(yardstick=first.code) if first else asked


def _covers(yardstick: Yardstick, asked: ComparisonQuery) -> bool:
    return asked.narrow(yardstick.series()).exists()


def _frame(
    study: Study,
    asked: ComparisonQuery,
    wanted: CostQuery,
    compared: ComparisonResult | None,
    found: ComparisonCosts | None,
) -> dict[str, Any]:
    return {
        "study": study,
        "asked": asked,
        "wanted": wanted,
        "compared": compared,
        "found": found,
        "yardsticks": yardsticks.yardsticks(study),
        "datasets": study.datasets.all(),
        "kept": asked.kept("y", "d"),
        "query": asked.query(wanted) or "?",
        "titles": exports.TITLES,
    }
