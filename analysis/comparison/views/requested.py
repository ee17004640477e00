"""The comparison that a request asks for, or 404 with the sentence that says what there is."""

from __future__ import annotations

from django.http import Http404

from analysis.comparison.inputs import UnknownMethod
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import ComparisonResult, compare
from analysis.references.yardsticks import UnknownYardstick
from people.access import SignedInRequest
from people.models import Study


def compared_or_none(
    request: SignedInRequest, study: Study, asked: ComparisonQuery
) -> ComparisonResult | None:
    """None where the study has nothing to compare with yet."""
    try:
        return compare(study, request.user, asked)
    except (UnknownYardstick, UnknownMethod) as unknown:
        raise Http404(str(unknown)) from unknown


def compared(request: SignedInRequest, study: Study, asked: ComparisonQuery) -> ComparisonResult:
    """The same where a page is of no use without."""
    found = compared_or_none(request, study, asked)
    if found is None:
        raise Http404("nothing to compare with yet")
    return found
