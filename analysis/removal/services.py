"""Rename, remove, restore, purge: each one transaction under the lock of the study."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from analysis.methods.models import ImportedMethod
from analysis.removal import moves
from analysis.removal.counts import RemovalCounts, Thing, rows_of
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
UNIQUE: Final[dict[Removal.Kind, Any]] = {  # what must not have the same name
    Removal.Kind.DATASET: lambda one: one.study.datasets.exclude(pk=one.pk),
    Removal.Kind.RECORDING: lambda one: one.dataset.recordings.exclude(pk=one.pk),
}
NAMES: Final = {Removal.Kind.RECORDING: "label", Removal.Kind.METHOD: "title"}  # else `name`


def study_of(thing: Thing) -> Study:
    """The study that a thing is in; of a study, itself."""
    if isinstance(thing, Recording):
        return thing.dataset.study
    return thing if isinstance(thing, Study) else thing.study


def name_of(thing: Thing) -> str:
    """What `rename` changes."""
    name: str = getattr(thing, NAMES.get(KINDS[type(thing)], "name"))
    return name


def longest_name(thing: Thing) -> int:
    """Characters that its column takes."""
    field = NAMES.get(KINDS[type(thing)], "name")
    column = type(thing)._meta.get_field(field)  # noqa: SLF001  # Django's own way
    return int(getattr(column, "max_length", 0))


@transaction.atomic
def rename(thing: Thing, name: str) -> None:
    """Another name; addresses stay as they are. ValidationError where another thing has it."""
    _locked(study_of(thing))
    kind = KINDS[type(thing)]
    field = NAMES.get(kind, "name")
    if (there := UNIQUE.get(kind)) and there(thing).filter(**{field: name}).exists():
        raise ValidationError(f"Another {kind.label} is called {name} already.")
    setattr(thing, field, name)
    thing.clean_fields(exclude={each.name for each in thing._meta.fields} - {field})  # noqa: SLF001
    thing.validate_constraints()
    thing.save(update_fields=[field])


# --- removing -------------------------------------------------------------------------------------
@transaction.atomic
def remove(thing: Thing, *, by: User | None) -> Removal:
    """Take `thing` and what goes with it out of its study, for `KEPT` to be put back.

    ValidationError while anything computes with it or imports into it.
    """
    study = _locked(study_of(thing))
    thing.refresh_from_db()  # under the lock: somebody else may have been quicker
    if study_of(thing) != study or study.removed:
        raise ValidationError("It was removed already.")
    _refuse_work(thing, study)
    counts = RemovalCounts.of(thing)
    kind = KINDS[type(thing)]
    removal = Removal(kind=kind, name=str(thing)[:200], study=study, by=by, counts=counts.as_json())
    now = timezone.now()
    is_study = kind == Removal.Kind.STUDY
    removal.holder = study if is_study else moves.holder_for(removal, now)
    removal.save()
    if is_study:
        _take_members(removal, now)
    else:
        _take(thing, removal)
    removal.save(update_fields=["links"])
    audit.record(audit.Action.REMOVED, str(removal), study=study, by=by)
    return removal


def _take(thing: Thing, removal: Removal) -> None:
    rows = rows_of(thing)
    match thing:
        case Run():
            moves.take_detections(rows.detections, removal)
        case ImportedMethod():
            moves.take_detections(rows.detections, removal)
            ImportedMethod.objects.filter(pk=thing.pk).update(study=removal.holder)
        case _:
            moves.take_campaigns(rows.campaigns, removal)
    rows.runs.update(study=removal.holder)
    if isinstance(thing, Dataset | Recording):
        moves.take_tasks(rows.series, removal)
    if isinstance(thing, Dataset):
        moves.take_dataset(thing, removal)
    if isinstance(thing, Recording):
        moves.take_recording(thing, removal)


def _take_members(removal: Removal, now: datetime) -> None:
    """A study without members is seen by nobody; its address is free for another."""
    study = removal.study
    removal.links["slug"] = study.slug
    RemovedMembership.objects.bulk_create(
        RemovedMembership(removal=removal, user_id=each.user_id, role=each.role, since=each.since)
        for each in study.memberships.all()
    )
    study.memberships.all().delete()
    study.removed, study.slug = now, f"removed-{removal.public_id}"
    study.save(update_fields=["removed", "slug"])


def _refuse_work(thing: Thing, study: Study) -> None:
    """A run stands for itself; a campaign or a method is nothing that workers write to."""
    if isinstance(thing, Campaign | ImportedMethod):
        return
    jobs = [each for kind in kinds() for each in kind.jobs.filter(study=study, finished=None)]
    at_work = [each for each in jobs if each == thing] if isinstance(thing, Run) else jobs
    if at_work:
        raise ValidationError(
            f"{at_work[0].name} is at work: wait until it has ended, or stop it first."
        )
    running = Import.objects.filter(study=study, state=Import.State.RUNNING)
    if not isinstance(thing, Run) and (file := running.first()):
        raise ValidationError(f"{file.file_name} is being imported: wait, or cancel it first.")


# --- putting back ---------------------------------------------------------------------------------
@transaction.atomic
def restore(removal: Removal, *, by: User | None) -> None:
    """Put back everything that the removal took. ValidationError where something is in the way."""
    removal = _held(removal)
    if blocked := what_blocks(removal):
        raise ValidationError(blocked)
    if removal.kind == Removal.Kind.STUDY:
        _put_members_back(removal)
    else:
        moves.put_back(removal)
    _end(removal, Removal.Outcome.RESTORED, by=by)


def what_blocks(removal: Removal) -> str:
    """What has to come back or change first, in a sentence; empty where nothing does."""
    if removal.kind == Removal.Kind.STUDY:
        return ""
    if removal.study.removed:
        return f"{removal.study} itself is removed: restore it first."
    mine = Removal.objects.kept().filter(study=removal.study).exclude(pk=removal.pk)
    needed = mine.filter(holder__in=_studies_needed(removal)).first()
    if needed:
        return f"It belongs to the {needed}, which is removed: restore that first."
    for own in ImportedMethod.objects.stored().filter(study=removal.holder):
        if removal.study.own_methods.stored().filter(slug=own.slug, version=own.version).exists():
            return f"{own} was imported again meanwhile: remove that one first."
    return ""


def _studies_needed(removal: Removal) -> set[int]:
    """Holders of series that its campaigns ask about, and of what its parts belong to."""
    holder, links = removal.holder, removal.links
    asked = Series.objects.filter(tasks__campaign__study=holder).order_by()
    whole = Campaign.objects.filter(pk__in=links.get("campaigns", {}).values())
    datasets = Dataset.objects.filter(pk__in=links.get("datasets", {}).values())
    found = {
        *asked.values_list("benchmark__dataset__study", flat=True).distinct(),
        *whole.values_list("study", flat=True),
        *datasets.values_list("study", flat=True),
    }
    return found - {removal.study_id, removal.holder_id}


def _put_members_back(removal: Removal) -> None:
    study = removal.study
    study.removed = None

    def put_back(slug: str) -> None:
        study.slug = slug
        study.save(update_fields=["removed", "slug"])

    create_with_slug(
        removal.links["slug"],
        taken=lambda: set(Study.every.exclude(pk=study.pk).values_list("slug", flat=True)),
        otherwise="study",
        create=put_back,
    )
    Membership.objects.bulk_create(
        Membership(study=study, user_id=each.user_id, role=each.role, since=each.since)
        for each in removal.members.all()
    )


# --- purging --------------------------------------------------------------------------------------
@transaction.atomic
def purge(removal: Removal, *, by: User | None = None) -> None:
    """Let go of it for good."""
    removal = _held(removal)
    holder = removal.holder
    assert holder is not None  # noqa: S101  # `_held`
    if removal.kind == Removal.Kind.STUDY:
        for inner in removal.study.removals.kept().exclude(pk=removal.pk):
            purge(inner, by=by)
        audit.record(audit.Action.PURGED, str(removal), study=removal.study, by=by)
    else:
        _end(removal, Removal.Outcome.PURGED, by=by, keep=True)
    # First, because a series that somebody was asked about is not deleted under them.
    Task.objects.filter(series__benchmark__dataset__study=holder).delete()
    Campaign.objects.filter(study=holder).delete()
    removal.detections.all().delete()
    stored_values.release(Series.objects.filter(benchmark__dataset__study=holder))
    holder.delete()


def purge_expired() -> int:
    """Let go of what was removed longer ago than it is kept; how many."""
    old = list(Removal.objects.kept().filter(when__lt=timezone.now() - KEPT))
    for each in old:
        if Removal.objects.kept().filter(pk=each.pk).exists():  # not gone with its study
            purge(each)
    return len(old)


def _held(removal: Removal) -> Removal:
    """As it is under the study's lock. ValidationError where it has ended meanwhile."""
    Study.every.select_for_update().filter(pk=removal.study_id).first()
    found = Removal.objects.kept().select_related("study", "holder").filter(pk=removal.pk).first()
    if found is None:
        raise ValidationError("It was restored or purged already.")
    return found


def _end(
    removal: Removal, outcome: Removal.Outcome, *, by: User | None, keep: bool = False
) -> None:
    holder = removal.holder
    removal.holder, removal.links = None, {}
    removal.outcome, removal.ended_at, removal.ended_by = outcome, timezone.now(), by
    removal.save(update_fields=["holder", "links", "outcome", "ended_at", "ended_by"])
    audit.record(audit.Action(outcome), str(removal), study=removal.study, by=by)
    if holder is not None and holder != removal.study and not keep:
        _refuse_loss(holder)
        holder.delete()


def _refuse_loss(holder: Study) -> None:
    """A holder goes only when nothing is left in it: rather a failure than lost marks."""
    series = Series.objects.filter(benchmark__dataset__study=holder)
    left = [series, Campaign.objects.filter(study=holder), Run.objects.filter(study=holder)]
    if any(each.exists() for each in left):
        raise AssertionError(f"{holder} still holds what was to be restored")


def _locked(study: Study) -> Study:
    return Study.every.select_for_update().get(pk=study.pk)
