"""Rename, remove, restore, purge: each one transaction under the lock of the study."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from analysis.methods.models import ImportedMethod
from analysis.removal import moves
from analysis.removal.counts import RemovalCounts, Thing, removed_rows
from analysis.removal.models import KEPT, Removal, RemovedMembership
from analysis.runs.models import Run
from analysis.work.kinds import kinds
from annotate.models import Campaign, Task
from people import audit
from people.models import Membership, Study, User
from people.slugs import create_with_slug
from series.models import Dataset, Import, Recording, Series
from series.values import stored_values

KINDS: Final[dict[type, Removal.Kind]] = {
    Study: Removal.Kind.STUDY,
    Dataset: Removal.Kind.DATASET,
    Recording: Removal.Kind.RECORDING,
    Campaign: Removal.Kind.CAMPAIGN,
    Run: Removal.Kind.RUN,
    ImportedMethod: Removal.Kind.METHOD,
}
UNIQUE: Final[dict[Removal.Kind, Any]] = {  # things whose names must differ
    Removal.Kind.DATASET: lambda dataset: dataset.study.datasets.exclude(pk=dataset.pk),
    Removal.Kind.RECORDING: lambda recording: recording.dataset.recordings.exclude(pk=recording.pk),
}
NAMES: Final = {Removal.Kind.RECORDING: "label", Removal.Kind.METHOD: "title"}  # else `name`


def study_of(removable: Thing) -> Study:
    """The study that a thing is in; of a study, itself."""
    if isinstance(removable, Recording):
        return removable.dataset.study
    return removable if isinstance(removable, Study) else removable.study


def current_name(removable: Thing) -> str:
    """Name that `rename` changes."""
    name: str = getattr(removable, NAMES.get(KINDS[type(removable)], "name"))
    return name


def longest_name(removable: Thing) -> int:
    """Characters that its column takes."""
    field = NAMES.get(KINDS[type(removable)], "name")
    column = type(removable)._meta.get_field(field)  # noqa: SLF001  # Django's own way
    return int(getattr(column, "max_length", 0))


@transaction.atomic
def rename_thing(removable: Thing, name: str) -> None:
    """Another name; addresses stay as they are. ValidationError where another thing has it."""
    _lock_study(study_of(removable))
    kind = KINDS[type(removable)]
    field = NAMES.get(kind, "name")
    if (siblings := UNIQUE.get(kind)) and siblings(removable).filter(**{field: name}).exists():
        raise ValidationError(f"Another {kind.label} is called {name} already.")
    setattr(removable, field, name)
    removable.clean_fields(exclude={f.name for f in removable._meta.fields} - {field})  # noqa: SLF001
    removable.validate_constraints()
    removable.save(update_fields=[field])


# --- removing -------------------------------------------------------------------------------------
@transaction.atomic
def remove_from_study(removable: Thing, *, user: User | None) -> Removal:
    """Take `removable` and what goes with it out of its study, for `KEPT` to be put back.

    ValidationError while anything computes with it or imports into it.
    """
    study = _lock_study(study_of(removable))
    removable.refresh_from_db()  # under the lock: somebody else may have been quicker
    if study_of(removable) != study or study.removed:
        raise ValidationError("It was removed already.")
    _refuse_work(removable, study)
    counts = RemovalCounts.from_removable(removable)
    kind = KINDS[type(removable)]
    removal = Removal(
        kind=kind, name=str(removable)[:200], study=study, by=user, counts=counts.as_json()
    )
    moment = timezone.now()
    is_study = kind == Removal.Kind.STUDY
    removal.holder = study if is_study else moves.holder_for(removal, moment)
    removal.save()
    if is_study:
        _take_members(removal, moment)
    else:
        _take_parts(removable, removal)
    removal.save(update_fields=["links"])
    audit.record(audit.Action.REMOVED, str(removal), study=study, by=user)
    return removal


def _take_parts(removable: Thing, removal: Removal) -> None:
    rows = removed_rows(removable)
    match removable:
        case Run():
            moves.take_detections(rows.detections, removal)
        case ImportedMethod():
            moves.take_detections(rows.detections, removal)
            ImportedMethod.objects.filter(pk=removable.pk).update(study=removal.holder)
        case _:
            moves.take_campaigns(rows.campaigns, removal)
    rows.runs.update(study=removal.holder)
    if isinstance(removable, Dataset | Recording):
        moves.take_tasks(rows.series, removal)
    if isinstance(removable, Dataset):
        moves.take_dataset(removable, removal)
    if isinstance(removable, Recording):
        moves.take_recording(removable, removal)


def _take_members(removal: Removal, moment: datetime) -> None:
    """A study without members is seen by nobody; its address is free for another."""
    study = removal.study
    removal.links["slug"] = study.slug
    RemovedMembership.objects.bulk_create(
        RemovedMembership(
            removal=removal,
            user_id=membership.user_id,
            role=membership.role,
            since=membership.since,
        )
        for membership in study.memberships.all()
    )
    study.memberships.all().delete()
    study.removed, study.slug = moment, f"removed-{removal.public_id}"
    study.save(update_fields=["removed", "slug"])


def _refuse_work(removable: Thing, study: Study) -> None:
    """A run stands for itself; a campaign or a method is nothing that workers write to."""
    if isinstance(removable, Campaign | ImportedMethod):
        return
    jobs = [job for kind in kinds() for job in kind.jobs.filter(study=study, finished=None)]
    active_jobs = [job for job in jobs if job == removable] if isinstance(removable, Run) else jobs
    if active_jobs:
        raise ValidationError(
            f"{active_jobs[0].name} is at work: wait until it has ended, or stop it first."
        )
    running_imports = Import.objects.filter(study=study, state=Import.State.RUNNING)
    if not isinstance(removable, Run) and (file := running_imports.first()):
        raise ValidationError(f"{file.file_name} is being imported: wait, or cancel it first.")


# --- putting back ---------------------------------------------------------------------------------
@transaction.atomic
def restore_removal(removal: Removal, *, user: User | None) -> None:
    """Put back everything that the removal took. ValidationError where something is in the way."""
    removal = _locked_removal(removal)
    if obstacle := obstacle_words(removal):
        raise ValidationError(obstacle)
    if removal.kind == Removal.Kind.STUDY:
        _put_members_back(removal)
    else:
        moves.move_back(removal)
    _end(removal, Removal.Outcome.RESTORED, user=user)


def obstacle_words(removal: Removal) -> str:
    """Sentence of what has to come back or change first; empty where nothing does."""
    if removal.kind == Removal.Kind.STUDY:
        return ""
    if removal.study.removed:
        return f"{removal.study} itself is removed: restore it first."
    other_removals = Removal.objects.restorable().filter(study=removal.study).exclude(pk=removal.pk)
    blocking_removal = other_removals.filter(holder__in=_studies_needed(removal)).first()
    if blocking_removal:
        return f"It belongs to the {blocking_removal}, which is removed: restore that first."
    for imported_method in ImportedMethod.objects.stored().filter(study=removal.holder):
        if (
            removal.study.own_methods.stored()
            .filter(slug=imported_method.slug, version=imported_method.version)
            .exists()
        ):
            return f"{imported_method} was imported again meanwhile: remove that one first."
    return ""


def _studies_needed(removal: Removal) -> set[int]:
    """Holders of series that its campaigns ask about, and of what its parts belong to."""
    holder, links = removal.holder, removal.links
    asked_series = Series.objects.filter(tasks__campaign__study=holder).order_by()
    source_campaigns = Campaign.objects.filter(pk__in=links.get("campaigns", {}).values())
    datasets = Dataset.objects.filter(pk__in=links.get("datasets", {}).values())
    holders = {
        *asked_series.values_list("benchmark__dataset__study", flat=True).distinct(),
        *source_campaigns.values_list("study", flat=True),
        *datasets.values_list("study", flat=True),
    }
    return holders - {removal.study_id, removal.holder_id}


def _put_members_back(removal: Removal) -> None:
    study = removal.study
    study.removed = None

    def put_back(slug: str) -> None:
        study.slug = slug
        study.save(update_fields=["removed", "slug"])

    create_with_slug(
        removal.links["slug"],
        read_slugs=lambda: set(Study.every.exclude(pk=study.pk).values_list("slug", flat=True)),
        fallback="study",
        create=put_back,
    )
    Membership.objects.bulk_create(
        Membership(study=study, user_id=member.user_id, role=member.role, since=member.since)
        for member in removal.members.all()
    )


# --- purging --------------------------------------------------------------------------------------
@transaction.atomic
def purge_removal(removal: Removal, *, user: User | None = None) -> None:
    """Let go of it for good."""
    removal = _locked_removal(removal)
    holder = removal.holder
    assert holder is not None  # noqa: S101  # `_held`
    if removal.kind == Removal.Kind.STUDY:
        for inner_removal in removal.study.removals.restorable().exclude(pk=removal.pk):
            purge_removal(inner_removal, user=user)
        audit.record(audit.Action.PURGED, str(removal), study=removal.study, by=user)
    else:
        _end(removal, Removal.Outcome.PURGED, user=user, keeps_rows=True)
    # First, because a series that somebody was asked about is not deleted under them.
    Task.objects.filter(series__benchmark__dataset__study=holder).delete()
    Campaign.objects.filter(study=holder).delete()
    removal.detections.all().delete()
    stored_values.release(Series.objects.filter(benchmark__dataset__study=holder))
    holder.delete()


def purge_expired() -> int:
    """Let go of what was removed longer ago than it is kept; how many."""
    expired_removals = list(Removal.objects.restorable().filter(when__lt=timezone.now() - KEPT))
    for old_removal in expired_removals:
        # Removals in a study are gone with the study.
        if Removal.objects.restorable().filter(pk=old_removal.pk).exists():
            purge_removal(old_removal)
    return len(expired_removals)


def _locked_removal(removal: Removal) -> Removal:
    """Removal as it is under the study's lock. ValidationError where it has ended meanwhile."""
    Study.every.select_for_update().filter(pk=removal.study_id).first()
    kept_removal = (
        Removal.objects.restorable().select_related("study", "holder").filter(pk=removal.pk).first()
    )
    if kept_removal is None:
        raise ValidationError("It was restored or purged already.")
    return kept_removal


def _end(
    removal: Removal, outcome: Removal.Outcome, *, user: User | None, keeps_rows: bool = False
) -> None:
    holder = removal.holder
    removal.holder, removal.links = None, {}
    removal.outcome, removal.ended_at, removal.ended_by = outcome, timezone.now(), user
    removal.save(update_fields=["holder", "links", "outcome", "ended_at", "ended_by"])
    audit.record(audit.Action(outcome), str(removal), study=removal.study, by=user)
    if holder is not None and holder != removal.study and not keeps_rows:
        _refuse_loss(holder)
        holder.delete()


def _refuse_loss(holder: Study) -> None:
    """A holder goes only when nothing is left in it: rather a failure than lost marks."""
    series = Series.objects.filter(benchmark__dataset__study=holder)
    remaining_querysets = [
        series,
        Campaign.objects.filter(study=holder),
        Run.objects.filter(study=holder),
    ]
    if any(rows.exists() for rows in remaining_querysets):
        raise AssertionError(f"{holder} still holds what was to be restored")


def _lock_study(study: Study) -> Study:
    return Study.every.select_for_update().get(pk=study.pk)
