"""Invitations to a campaign: many links at once, each for one person who joins study and campaign.

`campaign_seats` lists who has joined and who is to come; it names the links of those to come, so it
is for owners alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from annotate.answering import training
from annotate.campaign_notices import marking_words
from annotate.campaigns import services as campaigns
from annotate.campaigns.pace import USUAL_SECONDS
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
def invite_to_campaign(
    campaign: Campaign, people: Sequence[tuple[str, str]], *, by: User, cap: int | None = None
) -> list[Invitation]:
    """One link for each (name, mail address); either may be empty."""
    links = []
    first = campaign.invitations.count() + 1
    for number, (name, mail) in enumerate(people, start=first):
        shown_name = name or mail.partition("@")[0] or numbered_name(number)
        link = services.create_invitation(
            campaign.study, by=by, role=Role.ANNOTATOR, name=shown_name, mail=mail
        )
        CampaignInvitation.objects.create(invitation=link, campaign=campaign, cap=cap)
        links.append(link)
    return links


@transaction.atomic
def renew(campaign_invitation: CampaignInvitation, *, by: User) -> Invitation | None:
    """A new link for the same person; the one that was lost or has expired opens nothing.

    None where the earlier link is used or revoked already.
    """
    old_invitation = campaign_invitation.invitation
    if not services.revoke_invitation(old_invitation):
        return None
    return invite_to_campaign(
        campaign_invitation.campaign,
        [(old_invitation.name, old_invitation.mail)],
        by=by,
        cap=campaign_invitation.cap,
    )[0]


@transaction.atomic
def undo_renewal(campaign_invitation: CampaignInvitation, renewed_id: str) -> bool:
    """Put an earlier link back in place of its renewal; False once that is used, revoked or gone.

    The rows that the revocation changes decide: only one of two undos at once opens a link.
    """
    earlier_invitation = campaign_invitation.invitation
    later_links = campaign_invitation.campaign.invitations.select_related("invitation")
    renewed_link = later_links.filter(invitation__public_id=renewed_id).first()
    if not (
        renewed_link
        and earlier_invitation.revoked_at
        and services.revoke_invitation(renewed_link.invitation)
    ):
        return False
    renewed_link.invitation.delete()
    return services.reinstate_invitation(
        earlier_invitation, revoked_at=earlier_invitation.revoked_at
    )


# --- who is there, and who is to come -----------------------------------------------------------
def campaign_seats(campaign: Campaign) -> list[CampaignSeat]:
    """List who annotates, in the order of pseudonyms; then links that nobody has used yet."""
    people = list(campaign.annotators.select_related("user"))
    people.sort(key=lambda annotator: annotator_order(annotator.pseudonym))
    campaign_invitations = campaign.invitations.select_related("invitation")
    invitation_by_user = {
        campaign_invitation.invitation.used_by_id: campaign_invitation.invitation
        for campaign_invitation in campaign_invitations
    }
    seats = [
        _joined_seat(annotator, invitation_by_user.get(annotator.user_id)) for annotator in people
    ]
    current_time = timezone.now()
    open_links = campaign_invitations.filter(invitation__used_at=None, invitation__revoked_at=None)
    return seats + [_invited_seat(link.invitation, current_time) for link in open_links]


def open_count(campaign: Campaign) -> int:
    """Links that somebody can still use to join."""
    return (
        Invitation.objects.open(timezone.now())
        .filter(pk__in=campaign.invitations.values("invitation"))
        .count()
    )


def _joined_seat(annotator: Annotator, invitation: Invitation | None) -> CampaignSeat:
    """Seat of somebody who annotates; of a name from a file nobody knows when it joined."""
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


def _invited_seat(invitation: Invitation, current_time: datetime) -> CampaignSeat:
    token = invitation.token
    usable_token = invitation.state(current_time) == "open" and token
    state = ("opened" if invitation.opened_at else "waiting") if usable_token else "expired"
    return CampaignSeat(
        invitation.name,
        invitation.mail,
        state,
        invitation.opened_at if usable_token else invitation.expires,
        invitation=invitation.public_id,
        path=reverse("join", kwargs={"token": token}) if usable_token else "",
        mail=invitation.mail,
    )


# --- accepting ----------------------------------------------------------------------------------
def _campaign_words(invitation: Invitation) -> str:
    campaign_invitation = _campaign_of(invitation)
    if campaign_invitation is None:
        return ""
    count = campaign_invitation.campaign.tasks.to_mark().count()
    campaign = campaign_invitation.campaign
    return f"mark {marking_words(campaign, f'{count:,} series', plural=count != 1)}"


def _time_words(invitation: Invitation) -> str:
    campaign_invitation = _campaign_of(invitation)
    if campaign_invitation is None:
        return ""
    count = campaign_invitation.campaign.tasks.to_mark().count()
    share = min(count, campaign_invitation.cap or count)
    minutes = ceil(share * USUAL_SECONDS / 60) or 1
    return "about one minute" if minutes == 1 else f"about {minutes:,} minutes"


def _join(invitation: Invitation, user: User) -> str:
    campaign_invitation = _campaign_of(invitation)
    if campaign_invitation is None:
        return ""
    campaigns.add_annotators(campaign_invitation.campaign, [user], cap=campaign_invitation.cap)
    campaign = campaign_invitation.campaign
    if campaign.state == Campaign.State.OPEN and training.needs_training(campaign, user):
        campaign = campaign.training or campaign  # practice comes first, and at once
        training.begin_attempt(campaign, user)
    return reverse("annotate", args=[invitation.study.slug, campaign.slug])


def _campaign_of(invitation: Invitation) -> CampaignInvitation | None:
    """Find the campaign; None where the invitation is for the study alone, or the campaign takes
    no answers any more.
    """
    campaign_invitations = CampaignInvitation.objects.filter(
        invitation=invitation, campaign__study=invitation.study_id
    )
    open_invitations = campaign_invitations.exclude(campaign__state=Campaign.State.CLOSED)
    return open_invitations.select_related("campaign__study").first()


PURPOSE = joining.InvitationPurpose(words=_campaign_words, time_words=_time_words, join=_join)
