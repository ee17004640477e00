"""What people of a campaign are told by mail or webhook, where an installation sends any."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from django.urls import reverse

from annotate.models import Annotator, Assignment, Campaign, Task
from people import notices
from people.models import User
from people.notices import Notice

FEW: Final = 2  # series that are left when their annotator is told


def invitation_text(campaign: Campaign) -> str:
    """What goes with a link, for a mail or a message."""
    series = campaign.tasks.to_mark().count()
    asked = "whether" if campaign.is_screening else "where"
    become = "becomes" if series == 1 else "become"
    return (
        f"You are asked to mark {asked} {series:,} series {become} steady; this link is yours. "
        "About 20 s a series, at any time. Nobody sees your answers before their own."
    )


def mail_links(campaign: Campaign, links: Iterable[tuple[str, str]]) -> int:
    """Send each (mail address, link) to its person alone; to how many."""
    text = invitation_text(campaign)
    sent = [
        Notice(
            "invited",
            f"You are invited to {campaign}",
            f"{text}\n\n{link}",
            str(campaign.study),
            to=(mail,),
            is_secret=True,
        )
        for mail, link in links
    ]
    for each in sent:
        notices.send(each)
    return len(sent)


def reminder_text(campaign: Campaign) -> str:
    """What goes to everybody who has series left: it says of nobody how many."""
    asked = "whether" if campaign.is_screening else "where"
    return (
        f"Some of your series of {campaign} still wait for your answer: {asked} each becomes "
        "steady. About 20 s a series, at any time; what you have answered is kept."
    )


def remind(campaign: Campaign, people: Iterable[User]) -> None:
    """Tell those who have series left, each by a mail of their own."""
    notices.send(
        Notice(
            "reminded",
            f"Your series of {campaign}",
            reminder_text(campaign),
            str(campaign.study),
            _annotate(campaign),
            to=tuple(each.email for each in people if each.email),
        )
    )


def tell_two_left(campaign: Campaign, user: User) -> None:
    """Tell an annotator who has just answered that two series are left."""
    if not notices.is_on():
        return
    left = Assignment.objects.filter(user=user, task__campaign=campaign, latest=None)
    if left.count() == FEW:
        notices.send(
            Notice(
                "two-series-left",
                f"Two series left of {campaign}",
                f"{_named(campaign, user)} has two series left of {campaign}.",
                str(campaign.study),
                _annotate(campaign),
                to=(user.email,),
            )
        )


def tell_asked_again(task: Task, whom: Sequence[str], *, by: User) -> None:
    """Tell these pseudonyms that somebody asks for another look."""
    if not notices.is_on():
        return
    campaign = task.campaign
    people = Annotator.objects.filter(campaign=campaign, pseudonym__in=whom)
    notices.send(
        Notice(
            "review-asked",
            f"Your review is asked in {campaign}",
            f"{by} asks for another look at series {task.position} of {campaign}.",
            str(campaign.study),
            _annotate(campaign),
            to=tuple(people.values_list("user__email", flat=True)),
        )
    )


def _named(campaign: Campaign, user: User) -> str:
    """By the pseudonym: a webhook may be read by people who know no other name."""
    place = campaign.annotators.filter(user=user).first()
    return place.pseudonym.upper() if place else "Somebody"


def _annotate(campaign: Campaign) -> str:
    return reverse("annotate", args=[campaign.study.slug, campaign.slug])
