"""Answers in the table of a data set: ground truth, and the spread of detectors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Value,
    When,
)

from analysis.comparison import result_changes
from analysis.comparison.result_changes import LargestChange
from analysis.methods.method_style import MethodStyle, MethodStyles, style_of, style_order
from analysis.methods.sparklines import DetectionSparkline, detection_sparkline
from analysis.runs.certainty import (
    INTERVAL_WIDTH,
    LEAST_SURE_FIRST,
    StatedCertainty,
    order_by_certainty,
    stated_certainties,
)
from analysis.runs.models import Detection
from analysis.statistics.answers import NEVER, Number
from annotate import blind
from annotate.models import GroundTruth
from detectors.shapes.shape_words import WORDS
from people.models import Study, User
from series import columns
from series.columns import Asked, ColumnFilter, FilteredRows
from series.models import Series, SeriesShape
from series.models.series import SeriesQuerySet

RANKED: Final = 1000  # rows that are ordered by change; a longer CASE takes seconds
SEEN: Final = "is_seen"  # annotation of rows that a filter has found not to be hidden
CHANGE: Final = "place_by_change"
PERCENT: Final = 5  # tolerance of verdicts, in percent of the length
TRUTHS: Final = (("steady", "steady"), ("never", "never"), ("none", "none yet"))
KNOWN: Final = "known"
BESIDE: Final = {"with-cycles": "cycles", "with-spikes": "spikes"}
SHAPES: Final = (*WORDS.items(), *((value, f"with {name}") for value, name in BESIDE.items()))
NOISES: Final = (("quiet", "quiet"), ("noisy", "noisy"))
APART: Final = (("more", "by more than 5 %"), ("split", "steady or never"))


@dataclass(frozen=True, slots=True)
class VisibleAnswers:
    """Answers that one row may show. `is_hidden`: the reader has yet to answer, and nothing is
    read.
    """

    is_hidden: bool = False
    truth: Number | None = None
    words: str = ""
    spread: DetectionSparkline | None = None
    largest_change: LargestChange | None = None  # where the order asks for it, like the next
    certainty: StatedCertainty | None = None
    shape: SeriesShape | None = None

    @property
    def title(self) -> str:
        """Words for people's agreement; a known answer needs no word in each row of simulated
        series.
        """
        return "" if self.words == KNOWN else self.words


class AnswerColumns(columns.ProvidedColumns):
    """Shape, ground truth and detectors' spread; rows that the reader is blind to say so.

    Shape and noise are no answers, but tell of them: who is blind to these is blind to those.
    """

    head = "analysis/series_page/columns/head.html"
    cells = "analysis/series_page/columns/cells.html"
    foot = "analysis/series_page/columns/foot.html"

    def values(self, reader: User, rows: Sequence[Series]) -> Mapping[int, Any]:
        unchecked_pks = [row.pk for row in rows if not getattr(row, SEEN, False)]
        hidden_pks = set(
            blind.open_series(reader).filter(pk__in=unchecked_pks).values_list("pk", flat=True)
        )
        visible_rows = [row for row in rows if row.pk not in hidden_pks]
        truths = _truths(visible_rows)
        answers = _answers(visible_rows)
        is_sorted = all(hasattr(row, CHANGE) for row in rows)
        change_by_pk = _largest_changes(visible_rows, truths, answers) if is_sorted else {}
        interval_pks = [row.pk for row in visible_rows if hasattr(row, INTERVAL_WIDTH)]
        certainty_by_pk = stated_certainties(interval_pks) if interval_pks else {}
        cells = {pk: VisibleAnswers(is_hidden=True) for pk in hidden_pks}
        for row in visible_rows:
            truth, truth_words = truths.get(row.pk, (None, ""))
            sparkline = detection_sparkline(row.n, answers.get(row.pk, ()), truth)
            shown_sparkline = sparkline if answers.get(row.pk) else None
            largest_change = change_by_pk.get(row.pk)
            cells[row.pk] = VisibleAnswers(
                truth=truth,
                words=truth_words,
                spread=shown_sparkline,
                largest_change=largest_change,
                certainty=certainty_by_pk.get(row.pk),
                shape=getattr(row, "shaped", None),
            )
        return cells

    def choices(self, study: Study, query: Asked) -> Sequence[ColumnFilter]:
        return (
            ColumnFilter("shape", "Shape", SHAPES, query.get("shape", "")),
            ColumnFilter("noise", "Noise", NOISES, query.get("noise", "")),
            ColumnFilter("truth", "Truth", TRUTHS, query.get("truth", "")),
            ColumnFilter("apart", "Spread", APART, query.get("apart", "")),
        )

    def orders(self) -> Mapping[str, str]:
        return {
            "spread": "detectors’ spread, widest first",
            "change": "change of the result, largest first",
            "sure": LEAST_SURE_FIRST,
        }

    def narrow(self, reader: User, rows: SeriesQuerySet, query: Asked) -> FilteredRows:
        """A filter or order by answers leaves out what the reader has yet to answer."""
        truth, distance_filter, shape, noise = (
            query.get(name, "") for name in ("truth", "apart", "shape", "noise")
        )
        sort = query.get("sort")
        if not (truth or distance_filter or shape or noise or sort in self.orders()):
            return FilteredRows(rows)
        hidden_count = blind.count_hidden_series(reader, rows)
        visible_rows = blind.without_open(reader, rows, "pk").annotate(**{SEEN: Value(True)})  # noqa: FBT003
        narrowed_rows = _narrow_by_truth(_narrow_by_shape(visible_rows, shape, noise), truth)
        if distance_filter or sort == "spread":
            narrowed_rows = _filter_by_distance(_annotate_distances(narrowed_rows), distance_filter)
        if sort == "change":
            narrowed_rows = _sort_by_change(narrowed_rows)
        if sort == "sure":
            narrowed_rows = order_by_certainty(narrowed_rows)
        if sort == "spread":
            narrowed_rows = narrowed_rows.order_by(F("spread").desc(nulls_last=True), "pk")
        return FilteredRows(narrowed_rows, hidden_count, hidden_count.because)


# --- reading ----------------------------------------------------------------------------------
def _truths(rows: Iterable[Series]) -> dict[int, tuple[Number | None, str]]:
    """Ground truth by the campaign of most settled series, else the known answer, and its kind."""
    rows = list(rows)
    if not rows:
        return {}
    known_answers: dict[int, tuple[Number | None, str]] = {
        row.pk: (row.known_start, KNOWN) for row in rows if row.known_start is not None
    }
    settled_truths = GroundTruth.objects.settled().filter(
        task__series__in=rows, steady__isnull=False
    )
    truth_by_pk = settled_truths.by_series(rows[0].benchmark.dataset.study.campaigns.best_first)
    return known_answers | {pk: (truth.value, truth.agreement) for pk, truth in truth_by_pk.items()}


def _answers(rows: Sequence[Series]) -> dict[int, list[tuple[MethodStyle, Number | None]]]:
    answer_rows = Detection.objects.filter(
        series__in=rows, outcome=Detection.Outcome.ANSWER
    ).values_list("series", "detector_key", "steady_start")
    answers_by_series: dict[int, list[tuple[MethodStyle, Number | None]]] = {}
    style_for = MethodStyles(rows[0].benchmark.dataset.study) if rows else style_of
    for pk, key, start in answer_rows:
        answers_by_series.setdefault(pk, []).append((style_for(key), start))
    for answers in answers_by_series.values():
        answers.sort(key=lambda style_and_start: style_order(style_and_start[0]))
    return answers_by_series


def _largest_changes(
    rows: Sequence[Series],
    truths: Mapping[int, tuple[Number | None, str]],
    answers: Mapping[int, Sequence[tuple[MethodStyle, Number | None]]],
) -> dict[int, LargestChange]:
    """The method, by its code, that changes the result of each row most against the truth."""
    comparable_starts = {}
    for row in rows:
        truth, _ = truths.get(row.pk, (None, ""))
        codes_and_starts = ((style.code, start) for style, start in answers.get(row.pk, ()))
        steady_starts = tuple(
            (code, start) for code, start in codes_and_starts if start is not None and start >= 0
        )
        if truth is not None and truth >= 0 and steady_starts:
            comparable_starts[row.pk] = (steady_starts, truth)
    return result_changes.largest_changes(comparable_starts)


# --- filters ----------------------------------------------------------------------------------
def _narrow_by_shape(rows: SeriesQuerySet, shape: str, noise: str) -> SeriesQuerySet:
    """Narrow rows to a shape, or to one shown beside another, and to a noise; ignore unknown
    words.
    """
    if shape in BESIDE:
        rows = rows.filter(shaped__classes__contains=f" {BESIDE[shape]} ")
    elif shape in WORDS:
        rows = rows.filter(shaped__shape=shape)
    return rows.filter(shaped__noise=noise) if noise in dict(NOISES) else rows


def _narrow_by_truth(rows: SeriesQuerySet, truth: str) -> SeriesQuerySet:
    settled_truths = GroundTruth.objects.settled().filter(task__series=OuterRef("pk"))
    is_known_steady, is_known_never = Q(known_start__gte=0), Q(known_start=NEVER)
    if truth == "steady":
        return rows.filter(Exists(settled_truths.filter(steady=True)) | is_known_steady)
    if truth == "never":
        return rows.filter(Exists(settled_truths.filter(steady=False)) | is_known_never)
    if truth == "none":
        return rows.filter(~Exists(settled_truths.filter(steady__isnull=False)), known_start=None)
    return rows


def _annotate_distances(rows: SeriesQuerySet) -> QuerySet[Series]:
    """Annotate rows with the distance of the outermost steady answers, and counts of answers."""
    is_steady = Q(detections__steady_start__gte=0)
    return rows.annotate(
        spread=Max("detections__steady_start", filter=is_steady)
        - Min("detections__steady_start", filter=is_steady),
        says_steady=Count("detections", filter=is_steady),
        says_never=Count("detections", filter=Q(detections__steady_start=NEVER)),
    )


def _filter_by_distance(rows: Any, distance_filter: str) -> Any:  # annotated fields
    if distance_filter == "more":
        return rows.filter(spread__gt=F("n") * PERCENT / 100)
    if distance_filter == "split":
        return rows.filter(says_steady__gt=0, says_never__gt=0)
    return rows


def _sort_by_change(rows: Any) -> Any:
    """Largest change of the result first; rows without one last, in the order of their making."""
    all_rows = list(rows.select_related("benchmark__dataset__study"))
    changes = _largest_changes(all_rows, _truths(all_rows), _answers(all_rows))
    ranked_pks = sorted(changes, key=lambda pk: -abs(changes[pk].change.share))[:RANKED]
    rank_cases = [When(pk=pk, then=rank_number) for rank_number, pk in enumerate(ranked_pks)]
    rank_expression = Case(*rank_cases, default=len(ranked_pks), output_field=IntegerField())
    return rows.annotate(**{CHANGE: rank_expression}).order_by(CHANGE, "pk")
