"""Invitations to a campaign: many links at once, each for one person who joins study and campaign.

`campaign_seats` lists who has joined and who is to come; it names the links of those to come, so it
is for owners alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from annotate.answering import training
from annotate.campaigns import services as campaigns
from annotate.models import Annotator, Campaign, CampaignInvitation
from annotate.recipes import annotator_order
from people import joining, services
from people.models import Invitation, Role, User
from people.models.invitation import numbered_name

MOST = 50  # links at once


@dataclass(frozen=True, slots=True)
class CampaignSeat:
    """One person of a campaign: who has joined, or the link for who is to come."""

    name: str
    under: str  # user name or mail address, whichever is known
    state: str  # joined, opened, waiting or expired
    when: datetime | None
    pseudonym: str = ""
    invitation: str = ""  # its public name; empty for who did not come by one
    path: str = ""  # of the link, as long as it can be used
    mail: str = ""

    @property
    def initials(self) -> str:
        return "".join(word[0] for word in self.name.split()[:2]).upper()


@transaction.atomic
def invite(
    campaign: Campaign, people: Sequence[tuple[str, str]], *, by: User, cap: int | None = None
) -> list[Invitation]:
    """One link for each (name, mail address); either may be empty."""
    made = []
    first = campaign.invitations.count() + 1
    for number, (name, mail) in enumerate(people, start=first):
        said = name or mail.partition("@")[0] or numbered_name(number)
        one = services.invite(campaign.study, by=by, role=Role.ANNOTATOR, name=said, mail=mail)
        CampaignInvitation.objects.create(invitation=one, campaign=campaign, cap=cap)
        made.append(one)
    return made


@transaction.atomic
def renew(asked: CampaignInvitation, *, by: User) -> Invitation:
    """A new link for the same person; the one that was lost or has expired opens nothing."""
    old = asked.invitation
    services.revoke(old)
    return invite(asked.campaign, [(old.name, old.mail)], by=by, cap=asked.cap)[0]


# --- who is there, and who is to come -----------------------------------------------------------
def campaign_seats(campaign: Campaign) -> list[CampaignSeat]:
    """Who annotates, in the order of pseudonyms; then links that nobody has used yet."""
    people = list(campaign.annotators.select_related("user"))
    people.sort(key=lambda each: annotator_order(each.pseudonym))
    asked = campaign.invitations.select_related("invitation")
    used = {each.invitation.used_by_id: each.invitation for each in asked}
    seats = [_joined(each, used.get(each.user_id)) for each in people]
    now = timezone.now()
    to_come = asked.filter(invitation__used_at=None, invitation__revoked_at=None)
    return seats + [_to_come(each.invitation, now) for each in to_come]


def open_count(campaign: Campaign) -> int:
    """Links that somebody can still use to join."""
    return (
        Invitation.objects.open(timezone.now())
        .filter(pk__in=campaign.invitations.values("invitation"))
        .count()
    )


def _joined(annotator: Annotator, invitation: Invitation | None) -> CampaignSeat:
    """Of a name from a file nobody knows when it joined."""
    user = annotator.user
    is_person = annotator.kind == Annotator.Kind.PERSON
    return CampaignSeat(
        user.name if is_person else annotator.get_kind_display(),
        user.username if is_person else "",
        "joined",
        invitation.used_at if invitation else None,
        pseudonym=annotator.pseudonym,
        invitation=invitation.public_id if invitation else "",
    )


def _to_come(invitation: Invitation, now: datetime) -> CampaignSeat:
    token = invitation.token
    usable = invitation.state(now) == "open" and token
    state = ("opened" if invitation.opened_at else "waiting") if usable else "expired"
    return CampaignSeat(
        invitation.name,
        invitation.mail,
        state,
        invitation.opened_at if usable else invitation.expires,
        invitation=invitation.public_id,
        path=reverse("join", kwargs={"token": token}) if usable else "",
        mail=invitation.mail,
    )


# --- accepting ----------------------------------------------------------------------------------
def _said(invitation: Invitation) -> str:
    asked = _campaign_of(invitation)
    if asked is None:
        return ""
    count = asked.campaign.tasks.to_mark().count()
    question = "whether" if asked.campaign.is_screening else "where"
    return f"mark {question} {count:,} series become{'s' if count == 1 else ''} steady"


def _join(invitation: Invitation, user: User) -> str:
    asked = _campaign_of(invitation)
    if asked is None:
        return ""
    campaigns.add_annotators(asked.campaign, [user], cap=asked.cap)
    campaign = asked.campaign
    if campaign.state == Campaign.State.OPEN and training.needed(campaign, user):
        campaign = campaign.training or campaign  # practice comes first, and at once
        training.begin(campaign, user)
    return reverse("annotate", args=[invitation.study.slug, campaign.slug])


def _campaign_of(invitation: Invitation) -> CampaignInvitation | None:
    """None where it is for the study alone, or the campaign takes no answers any more."""
    asked = CampaignInvitation.objects.filter(
        invitation=invitation, campaign__study=invitation.study_id
    )
    running = asked.exclude(campaign__state=Campaign.State.CLOSED)
    return running.select_related("campaign__study").first()


PURPOSE = joining.InvitationPurpose(said=_said, join=_join)
