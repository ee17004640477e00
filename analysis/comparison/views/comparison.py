"""The page of the comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from analysis.comparison.breakdown import breakdown_table
from analysis.comparison.columns import SET_WORDS
from analysis.comparison.figure_folds import figure_context
from analysis.comparison.kept_ranking import keep_ranking
from analysis.comparison.leaderboard import Leaderboard
from analysis.comparison.method_names import ALL
from analysis.comparison.method_sets import MethodSets
from analysis.comparison.query import UNITS, ComparisonQuery
from analysis.comparison.sentences import (
    answer_note,
    answer_sentence,
    comparison_folds,
    left_out_finding,
)
from analysis.comparison.table import ComparisonResult
from analysis.comparison.views import folded_parts
from analysis.comparison.views.requested_comparison import (
    comparison_or_none,
    sets_or_none,
    with_yardstick,
)
from analysis.methods import saved_sets
from analysis.references import yardsticks
from annotate.answering.queries import campaign_to_continue
from annotate.campaigns.origin import origin_sentences
from people import query_settings
from people.access import SignedInRequest, study_for
from people.models import Role, Study
from series.queries import has_series

ROWS = 50
ADDRESS = ComparisonQuery.settings()


@require_GET
def comparison_page(request: SignedInRequest, study: str) -> HttpResponse:
    visible_study = study_for(request, study)
    query_settings.warn_unused_parameters(request, ADDRESS, *folded_parts.SETTINGS)
    query = with_yardstick(visible_study, ComparisonQuery.from_query(request.GET))
    sets = sets_or_none(request, visible_study, query)
    shortest_query = _shortest_query(query, sets)
    part_queries = folded_parts.part_settings(request.GET)
    if "?" + request.GET.urlencode() != (shortest_query.query(*part_queries) or "?"):
        # A form sends every field; an address leaves defaults out.
        return redirect(request.path + shortest_query.query(*part_queries))
    comparison = _comparison(request, visible_study, query, sets)
    context = {**_frame(request, visible_study, query, comparison), "board": None}
    if comparison is not None and sets is not None and _has_rows(comparison):
        campaign = comparison.yardstick.campaign
        keep_ranking(sets.full_comparison, request.user)
        context |= {
            "board": Leaderboard(comparison, visible_study.slug),
            "answer": answer_sentence(comparison),
            "answer_note": answer_note(comparison),
            "left_out": left_out_finding(comparison),
            "folds": comparison_folds(comparison),
            "download_query": query.alone.query(),
            **folded_parts.opened_part(request, comparison),
            "origin": origin_sentences(campaign) if campaign is not None else [],
            "bar_sets": sets.bar_links(comparison),
            "menu_sets": sets.menu_links(comparison),
            "menu_choice": sets.menu_label(comparison),
            "families": sets.families(comparison),
            "may_save": saved_sets.may_save(visible_study, request.user),
            "changeable_sets": saved_sets.changeable_sets(visible_study, request.user),
            "sets": SET_WORDS,
            "units": UNITS,
            **figure_context(comparison),
            "groups": breakdown_table(comparison) if comparison.inputs.methods else None,
        }
    return render(request, "analysis/comparison/compare.html", context)


def _has_rows(comparison: ComparisonResult) -> bool:
    """People have answers on other series, too: without one here there is no row of theirs."""
    return bool(comparison.inputs.lines and (comparison.looks or comparison.inputs.people))


def _comparison(
    request: SignedInRequest, study: Study, query: ComparisonQuery, sets: MethodSets | None
) -> ComparisonResult | None:
    """All methods are read already, for the sets."""
    all_methods = sets.full_comparison if sets else None
    if (
        all_methods
        and query.methods in {(), (ALL,)}
        and query.changed(methods=()) == all_methods.asked
    ):
        return replace(all_methods, asked=query)
    return comparison_or_none(request, study, query)


# --- asking -----------------------------------------------------------------------------------
def _shortest_query(query: ComparisonQuery, sets: MethodSets | None) -> ComparisonQuery:
    """Query of an equal comparison in fewest words, with every method named that is no default."""
    if sets is None:
        return query
    yardstick = sets.full_comparison.yardstick
    default = yardsticks.yardstick(yardstick.study) if query.yardstick else None
    code = "" if default and default.code == query.yardstick else query.yardstick
    plain_query = sets.canonical(query).changed(yardstick=code)
    if query.second_setting is None or (
        query.other_yardstick == yardstick.code
        and query.changed(other_yardstick="").second_setting is None
    ):
        return plain_query.alone
    return plain_query


def _frame(
    request: SignedInRequest,
    study: Study,
    query: ComparisonQuery,
    comparison: ComparisonResult | None,
) -> dict[str, Any]:
    """Context that all pages of a comparison share: filters, counts, series left out."""
    return {
        "study": study,
        "query": query,
        "compared": comparison,
        "yardsticks": _yardstick_groups(yardsticks.yardsticks(study)),
        "datasets": study.datasets.all(),
        "open_campaign": campaign_to_continue(study, request.user),
        "may_run": study.role_of(request.user) == Role.OWNER,
        "everything": query.query() or "?",
        "any_series": comparison is not None or has_series(study),
    }


def _yardstick_groups(
    all_yardsticks: Sequence[yardsticks.Yardstick],
) -> list[tuple[str, list[yardsticks.Yardstick]]]:
    heads = {
        "campaign": "Ground truth",
        "known": "Known answers",
        "recipe": "Ground truth by another recipe",
        "person": "A person",
        "others": "The others without a person",
        "method": "Another method",
    }
    groups = [
        (words, [yardstick for yardstick in all_yardsticks if yardstick.kind == kind])
        for kind, words in heads.items()
    ]
    return [(words, members) for words, members in groups if members]
