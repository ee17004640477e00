"""Taking things out of a study into a holder without members, and putting them back.

Rows keep their keys and everything that is about them: only the study at their root changes. Where
a part of something is taken (a recording of a data set, some series of a campaign) the holder gets
a copy of the whole that it belongs to, and `links` say of which row it is a copy.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from datetime import datetime
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model, Q, QuerySet

from analysis.methods.models import ImportedMethod
from analysis.removal.models import Removal, RemovedDetection
from analysis.runs.models import Detection, Run
from annotate.campaigns import services as campaign_services
from annotate.campaigns.assignments import assign
from annotate.models import Campaign, Task
from people.models import Study
from people.public_id import new_public_id
from people.slugs import free_slug
from series.importing.services import choose_shown
from series.models import Benchmark, Dataset, Import, Recording, Series

AnyModel = TypeVar("AnyModel", bound=Model)


# --- campaigns, and some series of one ------------------------------------------------------------
BETWEEN = ("training", "follows", "repeats")  # columns by which a campaign names another


def take_campaigns(campaigns: QuerySet[Campaign], removal: Removal) -> None:
    """Whole campaigns; those that stay know of them no more, as training or as second pass."""
    taken_pks = set(campaigns.values_list("pk", flat=True))
    removal.links["between"] = [link for name in BETWEEN for link in _cut_links(name, taken_pks)]
    Campaign.objects.filter(pk__in=taken_pks).update(study=removal.holder)


def _cut_links(name: str, taken_pks: set[int]) -> list[tuple[int, str, int]]:
    """(campaign, column, what it named) where one of the two is taken and the other is not.

    A campaign that follows a screening goes on to say so: its people were given steady series.
    """
    affects_reference = Q(pk__in=taken_pks) | (
        Q(training__in=taken_pks) if name == "training" else Q()
    )
    rows = (
        Campaign.objects.filter(affects_reference).exclude(**{name: None}).values_list("pk", name)
    )
    cut_references = [
        (pk, name, named_pk)
        for pk, named_pk in rows
        if (pk in taken_pks) != (named_pk in taken_pks)
    ]
    Campaign.objects.filter(pk__in=[pk for pk, *_ in cut_references]).update(**{name: None})
    return cut_references


def take_tasks(series: QuerySet[Series], removal: Removal) -> None:
    """Take tasks of campaigns about these series, with marks and ground truth."""
    touched_campaigns = Campaign.objects.filter(
        study=removal.study, tasks__series__in=series
    ).distinct()
    origin_by_copy = {}
    for campaign in touched_campaigns:
        holding_campaign = _copy_row(campaign, study=removal.holder, **dict.fromkeys(BETWEEN))
        for annotator in campaign.annotators.all():
            _copy_row(annotator, campaign=holding_campaign)
        campaign.tasks.filter(series__in=series).update(campaign=holding_campaign)
        origin_by_copy[holding_campaign.pk] = campaign.pk
    removal.links["campaigns"] = origin_by_copy


def _put_tasks_back(removal: Removal) -> None:
    for held_campaign, campaign in _remaining_links(removal, "campaigns", Campaign):
        positions = set(campaign.tasks.values_list("position", flat=True))
        held_tasks = list(held_campaign.tasks.order_by("position"))
        for task in held_tasks:
            task.campaign = campaign
        for free_position, task in enumerate(
            [held_task for held_task in held_tasks if held_task.position in positions],
            start=max(positions | {held_task.position for held_task in held_tasks}, default=0) + 1,
        ):
            task.position = free_position
        Task.objects.bulk_update(held_tasks, ["campaign", "position"], batch_size=500)
        held_campaign.delete()
        if not (campaign.is_training or campaign.is_repeat):
            assign(campaign)  # deal series to people who have joined meanwhile
        campaign_services.refresh_all(campaign)  # ground truth by the campaign's present recipe


# --- data sets and recordings ---------------------------------------------------------------------
def take_dataset(dataset: Dataset, removal: Removal) -> None:
    Import.objects.filter(dataset=dataset).update(study=removal.holder)
    Dataset.objects.filter(pk=dataset.pk).update(study=removal.holder)


def take_recording(recording: Recording, removal: Removal) -> None:
    """A copy of the data set holds it; benchmarks that were measured elsewhere, too, are copied."""
    dataset = recording.dataset
    holding_dataset = _copy_row(dataset, study=removal.holder)
    removal.links["datasets"] = {holding_dataset.pk: dataset.pk}
    recorded_benchmarks = Benchmark.objects.filter(series__recording=recording).distinct()
    changed_benchmark_pks = list(recorded_benchmarks.values_list("pk", flat=True))
    Benchmark.objects.filter(pk__in=changed_benchmark_pks).update(shown=None)
    shared_benchmark_pks = set(
        recorded_benchmarks.filter(
            series__in=Series.objects.exclude(recording=recording)
        ).values_list("pk", flat=True)
    )
    for benchmark in list(Benchmark.objects.filter(pk__in=shared_benchmark_pks)):
        held_benchmark = _copy_row(
            benchmark, dataset=holding_dataset, public_id=new_public_id(), shown=None
        )
        Series.objects.filter(benchmark=benchmark, recording=recording).update(
            benchmark=held_benchmark
        )
        changed_benchmark_pks.append(held_benchmark.pk)
    Benchmark.objects.filter(
        pk__in=set(changed_benchmark_pks) - shared_benchmark_pks, dataset=dataset
    ).update(dataset=holding_dataset)
    Recording.objects.filter(pk=recording.pk).update(dataset=holding_dataset)
    Import.objects.filter(recording=recording).update(study=removal.holder, dataset=holding_dataset)
    choose_shown(changed_benchmark_pks)


def _put_recordings_back(removal: Removal) -> None:
    for held_dataset, dataset in _remaining_links(removal, "datasets", Dataset):
        pk_by_key = {
            _benchmark_key(own_benchmark): own_benchmark.pk
            for own_benchmark in dataset.benchmarks.all()
        }
        touched_benchmark_pks = []
        held_dataset.benchmarks.update(shown=None)
        for benchmark in held_dataset.benchmarks.all():
            own_pk = pk_by_key.get(_benchmark_key(benchmark))
            if own_pk:
                Benchmark.objects.filter(pk=own_pk).update(shown=None)
                benchmark.series.update(benchmark=own_pk)
            else:
                Benchmark.objects.filter(pk=benchmark.pk).update(dataset=dataset)
            touched_benchmark_pks.append(own_pk or benchmark.pk)
        for recording in held_dataset.recordings.all():
            label = free_name(recording.label, dataset.recordings.values_list("label", flat=True))
            Recording.objects.filter(pk=recording.pk).update(dataset=dataset, label=label)
        Import.objects.filter(dataset=held_dataset).update(study=removal.study, dataset=dataset)
        held_dataset.delete()
        choose_shown(touched_benchmark_pks)


def _benchmark_key(benchmark: Benchmark) -> tuple[str, str, str]:
    return benchmark.system, benchmark.name, benchmark.params


# --- answers --------------------------------------------------------------------------------------
COLUMNS = [
    field.column
    for field in RemovedDetection._meta.concrete_fields  # noqa: SLF001  # Django's own way to ask
    if field.name not in {"id", "removal"}
]
NAMES = ", ".join(f'"{column}"' for column in COLUMNS)
STORED, REMOVED = '"analysis_detection"', '"analysis_removeddetection"'


def take_detections(detections: QuerySet[Detection], removal: Removal) -> None:
    """Into a table of their own, in one statement each: there may be hundreds of thousands."""
    selection_sql, sql_parameters = detections.order_by().values("pk").query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(
            f'INSERT INTO {REMOVED} ("removal_id", {NAMES}) '  # noqa: S608  # names of our own
            f'SELECT %s, {NAMES} FROM {STORED} WHERE "id" IN ({selection_sql})',
            [removal.pk, *sql_parameters],
        )
    detections.delete()


def _put_detections_back(removal: Removal) -> None:
    """Put removed detections back; answers that were computed again meanwhile stay."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {STORED} ({NAMES}) SELECT {NAMES} FROM {REMOVED} "  # noqa: S608  # the same
            'WHERE "removal_id" = %s ON CONFLICT DO NOTHING',
            [removal.pk],
        )
    removal.detections.all().delete()


