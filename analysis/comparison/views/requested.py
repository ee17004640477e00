"""The comparison that a request asks for, or 404 with the sentence that says what there is."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from django.http import Http404

from analysis.comparison.drilldown import UnknownCell
from analysis.comparison.inputs import UnknownMethod
from analysis.comparison.method_sets import MethodSets
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult, compare
from analysis.references.yardsticks import UnknownYardstick, yardsticks
from people.access import SignedInRequest
from people.models import Study

P = ParamSpec("P")
Found = TypeVar("Found")


def known_or_404(find: Callable[P, Found], *args: P.args, **named: P.kwargs) -> Found:
    """What `find` gives; 404 for a figure, method or row that is not there."""
    try:
        return find(*args, **named)
    except (UnknownCell, UnknownYardstick, UnknownMethod, KeyError) as unknown:
        raise Http404(str(unknown)) from unknown


def with_yardstick(study: Study, asked: ComparisonQuery) -> ComparisonQuery:
    """A data set without a word on the yardstick is held against the first that has its series."""
    if asked.yardstick or not asked.dataset:
        return asked
    there = (one for one in yardsticks(study) if asked.narrow(one.series()).exists())
    first = next(there, None)
    return asked.changed(yardstick=first.code) if first else asked


def compared_or_none(
    request: SignedInRequest, study: Study, asked: ComparisonQuery
) -> ComparisonResult | None:
    """None where the study has nothing to compare with yet."""
    return known_or_404(compare, study, request.user, asked)


def sets_or_none(
    request: SignedInRequest, study: Study, asked: ComparisonQuery
) -> MethodSets | None:
    """The sets of methods that a comparison can show; None where there is nothing to compare."""
    every = compared_or_none(request, study, asked.changed(methods=(), sort="").alone)
    return MethodSets(every) if every is not None else None


def compared(request: SignedInRequest, study: Study, asked: ComparisonQuery) -> ComparisonResult:
    """The same where a page is of no use without."""
    found = compared_or_none(request, study, asked)
    if found is None:
        raise Http404("nothing to compare with yet")
    return found
