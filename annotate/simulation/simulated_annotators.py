"""A campaign whose annotators are simulated, so that pages of people's answers have some to show.

Its name, the names of its annotators and their pseudonyms say that they are simulated, so that
every page and every file does. They cannot sign in, and are in no campaign with people.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Final

from annotate.answering.truth_transactions import truth_transaction
from annotate.campaigns import services as campaigns
from annotate.models import Assignment, Campaign, Mark
from annotate.models.campaign import SIMULATED
from annotate.simulation import annotator_model
from detectors.contract import NEVER
from people.models import Study, User
from series.models import Series

NAME: Final = f"Five {SIMULATED}"
NAMES: Final = uuid.uuid5(uuid.NAMESPACE_URL, "plateau:simulated-annotators")


@truth_transaction()
def make_campaign(study: Study, series: Sequence[Series], *, by: User | None) -> Campaign:
    """A closed campaign over `series`, answered by every annotator of the model."""
    campaign_spec = campaigns.CampaignSpec(
        name=NAME,
        series=[chosen_series.pk for chosen_series in series],
        annotators=[_annotator(number) for number in range(1, len(annotator_model.PEOPLE) + 1)],
        simulated=True,
    )
    campaign = campaigns.create(study, campaign_spec, by=by)
    campaigns.open_campaign(campaign)
    _answer(campaign)
    campaigns.close(campaign, by=by)
    return campaign


def _annotator(number: int) -> User:
    user, is_new = User.objects.get_or_create(
        username=f"simulated-{number}",
        defaults={"first_name": "Simulated", "last_name": str(number), "simulated": True},
    )
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def _answer(campaign: Campaign) -> None:
    """A mark for each assignment, all at once; `campaigns.close` makes their ground truth."""
    order = [annotator.user_id for annotator in campaign.annotators.order_by("user__username")]
    assignments = Assignment.objects.filter(task__campaign=campaign)
    assignments_by_task: dict[int, dict[int, Assignment]] = {}
    for assignment in assignments.select_related("task__series__stored"):
        assignments_by_task.setdefault(assignment.task_id, {})[assignment.user_id] = assignment
    marks = []
    for people in assignments_by_task.values():
        series = next(iter(people.values())).task.series
        rng = annotator_model.generator(series.digest)
        answers = annotator_model.simulated_answers(series.array(), rng)
        marks += [_mark(people[user], answer) for user, answer in zip(order, answers, strict=True)]
    for mark in Mark.objects.bulk_create(marks):
        assignments_by_task[mark.task_id][mark.annotator_id].latest = mark
    Assignment.objects.bulk_update(
        [assignment for people in assignments_by_task.values() for assignment in people.values()],
        ["latest"],
    )


def _mark(assignment: Assignment, answer: int) -> Mark:
    return Mark(
        task=assignment.task,
        annotator_id=assignment.user_id,
        kind=Mark.Kind.NEVER if answer == NEVER else Mark.Kind.STEADY,
        index=None if answer == NEVER else answer,
        series_digest=assignment.task.series.digest,
        client_id=uuid.uuid5(NAMES, f"{assignment.pk}"),
    )
