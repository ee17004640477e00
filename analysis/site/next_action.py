"""The one thing to do next in a study, for its owner: what its page begins with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from analysis.review.open_case_count import open_cases
from analysis.site.reads import StudySummary
from annotate.campaign_pages import progress
from annotate.campaign_pages.progress import AnnotatorProgress
from annotate.models import Campaign, Mark
from people.models import Membership, Study, User

NAMED: Final = 2  # most people that a button names


@dataclass(frozen=True, slots=True)
class NextAction:
    """A sentence, one line of where it stands, and the button that leads on.

    closure_url  where a campaign is closed as it is, beside what the button does
    """

    sentence: str
    detail: str
    label: str
    url: str
    people: tuple[AnnotatorProgress, ...] = ()
    closure_url: str = ""


def next_action(study: Study, summary: StudySummary, owner: User) -> NextAction | None:
    """Next action in this order: import, ask people, remind them or close, review, run, compare."""
    if not summary.series_count:
        action_texts = ("Import your measurements", "Nothing is here yet.", "Import values")
        return _action(study, "import", *action_texts)
    return (
        _comparison_action(study, summary)
        or _campaigns_action(study)
        or _review_action(study, owner)
        or _detectors_action(study, summary)
    )


def _action(study: Study, route: str, sentence: str, detail: str, label: str) -> NextAction:
    return NextAction(sentence, detail, label, reverse(route, args=[study.slug]))


def _comparison_action(study: Study, summary: StudySummary) -> NextAction | None:
    """Compare with the ground truth that is there, while nobody has begun the newest campaign."""
    newest_campaign = study.campaigns.for_truth().filter(simulated=False).first()
    if (
        newest_campaign is None
        or newest_campaign.state != Campaign.State.OPEN
        or not summary.detection_count
    ):
        return None
    if Mark.objects.filter(task__campaign=newest_campaign).exists():
        return None
    older_campaigns = (
        study.campaigns.for_truth()
        .exclude(pk=newest_campaign.pk)
        .exclude(state=Campaign.State.DRAFT)
    )
    truth_campaign = older_campaigns.filter(tasks__marks__isnull=False).first()
    if truth_campaign is None:
        return None
    sentence = f"Methods can be compared with {truth_campaign}"
    return _action(
        study, "comparison", sentence, f"Nobody has begun {newest_campaign} yet.", "Compare"
    )


def _campaigns_action(study: Study) -> NextAction | None:
    campaigns = study.campaigns.for_truth().filter(simulated=False)
    newest_campaign = campaigns.exclude(state=Campaign.State.CLOSED).first()
    if newest_campaign is not None:
        return _campaign_action(newest_campaign)
    if campaigns.exists():
        return None
    detail = "Each person marks without seeing the others. Five are a good number."
    sentence = "Ask people where each series becomes steady"
    return _action(study, "campaign-new", sentence, detail, "Start a campaign")


def _campaign_action(campaign: Campaign) -> NextAction:
    url = campaign.get_absolute_url()
    if campaign.state == Campaign.State.DRAFT:
        return NextAction(f"{campaign} is a draft", "It asks nobody yet.", "Go to the draft", url)
    people = tuple(progress.bars(campaign))
    if not any(person.asked for person in people):
        detail = "Add people, or send them a link."
        return NextAction(f"Nobody annotates {campaign} yet", detail, "Go to the campaign", url)
    unfinished_people = [person for person in people if person.remaining_count]
    closure_url = _campaign_address("campaign-closure", campaign)
    if not unfinished_people:
        sentence, detail = (f"{campaign} is complete", "Closing makes the ground truth final.")
        return NextAction(sentence, detail, "Close it", closure_url, people)
    subject = (
        "One person still has"
        if len(unfinished_people) == 1
        else f"{len(unfinished_people)} people still have"
    )
    answer_count = sum(person.remaining_count for person in unfinished_people)
    sentence = f"{subject} {answer_count} answer{'' if answer_count == 1 else 's'} to give"
    label = f"Remind {people_words([person.first_name for person in unfinished_people])}"
    reminder_url = _campaign_address("campaign-reminder", campaign)
    return NextAction(sentence, str(campaign), label, reminder_url, people, closure_url)


def _campaign_address(route: str, campaign: Campaign) -> str:
    return reverse(route, args=[campaign.study.slug, campaign.slug])


def people_words(names: Sequence[str]) -> str:
    """One or two people by their names, more by their number."""
    if len(names) > NAMED:
        return f"{len(names)} people"
    return " and ".join(names)


def _review_action(study: Study, owner: User) -> NextAction | None:
    memberships = Membership.objects.filter(study=study, user=owner).annotate(
        cases=open_cases(owner)
    )
    case_count = memberships.values_list("cases", flat=True).first()
    if not case_count:
        return None
    sentence = "One open case" if case_count == 1 else f"{case_count} open cases"
    detail = "People disagree there, or were unsure."
    label = f"Decide {case_count} disagreement{'' if case_count == 1 else 's'}"
    return _action(study, "disagreements", sentence, detail, label)


def _detectors_action(study: Study, summary: StudySummary) -> NextAction | None:
    if summary.unanswered_count:
        detail = "Detectors answer the same question as people."
        return _action(study, "run-new", _missing_words(summary), detail, "Start a run")
    if not summary.complete_count:
        return None
    detail = "Every method is measured against the people."
    return _action(study, "comparison", "People and detectors have answered", detail, "Compare")


def _missing_words(summary: StudySummary) -> str:
    if not summary.detection_count:
        return "Run detectors on the series"
    if summary.unanswered_count == 1:
        return "No detector has answered one of the series"
    return f"No detector has answered {summary.unanswered_count} of the series"
