"""The comparison that a request asks for, or 404 with the sentence that says what there is."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from django.http import Http404

from analysis.comparison.drilldown import UnknownCell
from analysis.comparison.inputs import UnknownMethod
from analysis.comparison.method_sets import MethodSets
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult, compare_stored
from analysis.references.yardsticks import UnknownYardstick, yardsticks
from people.access import SignedInRequest
from people.models import Study

P = ParamSpec("P")
Found = TypeVar("Found")


def known_or_404(find: Callable[P, Found], *args: P.args, **options: P.kwargs) -> Found:
    """Return the result of `find`; 404 for a figure, method or row that is not there."""
    try:
        return find(*args, **options)
    except (UnknownCell, UnknownYardstick, UnknownMethod, KeyError) as unknown:
        raise Http404(str(unknown)) from unknown


def with_yardstick(study: Study, query: ComparisonQuery) -> ComparisonQuery:
    """A data set without a word on the yardstick is held against the first that has its series."""
    if query.yardstick or not query.dataset:
        return query
    covering_yardsticks = (
        yardstick for yardstick in yardsticks(study) if query.narrow(yardstick.series()).exists()
    )
    first_yardstick = next(covering_yardsticks, None)
    return query.changed(yardstick=first_yardstick.code) if first_yardstick else query


def comparison_or_none(
    request: SignedInRequest, study: Study, query: ComparisonQuery
) -> ComparisonResult | None:
    """Comparison that the request asks for; None where the study has no yardstick yet."""
    return known_or_404(compare_stored, study, request.user, query)


def sets_or_none(
    request: SignedInRequest, study: Study, query: ComparisonQuery
) -> MethodSets | None:
    """The sets of methods that a comparison can show; None where there is nothing to compare."""
    full_comparison = comparison_or_none(request, study, query.changed(methods=(), sort="").alone)
    return MethodSets(full_comparison) if full_comparison is not None else None


def required_comparison(
    request: SignedInRequest, study: Study, query: ComparisonQuery
) -> ComparisonResult:
    """Comparison that the request asks for; 404 where the study has no yardstick yet."""
    comparison = comparison_or_none(request, study, query)
    if comparison is None:
        raise Http404("nothing to compare with yet")
    return comparison
