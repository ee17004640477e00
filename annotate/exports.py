"""Ground truth and marks as CSV, streamed; the same rows for page and command line."""

from __future__ import annotations

from collections.abc import Iterator

from annotate import blind, exclusions, recipes
from annotate.blind import Reader
from annotate.models import Annotator, Campaign, Mark
from annotate.results import SeriesResult, results
from formats import marks as marks_table, tables
from series.models import Series

BEFORE = (
    "dataset",
    "recording",
    "build",
    "measured_at",
    "system",
    "benchmark",
    "params",
    "fork",
    "n",
    "unit",
    "answer",
    "steady_start",
    "agreement",
    "spread",
    "excluded",
    "annotators",
)
AFTER = (
    "recipe",
    "recipe_params",
    "series_digest",
    "resampled_low",
    "resampled_high",
    "resampled_steady",
    "change_by",
    "change",
    "change_low",
    "change_high",
)

MEANING = {  # of columns that no other file has
    "answer": "steady, never or undecided",
    "steady_start": "first steady iteration, 0-based; -1 never; empty if undecided",
    "agreement": "clustered, scattered, unanimous-never, mostly-never, tied, too-few or incomplete",
    "spread": "largest minus smallest steady mark, in iterations",
    "excluded": "reason of a review decision; empty if none",
    "annotators": "how many people have answered",
    "a1, a2, …": "mark of each annotator: iteration, -1 never, empty no answer or unclear",
    "recipe": "recipe that made the ground truth",
    "recipe_params": "its parameters",
    "resampled_low": "10 % quantile of the ground truth over marks drawn anew; empty if none",
    "resampled_high": "90 % quantile of the same",
    "resampled_steady": "share of these draws that say steady, 0 to 1; empty without votes",
    "change_by": "annotator whose mark changes the result most; empty without a steady mark",
    "change": "result from that mark against that from the ground truth, as a share",
    "change_low": "lower end of its 95 % interval",
    "change_high": "upper end of the same",
}


def ground_truth(campaign: Campaign, reader: Reader, *, recipe: str | None = None) -> Iterator[str]:
    """The ground-truth CSV of what `reader` may see, as pieces of text."""
    people = pseudonyms(campaign)
    columns = [*BEFORE, *people, *AFTER]
    excluded = exclusions.of(campaign)
    rows = (
        ground_truth_row(result, people, excluded.get(result.series.pk, ""))
        for result in results(campaign, reader, recipe=recipe, consequences=True)
    )
    return tables.write(columns, rows)


def pseudonyms(campaign: Campaign, *, human: bool = False) -> list[str]:
    """The annotators' columns, in natural order; `human` without published classifications."""
    everybody = Annotator.objects.filter(campaign=campaign)
    asked = everybody.human() if human else everybody
    return sorted(asked.values_list("pseudonym", flat=True), key=recipes.annotator_order)


def ground_truth_row(
    result: SeriesResult, people: list[str], excluded: str = ""
) -> list[tables.Cell]:
    """One series as the columns have it; `excluded` is the reason of a review decision."""
    series, truth = result.series, result.settled
    benchmark, recording = series.benchmark, series.recording
    cells = {vote.pseudonym: vote.cell for vote in result.votes}
    return [
        benchmark.dataset.name,
        recording.label,
        recording.build,
        recording.measured_at.isoformat() if recording.measured_at else "",
        benchmark.system,
        benchmark.name,
        benchmark.params,
        series.fork,
        series.n,
        benchmark.unit,
        truth.answer,
        truth.value,
        truth.agreement,
        truth.spread,
        excluded,
        result.answered,
        *(cells.get(name) for name in people),
        result.recipe.slug,
        result.recipe.params_text(result.params),
        series.digest,
        *_interval(result),
        *_change(result),
    ]


def _interval(result: SeriesResult) -> list[tables.Cell]:
    """Empty while the ground truth is provisional, and without a vote."""
    found = result.interval
    return [None] * 3 if found is None else [found.low, found.high, found.steady]


def marks(campaign: Campaign, reader: Reader, *, latest: bool = False) -> Iterator[str]:
    """The marks CSV of what `reader` may see: every revision, or the latest ones."""
    return marks_table.write(_mark_rows(campaign, reader, latest=latest))


def _mark_rows(
    campaign: Campaign, reader: Reader, *, latest: bool
) -> Iterator[marks_table.MarkRow]:
    names = dict(Annotator.objects.filter(campaign=campaign).values_list("user_id", "pseudonym"))
    counted = Mark.objects.filter(task__campaign=campaign, task__expected=None)
    found = counted.exclude(task__series__in=blind.open_series(reader))
    if latest:
        found = found.filter(pk__in=campaign.tasks.values("assignments__latest"))
    related = "task__series__benchmark__dataset", "task__series__recording"
    ordered = found.order_by("task__position", "annotator_id", "revision")
    for mark in ordered.select_related(*related).iterator(500):
        yield _mark_row(mark, mark.task.series, names[mark.annotator_id])


def _mark_row(mark: Mark, series: Series, pseudonym: str) -> marks_table.MarkRow:
    benchmark = series.benchmark
    start = recipes.NEVER if mark.kind == Mark.Kind.NEVER else mark.index
    return marks_table.MarkRow(
        dataset=benchmark.dataset.name,
        recording=series.recording.label,
        system=benchmark.system,
        benchmark=benchmark.name,
        params=benchmark.params,
        fork=series.fork,
        annotator=pseudonym,
        answer=mark.kind,  # type: ignore[arg-type]
        steady_start=start,
        unsure=mark.unsure,
        revision=mark.revision,
        seconds=mark.seconds,
        note=mark.note,
        when=mark.when.isoformat(),
        series_digest=mark.series_digest,
        difficulty=mark.difficulty,
    )


def _change(result: SeriesResult) -> list[tables.Cell]:
    found = result.consequence
    return [None] * 4 if found is None else [found.of, found.share, found.low, found.high]
