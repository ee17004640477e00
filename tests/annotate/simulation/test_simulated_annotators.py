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
def made(study: Study, make_series: Any, olga: User) -> Campaign:
    series = [
        make_series(simulate("step", n=600, seed=seed).values, name=f"s{seed}") for seed in range(2)
    ]
    return make_campaign(study, series, by=olga)


def test_every_annotator_has_answered_every_series(made: Campaign) -> None:
    marks = Mark.objects.filter(task__campaign=made)

    assert marks.count() == 2 * 5
    assert made.tasks.count() == GroundTruth.objects.settled().count() == 2
    assert campaigns.differing(made) == []


def test_the_same_series_has_the_same_answers(made: Campaign, study: Study, olga: User) -> None:
    again = make_campaign(study, [task.series for task in made.tasks.all()], by=olga)

    def answers(campaign: Campaign) -> list[Any]:
        marks = Mark.objects.filter(task__campaign=campaign)
        columns = ("task__series", "annotator", "kind", "index")
        return sorted(marks.values_list(*columns), key=str)

    assert answers(made) == answers(again)


def test_names_say_that_they_are_simulated(made: Campaign) -> None:
    names = set(made.annotators.values_list("pseudonym", flat=True))
    users = set(made.annotators.values_list("user__username", "pseudonym"))
    text = "".join(exports.marks_csv(made, EVERYTHING))

    assert made.name.endswith(SIMULATED)
    assert names == {f"simulated-{number}" for number in range(1, 6)}
    assert all(name in text for name in names)
    assert all(user == name for user, name in users)


def test_the_database_refuses_a_name_that_does_not_say_so(made: Campaign) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Campaign.objects.filter(pk=made.pk).update(name="Five experts")


@pytest.mark.parametrize("tab", ["progress", "truth", "agreement"])
def test_pages_say_so(client: Client, made: Campaign, olga: User, tab: str) -> None:
    client.force_login(olga)

    shown = client.get(made.get_absolute_url(), {"tab": tab}).content.decode()

    assert "annotators of this campaign" in shown


def test_people_and_simulated_annotators_do_not_meet(made: Campaign, task: Task, ana: User) -> None:
    simulated = made.annotators.first()
    assert simulated is not None

    with pytest.raises(ValidationError, match="of another kind"):
        campaigns.add_annotators(made, [ana])
    with pytest.raises(ValidationError, match="of another kind"):
        campaigns.add_annotators(task.campaign, [simulated.user])
    assert not Annotator.objects.filter(campaign=made, user=ana).exists()


def test_a_simulated_annotator_cannot_sign_in(made: Campaign, client: Client) -> None:
    for password in ("", "simulated-1", "plateau-demo"):
        form_data = {"username": "simulated-1", "password": password}
        assert client.post(reverse("sign-in"), form_data).status_code == 200  # the form again
    assert not User.objects.get(username="simulated-1").has_usable_password()


def test_ground_truth_of_people_comes_first(made: Campaign, task: Task, study: Study) -> None:
    """Even where it is older."""
    assert [yardstick.code for yardstick in yardsticks.yardsticks_of(study)] == [
        f"campaign:{made.slug}"
    ]
    assert next(yardsticks.yardsticks_of(study)).line == "simulated ground truth"

    GroundTruth.objects.create(task=task, steady=True, steady_start=3, complete=True, answered=1)
    Campaign.objects.filter(pk=task.campaign_id).update(created="2020-01-01T00:00Z")

    codes = [yardstick.code for yardstick in yardsticks.yardsticks_of(study)]
    assert codes == [f"campaign:{task.campaign.slug}", f"campaign:{made.slug}"]


@pytest.mark.parametrize("route", ["settings", "rename"])
def test_a_campaign_keeps_the_word_in_its_name(
    client: Client, olga: User, made: Campaign, route: str
) -> None:
    client.force_login(olga)
    address = (
        reverse("rename", args=[made.study.slug, "campaign", made.slug])
        if route == "rename"
        else reverse("campaign-edit", args=[made.study.slug, made.slug])
    )

    refused = client.post(
        address, {"name": "People", "instructions": "", "sections": "question"}, follow=True
    )
    response = client.post(
        address, {"name": f"Two {SIMULATED}", "instructions": "", "sections": "question"}
    )

    assert f"The name of this campaign ends with “{SIMULATED}”." in refused.content.decode()
    assert response.status_code == 302
    made.refresh_from_db()
    assert made.name == f"Two {SIMULATED}"
