"""Covering and F1 on the changes of level of a campaign: of methods, of people, of no change.

Everybody is scored on the same terms as in the Turing Change Point Benchmark: a series counts once
it is complete, against what each person marked in it; a score is the mean over series. A person is
scored against the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Final, Literal

from analysis.methods.method_style import MethodStyles
from analysis.runs.models import Detection
from analysis.runs.models.detection import methods_with_changes
from analysis.statistics.segmentation_scores import MARGIN, f1_with_margin, segment_cover
from analysis.web.page_tables import CAMPAIGN, PageTables, TableEmpty, TableRequest, declared_table
from annotate import exclusions
from annotate.blind import Reader
from annotate.models import Campaign
from annotate.truth.level_changes import SeriesChanges, changed_series
from formats.tables import TableColumn
from people.query_form import CommandOption, PageControl, QueryForm, whole_field

NO_CHANGE: Final = "no change"
Kind = Literal["method", "person", "baseline"]


@dataclass(frozen=True, slots=True)
class ChangeScoreQuery(QueryForm):
    """A margin in iterations."""

    margin: int = whole_field(
        "margin",
        "margin",
        0,
        10_000_000,
        default=MARGIN,
        fallback=str(MARGIN),
        option=CommandOption(f"default: {MARGIN}", "ITERATIONS"),
        control=PageControl(
            "Margin ±",
            empty=str(MARGIN),
            title=f"Iterations by which a change may miss; empty: {MARGIN}",
            attributes={"inputmode": "numeric"},
        ),
    )


@dataclass(frozen=True, slots=True)
class SeriesScore:
    """Score of one answer for one series."""

    changes: SeriesChanges
    predicted_changes: tuple[int, ...]
    covering: float
    f1: float
    precision: float
    recall: float


@dataclass(frozen=True, slots=True)
class ChangeScores:
    """Scores of one method or person, by series.

    name  a method as addresses and commands call it, or a pseudonym
    """

    kind: Kind
    name: str
    title: str
    margin: int
    series_scores: Sequence[SeriesScore]

    @property
    def n(self) -> int:
        return len(self.series_scores)

    def mean(self, figure: str) -> float | None:
        """Mean of a figure over the series; None without a series."""
        values = [getattr(score, figure) for score in self.series_scores]
        return fmean(values) if values else None

    @property
    def covering(self) -> float | None:
        return self.mean("covering")

    @property
    def f1(self) -> float | None:
        return self.mean("f1")

    @property
    def precision(self) -> float | None:
        return self.mean("precision")

    @property
    def recall(self) -> float | None:
        return self.mean("recall")


@dataclass(frozen=True, slots=True)
class CampaignChangeScores:
    """Scores of everybody in a campaign, best covering first.

    series          complete ones that somebody marked, without excluded ones
    left_out_count  series of the campaign that do not count, or not for this reader
    """

    query: ChangeScoreQuery
    series: Sequence[SeriesChanges]
    left_out_count: int
    scores: Sequence[ChangeScores] = field(default_factory=list)

    @property
    def methods(self) -> list[ChangeScores]:
        """Scores of methods, best covering first."""
        return [scores for scores in self.scores if scores.kind == "method"]

    @property
    def best_method(self) -> ChangeScores | None:
        """Method that covers best, of those that answered every series; None without one."""
        return next((scores for scores in self.methods if scores.n == len(self.series)), None)

    @property
    def sentence(self) -> str:
        """Method that covers people's changes best, beside the answer that nothing changes."""
        if not self.series:
            return "No series is finished yet"
        if not self.methods:
            return "No method has given its changes yet"
        best, [baseline] = (
            self.best_method,
            [score for score in self.scores if score.kind == "baseline"],
        )
        if best is None:
            return "No method has answered every finished series"
        figures = f"{best.covering:.2f}, no change at all {baseline.covering:.2f}"
        if (best.covering or 0) <= (baseline.covering or 0):
            return (
                f"No method covers people’s changes better than no change: {best.title} {figures}"
            )
        return f"{best.title} covers people’s changes best: {figures}"


def campaign_change_scores(
    campaign: Campaign, reader: Reader, query: ChangeScoreQuery
) -> CampaignChangeScores:
    """Score the stored answers of methods, each person against the others, and no change."""
    exclusion_words = exclusions.exclusion_reasons(campaign)
    series = [
        changes
        for changes in changed_series(campaign, reader)
        if changes.complete and changes.answers and changes.series.pk not in exclusion_words
    ]
    scores = [*_methods(campaign, series, query), *_people(series, query)]
    ranked_scores = sorted(
        scores,
        key=lambda method_score: (method_score.covering is None, -(method_score.covering or 0)),
    )
    missing_count = campaign.tasks.counted().count() - len(series)
    return CampaignChangeScores(query, series, missing_count, ranked_scores)


