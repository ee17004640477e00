"""Ground truth and marks as CSV, streamed; the same rows for page and command line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from annotate import blind, exclusions, recipes
from annotate.blind import Reader
from annotate.consequences import MarkConsequence
from annotate.models import Annotator, Campaign, Mark
from annotate.recipes.resampling import ResampledInterval
from annotate.truth.results import SeriesResult, results
from formats import marks as marks_table, tables
from formats.tables import TableColumn
from series.models import Series
from series.values.exports import DATASET_SERIES_COLUMNS, DIGEST


@dataclass(frozen=True, slots=True)
class ExportedGroundTruth:
    """One row of the ground-truth CSV; `excluded` is the reason of a review decision."""

    result: SeriesResult
    excluded: str
    marks: Mapping[str, int | None]  # by pseudonym

    @property
    def truth(self) -> recipes.RecipeAnswer:
        return self.result.settled


Column: TypeAlias = TableColumn[ExportedGroundTruth]
_OF_INTERVAL: Final[tuple[TableColumn[ResampledInterval], ...]] = (
    TableColumn(
        "resampled_low",
        lambda interval: interval.low,
        "10 % quantile of the ground truth over resampled marks; empty if none",
    ),
    TableColumn("resampled_high", lambda interval: interval.high, "90 % quantile of the same"),
    TableColumn(
        "resampled_steady",
        lambda interval: interval.steady,
        "share of these resamples that say steady, 0 to 1; empty without votes",
    ),
)
_OF_CHANGE: Final[tuple[TableColumn[MarkConsequence], ...]] = (
    TableColumn(
        "change_by",
        lambda change: change.of,
        "annotator whose mark changes the result most; empty without a steady mark",
    ),
    TableColumn(
        "change",
        lambda change: change.share,
        "relative change of the result with that mark instead of the ground truth",
    ),
    TableColumn(
        "change_low",
        lambda change: change.low,
        "lower end of its 95 % interval; empty with too few independent values",
    ),
    TableColumn("change_high", lambda change: change.high, "upper end of the same"),
)
_BEFORE: Final[tuple[Column, ...]] = (
    *(column.column_of_part(lambda row: row.result.series) for column in DATASET_SERIES_COLUMNS),
    Column("answer", lambda row: row.truth.answer, "steady, never or undecided"),
    Column(
        "steady_start",
        lambda row: row.truth.value,
        "first steady iteration, 0-based; -1 never; empty if undecided",
    ),
    Column(
        "agreement",
        lambda row: row.truth.agreement,
        "clustered, scattered, unanimous-never, mostly-never, screened-never, "
        "screened-undecided, tied, too-few or incomplete",
    ),
    Column(
        "spread", lambda row: row.truth.spread, "largest minus smallest steady mark, in iterations"
    ),
    Column("excluded", lambda row: row.excluded, "reason of a review decision; empty if none"),
    Column("annotators", lambda row: row.result.answered, "how many people have answered"),
)
_AFTER: Final[tuple[Column, ...]] = (
    Column("recipe", lambda row: row.result.recipe.slug, "recipe that made the ground truth"),
    Column(
        "recipe_params",
        lambda row: row.result.recipe.params_text(row.result.params),
        "its parameters",
    ),
    DIGEST.column_of_part(lambda row: row.result.series),
    *(column.column_of_part(lambda row: row.result.interval) for column in _OF_INTERVAL),
    *(column.column_of_part(lambda row: row.result.consequence) for column in _OF_CHANGE),
)


def ground_truth_table(people: Iterable[str] = ("a1, a2, …",)) -> tuple[Column, ...]:
    """The columns of the ground-truth CSV, one for each pseudonym among them."""
    return (*_BEFORE, *map(_mark_column, people), *_AFTER)


def _mark_column(name: str) -> Column:
    meaning = "mark of each annotator: iteration, -1 never, empty no answer or unclear"
    return Column(name, lambda row: row.marks.get(name), meaning)


def ground_truth_csv(
    campaign: Campaign, reader: Reader, *, recipe: str | None = None
) -> Iterator[str]:
    """The ground-truth CSV of what `reader` may see, as pieces of text."""
    return tables.write_rows(*ground_truth_rows(campaign, reader, recipe=recipe))


def ground_truth_rows(
    campaign: Campaign,
    reader: Reader,
    *,
    recipe: str | None = None,
    series_pks: Collection[int] | None = None,
) -> tuple[tuple[Column, ...], Iterator[ExportedGroundTruth]]:
    """The columns of that table, and its rows.

    series_pks  primary keys of series; None for all
    """
    exclusion_reasons = exclusions.exclusion_reasons(campaign)
    rows = (
        ExportedGroundTruth(
            result,
            exclusion_reasons.get(result.series.pk, ""),
            {vote.pseudonym: vote.cell for vote in result.votes},
        )
        for result in results(campaign, reader, recipe=recipe, with_consequences=True)
        if series_pks is None or result.series.pk in series_pks
    )
    return ground_truth_table(pseudonyms(campaign)), rows


def pseudonyms(campaign: Campaign, *, human: bool = False) -> list[str]:
    """The annotators' columns, in natural order; `human` without published classifications."""
    everybody = Annotator.objects.filter(campaign=campaign)
    annotators = everybody.human() if human else everybody
    return sorted(annotators.values_list("pseudonym", flat=True), key=recipes.annotator_order)


def marks_csv(
    campaign: Campaign,
    reader: Reader,
    *,
    only_latest: bool = False,
    series_pks: Collection[int] | None = None,
) -> Iterator[str]:
    """The marks CSV of what `reader` may see: every revision, or the latest ones.

    series_pks  primary keys of series; None for all
    """
    return marks_table.marks_text(
        _mark_rows(campaign, reader, only_latest=only_latest, series_pks=series_pks)
    )


def _mark_rows(
    campaign: Campaign, reader: Reader, *, only_latest: bool, series_pks: Collection[int] | None
) -> Iterator[marks_table.MarkRow]:
    names = dict(Annotator.objects.filter(campaign=campaign).values_list("user_id", "pseudonym"))
    counted_marks = Mark.objects.filter(task__campaign=campaign, task__expected=None)
    visible_marks = blind.without_open(reader, counted_marks, "task__series")
    if series_pks is not None:
        visible_marks = visible_marks.filter(task__series__in=series_pks)
    if only_latest:
        visible_marks = visible_marks.filter(pk__in=campaign.tasks.values("assignments__latest"))
    related_tables = "task__series__benchmark__dataset", "task__series__recording"
    ordered_marks = visible_marks.order_by("task__position", "annotator_id", "revision")
    for mark in ordered_marks.select_related(*related_tables).iterator(500):
        yield _mark_row(mark, mark.task.series, names[mark.annotator_id])


def _mark_row(mark: Mark, series: Series, pseudonym: str) -> marks_table.MarkRow:
    benchmark = series.benchmark
    start = recipes.NEVER if mark.kind == Mark.Kind.NEVER else mark.index
    return marks_table.MarkRow(
        dataset=benchmark.dataset.slug,
        dataset_name=benchmark.dataset.name,
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
        changes="" if mark.changes is None else marks_table.changes_text(mark.changes),
    )
