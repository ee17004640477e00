"""The comparison: its page and its files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from analysis.comparison import exports
from analysis.comparison.breakdown import breakdown_table
from analysis.comparison.columns import SET_WORDS
from analysis.comparison.figure_folds import figure_context
from analysis.comparison.kept_ranking import keep_ranking
from analysis.comparison.leaderboard import Leaderboard
from analysis.comparison.method_names import ALL
from analysis.comparison.method_sets import MethodSets
from analysis.comparison.query import UNITS, ComparisonQuery, DrilldownCell
from analysis.comparison.sentences import (
    answer_note,
    answer_sentence,
    comparison_folds,
    left_out_finding,
)
from analysis.comparison.table import ComparisonResult
from analysis.comparison.views import on_demand
from analysis.comparison.views.requested import (
    compared,
    compared_or_none,
    known_or_404,
    sets_or_none,
    with_yardstick,
)
from analysis.methods import saved_sets
from analysis.references import yardsticks
from analysis.web.table_files import table_file, wanted_table
from annotate.answering.queries import campaign_to_continue
from annotate.campaigns.origin import origin_sentences
from people import downloads, query_settings
from people.access import SignedInRequest, study_for
from people.models import Role, Study

ROWS = 50
ADDRESS = ComparisonQuery.settings()


@require_GET
def compare(request: SignedInRequest, study: str) -> HttpResponse:
    here = study_for(request, study)
    query_settings.warn_unused_parameters(request, ADDRESS, *on_demand.SETTINGS)
    asked = with_yardstick(here, ComparisonQuery.of(request.GET))
    sets = sets_or_none(request, here, asked)
    canonical = _canonical(asked, sets)
    rest = on_demand.part_settings(request.GET)
    if "?" + request.GET.urlencode() != (canonical.query(*rest) or "?"):
        # A form sends every field; an address has none that says the default.
        return redirect(request.path + canonical.query(*rest))
    found = _found(request, here, asked, sets)
    context = {**_frame(request, here, asked, found), "board": None}
    if found is not None and sets is not None and _has_rows(found):
        keep_ranking(sets.every, request.user)
        context |= {
            "board": Leaderboard(found, here.slug),
            "answer": answer_sentence(found),
            "answer_note": answer_note(found),
            "left_out": left_out_finding(found),
            "folds": comparison_folds(found),
            "download_query": asked.alone.query(),
            **on_demand.opened_part(request, found),
            "origin": origin_of(found),
            "bar_sets": sets.bar(found),
            "menu_sets": sets.menu(found),
            "menu_choice": sets.choice(found),
            "families": sets.families(found),
            "may_save": saved_sets.may_save(here, request.user),
            "changeable_sets": saved_sets.changeable_sets(here, request.user),
            "sets": SET_WORDS,
            "units": UNITS,
            **figure_context(found),
            "groups": breakdown_table(found) if found.inputs.methods else None,
        }
    return render(request, "analysis/comparison/compare.html", context)


def _has_rows(found: ComparisonResult) -> bool:
    """People have answers on other series, too: without one here there is no row of theirs."""
    return bool(found.inputs.lines and (found.looks or found.inputs.people))


def _found(
    request: SignedInRequest, study: Study, asked: ComparisonQuery, sets: MethodSets | None
) -> ComparisonResult | None:
    """All methods are read already, for the sets."""
    every = sets.every if sets else None
    if every and asked.methods in {(), (ALL,)} and asked.changed(methods=()) == every.asked:
        return replace(every, asked=asked)
    return compared_or_none(request, study, asked)


def origin_of(found: ComparisonResult) -> list[str]:
    """What the ground truth stands for; nothing of a yardstick that is none."""
    campaign = found.yardstick.campaign
    return origin_sentences(campaign) if campaign is not None else []


@require_GET
def export(request: SignedInRequest, study: str) -> HttpResponse | StreamingHttpResponse:
    """One table of the comparison as CSV or JSON: the figures of page and command line."""
    here = study_for(request, study)
    found = compared(request, here, ComparisonQuery.of(request.GET))
    what = wanted_table(request, exports.WHATS)
    table = known_or_404(exports.comparison_table, found, what, DrilldownCell.of(request.GET))
    document = partial(exports.comparison_document, found, what, table)
    name = downloads.named(here.slug, what)
    return table_file(request, name, table.columns, table.rows, document)


# --- asking -----------------------------------------------------------------------------------
def _canonical(asked: ComparisonQuery, sets: MethodSets | None) -> ComparisonQuery:
    """The same comparison in fewest words, with every method named that it would not show else."""
    if sets is None:
        return asked
    yardstick = sets.every.yardstick
    default = yardsticks.yardstick(yardstick.study)
    code = "" if default and default.code == asked.yardstick else asked.yardstick
    plain = sets.canonical(asked).changed(yardstick=code)
    if asked.other is None or (
        asked.other_yardstick == yardstick.code and asked.changed(other_yardstick="").other is None
    ):
        return plain.alone
    return plain


def _frame(
    request: SignedInRequest, study: Study, asked: ComparisonQuery, found: ComparisonResult | None
) -> dict[str, Any]:
    """What all pages of a comparison show: filters, counts, what is left out."""
    return {
        "study": study,
        "asked": asked,
        "compared": found,
        "yardsticks": _grouped(yardsticks.yardsticks(study)),
        "datasets": study.datasets.all(),
        "open_campaign": campaign_to_continue(study, request.user),
        "may_run": study.role_of(request.user) == Role.OWNER,
        "everything": asked.query() or "?",
    }


def _grouped(found: Sequence[yardsticks.Yardstick]) -> list[tuple[str, list[yardsticks.Yardstick]]]:
    heads = {
        "campaign": "Ground truth",
        "known": "Known answers",
        "recipe": "Ground truth by another recipe",
        "person": "A person",
        "others": "The others without a person",
        "method": "Another method",
    }
    groups = [
        (words, [each for each in found if each.kind == kind]) for kind, words in heads.items()
    ]
    return [(words, each) for words, each in groups if each]
