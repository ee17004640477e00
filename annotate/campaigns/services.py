"""Campaigns: made, opened, joined, closed; and their ground truth brought up to date."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from annotate import recipes
from annotate.answering.ground_truth_updates import ground_truth_columns, refresh_ground_truths
from annotate.answering.truth_transactions import truth_transaction
from annotate.campaign_rows import create_campaign
from annotate.campaigns import series_order
from annotate.campaigns.assignments import assign
from annotate.models import Annotator, Assignment, Campaign, GroundTruth, Mark, Task
from annotate.models.campaign import SIMULATED_PSEUDONYM
from people import audit
from people.models import Invitation, Role, Study, User
from series.models import Series

AT_A_TIME = 500  # rows of a bulk insert


@dataclass(frozen=True, slots=True)
class CampaignSpec:
    """Specification of a new campaign."""

    name: str
    series: Sequence[int]  # primary keys
    annotators: Sequence[User]
    instructions: str = ""
    recipe: str = recipes.DEFAULT
    params: Mapping[str, Any] = field(default_factory=dict)
    overlap: int | None = None  # annotators a series; None is everybody
    cap: int | None = None  # most series a person
    hide_names: bool = True
    hide_values: bool = False
    show_events: bool = False
    purpose: str = Campaign.Purpose.ANNOTATE
    follows: Campaign | None = None  # the screening that judged the series steady
    second_share: float = 0.0  # of each person's series, asked once more
    ask_difficulty: bool = False
    seed: int = 0
    selection: Mapping[str, Any] = field(default_factory=dict)
    simulated: bool = False


@transaction.atomic
def create(study: Study, spec: CampaignSpec, *, by: User | None) -> Campaign:
    """A draft campaign. Positions are shuffled by the seed, so forks are no neighbours."""
    if not spec.series:
        raise ValidationError({"series": "A campaign needs at least one series."})
    campaign = create_campaign(
        study,
        spec.name,
        fallback_slug="campaign",
        recipe=spec.recipe,
        params=dict(spec.params),
        instructions=spec.instructions,
        hide_names=spec.hide_names,
        hide_values=spec.hide_values,
        show_events=spec.show_events,
        purpose=spec.purpose,
        follows=spec.follows,
        second_share=spec.second_share,
        ask_difficulty=spec.ask_difficulty,
        overlap=spec.overlap,
        seed=spec.seed,
        selection=dict(spec.selection),
        simulated=spec.simulated,
        created_by=by,
    )
    add_series(campaign, spec.series)
    series_order.arrange(campaign)
    add_annotators(campaign, spec.annotators, cap=spec.cap)
    return campaign


@transaction.atomic
def create_once(study: Study, spec: CampaignSpec, *, key: str, by: User) -> Campaign:
    """The campaign that `by` has made with this key, else a new one.

    One page may ask twice at a time: when it keeps its draft, and when its button is pressed.
    """
    # Locked, so that of two that come at once the second finds the draft of the first.
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    campaign = study.campaigns.filter(created_by=by, selection__key=key).first() if key else None
    if campaign is None:
        selection = {**spec.selection, "key": key} if key else spec.selection
        campaign = create(study, replace(spec, selection=selection), by=by)
    return campaign


def rename_campaign(campaign: Campaign, name: str) -> None:
    """Give a campaign another name. ValidationError where the name breaks a rule of the table."""
    renamed_campaign = copy(campaign)
    renamed_campaign.name = name
    renamed_campaign.validate_constraints()
    renamed_campaign.save(update_fields=["name"])


def add_series(campaign: Campaign, series: Iterable[int]) -> None:
    """Give each series a position behind those that are there, in an order of the seed."""
    new_series_pks = sorted(set(series) - set(campaign.tasks.values_list("series_id", flat=True)))
    study_series_pks = set(
        Series.objects.filter(
            pk__in=new_series_pks, benchmark__dataset__study=campaign.study
        ).values_list("pk", flat=True)
    )
    shuffled_pks = [series_pk for series_pk in new_series_pks if series_pk in study_series_pks]
    random.Random(f"{campaign.seed} positions").shuffle(shuffled_pks)  # noqa: S311  # order, no secret
    first_position = campaign.next_position()
    Task.objects.bulk_create(
        (
            Task(campaign=campaign, series_id=pk, position=position)
            for position, pk in enumerate(shuffled_pks, start=first_position)
        ),
        batch_size=AT_A_TIME,
    )


@transaction.atomic
def add_annotators(campaign: Campaign, people: Sequence[User], *, cap: int | None = None) -> None:
    """Give people a pseudonym and a queue. Pseudonyms follow a seeded shuffle, not the order.

    A ground truth that was complete waits for them, too.
    """
    locked_campaign = _lock_campaign(campaign)
    present_user_pks = set(campaign.annotators.human().values_list("user_id", flat=True))
    new_users = sorted(
        (person for person in people if person.pk not in present_user_pks), key=lambda user: user.pk
    )
    if not campaign.simulated:  # whose names are pseudonyms already
        random.Random(f"{campaign.seed} pseudonyms {len(present_user_pks)}").shuffle(new_users)  # noqa: S311
    for number, user in enumerate(new_users, start=len(present_user_pks) + 1):
        pseudonym = free_pseudonym(campaign, number)
        Annotator.objects.create(campaign=campaign, user=user, pseudonym=pseudonym, cap=cap)
    campaign.state = locked_campaign.state
    assign(campaign, {user.pk for user in new_users})
    if locked_campaign.state == Campaign.State.OPEN:
        refresh_all(locked_campaign)


@transaction.atomic
def remove_annotators(campaign: Campaign, people: Collection[int]) -> None:
    """Take places in a draft away (user ids); whoever has answered keeps theirs."""
    annotators = campaign.annotators.filter(user__in=people).exclude(
        user__in=Mark.objects.filter(task__campaign=campaign).values("annotator")
    )
    if not annotators or _lock_campaign(campaign).state != Campaign.State.DRAFT:
        return
    users = [annotator.user_id for annotator in annotators]
    Assignment.objects.filter(task__campaign=campaign, user__in=users).delete()
    annotators.delete()
    assign(campaign)


@transaction.atomic
def change_cap(campaign: Campaign, cap: int | None, *, links: int | None) -> None:
    """Most series of each person: of a draft for all, else for whoever joins from now on.

    links  how many links the page of the draft offers to make; kept with it
    """
    locked_campaign = _lock_campaign(campaign)
    selection = {
        key: value
        for key, value in locked_campaign.selection.items()
        if key not in {"cap", "links"}
    }
    selection |= {
        key: value for key, value in (("cap", cap), ("links", links)) if value is not None
    }
    if selection == locked_campaign.selection:
        return
    is_cap_changed = selection.get("cap") != locked_campaign.selection.get("cap")
    campaign.selection = locked_campaign.selection = selection
    locked_campaign.save(update_fields=["selection"])
    if not is_cap_changed:
        return
    locked_campaign.invitations.filter(invitation__used_at=None).update(cap=cap)
    if locked_campaign.state == Campaign.State.DRAFT:
        locked_campaign.annotators.human().update(cap=cap)
        Assignment.objects.filter(task__campaign=locked_campaign, latest=None).delete()
        assign(locked_campaign)


def free_pseudonym(campaign: Campaign, number: int) -> str:
    """`a1`, `a2`, … from `number` on, that nobody in the campaign has.

    `simulated-1`, … in a campaign of simulated annotators: files and charts show it.
    """
    first = SIMULATED_PSEUDONYM if campaign.simulated else "a"
    used_pseudonyms = set(campaign.annotators.values_list("pseudonym", flat=True))
    return next(
        name
        for name in (f"{first}{n}" for n in range(number, number + len(used_pseudonyms) + 1))
        if name not in used_pseudonyms
    )


@transaction.atomic
def open_campaign(campaign: Campaign) -> None:
    """Let the annotators begin, or go on."""
    locked_campaign = _lock_campaign(campaign)
    if follower := locked_campaign.is_screening and locked_campaign.followed_by.present().first():
        raise ValidationError(
            f"{follower} marks what was judged steady here, and has what was judged never. "
            "Remove that campaign before the screening takes other answers."
        )
    if not locked_campaign.annotators.human().exists() and not _is_link_open(locked_campaign):
        raise ValidationError("Nobody annotates this campaign yet. Add people, or make links.")
    locked_campaign.state = Campaign.State.OPEN
    locked_campaign.opened_at = locked_campaign.opened_at or timezone.now()
    locked_campaign.closed_at = locked_campaign.closed_by = locked_campaign.archived_at = None
    locked_campaign.save(
        update_fields=["state", "opened_at", "closed_at", "closed_by", "archived_at"]
    )
    audit.record(audit.Action.CAMPAIGN_OPENED, str(locked_campaign), study=locked_campaign.study)
    refresh_all(locked_campaign)


@transaction.atomic
def make_draft(campaign: Campaign) -> None:
    """Undo the first opening. ValidationError once somebody has answered."""
    locked_campaign = _lock_campaign(campaign)
    if Mark.objects.filter(task__campaign=locked_campaign).exists():
        raise ValidationError(f"{locked_campaign} has answers: close it instead.")
    locked_campaign.state, locked_campaign.opened_at = Campaign.State.DRAFT, None
    locked_campaign.save(update_fields=["state", "opened_at"])
    audit.record(
        audit.Action.CAMPAIGN_CLOSED,
        f"{locked_campaign}, a draft again",
        study=locked_campaign.study,
    )


def _is_link_open(campaign: Campaign) -> bool:
    """Return whether a link is out by which somebody can still join."""
    links = Invitation.objects.open(timezone.now())
    return links.filter(for_campaign__campaign=campaign).exists()


@truth_transaction()
def close(campaign: Campaign, *, by: User | None) -> None:
    """Take no more answers; what is there is final. People keep what they saved."""
    locked_campaign = _lock_campaign(campaign)
    locked_campaign.state = Campaign.State.CLOSED
    locked_campaign.closed_at, locked_campaign.closed_by = timezone.now(), by
    locked_campaign.save(update_fields=["state", "closed_at", "closed_by"])
    audit.record(
        audit.Action.CAMPAIGN_CLOSED, str(locked_campaign), study=locked_campaign.study, by=by
    )
    refresh_all(locked_campaign)


@transaction.atomic
def archive_campaign(campaign: Campaign, *, is_archived: bool) -> None:
    """Put a campaign below the list, or back into it. ValidationError while it takes answers."""
    locked_campaign = _lock_campaign(campaign)
    if is_archived and locked_campaign.state == Campaign.State.OPEN:
        raise ValidationError(
            f"{locked_campaign} takes answers: close it before it goes into the archive."
        )
    locked_campaign.archived_at = timezone.now() if is_archived else None
    locked_campaign.save(update_fields=["archived_at"])


@truth_transaction()
def change_recipe(campaign: Campaign, *, recipe: str, params: Mapping[str, Any]) -> None:
    """Another recipe or other parameters: ground truth is derived, so it simply follows."""
    locked_campaign = _lock_campaign(campaign)
    locked_campaign.recipe, locked_campaign.params = recipe, dict(recipes.get(recipe).clean(params))
    locked_campaign.save(update_fields=["recipe", "params"])
    refresh_all(locked_campaign)


@transaction.atomic
def change_instructions(campaign: Campaign, text: str) -> None:
    """New instructions are a new version: a mark remembers which one was read."""
    locked_campaign = _lock_campaign(campaign)
    if text.strip() == locked_campaign.instructions.strip():
        return
    locked_campaign.instructions = text
    locked_campaign.guide_version += 1
    locked_campaign.save(update_fields=["instructions", "guide_version"])


def refresh_all(campaign: Campaign) -> None:
    """Ground truth of every task anew. The caller holds the campaign's lock."""
    tasks = list(campaign.tasks.all())
    for start in range(0, len(tasks), AT_A_TIME):
        refresh_ground_truths(campaign, tasks[start : start + AT_A_TIME])


