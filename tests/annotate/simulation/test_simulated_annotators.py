"""Simulated annotators say what they are everywhere, and are in no campaign with people."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from analysis.references import yardsticks
from annotate.blind import EVERYTHING
from annotate.campaigns import services as campaigns
from annotate.models import Annotator, Campaign, GroundTruth, Mark, Task
from annotate.models.campaign import SIMULATED
from annotate.simulation.simulated_annotators import make_campaign
from annotate.truth import exports
from detectors.simulated.synthetic import simulate
from people.models import Study, User
from tests.replayed_rows import replayed


@pytest.fixture
@replayed
def simulated_campaign(study: Study, make_series: Any, olga: User) -> Campaign:
    series = [
        make_series(simulate("step", n=600, seed=seed).values, name=f"s{seed}") for seed in range(2)
    ]
    return make_campaign(study, series, by=olga)


def test_every_annotator_has_answered_every_series(simulated_campaign: Campaign) -> None:
    marks = Mark.objects.filter(task__campaign=simulated_campaign)

    assert marks.count() == 2 * 5
    assert simulated_campaign.tasks.count() == GroundTruth.objects.settled().count() == 2
    assert campaigns.stale_truth_tasks(simulated_campaign) == []


def test_the_same_series_has_the_same_answers(
    simulated_campaign: Campaign, study: Study, olga: User
) -> None:
    second_campaign = make_campaign(
        study, [task.series for task in simulated_campaign.tasks.all()], by=olga
    )

    def answers(campaign: Campaign) -> list[Any]:
        marks = Mark.objects.filter(task__campaign=campaign)
        columns = ("task__series", "annotator", "kind", "index")
        return sorted(marks.values_list(*columns), key=str)

    assert answers(simulated_campaign) == answers(second_campaign)


def test_names_say_that_they_are_simulated(simulated_campaign: Campaign) -> None:
    names = set(simulated_campaign.annotators.values_list("pseudonym", flat=True))
    users = set(simulated_campaign.annotators.values_list("user__username", "pseudonym"))
    text = "".join(exports.marks_csv(simulated_campaign, EVERYTHING))

    assert simulated_campaign.name.endswith(SIMULATED)
    assert names == {f"simulated-{number}" for number in range(1, 6)}
    assert all(name in text for name in names)
    assert all(user == name for user, name in users)


def test_the_database_refuses_a_name_that_does_not_say_so(simulated_campaign: Campaign) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Campaign.objects.filter(pk=simulated_campaign.pk).update(name="Five experts")


@pytest.mark.parametrize("tab", ["progress", "truth", "agreement"])
def test_pages_say_so(client: Client, simulated_campaign: Campaign, olga: User, tab: str) -> None:
    client.force_login(olga)

    page = client.get(simulated_campaign.get_absolute_url(), {"tab": tab}).content.decode()

    assert "annotators of this campaign" in page


def test_people_and_simulated_annotators_do_not_meet(
    simulated_campaign: Campaign, task: Task, ana: User
) -> None:
    simulated_annotator = simulated_campaign.annotators.first()
    assert simulated_annotator is not None

    with pytest.raises(ValidationError, match="of another kind"):
        campaigns.add_annotators(simulated_campaign, [ana])
    with pytest.raises(ValidationError, match="of another kind"):
        campaigns.add_annotators(task.campaign, [simulated_annotator.user])
    assert not Annotator.objects.filter(campaign=simulated_campaign, user=ana).exists()


def test_a_simulated_annotator_cannot_sign_in(simulated_campaign: Campaign, client: Client) -> None:
    for password in ("", "simulated-1", "plateau-demo"):
        form_data = {"username": "simulated-1", "password": password}
        assert client.post(reverse("sign-in"), form_data).status_code == 200  # the form again
    assert not User.objects.get(username="simulated-1").has_usable_password()


def test_ground_truth_of_people_comes_first(
    simulated_campaign: Campaign, task: Task, study: Study
) -> None:
    """Even where it is older."""
    assert [yardstick.code for yardstick in yardsticks.yardsticks_of(study)] == [
        f"campaign:{simulated_campaign.slug}"
    ]
    assert next(yardsticks.yardsticks_of(study)).line == "simulated ground truth"

    GroundTruth.objects.create(task=task, steady=True, steady_start=3, complete=True, answered=1)
    Campaign.objects.filter(pk=task.campaign_id).update(created="2020-01-01T00:00Z")

    codes = [yardstick.code for yardstick in yardsticks.yardsticks_of(study)]
    assert codes == [f"campaign:{task.campaign.slug}", f"campaign:{simulated_campaign.slug}"]


@pytest.mark.parametrize("route", ["settings", "rename"])
def test_a_campaign_keeps_the_word_in_its_name(
    client: Client, olga: User, simulated_campaign: Campaign, route: str
) -> None:
    client.force_login(olga)
    address = (
        reverse("rename", args=[simulated_campaign.study.slug, "campaign", simulated_campaign.slug])
        if route == "rename"
        else reverse("campaign-edit", args=[simulated_campaign.study.slug, simulated_campaign.slug])
    )

    refused_reply = client.post(
        address, {"name": "People", "instructions": "", "sections": "question"}, follow=True
    )
    response = client.post(
        address, {"name": f"Two {SIMULATED}", "instructions": "", "sections": "question"}
    )

    assert f"The name of this campaign ends with “{SIMULATED}”." in refused_reply.content.decode()
    assert response.status_code == 302
    simulated_campaign.refresh_from_db()
    assert simulated_campaign.name == f"Two {SIMULATED}"
