"""Sets of methods that are chosen with one press."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from analysis.comparison import method_sets
from analysis.comparison.leaderboard import Leaderboard
from analysis.comparison.method_sets import MethodSets
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare_stored
from analysis.methods import saved_sets
from analysis.methods.models import MethodSet
from annotate.blind import EVERYTHING
from annotate.models import Campaign, Task
from people.models import User

COMPARE = "/s/startup-times/comparison/"
FIXED, FIFTY = "fixed", "fixed@1?iteration=50"


def sets_of(campaign: Campaign, **fields: Any) -> MethodSets:
    comparison = compare_stored(campaign.study, EVERYTHING, ComparisonQuery(**fields))
    assert comparison
    return MethodSets(comparison)


def offered_sets(campaign: Campaign, *methods: str) -> dict[str, tuple[set[str], bool]]:
    """By name and size what each set asks for, and whether the page shows it."""
    sets = sets_of(campaign)
    comparison = compare_stored(campaign.study, EVERYTHING, ComparisonQuery(methods=methods))
    assert comparison
    return {
        f"{method_set.name} {method_set.size}": (
            {name.partition("@")[0] for name in method_set.query.methods},
            method_set.is_chosen,
        )
        for method_set in (*sets.bar_links(comparison), *sets.menu_links(comparison))
    }


def test_each_set_asks_for_its_methods(compared_study: Campaign) -> None:
    assert offered_sets(compared_study) == {
        "All 4": (set(), True),
        "Published 2": ({"kb-kssd", "sdm"}, False),
        "Baselines 2": ({"fixed"}, False),
        "People 2": ({"people"}, False),
    }
    assert offered_sets(compared_study, "kb-kssd", "sdm")["Published 2"][1]
    assert offered_sets(compared_study, "people")["People 2"][1]


def test_the_best_of_all_are_offered_and_open_a_page_where_more_are_ranked(
    compared_study: Campaign, monkeypatch: pytest.MonkeyPatch, as_vic: Client
) -> None:
    """With baselines, which have no rank, to hold them against."""
    monkeypatch.setattr(method_sets, "BEST", 2)  # as many as are ranked
    assert "Best 2 None" not in offered_sets(compared_study)
    assert as_vic.get(COMPARE).status_code == 200

    monkeypatch.setattr(method_sets, "BEST", 1)
    assert offered_sets(compared_study)["Best 1 None"] == ({"kb-kssd", "fixed"}, False)
    assert offered_sets(compared_study, "sdm")["Best 1 None"] == ({"kb-kssd", "fixed"}, False)
    assert offered_sets(compared_study)["All 4"] == ({"all"}, True)
    response = as_vic.get(COMPARE, follow=True)
    assert set(response.context["compared"].looks) == {"kb-kssd", FIXED, FIFTY}


def test_a_set_leads_to_its_comparison(compared_study: Campaign, as_vic: Client) -> None:
    context = as_vic.get(COMPARE).context
    published_set = next(bar_set for bar_set in context["bar_sets"] if bar_set.name == "Published")

    answer = as_vic.get(COMPARE + published_set.href, follow=True)

    assert set(answer.context["compared"].looks) == {"kb-kssd", "sdm"}
    assert [bar_set.name for bar_set in answer.context["bar_sets"] if bar_set.is_chosen] == [
        "Published"
    ]


@pytest.mark.parametrize(
    ("asked", "address"),
    [
        ("", ""),
        ("?m=all", ""),
        ("?m=people", "?m=people"),
        ("?m=people&m=sdm", "?m=sdm"),
        (f"?m=sdm&m=kb-kssd&m={FIXED}&m={FIFTY}", ""),
        ("?m=sdm&m=all", ""),
    ],
    ids=["none", "all", "people", "a form", "each", "all among others"],
)
@pytest.mark.parametrize("is_first", [False, True], ids=["no set first", "a set first"])
def test_an_address_names_what_it_shows(
    compared_study: Campaign,
    as_vic: Client,
    olga: User,
    asked: str,
    address: str,
    *,
    is_first: bool,
) -> None:
    """A set that is put first opens the page; all methods then have a word in the address."""
    saved_set = saved_sets.save_set(compared_study.study, "Ours", ["sdm", "georges"], user=olga)
    saved_sets.make_first(saved_set, is_first=is_first)
    if is_first and not address:
        address = "?m=all" if asked else "?m=sdm"

    answer = as_vic.get(f"{COMPARE}{asked}", follow=True)

    query = answer.request["QUERY_STRING"]
    assert query == address.removeprefix("?")
    assert answer.status_code == 200


def test_a_shared_address_shows_the_same_whatever_comes_first_later(
    compared_study: Campaign, as_vic: Client, olga: User
) -> None:
    study = compared_study.study
    sdm_set, kb_kssd_set = (
        saved_sets.save_set(study, name, [name], user=olga) for name in ("sdm", "kb-kssd")
    )
    saved_sets.make_first(sdm_set, is_first=True)
    query_string = as_vic.get(f"{COMPARE}?tol=5", follow=True).request["QUERY_STRING"]
    assert query_string == "m=sdm&tol=5"
    saved_sets.make_first(kb_kssd_set, is_first=True)

    assert set(as_vic.get(f"{COMPARE}?{query_string}").context["compared"].looks) == {"sdm"}
    context = as_vic.get(COMPARE, follow=True).context
    assert set(context["compared"].looks) == {"kb-kssd"}
    first_set = next(iter(context["bar_sets"]))
    assert (first_set.name, first_set.is_chosen) == ("kb-kssd", True)


def test_one_person_alone_is_compared_with_their_own_ground_truth(
    compared_study: Campaign, as_vic: Client
) -> None:
    compared_study.annotators.exclude(pseudonym="a1").delete()

    subject = as_vic.get(f"{COMPARE}?m=people").context["board"].subject

    assert subject.startswith("how far 1 person is from their own ground truth, on ")


def test_people_alone_have_their_rows_and_their_agreement(
    compared_study: Campaign, as_vic: Client
) -> None:
    response = as_vic.get(f"{COMPARE}?m=people")

    rows = [row["entry"].name for row in response.context["board"].rows]
    assert sorted(rows) == ["best-constant", "person:a1", "person:a2"]
    assert response.context["board"].subject == (
        "how far 2 people are from one another, on 3 steady series"
    )
    assert response.context["menu_choice"] == "People 2"
    assert "Agreement between methods" in response.text
    assert "Absolute error" not in response.text


def test_without_a_run_the_people_are_compared(
    answered_tasks: list[Task], few_rank: None, as_vic: Client
) -> None:
    response = as_vic.get(COMPARE)

    assert {row["entry"].kind for row in response.context["board"].rows} == {"person", "constant"}
    assert "data-no-method" in response.text


@pytest.mark.parametrize(
    ("methods", "words"),
    [
        ((), "how far 2 methods are from what 2 people marked, on 3 steady series"),
        (("sdm",), "how far 1 method is from what 2 people marked, on 3 steady series"),
        ((FIFTY,), "how far 1 baseline is from what 2 people marked, on 3 steady series"),
    ],
)
def test_the_title_says_what_is_compared(
    compared_study: Campaign, methods: tuple[str, ...], words: str
) -> None:
    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery(methods=methods))
    assert comparison

    assert Leaderboard(comparison, "startup-times").subject == words


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("method:sdm", "how far 1 method is from SDM, on 3 steady series"),
        ("person:first-look:a1", "how far 2 methods are from A1, on 3 steady series"),
    ],
)
def test_the_title_names_another_yardstick(compared_study: Campaign, code: str, words: str) -> None:
    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery(yardstick=code))
    assert comparison

    assert Leaderboard(comparison, "startup-times").subject == words


def test_families_are_those_of_the_catalogue_and_show_themselves_alone(
    compared_study: Campaign,
) -> None:
    sets = sets_of(compared_study)
    families = sets.families(sets.full_comparison)

    assert {link.name: len(looks) for link, looks in families} == {
        "Published detectors": 2,
        "Baselines": 2,
    }
    methods_by_name = {link.name: link.query.methods for link, _ in families}
    assert methods_by_name["Published detectors"] == ("kb-kssd", "sdm")


# --- of the team ------------------------------------------------------------------------------
@pytest.fixture
def sets_address(compared_study: Campaign) -> str:
    return reverse("method-sets", args=[compared_study.study.slug])


def test_a_set_is_saved_from_what_compare_shows_and_offered_there(
    compared_study: Campaign, sets_address: str, client: Client, olga: User
) -> None:
    client.force_login(olga)
    client.post(f"{sets_address}?m=sdm&m=kb-kssd", {"name": "  Our   two "})

    saved_set = MethodSet.objects.get()
    assert (saved_set.name, saved_set.methods, saved_set.by) == (
        "Our two",
        ["kb-kssd", "sdm"],
        olga,
    )
    own_set = client.get(COMPARE).context["menu_sets"][-1]
    assert (own_set.name, own_set.size, own_set.query.methods) == ("Our two", 2, ("kb-kssd", "sdm"))


def test_a_method_without_answers_here_is_left_out_of_its_set(
    compared_study: Campaign, olga: User
) -> None:
    saved_sets.save_set(compared_study.study, "Mixed", ["sdm", "georges"], user=olga)
    saved_sets.save_set(compared_study.study, "Elsewhere", ["georges"], user=olga)

    names = {name for name, (_, chosen) in offered_sets(compared_study).items() if not chosen}
    assert "Mixed 1" in names
    assert not any(name.startswith("Elsewhere") for name in names)


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
    saved_sets.save_set(compared_study.study, "Ours", ["sdm"], user=olga)
    with pytest.raises(ValidationError) as error_info:
        saved_sets.save_set(compared_study.study, name, ["sdm"], user=olga)

    assert error_info.value.messages == [sentence]


def test_a_study_keeps_so_many(
    compared_study: Campaign, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_sets, "MOST", 1)
    saved_sets.save_set(compared_study.study, "Ours", ["sdm"], user=olga)

    with pytest.raises(ValidationError, match="keeps 1 sets"):
        saved_sets.save_set(compared_study.study, "Theirs", ["sdm"], user=olga)
    with pytest.raises(ValidationError, match="Found no method"):
        saved_sets.save_set(compared_study.study, "Theirs", [], user=olga)


def test_who_saved_it_and_owners_may_remove_it(
    compared_study: Campaign, olga: User, ana: User, ben: User, vic: User
) -> None:
    study, outcome_by_person = compared_study.study, {}
    for person in (vic, ben, ana, olga):
        saved_set = saved_sets.save_set(study, person.username, ["sdm"], user=ana)
        client = Client()
        client.force_login(person)
        place = reverse("method-set-removal", args=[study.slug, saved_set.public_id])
        is_offered = place in client.get(COMPARE).content.decode()
        outcome_by_person[person.username] = is_offered, client.post(place).status_code

    assert outcome_by_person == {
        "vic": (False, 403),
        "ben": (False, 403),
        "ana": (True, 302),
        "olga": (True, 302),
    }
    assert {method_set.name for method_set in MethodSet.objects.all()} == {"vic", "ben"}


def test_start_a_run_offers_a_saved_preset(
    compared_study: Campaign, client: Client, olga: User
) -> None:
    saved_set = saved_sets.save_set(compared_study.study, "Ours", ["sdm", "nobody-has"], user=olga)
    client.force_login(olga)

    page = client.get(
        reverse("run-new", args=[compared_study.study.slug]), {"preselection": saved_set.public_id}
    ).context["page"]

    assert page.preselections[saved_set.public_id].slugs == ("sdm",)
    assert "sdm" in page.chosen_slugs


def test_one_set_comes_first(compared_study: Campaign, sets_address: str, olga: User) -> None:
    study = compared_study.study
    sdm_set, fixed_set = (
        saved_sets.save_set(study, name, [name], user=olga) for name in ("sdm", "fixed")
    )
    assert saved_sets.first_set(study) is None
    saved_sets.make_first(sdm_set, is_first=True)
    saved_sets.make_first(fixed_set, is_first=True)
    assert saved_sets.first_set(study) == fixed_set
    client = Client()
    client.force_login(olga)
    client.post(reverse("method-set-first", args=[study.slug, fixed_set.public_id]))
    assert saved_sets.first_set(study) is None