def stale_truth_tasks(campaign: Campaign) -> list[Task]:
    """Tasks whose stored ground truth is not what their marks make: none, if all is well."""
    tasks = list(campaign.tasks.select_related("series"))
    truth_by_task = {
        truth.task_id: truth for truth in GroundTruth.objects.filter(task__campaign=campaign)
    }
    differing_tasks = []
    for start in range(0, len(tasks), AT_A_TIME):
        batch = tasks[start : start + AT_A_TIME]
        columns = ground_truth_columns(campaign, batch)
        differing_tasks += [
            task for task in batch if not _is_same_row(truth_by_task.get(task.pk), columns[task.pk])
        ]
    return differing_tasks


def _is_same_row(row: GroundTruth | None, columns: Mapping[str, Any] | None) -> bool:
    if row is None or columns is None:
        return row is None and columns is None
    return all(getattr(row, name) == value for name, value in columns.items())


def _lock_campaign(campaign: Campaign) -> Campaign:
    # The same lock as a mark takes: none slips in while the state or the recipe changes.
    return Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)


def possible_annotators(study: Study) -> list[User]:
    """Members who may annotate: owners too, but no mere viewer, and nobody without a sign-in."""
    members = study.memberships.exclude(role=Role.VIEWER).filter(user__is_active=True)
    members = members.select_related("user")
    return [membership.user for membership in members.order_by("user__username")]
