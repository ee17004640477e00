"""Refusals of an answer, in the words that the annotator reads."""

from __future__ import annotations

from django.utils import timezone

from annotate.models import Campaign, Task


class Refusal(Exception):
    """An answer that cannot be stored now, whoever sends it again."""

    reason = "refused"

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class CampaignNotOpen(Refusal):
    """The campaign takes no answers: it is closed, or has yet to start."""

    def __init__(self, task: Task, campaign: Campaign) -> None:
        self.reason = campaign.state
        super().__init__(
            f"{_state_sentence(campaign)} Your answer to series {task.position} was not stored."
        )


class ValuesReplaced(Refusal):
    """The values that were marked are not those of the task's series."""

    reason = "replaced"

    def __init__(self) -> None:
        super().__init__("This series was replaced after you opened it. Nothing was saved.")


class NotAssigned(Refusal):
    """The task is somebody else's."""

    reason = "not-asked"

    def __init__(self, task: Task) -> None:
        super().__init__(f"Series {task.position} of {task.campaign} is not assigned to you.")


class TrainingRequired(Refusal):
    """The campaign asks for a training that the person has yet to pass."""

    reason = "untrained"

    def __init__(self, campaign: Campaign) -> None:
        super().__init__(f"{campaign} begins after {campaign.training}. Nothing was saved.")


class TrainingAnswerExists(Refusal):
    """A training series was answered before: its accepted answer has been read."""

    reason = "counts-once"

    def __init__(self, task: Task) -> None:
        super().__init__(f"Your answer to series {task.position} counts once, in a training.")


def _state_sentence(campaign: Campaign) -> str:
    if campaign.state == Campaign.State.DRAFT:
        return f"{campaign} has not started yet."
    closing_person = f" by {campaign.closed_by}" if campaign.closed_by else ""
    closing_time = (
        f" at {timezone.localtime(campaign.closed_at):%H:%M}" if campaign.closed_at else ""
    )
    return f"{campaign} was closed{closing_person}{closing_time}."
