"""Starting a run, and forgetting answers; what else is done to jobs is the same for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import transaction

from analysis.methods.weight_sets import refuse_others
from analysis.runs.models import Chunk, Detection, Run
from analysis.runs.plan import CHUNK_SIZES, NothingToRun, cut_into_chunks, in_order_of_cost
from analysis.runs.selection import SeriesSelection
from analysis.work import services as work
from detectors.contract import Detector
from detectors.registry import registry
from people.models import Study, User
from series.models import Benchmark

FORGOTTEN_AT_ONCE: Final = 500  # series


def start_run(
    study: Study,
    *,
    by: User | None,
    selection: SeriesSelection,
    keys: Sequence[str],
    name: str = "",
    again: bool = False,
    queued: bool = True,
) -> Run:
    """Store a run and queue its chunks; of what is stored already nothing is computed.

    again   compute everything, and report what differs from what is stored
    queued  False leaves the chunks to whoever calls `analysis.work.services.work_through`
    Raises `NothingToRun`, `UnknownDetector` and `ParameterError`.
    """
    detectors = in_order_of_cost(keys)
    refuse_others(study, detectors)
    if not detectors:
        raise NothingToRun("Choose at least one method.")
    series = _some_series(study, selection)
    missing = {each.key: series if again else _missing(each.key, series) for each in detectors}
    stored = {key: len(series) - len(left) for key, left in missing.items()}
    wanted = len(detectors) * len(series)
    with transaction.atomic():
        run = Run.objects.create(
            study=study,
            name=name or name_of(detectors, selection),
            selection=selection.as_json(),
            detectors=[each.key for each in detectors],
            series_count=len(series),
            wanted=wanted,
            stored_before=sum(stored.values()),
            stored_by_key=stored,
            again=again,
            started_by=by,
        )
        Chunk.objects.create_with(
            [
                (Chunk(job=run, detector_key=each.key), ids)
                for each in detectors
                for ids in cut_into_chunks(missing[each.key], CHUNK_SIZES[each.cost])
            ]
        )
    work.begin(run, queued=queued)  # not in the transaction of the rows: who sends holds up nobody
    return run


def _some_series(study: Study, selection: SeriesSelection) -> list[tuple[int, int]]:
    """Primary key and length of each."""
    found = list(selection.series(study).order_by("pk").values_list("pk", "n"))
    if not found:
        raise NothingToRun(
            f"No series of {selection.dataset} is left by: {selection.words}. Remove a filter."
            if selection.words
            else "No series is selected. Choose a data set that has some."
        )
    return found


def _missing(key: str, series: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    stored = set(
        Detection.objects.filter(
            detector_key=key, series_id__gte=series[0][0], series_id__lte=series[-1][0]
        )
        .settled()
        .values_list("series_id", flat=True)
    )
    return [(pk, n) for pk, n in series if pk not in stored]


def name_of(detectors: Sequence[Detector], selection: SeriesSelection) -> str:
    """What a run is called when nobody says: its methods and its data set."""
    titles = [each.title for each in detectors]
    methods = titles[0] if len(titles) == 1 else f"{len(titles)} methods"
    chosen = f"{len(selection.only.split())} of " if selection.only else ""
    return f"{methods} on {chosen}{selection.dataset}"[:120]


# --- answers that hold no more ----------------------------------------------------------------
def forget_answers(benchmark: Benchmark) -> None:
    """Delete those of methods that read a series otherwise, once its direction is another."""
    slugs = [slug for slug, method in registry().items() if method.rates != "free"]
    Detection.objects.filter(series__benchmark=benchmark, slug__in=slugs).delete()


def forget_by_seconds(series: Sequence[int]) -> int:
    """Delete those that took an iteration for as long as their method's own parameter says."""
    slugs = [slug for slug, each in registry().items() if hasattr(each.Params(), "iteration_time")]
    count = 0
    for begin in range(0, len(series), FORGOTTEN_AT_ONCE):
        part = series[begin : begin + FORGOTTEN_AT_ONCE]
        count += Detection.objects.filter(series__in=part, slug__in=slugs).delete()[0]
    return count
