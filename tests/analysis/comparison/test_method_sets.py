"""Sets of methods that are chosen with one press."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from analysis.comparison import method_sets
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare
from analysis.methods import saved_sets
from analysis.methods.models import MethodSet
from annotate.blind import EVERYTHING
from annotate.models import Campaign
from people.models import User

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


def test_families_are_those_of_the_catalogue_and_show_themselves_alone(
    compared_study: Campaign,
) -> None:
    found = compare(compared_study.study, EVERYTHING, ComparisonQuery())
    assert found
    choices = {each.family: each for each in method_sets.by_family(found)}

    assert {name: len(each.looks) for name, each in choices.items()} == {
        "Published detectors": 2,
        "Baselines": 2,
    }
    assert choices["Published detectors"].only.asked.methods == ("kb-kssd", "sdm")


# --- of the team ------------------------------------------------------------------------------
@pytest.fixture
def page(compared_study: Campaign) -> str:
    return reverse("method-sets", args=[compared_study.study.slug])


def test_a_set_is_saved_from_what_compare_shows_and_offered_there(
    compared_study: Campaign, page: str, client: Client, olga: User
) -> None:
    client.force_login(olga)
    client.post(f"{page}?m=sdm&m=kb-kssd", {"name": "  Our   two "})

    saved = MethodSet.objects.get()
    assert (saved.name, saved.methods, saved.by) == ("Our two", ["kb-kssd", "sdm"], olga)
    [offered] = client.get(COMPARE).context["saved_sets"]
    assert (offered.text, offered.asked.methods) == ("Our two 2", ("kb-kssd", "sdm"))


def test_a_method_without_answers_here_is_left_out_of_its_set(
    compared_study: Campaign, olga: User
) -> None:
    saved_sets.save_set(compared_study.study, "Mixed", ["sdm", "georges"], by=olga)
    saved_sets.save_set(compared_study.study, "Elsewhere", ["georges"], by=olga)
    found = compare(compared_study.study, EVERYTHING, ComparisonQuery())
    assert found

    assert [each.text for each in method_sets.saved_sets(found)] == ["Mixed 1"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "Found a name of 0 characters, expected 1 to 60."),
        ("x" * 61, "Found a name of 61 characters, expected 1 to 60."),
        ("OURS", "There is a set “OURS” already: choose another name."),
    ],
)
def test_a_name_is_refused_with_a_sentence(
    compared_study: Campaign, olga: User, name: str, sentence: str
) -> None:
    saved_sets.save_set(compared_study.study, "Ours", ["sdm"], by=olga)
    with pytest.raises(ValidationError) as refused:
        saved_sets.save_set(compared_study.study, name, ["sdm"], by=olga)

    assert refused.value.messages == [sentence]


def test_a_study_keeps_so_many(
    compared_study: Campaign, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_sets, "MOST", 1)
    saved_sets.save_set(compared_study.study, "Ours", ["sdm"], by=olga)

    with pytest.raises(ValidationError, match="keeps 1 sets"):
        saved_sets.save_set(compared_study.study, "Theirs", ["sdm"], by=olga)
    with pytest.raises(ValidationError, match="Found no method"):
        saved_sets.save_set(compared_study.study, "Theirs", [], by=olga)


def test_who_saved_it_and_owners_may_change_it(
    compared_study: Campaign, page: str, olga: User, ana: User, ben: User, vic: User
) -> None:
    saved = saved_sets.save_set(compared_study.study, "Ours", ["sdm"], by=ana)
    place = reverse("method-set-name", args=[compared_study.study.slug, saved.public_id])
    told = {}
    for person in (vic, ben, ana, olga):
        client = Client()
        client.force_login(person)
        told[person.username] = client.post(place, {"name": f"By {person.username}"}).status_code

    assert told == {"vic": 403, "ben": 403, "ana": 302, "olga": 302}
    saved.refresh_from_db()
    assert saved.name == "By olga"
    saved_sets.rename_set(saved, "by OLGA")  # its own name is no other set's
    client.post(reverse("method-set-removal", args=[compared_study.study.slug, saved.public_id]))
    assert not MethodSet.objects.exists()


def test_one_set_comes_first(compared_study: Campaign, page: str, olga: User) -> None:
    study = compared_study.study
    one, two = (saved_sets.save_set(study, name, [name], by=olga) for name in ("sdm", "fixed"))
    assert saved_sets.first_set(study) is None
    saved_sets.put_first(one, first=True)
    saved_sets.put_first(two, first=True)
    assert saved_sets.first_set(study) == two
    client = Client()
    client.force_login(olga)
    client.post(reverse("method-set-first", args=[study.slug, two.public_id]))
    assert saved_sets.first_set(study) is None
