"""Campaigns: made by a rule that can be repeated, opened, closed, and never rewritten."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotate.answering.services import save_mark
from annotate.campaigns import selection, services as campaigns
from annotate.models import Campaign, GroundTruth, Task
from people.models import Study, User
from series.models import Series
from tests.annotate.campaign_page_data import edit_address, form_fields


@pytest.fixture
def many_series(make_series: Callable[..., Series]) -> list[Series]:
    """Four benchmarks with three forks each."""
    return [
        make_series([1.0, 2.0, 3.0 + fork], name=name, fork=fork)
        for name in ("Sort.merge", "Sort.quick", "Json.read", "Json.write")
        for fork in range(3)
    ]


def spec(series: list[Series], people: list[User], **fields: Any) -> campaigns.CampaignSpec:
    keys = [series_row.pk for series_row in series]
    return campaigns.CampaignSpec(name="Second look", series=keys, annotators=people, **fields)


def answer(task: Task, by: User, index: int | None) -> None:
    kind = "never" if index is None else "steady"
    digest = task.series.digest
    save_mark(task, by=by, client_id=uuid.uuid4(), digest=digest, kind=kind, index=index)


def test_positions_are_shuffled_by_the_seed(
    study: Study, many_series: list[Series], ana: User
) -> None:
    orders = [
        list(
            campaigns.create(study, spec(many_series, [ana], seed=seed), by=None)
            .tasks.order_by("position")
            .values_list("series", flat=True)
        )
        for seed in (1, 1, 2)
    ]

    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2]) == [series_row.pk for series_row in many_series]


def test_each_person_has_an_order_of_their_own(
    study: Study, many_series: list[Series], ana: User, ben: User
) -> None:
    campaign = campaigns.create(study, spec(many_series, [ana, ben], seed=1), by=None)

    queues = [
        list(
            user.assignments.filter(task__campaign=campaign).values_list(
                "task__position", flat=True
            )
        )
        for user in (ana, ben)
    ]
    assert queues[0] != queues[1]
    assert sorted(queues[0]) == sorted(queues[1]) == list(range(1, 13))


def test_overlap_gives_each_series_so_many_people_and_equal_shares(
    study: Study, many_series: list[Series], ana: User, ben: User, olga: User
) -> None:
    campaign = campaigns.create(study, spec(many_series, [ana, ben, olga], overlap=2), by=None)

    counts_by_task = Counter(campaign.tasks.values_list("assignments__task", flat=True))
    counts_by_person = Counter(campaign.tasks.values_list("assignments__user", flat=True))
    assert set(counts_by_task.values()) == {2}
    assert set(counts_by_person.values()) == {8}


def test_a_campaign_without_annotators_does_not_open(
    study: Study, many_series: list[Series]
) -> None:
    campaign = campaigns.create(study, spec(many_series, []), by=None)

    with pytest.raises(ValidationError, match="Nobody annotates this campaign yet"):
        campaigns.open_campaign(campaign)


def test_closing_makes_what_is_there_final(task: Task, ana: User, olga: User) -> None:
    answer(task, ana, 40)
    assert not GroundTruth.objects.get().complete

    campaigns.close(task.campaign, by=olga)

    truth = GroundTruth.objects.get()
    assert (truth.complete, truth.steady_start, truth.agreement) == (True, 40, "scattered")


def test_another_recipe_changes_ground_truth_and_no_mark(task: Task, ana: User, ben: User) -> None:
    answer(task, ana, 40)
    answer(task, ben, 60)

    campaigns.change_recipe(task.campaign, recipe="jagt", params={"eps": 20, "min_samples": 2})

    truth = GroundTruth.objects.get()
    assert (truth.agreement, truth.steady_start) == ("clustered", 60)
    assert truth.recipe_key.endswith("eps=20&min_samples=2")
    assert list(task.marks.values_list("index", flat=True)) == [40, 60]


def test_a_truth_that_is_not_its_marks_is_found(task: Task, ana: User) -> None:
    answer(task, ana, 40)
    assert campaigns.stale_truth_tasks(task.campaign) == []

    GroundTruth.objects.update(steady_start=41)

    assert campaigns.stale_truth_tasks(task.campaign) == [task]


def test_one_fork_of_each_benchmark(study: Study, many_series: list[Series]) -> None:
    rule: dict[str, Any] = {"rule": selection.ONE_FORK, "count": None}

    first = selection.choose_series(Series.objects.all(), seed=3, **rule)

    assert first == selection.choose_series(Series.objects.all(), seed=3, **rule)
    assert Series.objects.filter(pk__in=first).values("benchmark").distinct().count() == 4
    assert len(first) == 4


def test_a_list_names_the_row_that_fits_nothing(study: Study, many_series: list[Series]) -> None:
    good_csv = b"benchmark,fork\nSort.merge,1\nJson.read,0\n"
    assert len(selection.read_listed_keys(study, good_csv, "list.csv")) == 2
    for dataset_name in ("nightly", "Nightly"):  # by its slug, as files have it, or by its name
        content = f"dataset,benchmark,fork\n{dataset_name},Sort.merge,0\n".encode()
        assert len(selection.read_listed_keys(study, content, "list.csv")) == 1

    with pytest.raises(ValidationError, match=r"list\.csv, row 3: no series called Sort\.heap"):
        selection.read_listed_keys(
            study, b"benchmark,fork\nSort.merge,1\nSort.heap,0\n", "list.csv"
        )
    with pytest.raises(ValidationError, match=r"expected also fork"):
        selection.read_listed_keys(study, b"benchmark\nSort.merge\n", "list.csv")


def test_an_owner_makes_a_campaign_on_one_page(
    client: Client, study: Study, many_series: list[Series], olga: User, ana: User
) -> None:
    client.force_login(olga)
    new_address = reverse("campaign-new", args=[study.slug])
    changes = {
        "name": "By hand",
        "rule": "random",
        "count": 5,
        "seed": 7,
        "annotators": [ana.pk],
        "eps": 30,
        "min_samples": 2,
        "do": "open",
    }

    reply = client.post(new_address, form_fields(client, new_address, **changes))

    campaign = Campaign.objects.get()
    assert reply["Location"] == f"{edit_address(campaign)}#people"
    assert (campaign.name, campaign.state, campaign.tasks.count()) == ("By hand", "open", 5)
    assert campaign.params == {"eps": 30, "min_samples": 2}
    assert (campaign.hide_names, campaign.second_share, campaign.training) == (True, 0.0, None)
    assert ana.assignments.count() == 5


def test_the_defaults_open_with_five_links(
    client: Client, study: Study, many_series: list[Series], olga: User
) -> None:
    client.force_login(olga)
    new_address = reverse("campaign-new", args=[study.slug])
    response = client.get(new_address)

    client.post(new_address, form_fields(client, new_address, do="open"))

    campaign = Campaign.objects.get()
    assert response.context["workload"].endswith(": 20 answers, about 2 minutes a person.")
    assert (response.context["series_count"], response.context["people_count"]) == (4, 5)
    assert (campaign.state, campaign.tasks.count(), campaign.invitations.count()) == ("open", 4, 5)


def test_a_mistake_loses_nothing_of_the_page(
    client: Client, study: Study, many_series: list[Series], olga: User
) -> None:
    client.force_login(olga)
    new_address = reverse("campaign-new", args=[study.slug])

    form = form_fields(client, new_address, name="Kept", eps=-1, instructions="Mine.", do="open")
    reply = client.post(new_address, form)
    page = reply.content.decode()

    campaign = Campaign.objects.get()
    assert (campaign.name, campaign.instructions, campaign.state) == ("Kept", "Mine.", "draft")
    assert "greater than or equal" in page
    assert 'name="eps" value="-1"' in page
    second_reply = client.post(new_address, {**form, "name": "Kept 2", "eps": 40})
    assert second_reply.status_code == 302
    assert Campaign.objects.get().name == "Kept 2"  # the same draft: its key was sent again


def test_a_draft_is_kept_while_it_is_filled_in(
    client: Client, study: Study, many_series: list[Series], olga: User
) -> None:
    client.force_login(olga)
    new_address = reverse("campaign-new", args=[study.slug])
    draft_address = reverse("campaign-draft", args=[study.slug])
    form = form_fields(client, new_address, name="Kept", cap=2, links=3)

    first_response = client.post(draft_address, form)
    campaign = Campaign.objects.get()
    second_response = client.post(draft_address, {**form, "draft": campaign.slug, "name": ""})
    response = client.get(edit_address(campaign))

    assert first_response["HX-Replace-Url"] == edit_address(campaign)
    assert "At most 2 series" in first_response.content.decode()
    assert "not saved" in second_response.content.decode()
    assert Campaign.objects.get().name == "Kept"
    assert response.context["people_form"]["links"].value() == 3
    assert response.context["people_form"]["cap"].value() == 2
    assert not campaign.invitations.exists()


def test_an_unticked_member_leaves_the_draft_and_nobody_who_joined_meanwhile(
    client: Client, study: Study, many_series: list[Series], olga: User, ana: User, ben: User
) -> None:
    campaign = campaigns.create(study, spec(many_series, [ana]), by=olga)
    client.force_login(olga)
    form = form_fields(client, edit_address(campaign), annotators=[])
    form["shown"] = str(ana.pk)
    campaigns.add_annotators(campaign, [ben])

    client.post(edit_address(campaign), form)

    assert [annotator.user for annotator in campaign.annotators.all()] == [ben]
    assert not ana.assignments.exists()


def test_a_parameter_out_of_bounds_is_refused_with_a_sentence(
    client: Client, campaign: Campaign, olga: User
) -> None:
    client.force_login(olga)
    address = edit_address(campaign)

    reply = client.post(address, form_fields(client, address, eps=-1))

    assert reply.status_code == 200
    assert "greater than or equal" in reply.content.decode()


def test_marks_come_in_by_a_form(client: Client, series: Series, olga: User) -> None:
    client.force_login(olga)
    study = series.benchmark.dataset.study
    text = (
        "benchmark,fork,annotator,answer,steady_start\n"
        "org.example.Sort.merge,0,a1,steady,40\n"
        "org.example.Sort.merge,0,a2,never,-1\n"
        "org.example.Sort.merge,0,a3,steady,41\n"
    )
    file = SimpleUploadedFile("marks.csv", text.encode())

    client.post(
        f"{reverse('campaign-new', args=[study.slug])}?marks=yes",
        {"name": "given", "file": file, "recipe": "jagt"},
    )

    truth = GroundTruth.objects.get(task__campaign__slug="given")
    assert (truth.steady_start, truth.agreement, truth.answered) == (41, "scattered", 3)


def test_a_row_about_no_series_is_named(client: Client, series: Series, olga: User) -> None:
    client.force_login(olga)
    study = series.benchmark.dataset.study
    text = "benchmark,fork,annotator,answer,steady_start\norg.example.Sort.heap,0,a1,never,-1\n"
    data = {"name": "given", "file": SimpleUploadedFile("m.csv", text.encode()), "recipe": "jagt"}

    page = client.post(
        f"{reverse('campaign-new', args=[study.slug])}?marks=yes", data
    ).content.decode()

    assert "org.example.Sort.heap · 0" in page
    assert not Campaign.objects.filter(slug="given").exists()


@pytest.mark.parametrize("instructions", ["", "Mind the **gaps**."])
def test_the_instructions_have_four_drawn_examples(
    client: Client, ana: User, campaign: Campaign, instructions: str
) -> None:
    campaign.instructions = instructions
    campaign.save()
    client.force_login(ana)

    page = client.get(f"{campaign.get_absolute_url()}guide/").content.decode()

    assert page.count('class="example"') == 4
    assert "first iteration that belongs" in page
    assert ("<strong>gaps</strong>" in page) == bool(instructions)


def test_without_series_a_campaign_begins_with_an_import(
    client: Client, study: Study, olga: User
) -> None:
    client.force_login(olga)
    campaigns_address, new_campaign_address = (
        reverse(name, args=[study.slug]) for name in ("campaigns", "campaign-new")
    )

    answer = client.get(new_campaign_address)
    page = client.get(campaigns_address).content.decode()

    assert (answer.status_code, answer.headers["Location"]) == (302, campaigns_address)
    assert reverse("import", args=[study.slug]) in page
    assert new_campaign_address not in page


def test_the_only_campaign_of_a_study_is_shown_in_place_of_the_list(
    client: Client, campaign: Campaign, olga: User, ana: User
) -> None:
    campaigns_address = reverse("campaigns", args=[campaign.study.slug])
    client.force_login(olga)
    response = client.get(campaigns_address)
    page = client.get(response.headers["Location"]).content.decode()
    campaign.study.campaigns.create(name="Draft", slug="draft")

    assert response.headers["Location"] == campaign.get_absolute_url()
    assert reverse("campaign-new", args=[campaign.study.slug]) in page
    assert "Draft" in client.get(campaigns_address).content.decode()
    client.force_login(ana)  # drafts are for owners
    assert client.get(campaigns_address).headers["Location"] == campaign.get_absolute_url()


def test_with_one_series_the_list_offers_a_campaign(
    client: Client, study: Study, series: Series, olga: User
) -> None:
    client.force_login(olga)
    new_address = reverse("campaign-new", args=[study.slug])

    assert new_address in client.get(reverse("campaigns", args=[study.slug])).content.decode()
    assert "1 series, five people" in client.get(new_address).content.decode()
