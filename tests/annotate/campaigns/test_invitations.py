"""Links to a campaign: one each for many people, who join study and campaign in one go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.campaigns import invitations, services as campaigns
from annotate.models import Annotator, Assignment, Campaign, Task
from people import services
from people.models import Invitation, Role, Study, User
from series.models import Series
from tests.annotate.campaign_page_data import edit_address
from tests.test_undo import click, stored_rows


def address(campaign: Campaign, name: str = "campaign-invitations", **url_kwargs: str) -> str:
    return reverse(
        name, kwargs={"study": campaign.study.slug, "campaign": campaign.slug, **url_kwargs}
    )


def people_page(client: Client, campaign: Campaign) -> str:
    return client.get(edit_address(campaign)).content.decode()


@pytest.mark.parametrize("count", [1, 2, 5])
def test_as_many_links_as_wanted_at_once(
    client: Client, campaign: Campaign, task: Task, olga: User, count: int
) -> None:
    client.force_login(olga)

    client.post(edit_address(campaign), {"do": "links", "links": count})

    page = people_page(client, campaign)
    tokens = {invitation.token for invitation in Invitation.objects.all()}
    assert len(tokens) == count
    assert all(token in page for token in tokens)
    assert f"2 joined, {count} to come" in page


def test_names_make_a_link_each(client: Client, campaign: Campaign, olga: User) -> None:
    client.force_login(olga)

    names = "Dina Ek <dina@x.org>\n\nEmil\nf@x.org"
    client.post(edit_address(campaign), {"do": "links", "links": 5, "names": names})

    assert list(Invitation.objects.order_by("pk").values_list("name", "mail")) == [
        ("Dina Ek", "dina@x.org"),
        ("Emil", ""),
        ("f", "f@x.org"),
    ]


def test_too_many_or_unreadable_names_make_no_link(
    client: Client, campaign: Campaign, olga: User
) -> None:
    client.force_login(olga)

    for names in ("x\n" * 51, "Dina dina@", "a@x.org b@x.org", "n" * 121):
        answer = client.post(edit_address(campaign), {"do": "links", "names": names}, follow=True)
        assert "notice-bad" in answer.content.decode()
    assert not Invitation.objects.exists()


def test_whoever_opens_a_link_is_in_study_and_campaign(
    client: Client, campaign: Campaign, task: Task, olga: User
) -> None:
    [invitation] = invitations.invite_to_campaign(campaign, [("Dina", "")], by=olga, cap=3)

    answer = client.post(reverse("join", args=[invitation.token]), {"name": "dina"})
    next_address = answer.headers["Location"]

    dina = User.objects.get(username="dina")
    assert campaign.study.role_of(dina) == Role.ANNOTATOR
    assert Annotator.objects.get(user=dina).cap == 3
    assert Assignment.objects.filter(user=dina, task=task).exists()
    response = client.get(next_address, follow=True)
    assert response.redirect_chain[-1][0] == task.get_absolute_url()


def test_the_link_says_what_it_is_for(client: Client, campaign: Campaign, olga: User) -> None:
    [invitation] = invitations.invite_to_campaign(campaign, [("Dina", "")], by=olga)

    response = client.get(reverse("join", args=[invitation.token]))

    assert response.context["request_words"] == ["mark where 0 series become steady"]
    assert response.context["request_time"] == "about one minute"
    assert invitations.campaign_seats(campaign)[-1].state == "opened"


def test_a_member_joins_by_a_link_too(campaign: Campaign, task: Task, olga: User) -> None:
    [invitation] = invitations.invite_to_campaign(campaign, [("Olga", "")], by=olga)

    services.accept(invitation, by=olga)

    assert Assignment.objects.filter(user=olga, task=task).exists()
    assert campaign.study.role_of(olga) == Role.OWNER


def test_a_link_to_a_closed_campaign_makes_a_member_only(
    campaign: Campaign, olga: User, stranger: User
) -> None:
    [invitation] = invitations.invite_to_campaign(campaign, [("Dina", "")], by=olga)
    campaigns.close(campaign, by=olga)

    next_address = services.accept(invitation, by=stranger)

    assert next_address == campaign.study.get_absolute_url()
    assert not Annotator.objects.filter(user=stranger).exists()


def test_the_list_says_who_has_joined_and_who_is_to_come(
    campaign: Campaign, olga: User, stranger: User
) -> None:
    first_invitation, _, expired_invitation = invitations.invite_to_campaign(
        campaign, [("Eva", ""), ("", ""), ("Ivo", "")], by=olga
    )
    services.accept(first_invitation, by=stranger)
    Invitation.objects.filter(pk=expired_invitation.pk).update(
        expires=timezone.now() - timedelta(days=1)
    )

    seats = invitations.campaign_seats(campaign)

    assert [(seat.name, seat.state, bool(seat.path)) for seat in seats] == [
        ("ana", "joined", False),
        ("ben", "joined", False),
        ("stranger", "joined", False),
        ("person 2", "waiting", True),
        ("Ivo", "expired", False),
    ]


def test_a_revoked_link_is_gone_and_a_new_one_is_another(
    client: Client, campaign: Campaign, olga: User
) -> None:
    first, second = invitations.invite_to_campaign(campaign, [("Eva", ""), ("Ivo", "")], by=olga)
    client.force_login(olga)

    for name, invitation in (("revocation", first), ("renewal", second)):
        route = f"campaign-invitation-{name}"
        client.post(address(campaign, route, invitation=invitation.public_id))

    [remaining_seat] = [
        campaign_seat
        for campaign_seat in invitations.campaign_seats(campaign)
        if campaign_seat.invitation
    ]
    assert (remaining_seat.name, remaining_seat.state) == ("Ivo", "waiting")
    assert second.token not in remaining_seat.path
    assert client.get(reverse("join", args=[second.token])).status_code == 410


@pytest.mark.parametrize("was_used", [False, True])
def test_a_renewal_is_undone_until_the_new_link_is_used(
    client: Client, campaign: Campaign, olga: User, stranger: User, *, was_used: bool
) -> None:
    [first] = invitations.invite_to_campaign(campaign, [("Ivo", "")], by=olga)
    client.force_login(olga)
    renewal = address(campaign, "campaign-invitation-renewal", invitation=first.public_id)
    rows_before = stored_rows()

    undo = click(client, renewal, {})
    [second] = campaign.invitations.exclude(invitation=first)
    if was_used:
        services.accept(second.invitation, by=stranger)
    client.post(*undo)

    assert (stored_rows() == rows_before) is not was_used
    first.refresh_from_db()
    assert (first.revoked_at is None) is not was_used


@pytest.mark.parametrize("later_change", ["renewed", "revoked", "undone"])
def test_an_undone_renewal_opens_no_link_beside_a_later_change(
    client: Client, campaign: Campaign, olga: User, later_change: str
) -> None:
    [first] = invitations.invite_to_campaign(campaign, [("Ivo", "")], by=olga)
    client.force_login(olga)
    renewal = address(campaign, "campaign-invitation-renewal", invitation=first.public_id)
    undo = click(client, renewal, {})
    second = campaign.invitations.exclude(invitation=first).get()
    if later_change == "renewed":
        invitations.renew(second, by=olga)
    elif later_change == "revoked":
        services.revoke_invitation(second.invitation)
    else:
        client.post(*undo)
    rows_before = stored_rows()

    response = client.post(*undo, follow=True)

    assert "Nothing changed" in response.content.decode()
    assert stored_rows() == rows_before
    assert invitations.open_count(campaign) == (0 if later_change == "revoked" else 1)


def test_a_link_renewed_twice_from_one_page_has_one_renewal(
    client: Client, campaign: Campaign, olga: User
) -> None:
    [first] = invitations.invite_to_campaign(campaign, [("Ivo", "")], by=olga)
    client.force_login(olga)
    renewal = address(campaign, "campaign-invitation-renewal", invitation=first.public_id)

    client.post(renewal)
    response = client.post(renewal, follow=True)

    assert "cannot be renewed" in response.content.decode()
    assert invitations.open_count(campaign) == 1


def test_a_used_link_cannot_be_renewed(
    client: Client, campaign: Campaign, olga: User, stranger: User
) -> None:
    [used_invitation] = invitations.invite_to_campaign(campaign, [("Eva", "")], by=olga)
    services.accept(used_invitation, by=stranger)
    client.force_login(olga)

    renewal_address = address(
        campaign, "campaign-invitation-renewal", invitation=used_invitation.public_id
    )

    assert client.post(renewal_address).status_code == 404


def test_links_of_one_campaign_are_not_touched_through_another(
    client: Client, study: Study, campaign: Campaign, olga: User
) -> None:
    other_campaign = Campaign.objects.create(study=study, name="Other", slug="other")
    [invitation] = invitations.invite_to_campaign(campaign, [("Eva", "")], by=olga)
    client.force_login(olga)

    renewal_address = address(
        other_campaign, "campaign-invitation-revocation", invitation=invitation.public_id
    )

    assert client.post(renewal_address).status_code == 404
    assert invitation.state(timezone.now()) == "open"


def test_a_campaign_opens_for_those_to_come(study: Study, olga: User) -> None:
    campaign = Campaign.objects.create(study=study, name="New", slug="new-one")
    with pytest.raises(ValidationError, match="Nobody annotates this campaign yet"):
        campaigns.open_campaign(campaign)
    invitations.invite_to_campaign(campaign, [("Eva", "")], by=olga)

    campaigns.open_campaign(campaign)

    campaign.refresh_from_db()
    assert campaign.state == Campaign.State.OPEN


def test_a_draft_is_dealt_anew_with_each_person_who_joins(
    study: Study, make_series: Callable[..., Series], make_person: Callable[..., User], olga: User
) -> None:
    campaign = eight_fork_draft(study, make_series, overlap=2)

    for number in range(4):
        campaigns.add_annotators(campaign, [make_person(f"p{number}", Role.ANNOTATOR)])

    assert set(Counter(campaign.tasks.values_list("assignments__task", flat=True)).values()) == {2}
    assert set(series_a_person(campaign).values()) == {4}


def test_who_joins_later_takes_nothing_from_anybody(
    study: Study, make_series: Callable[..., Series], make_person: Callable[..., User], olga: User
) -> None:
    campaign = eight_fork_draft(study, make_series, overlap=2)
    first_people = [make_person(f"p{number}", Role.ANNOTATOR) for number in range(3)]
    campaigns.add_annotators(campaign, first_people)
    campaigns.open_campaign(campaign)
    pairs_before = set(Assignment.objects.values_list("task", "user"))

    late_person = make_person("late", Role.ANNOTATOR)
    campaigns.add_annotators(campaign, [late_person])

    pairs_after = set(Assignment.objects.values_list("task", "user"))
    assert pairs_before < pairs_after
    assert {user for _, user in pairs_after - pairs_before} == {late_person.pk}
    assert series_a_person(campaign)[late_person.pk] == 4  # of 8 series x 2, a fourth


def eight_fork_draft(study: Study, make_series: Callable[..., Series], *, overlap: int) -> Campaign:
    series = [make_series([2.0, 1.0, 1.0], fork=fork).pk for fork in range(8)]
    campaign_spec = campaigns.CampaignSpec("Dealt", series=series, annotators=[], overlap=overlap)
    return campaigns.create(study, campaign_spec, by=None)


def series_a_person(campaign: Campaign) -> Counter[int]:
    return Counter(campaign.tasks.values_list("assignments__user", flat=True))


@pytest.mark.parametrize("count", [1, 2])
def test_the_owner_sees_on_the_campaign_how_many_links_are_unused(
    client: Client, campaign: Campaign, task: Task, olga: User, ana: User, count: int
) -> None:
    links = invitations.invite_to_campaign(campaign, [("Dina", ""), ("Ed", "")], by=olga)
    for invitation in links[count:]:
        services.revoke_invitation(invitation)
    client.force_login(olga)
    unused_words = f"{count} link{'s' if count > 1 else ''} not used"

    page = client.get(campaign.get_absolute_url()).content.decode()
    services.accept(links[0], by=User.objects.create(username="dina"))
    page_after = client.get(campaign.get_absolute_url()).content.decode()
    client.force_login(ana)

    assert unused_words in page
    assert unused_words not in page_after
    assert ("data-to-come" in page_after) == (count == 2)
    assert "data-to-come" not in client.get(campaign.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    ("name", "shown_name"),
    [("", ""), ("Dina", "Dina"), ("person x", "person x"), ("person 01", "person 01")],
)
def test_who_joins_is_called_by_a_name_and_never_by_a_number(
    client: Client, campaign: Campaign, olga: User, name: str, shown_name: str
) -> None:
    [invitation] = invitations.invite_to_campaign(campaign, [(name, "")], by=olga)

    form = client.get(reverse("join", args=[invitation.token])).context["form"]

    assert form["name"].value() == shown_name