def series_score(
    changes: SeriesChanges,
    predicted_changes: Sequence[int],
    margin: int,
    truths: Sequence[Sequence[int]],
) -> SeriesScore:
    f1 = f1_with_margin(truths, predicted_changes, margin)
    covering = segment_cover(truths, predicted_changes, changes.series.n)
    return SeriesScore(changes, tuple(predicted_changes), covering, *f1)


def _methods(
    campaign: Campaign, series: Sequence[SeriesChanges], query: ChangeScoreQuery
) -> Iterator[ChangeScores]:
    rows = Detection.objects.filter(
        series__among=[changes.series.pk for changes in series],
        slug__in=methods_with_changes(),
        changes__isnull=False,
    )
    positions_by_method: dict[str, dict[int, list[int]]] = {}
    for key, pk, positions in rows.values_list("detector_key", "series", "changes"):
        positions_by_method.setdefault(key, {})[pk] = positions or []
    styles = MethodStyles(campaign.study)
    for key, positions_by_series in positions_by_method.items():
        style = styles(key)
        series_scores = _series_scores(series, positions_by_series, query.margin)
        yield ChangeScores("method", style.name, style.label, query.margin, series_scores)
    if series:
        empty_positions: dict[int, list[int]] = {changes.series.pk: [] for changes in series}
        series_scores = _series_scores(series, empty_positions, query.margin)
        yield ChangeScores("baseline", NO_CHANGE, "No change at all", query.margin, series_scores)


def _series_scores(
    series: Sequence[SeriesChanges], positions_by_series: Mapping[int, Sequence[int]], margin: int
) -> list[SeriesScore]:
    return [
        series_score(changes, positions, margin, list(changes.answers.values()))
        for changes in series
        if (positions := positions_by_series.get(changes.series.pk)) is not None
    ]


def _people(series: Sequence[SeriesChanges], query: ChangeScoreQuery) -> Iterator[ChangeScores]:
    names = dict.fromkeys(name for changes in series for name in changes.answers)
    for name in names:
        series_scores = [
            series_score(changes, changes.answers[name], query.margin, other_answers)
            for changes in series
            if name in changes.answers and (other_answers := _other_positions(changes, name))
        ]
        title = f"{name.upper()} against the others"
        yield ChangeScores("person", name, title, query.margin, series_scores)


def _other_positions(changes: SeriesChanges, name: str) -> list[tuple[int, ...]]:
    return [positions for other_name, positions in changes.answers.items() if other_name != name]


# --- tables ---------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class ScoreRow:
    """Score of one method or person for one series."""

    scores: ChangeScores
    score: SeriesScore


FIGURES: Final = {
    "covering": "mean Jaccard overlap of the segments, 0 to 1",
    "f1": "F1 of the changes that lie within the margin",
    "precision": "share of the predicted changes that somebody marked, 0 included",
    "recall": "share of each person's changes that were predicted, mean over people",
}
COLUMNS: Final[tuple[TableColumn[ChangeScores], ...]] = (
    TableColumn("kind", lambda scores: scores.kind, "method, person or baseline"),
    TableColumn("name", lambda scores: scores.name, "slug or key of a method; pseudonym"),
    TableColumn("title", lambda scores: scores.title, "its name on pages"),
    TableColumn("n", lambda scores: scores.n, "series that the means are of"),
    TableColumn("margin", lambda scores: scores.margin, "iterations by which a change may miss"),
    *(
        TableColumn(name, lambda scores, name=name: scores.mean(name), meaning)  # type: ignore[misc]
        for name, meaning in FIGURES.items()
    ),
)
SERIES_COLUMNS: Final[tuple[TableColumn[ScoreRow], ...]] = (
    TableColumn("series", lambda row: row.score.changes.task.position, "position in the campaign"),
    TableColumn("series_digest", lambda row: row.score.changes.series.digest),
    TableColumn("name", lambda row: row.scores.name, "slug or key of a method; pseudonym"),
    TableColumn(
        "changes",
        lambda row: " ".join(map(str, row.score.predicted_changes)),
        "its changes of level; empty: none",
    ),
    *(
        TableColumn(name, lambda row, name=name: getattr(row.score, name), meaning)  # type: ignore[misc]
        for name, meaning in FIGURES.items()
    ),
)


def _compute(request: TableRequest) -> CampaignChangeScores:
    campaign = request.scope
    if not campaign.asks_changes:
        raise TableEmpty("asks for one steady start, not for all changes of level")
    return campaign_change_scores(campaign, request.reader, *request.queries)


def _score_rows(result: CampaignChangeScores) -> Iterator[ScoreRow]:
    return (ScoreRow(scores, score) for scores in result.scores for score in scores.series_scores)


CHANGE_SCORE_TABLES: Final = PageTables(
    scope=CAMPAIGN,
    queries={ChangeScoreQuery: ()},
    compute=_compute,
    tables={
        "change-scores": declared_table(
            "Changes of level: covering and F1", COLUMNS, lambda result: result.scores
        ),
        "change-series": declared_table("Changes of level by series", SERIES_COLUMNS, _score_rows),
    },
)