# --- all of it ------------------------------------------------------------------------------------
def move_back(removal: Removal) -> None:
    """Everything that lies in the holder goes back to where it was."""
    study, holder = removal.study, removal.holder
    _put_recordings_back(removal)
    for dataset in Dataset.objects.filter(study=holder):
        _put_row_back(dataset, study.datasets, keeps_name=True)
    Import.objects.filter(study=holder).update(study=study)
    _put_tasks_back(removal)
    for campaign in Campaign.objects.filter(study=holder):
        _put_row_back(campaign, study.campaigns)
    for pk, name, named_pk in removal.links.get("between", []):
        if Campaign.objects.filter(pk=named_pk).exists():
            Campaign.objects.filter(pk=pk, **{name: None}).update(**{name: named_pk})
    Run.objects.filter(study=holder).update(study=study)
    ImportedMethod.objects.filter(study=holder).update(study=study)
    _put_detections_back(removal)


def _put_row_back(row: Any, siblings: Any, *, keeps_name: bool = False) -> None:
    """Back in its study, under names that nothing there has."""
    slug = free_slug(
        row.slug, used_slugs=set(siblings.values_list("slug", flat=True)), fallback="back"
    )
    new_fields = {"study": siblings.instance, "slug": slug}
    if keeps_name:
        new_fields["name"] = free_name(row.name, siblings.values_list("name", flat=True))
    type(row).objects.filter(pk=row.pk).update(**new_fields)


def free_name(name: str, used_names: Iterable[str]) -> str:
    """`name`, or with a number behind where something is called so."""
    taken_names = set(used_names)
    names = (name, *(f"{name[:100]} ({number})" for number in range(2, len(taken_names) + 3)))
    return next(candidate for candidate in names if candidate not in taken_names)


def _copy_row(row: AnyModel, **changes: Any) -> AnyModel:
    """A new row with the same values but for `changes`."""
    new_row = copy(row)
    new_row.pk = None
    for name, value in changes.items():
        setattr(new_row, name, value)
    new_row.save(force_insert=True)
    return new_row


def _remaining_links(removal: Removal, link_name: str, model: type[Model]) -> list[tuple[Any, Any]]:
    """(part, whole that it was taken from) where both are; else the part stays a thing by itself.

    A part is a row of the holder made for it; JSON has turned its key into text.
    """
    links = [
        (int(held_key), origin_key)
        for held_key, origin_key in removal.links.get(link_name, {}).items()
    ]
    rows = model._default_manager.in_bulk({pk for pair in links for pk in pair})  # noqa: SLF001  # any
    return [
        (rows[held_pk], rows[origin_pk])
        for held_pk, origin_pk in links
        if held_pk in rows and origin_pk in rows
    ]


def holder_for(removal: Removal, moment: datetime) -> Study:
    """An empty study without members that holds what is removed."""
    return Study.every.create(
        name=removal.name[:120],
        slug=f"removed-{removal.public_id}",
        removed=moment,
        removed_from=removal.study,
    )
