"""The list as its page shows it: rows, switch, filters, files, and what is not listed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page
from django.urls import reverse

from analysis.comparison.query import ComparisonQuery, DrilldownCell, ListQuery
from analysis.comparison.table import TRUTH
from analysis.least_sure.asking import AskingOrder, asking_order
from analysis.references.yardsticks import Yardstick, yardsticks_of
from analysis.review import requested_list
from analysis.review.disagreement_list import DisagreementList, Kind
from analysis.review.query import ANY, SHOWN, ByQuery, ReviewQuery
from annotate.answering.queries import campaign_to_continue
from people.access import SignedInRequest
from people.models import User
from people.query_form import FilledControl
from people.templatetags.writing import grouped


@dataclass(frozen=True, slots=True)
class ListKind:
    """One side of the switch."""

    name: str
    url: str
    count: int | None
    is_chosen: bool


def list_context(
    request: SignedInRequest, case_list: DisagreementList, page: Page[int]
) -> dict[str, Any]:
    """Context of the list, beside its case."""
    review_query = ReviewQuery.from_query(request.GET)
    other_parameters = ByQuery.split(request.GET)[1]
    comparison_query, cell, list_query = (
        ComparisonQuery.from_query(other_parameters),
        requested_list.asked_cell(request),
        ListQuery.from_query(other_parameters),
    )
    is_people = case_list.kind == "people"
    queries = review_query, comparison_query, cell, list_query
    filter_fields = ("why", "m", "a", "b", "q", "state") if is_people else ("cell", "of", "other")
    omitted_fields = ("order",) if is_people else ()
    order_control = (review_query if is_people else list_query).controls(
        omitted_fields=() if not is_people else _BUT_ORDER
    )[0]
    return {
        "study": case_list.study,
        "listed": case_list,
        "page": page,
        "rows": case_list.rows(page),
        "query": case_list.query,
        "facts": _count_sentence(case_list, review_query),
        "not_listed": _unlisted_reason(case_list),
        "kinds": [
            _list_kind(case_list, k, comparison_query.yardstick) for k in ("people", "methods")
        ],
        "yardsticks": _yardstick_choices(case_list),
        "order_control": order_control,
        "order_kept": _kept_fields(case_list, *queries, "order"),
        "yardstick_kept": _kept_fields(case_list, *queries, "y"),
        "filter_kept": _kept_fields(case_list, *queries, *filter_fields),
        "controls": _controls(case_list, review_query, omitted_fields),
        "review_query": review_query,
        "cell": cell,
        "truth_row": TRUTH,
        "asking": _ask_order(case_list, review_query, request.user),
        "any": ANY,
        "open_campaign": campaign_to_continue(case_list.study, request.user),
        "files": _files(case_list, review_query, comparison_query, cell),
    }


_BUT_ORDER = ("tolerance", "text", "shown")


def _count_sentence(case_list: DisagreementList, query: ReviewQuery) -> str:
    """Number of listed series, of how many."""
    count = grouped(len(case_list.lines))
    if case_list.title:
        return f"{case_list.title}: {count} of {grouped(case_list.series_count)} series"
    if case_list.kind == "methods":
        return f"methods differ on {count} of {grouped(case_list.series_count)} series"
    return f"{count} {SHOWN[query.shown]} of {grouped(case_list.series_count)} series"


def _unlisted_reason(case_list: DisagreementList) -> str:
    """Reason why the other series are not listed, where the list is the plain one."""
    unlisted_count = case_list.series_count - len(case_list.lines)
    if case_list.title or unlisted_count <= 0:
        return ""
    reason = "methods agree" if case_list.kind == "methods" else "no chosen reason holds"
    return f"{grouped(unlisted_count)} series on which {reason} are not listed."


def _list_kind(case_list: DisagreementList, kind: Kind, code: str) -> ListKind:
    """The plain list of a kind by the same yardstick; the chosen one with its own length."""
    is_chosen = kind == case_list.kind
    counts = {"people": case_list.people, "methods": case_list.methods}
    count = len(case_list.lines) if is_chosen and not case_list.drilldown else counts[kind]()
    base = reverse("disagreements", args=[case_list.study.slug])
    code = code if case_list.campaign or kind == "methods" else ""
    query = ComparisonQuery(yardstick=code).query(by=kind)
    return ListKind(kind.capitalize(), base + query, count, is_chosen)


def _yardstick_choices(case_list: DisagreementList) -> Sequence[Yardstick]:
    """Ground truth and known answers; and the yardstick that is looked at, whatever it is."""
    plain_yardsticks = list(yardsticks_of(case_list.study))
    if case_list.yardstick is None or case_list.yardstick.code in {
        yardstick.code for yardstick in plain_yardsticks
    }:
        return plain_yardsticks
    return [case_list.yardstick, *plain_yardsticks]


def _controls(
    case_list: DisagreementList, query: ReviewQuery, omitted_fields: Sequence[str]
) -> list[FilledControl]:
    """Controls with the number of cases in each state; the first state is the default."""
    if case_list.review is None:
        return []
    counts = case_list.review.count_by_state
    states = [
        (key if position else "", f"{words} ({grouped(counts.get(key, 0))})")
        for position, (key, words) in enumerate(SHOWN.items())
    ]
    return query.controls(choices={"shown": states}, omitted_fields=omitted_fields)


def _kept_fields(
    case_list: DisagreementList,
    review_query: ReviewQuery,
    comparison_query: ComparisonQuery,
    cell: DrilldownCell,
    list_query: ListQuery,
    *own_fields: str,
) -> list[tuple[str, str]]:
    """Fields that a form of the list sends along beside its own fields."""
    if case_list.kind == "people":
        pairs = review_query.pairs()
    else:
        pairs = [*comparison_query.pairs(), *cell.pairs(), *list_query.pairs(), ("by", "methods")]
    return [pair for pair in pairs if pair[0] not in own_fields]


def _ask_order(case_list: DisagreementList, query: ReviewQuery, reader: User) -> AskingOrder | None:
    """Order in which the campaign could ask, where the list begins with the least sure."""
    if case_list.kind != "people" or query.order != "least-sure":
        return None
    return asking_order(case_list.campaign, reader)


def _files(
    case_list: DisagreementList,
    review_query: ReviewQuery,
    comparison_query: ComparisonQuery,
    cell: DrilldownCell,
) -> list[tuple[str, str]]:
    """Names and addresses of the list as files."""
    slug = case_list.study.slug
    if case_list.kind == "people":
        return [("CSV", reverse("disagreements-file", args=[slug]) + review_query.query())]
    base = reverse("comparison-export", args=[slug])
    table_name = "series" if cell.figure else "queue"
    return [
        (form.upper(), base + comparison_query.query(cell, what=table_name, format=form))
        for form in ("csv", "json")
    ]
