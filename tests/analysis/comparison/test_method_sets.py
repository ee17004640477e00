"""Sets of methods that are chosen with one press."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from analysis.comparison import method_sets
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare
from annotate.blind import EVERYTHING
from annotate.models import Campaign

COMPARE = "/s/startup-times/comparison/"


def sets(campaign: Campaign, **asked: Any) -> dict[str, tuple[set[str], bool]]:
    found = compare(campaign.study, EVERYTHING, ComparisonQuery(**asked))
    assert found
    return {
        each.text: ({name.partition("@")[0] for name in each.asked.methods}, each.chosen)
        for each in method_sets.method_sets(found)
    }


def test_each_set_asks_for_its_methods(compared_study: Campaign) -> None:
    assert sets(compared_study) == {
        "All 4": (set(), True),
        "Published 2": ({"kb-kssd", "sdm"}, False),
        "Baselines 2": ({"fixed"}, False),
    }
    assert sets(compared_study, methods=("kb-kssd", "sdm"))["Published 2"][1]


@pytest.mark.parametrize(("best", "names"), [(1, {"kb-kssd"}), (2, None)])
def test_the_best_are_offered_where_more_are_ranked(
    compared_study: Campaign, monkeypatch: pytest.MonkeyPatch, best: int, names: set[str] | None
) -> None:
    monkeypatch.setattr(method_sets, "BEST", best)
    offered = sets(compared_study).get(f"Best {best}")

    assert offered == (names and (names, False))
    assert f"Best {best}" not in sets(compared_study, methods=("sdm",))


def test_a_set_leads_to_its_comparison(compared_study: Campaign, as_vic: Client) -> None:
    page = as_vic.get(COMPARE).text
    start = page.index('class="method-sets"')
    href = page[start : page.index("Published 2", start)].rpartition('href="')[2].partition('"')[0]

    answer = as_vic.get(COMPARE + href.replace("&amp;", "&"), follow=True)

    assert set(answer.context["compared"].looks) == {"kb-kssd", "sdm"}
