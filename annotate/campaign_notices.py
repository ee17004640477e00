"""Notices to people of a campaign by mail or webhook, where an installation sends any."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.db.models import Count, Max, Q
from django.urls import reverse
from django.utils import timezone

from annotate.models import Annotator, Assignment, Campaign, Task
from people import notices
from people.models import Invitation, User
from people.notices import Notice

FEW: Final = 2  # series that are left when their annotator is reminded
TOO_LATE: Final = timedelta(days=30)  # after the pause: nobody is reminded of what is old
LOOK_EVERY: Final = 3600  # seconds


def marking_words(campaign: Campaign, series: str, *, plural: bool) -> str:
    """Say what people mark: where 40 series become steady."""
    if campaign.asks_changes:
        return f"every change of level of {series}"
    question = "whether" if campaign.is_screening else "where"
    return f"{question} {series} {'become' if plural else 'becomes'} steady"


def invitation_text(campaign: Campaign) -> str:
    """Text that goes with a link, for a mail or a message."""
    series = campaign.tasks.to_mark().count()
    question = marking_words(campaign, f"{series:,} series", plural=series != 1)
    return (
        f"You are asked to mark {question}; this link is yours. "
        "About 20 s a series, at any time. Nobody sees your answers before giving their own."
    )


def mail_links(campaign: Campaign, *, site: str) -> int:
    """Send each open link to its person alone; to how many. `site`: what links begin with."""
    current_time = timezone.now()
    open_invitations = (
        Invitation.objects.open(current_time)
        .filter(for_campaign__campaign=campaign)
        .exclude(mail="")
    )
    text = invitation_text(campaign)
    return sum(
        notices.send(
            Notice(
                "invited",
                f"You are invited to {campaign}",
                text,
                campaign.study,
                to=(invitation.mail,),
                invitation=invitation,
                site=site,
            )
        )
        for invitation in open_invitations
    )


def reminder_text(campaign: Campaign) -> str:
    """Text that goes to everybody who has series left: it says of nobody how many."""
    question = marking_words(campaign, "each", plural=False)
    return (
        f"Some of your series of {campaign} still need your answer: {question}. "
        "About 20 s a series, at any time; what you have answered is kept."
    )


def remind(campaign: Campaign, people: Iterable[User]) -> None:
    """Tell those who have series left, each by a mail of their own."""
    notices.send(
        Notice(
            "reminded",
            f"Your series of {campaign}",
            reminder_text(campaign),
            campaign.study,
            _annotate(campaign),
            to=tuple(person.email for person in people if person.email),
        )
    )


def remind_of_few_left() -> int:
    """Remind, once in each campaign, who has stopped with one or two series left; how many.

    Whoever has answered nothing for `PLATEAU_REMIND_DAYS` days has stopped. Called by workers, and
    looked into once an hour.
    """
    if not notices.is_on() or not cache.add("reminders", True, LOOK_EVERY):  # noqa: FBT003  # a value
        return 0
    return sum(bool(notices.send(notice)) for notice in _reminders())


def _reminders() -> list[Notice]:
    """Notices for annotators of open campaigns with few series left whose last answer is old
    enough.
    """
    current_time = timezone.now()
    pause = timedelta(days=settings.REMIND_DAYS)
    assignments = Assignment.objects.filter(
        task__campaign__state=Campaign.State.OPEN, task__campaign__study__removed=None
    ).exclude(task__campaign__purpose__in=[Campaign.Purpose.TRAINING, Campaign.Purpose.REPEAT])
    assignment_pairs = assignments.order_by().values_list("task__campaign", "user")
    stopped_pairs = assignment_pairs.annotate(
        left=Count("pk", filter=Q(latest=None)), last=Max("latest__when")
    ).filter(
        left__gte=1,
        left__lte=FEW,
        last__range=(current_time - pause - TOO_LATE, current_time - pause),
    )
    remaining_counts = {(campaign, user): count for campaign, user, count, _ in stopped_pairs}
    people = Annotator.objects.filter(
        campaign__in={campaign for campaign, _ in remaining_counts}, kind=Annotator.Kind.PERSON
    ).select_related("campaign__study", "user")
    annotator_counts = (
        (annotator, remaining_counts.get((annotator.campaign_id, annotator.user_id)))
        for annotator in people
    )
    return [_reminder(annotator, count) for annotator, count in annotator_counts if count]


def _reminder(annotator: Annotator, remaining_count: int) -> Notice:
    campaign = annotator.campaign
    word = "one" if remaining_count == 1 else "two"
    return Notice(
        "two-series-left",
        f"{word.capitalize()} series left of {campaign}",
        # By the pseudonym: a webhook may be read by people who know no other name.
        f"{annotator.pseudonym.upper()} has {word} series left of {campaign}.",
        campaign.study,
        _annotate(campaign),
        to=(annotator.user.email,),
        once=f"few-left:{annotator.pk}",
    )


def tell_complete(campaign: Campaign) -> None:
    """Tell that the last answer is in, once for each time that there were none left."""
    if not notices.is_on() or not (campaign.makes_truth or campaign.asks_changes):
        return
    answers = Assignment.objects.filter(task__campaign=campaign)
    if answers.filter(latest=None).exists():
        return
    notices.send(
        Notice(
            "campaign-complete",
            f"{campaign} is complete",
            f"All {answers.count():,} answers of {campaign} are in.",
            campaign.study,
            campaign.get_absolute_url(),
            once=f"complete:{campaign.pk}:{answers.count()}",
        )
    )


def tell_asked_again(task: Task, asked_names: Sequence[str], *, by: User) -> None:
    """Tell these pseudonyms that somebody asks for a new answer."""
    if not notices.is_on():
        return
    campaign = task.campaign
    people = Annotator.objects.filter(campaign=campaign, pseudonym__in=asked_names)
    notices.send(
        Notice(
            "review-asked",
            f"You are asked to answer again in {campaign}",
            f"{by} asks you to answer series {task.position} again in {campaign}.",
            campaign.study,
            _annotate(campaign),
            to=tuple(people.values_list("user__email", flat=True)),
        )
    )


def _annotate(campaign: Campaign) -> str:
    return reverse("annotate", args=[campaign.study.slug, campaign.slug])
