"""A study of 124,788 series as rows, for `evidence.bench.large`: bulk inserts, no file is read.

Each series has values of its own; drawing, shape and sketch repeat those of one series of its
kind, since no page that is measured compares them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice, product
from typing import Any, Final, NamedTuple, TypeVar
from uuid import uuid4

import numpy as np
from django.db import models, transaction

from analysis.runs.models import Detection
from analysis.trend.services import keep_summaries
from annotate.answering.ground_truth_updates import refresh_ground_truths
from annotate.campaigns import services as campaigns
from annotate.models import Assignment, Campaign, Mark, Task
from detectors.contract import NEVER, Values
from detectors.panel.copies import as_bytes, sketch
from detectors.registry import registry
from detectors.simulated.synthetic import KINDS, simulate
from people import services as people
from people.models import Membership, Role, Study, User
from series.drawings.outlines import draw_outline
from series.importing.services import choose_shown, create_dataset
from series.models import (
    Benchmark,
    Dataset,
    Recording,
    Series,
    SeriesShape,
    SeriesSketch,
    SeriesValues,
)
from series.shape_facts import shape_row

MEMBERS = 995
SYSTEMS, FORKS = 10, 5
WIDE_BENCHMARKS, WIDE_RECORDINGS, WIDE_VALUES = 5_000, 4, 100  # benchmarks: 100,000 series
COSTED_BENCHMARKS, COSTED_VALUES = 2_500, 500  # benchmarks: 12,500 series
NIGHTLY_BENCHMARKS, NIGHTS = 768, 16  # benchmarks, recordings, a fork each: 12,288 series
ITERATION_SETTING: Final = {
    "seconds_per_iteration": 0.1
}  # setting of each series: costs need seconds
SMALL = 22  # tasks
AT_ONCE = 2_000  # rows
METHODS = ("kb-kssd", "sdm", "t-test")
Item = TypeVar("Item")


class DrawnKind(NamedTuple):
    """One simulated series, and the rows that every series of its kind repeats."""

    values: Values
    start: int
    figures: dict[str, Any]
    shape: dict[str, Any]
    hashes: bytes


def large_study(scale: float = 1.0) -> tuple[User, User]:
    """Make the study; its owner, and one who annotates. `scale` is the share that is made."""
    owner = User.objects.create_user("owner")
    study = people.create_study(by=owner, name="Large")
    with transaction.atomic():
        members = _members(study, round(MEMBERS * scale))
        wide_dataset = _dataset(
            study, "Wide", round(WIDE_BENCHMARKS * scale), WIDE_RECORDINGS, WIDE_VALUES
        )
        costed_dataset = _dataset(
            study, "Costed", round(COSTED_BENCHMARKS * scale), 1, COSTED_VALUES
        )
        annotators = members[:FORKS]
        _marked_campaign(study, "Small", _keys(wide_dataset)[:SMALL], annotators)
        _marked_campaign(study, "Costed", _keys(costed_dataset), annotators)
        nightly_dataset = _dataset(
            study, "Nightly", round(NIGHTLY_BENCHMARKS * scale), NIGHTS, COSTED_VALUES, forks=1
        )
        keep_summaries()  # the first look finds nothing that is new
        _answered(Series.objects.filter(benchmark__dataset__in=[costed_dataset, nightly_dataset]))
    while keep_summaries():  # as workers do after a run
        pass
    return owner, members[0]


def _keys(dataset: Dataset) -> list[int]:
    return list(Series.objects.filter(benchmark__dataset=dataset).values_list("pk", flat=True))


def _members(study: Study, count: int) -> list[User]:
    users = User.objects.bulk_create(
        User(username=f"person-{number:03}", email=f"person-{number:03}@example.org")
        for number in range(count - 1)
    )
    seats = (Membership(study=study, user=user, role=Role.ANNOTATOR) for user in users)
    Membership.objects.bulk_create(seats)
    return users


# --- series -----------------------------------------------------------------------------------
def _dataset(
    study: Study, name: str, benchmarks: int, recordings: int, length: int, *, forks: int = FORKS
) -> Dataset:
    dataset = create_dataset(study, name=name, simulated=True)
    nights = Recording.objects.bulk_create(
        Recording(dataset=dataset, label=f"night {number}") for number in range(recordings)
    )
    rows = Benchmark.objects.bulk_create(
        Benchmark(
            dataset=dataset,
            system=f"system {number % SYSTEMS}",
            name=f"org.example.suite.Class{number}.measure",
            unit="s/op",
            mode="avgt",
        )
        for number in range(benchmarks)
    )
    drawn_kinds = [_draw_series(kind, length) for kind in KINDS]
    random = np.random.default_rng(length)
    for chunk in _batches(product(rows, nights, range(forks))):
        _store(chunk, drawn_kinds, random)
    choose_shown([row.pk for row in rows])
    return dataset


def _draw_series(kind: str, length: int) -> DrawnKind:
    series = simulate(kind, n=length)
    figures = asdict(draw_outline(series.values))
    hashes = as_bytes(sketch(series.values))
    return DrawnKind(series.values, series.steady_start, figures, shape_row(series.values), hashes)


def _store(
    chunk: Sequence[tuple[Benchmark, Recording, int]],
    kinds: Sequence[DrawnKind],
    random: np.random.Generator,
) -> None:
    series_kinds = [kinds[number % len(kinds)] for number in range(len(chunk))]
    noise = random.normal(1, 0.002, (len(chunk), series_kinds[0].values.size))
    blobs = [(kind.values * row).tobytes() for kind, row in zip(series_kinds, noise, strict=True)]
    stored_series = Series.objects.bulk_create(
        Series(
            benchmark=benchmark,
            recording=recording,
            fork=fork,
            n=kind.values.size,
            digest=hashlib.sha256(values_bytes).hexdigest(),
            known_start=kind.start,
            settings=ITERATION_SETTING,
            **ITERATION_SETTING,
            **kind.figures,
        )
        for (benchmark, recording, fork), kind, values_bytes in zip(
            chunk, series_kinds, blobs, strict=True
        )
    )
    stored_rows = list(zip(stored_series, series_kinds, blobs, strict=True))
    _insert(
        SeriesValues(series=series, data=values_bytes) for series, _, values_bytes in stored_rows
    )
    _insert(SeriesShape(series=series, **kind.shape) for series, kind, _ in stored_rows)
    _insert(SeriesSketch(series=series, hashes=kind.hashes) for series, kind, _ in stored_rows)


def _batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    remaining_items = iter(items)
    while chunk := list(islice(remaining_items, AT_ONCE)):
        yield chunk


def _insert(rows: Iterable[models.Model]) -> None:
    instances = list(rows)
    type(instances[0])._default_manager.bulk_create(instances, AT_ONCE)  # noqa: SLF001


# --- answers ----------------------------------------------------------------------------------
def _marked_campaign(
    study: Study, name: str, series: Sequence[int], annotators: Sequence[User]
) -> None:
    """A closed campaign in which everybody has marked every series near its known answer."""
    spec = campaigns.CampaignSpec(name=name, series=series, annotators=annotators)
    campaign = campaigns.create(study, spec, by=None)
    campaigns.open_campaign(campaign)
    tasks = list(campaign.tasks.select_related("series"))
    for chunk in _batches(tasks):
        _insert(_marks(chunk, annotators))
    newest_marks = Mark.objects.filter(
        task=models.OuterRef("task"), annotator=models.OuterRef("user")
    ).values("pk")[:1]
    Assignment.objects.filter(task__campaign=campaign).update(latest=models.Subquery(newest_marks))
    campaign.state = Campaign.State.CLOSED
    campaign.save(update_fields=["state"])
    for chunk in _batches(tasks):
        refresh_ground_truths(campaign, chunk)


def _marks(tasks: Sequence[Task], annotators: Sequence[User]) -> Iterator[Mark]:
    for task, (number, user) in product(tasks, enumerate(annotators)):
        known_start = NEVER if task.series.known_start is None else task.series.known_start
        is_never = known_start == NEVER
        yield Mark(
            task=task,
            annotator=user,
            kind=Mark.Kind.NEVER if is_never else Mark.Kind.STEADY,
            index=None if is_never else min(known_start + 2 * number, task.series.n - 1),
            seconds=3.0,
            series_digest=task.series.digest,
            client_id=uuid4(),
        )


def _answered(series: models.QuerySet[Series]) -> None:
    """A stored answer of each method, spread around the known one."""
    random = np.random.default_rng(1)
    rows = list(series.values_list("pk", "known_start", "n"))
    for slug in METHODS:
        key = registry()[slug]().key
        shifts = random.integers(-20, 21, len(rows)).tolist()
        _insert(
            Detection(
                series_id=pk,
                detector_key=key,
                slug=slug,
                steady_start=NEVER if start == NEVER else min(max(start + shift, 0), n - 1),
                milliseconds=1.0,
            )
            for (pk, start, n), shift in zip(rows, shifts, strict=True)
        )
