"""The list that a request asks for, or 404 with the sentence that says what there is."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from analysis.agreement.drilldown import UnknownFigure
from analysis.comparison.drilldown import UnknownCell
from analysis.comparison.inputs import UnknownMethod
from analysis.comparison.query import ComparisonQuery, DrilldownCell, ListQuery
from analysis.comparison.table import TRUTH
from analysis.references.yardsticks import UnknownYardstick, yardstick
from analysis.review.disagreement_list import DisagreementList, Kind
from analysis.review.methods_list import methods_list
from analysis.review.people_list import people_list, screening_list
from analysis.review.query import ByQuery, ReviewQuery
from annotate.access import campaign_for
from annotate.models import Campaign
from people import query_settings
from people.access import SignedInRequest
from people.models import Study

UNKNOWN = (UnknownCell, UnknownMethod, UnknownYardstick, UnknownFigure, KeyError)


def requested_kind(request: HttpRequest, study: Study) -> Kind:
    """Kind that the switch chooses; by default people, and methods where no people are asked."""
    chosen_kind = ByQuery.split(request.GET)[0].by
    if chosen_kind:
        return chosen_kind
    if ReviewQuery.from_query(request.GET).yardstick:
        return "people"
    default = yardstick(study)
    return "people" if default is None or default.kind == "campaign" else "methods"


def requested_list(request: SignedInRequest, study: Study) -> DisagreementList | None:
    """List that the request asks for; None where the study has no yardstick."""
    try:
        if requested_kind(request, study) == "methods":
            return asked_methods_list(request, study)
        return people_list(study, request.user, ReviewQuery.from_query(request.GET))
    except UNKNOWN as unknown:
        screening = _screening(request, study)
        if screening is not None:
            return screening
        raise Http404(str(unknown)) from unknown


def campaign_without_answers(
    request: SignedInRequest, study: Study, problem: BaseException | None
) -> Campaign | None:
    """Campaign that the address asks for, if `problem` is that it is no yardstick yet."""
    kind, _, slug = ReviewQuery.from_query(request.GET).yardstick.partition(":")
    if kind != "campaign" or not isinstance(problem, UnknownYardstick):
        return None
    try:
        return campaign_for(request, study.slug, slug)
    except Http404:
        return None


def asked_methods_list(request: SignedInRequest, study: Study) -> DisagreementList | None:
    """The list of what methods disagree about."""
    parameters = ByQuery.split(request.GET)[1]
    return methods_list(
        study,
        request.user,
        ComparisonQuery.from_query(parameters),
        asked_cell(request),
        ListQuery.from_query(parameters),
    )


def asked_cell(request: HttpRequest) -> DrilldownCell:
    """The number whose series are asked for; none where a form chose no method."""
    cell = DrilldownCell.from_query(request.GET)
    is_any = cell.figure == "differ" and not cell.row and cell.other == TRUTH
    return DrilldownCell() if is_any else cell


def warn(request: HttpRequest, kind: Kind) -> None:
    """A notice for each setting of the address that the list does not use."""
    forms = (
        (ByQuery, ReviewQuery) if kind == "people" else (ComparisonQuery, DrilldownCell, ListQuery)
    )
    query_settings.warn_unused_parameters(request, *(form.settings() for form in forms))


def _screening(request: SignedInRequest, study: Study) -> DisagreementList | None:
    """Series behind a figure of the agreement of a screening, which is no yardstick."""
    query = ReviewQuery.from_query(request.GET)
    slug = query.yardstick.removeprefix("campaign:")
    campaign = study.campaigns.filter(slug=slug, purpose=Campaign.Purpose.SCREENING).first()
    if campaign is None or not query.figure or campaign.state == Campaign.State.DRAFT:
        return None
    try:
        return screening_list(campaign, request.user, query)
    except UnknownFigure:
        return None
