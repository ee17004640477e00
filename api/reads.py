"""Reading: series with their values, detections, ground truth, comparison and trend."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page
from ninja import Query, Router, Schema
from ninja.errors import HttpError

from analysis.comparison import exports as compared
from analysis.comparison.inputs import UnknownMethod
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare_stored
from analysis.references.yardsticks import UnknownYardstick
from analysis.runs import exports as detected
from analysis.trend import ci_reports
from analysis.trend.exports import TREND_TABLES
from analysis.trend.query import TrendQuery
from analysis.trend.starts import UnknownStart, find_start
from analysis.trend.table import trends
from annotate import blind
from annotate.importing.outcome_table import outcome_name, outcome_table
from api.access import READ, caller, find_campaign, find_dataset, value_or_422
from api.tables import Answer, Written, table_answer
from api.texts import MOST_METHODS, MethodKey
from detectors.registry import UnknownDetector
from formats import tables
from people import downloads
from series import shapes
from series.models import Series, SeriesShape
from series.values import exports as values

PAGE = 100
MOST_A_PAGE = 1000

router = Router(auth=READ, tags=["read"])
# Every answer but a streamed file has an ETag; If-None-Match gets 304 where nothing has changed.
for decorator in (conditional_page, cache_control(private=True, no_cache=True)):
    router.add_decorator(decorator, mode="view")


class StudyOut(Schema):
    """The study of the token, with what can be named in it."""

    slug: str
    name: str
    datasets: list[str]
    campaigns: list[str]


class SeriesOut(Schema):
    """A series without its values. `digest` names the values, `shape` and `noise` are told from
    them; all three empty as long as the token's maker has yet to answer the series in a campaign.
    """

    id: str
    dataset: str
    system: str
    benchmark: str
    params: str
    fork: int
    n: int
    unit: str
    recording: str
    digest: str
    shape: str
    noise: str


class SeriesPage(Schema):
    """So many series, and what to ask for next; empty at the end."""

    series: list[SeriesOut]
    next: str


class ValuesOut(SeriesOut):
    """A series with its values, in its unit, in the order of its iterations."""

    values: list[float]


@router.get("/study", response=StudyOut, summary="The study of the token")
def study(request: HttpRequest) -> StudyOut:
    token_study = caller(request).study
    return StudyOut(
        slug=token_study.slug,
        name=token_study.name,
        datasets=list(token_study.datasets.order_by("slug").values_list("slug", flat=True)),
        campaigns=list(token_study.campaigns.order_by("slug").values_list("slug", flat=True)),
    )


@router.get(
    "/datasets/{dataset}/series", response=SeriesPage, summary="The series of a data set, in pages"
)
def series_of(
    request: HttpRequest,
    dataset: str,
    after: str = "",
    limit: Annotated[int, Query(ge=1, le=MOST_A_PAGE)] = PAGE,
) -> SeriesPage:
    """List the series in the order in which they were stored. `after` is the `next` of the page
    before.
    """
    dataset_series = Series.objects.filter(benchmark__dataset=find_dataset(request, dataset))
    if after:
        last_series = dataset_series.filter(public_id=after).values("pk")
        if not last_series:
            raise HttpError(422, f"after: found {after!r}, expected the next of a page")
        dataset_series = dataset_series.filter(pk__gt=last_series)
    rows = list(
        dataset_series.select_related("benchmark__dataset", "recording").order_by("pk")[:limit]
    )
    next_public_id = rows[-1].public_id if len(rows) == limit else ""
    return SeriesPage(series=_series_answers(request, rows), next=next_public_id)


@router.get("/series/{series}", response=ValuesOut, summary="A series with its values")
def series(request: HttpRequest, series: str) -> ValuesOut:
    study_series = Series.objects.filter(benchmark__dataset__study=caller(request).study)
    series_with_rows = study_series.select_related("benchmark__dataset", "recording", "stored")
    stored_series = get_object_or_404(series_with_rows, public_id=series)
    (series_document,) = _series_answers(request, [stored_series])
    return ValuesOut(**series_document.dict(), values=stored_series.array().tolist())


def _series_answers(request: HttpRequest, series: list[Series]) -> list[SeriesOut]:
    """Digests of series that are to be answered blindly would tell their names."""
    series_keys = [row.pk for row in series]
    hidden_series = blind.open_series(caller(request).user).filter(pk__in=series_keys)
    blinded_keys = set(hidden_series.values_list("pk", flat=True))
    shape_by_series = shapes.stored_shapes(row for row in series if row.pk not in blinded_keys)
    return [
        _series_answer(row, shape_by_series.get(row.pk), is_blinded=row.pk in blinded_keys)
        for row in series
    ]


def _series_answer(row: Series, shape: SeriesShape | None, *, is_blinded: bool) -> SeriesOut:
    benchmark = row.benchmark
    return SeriesOut(
        id=row.public_id,
        dataset=benchmark.dataset.slug,
        system=benchmark.system,
        benchmark=benchmark.name,
        params=benchmark.params,
        fork=row.fork,
        n=row.n,
        unit=benchmark.unit,
        recording=row.recording.label,
        digest="" if is_blinded else row.digest,
        shape=shape.shape if shape else "",
        noise=shape.noise if shape else "",
    )


@router.get("/datasets/{dataset}/values.csv", summary="All values of a data set, as CSV")
def values_csv(request: HttpRequest, dataset: str) -> Answer:
    """The columns that an import reads: what comes out goes in again."""
    token_dataset = find_dataset(request, dataset)
    rows = values.long_csv_rows(
        Series.objects.filter(benchmark__dataset=token_dataset).order_by("pk")
    )
    return downloads.csv(rows, f"{token_dataset.slug}-values.csv")


@router.get("/datasets/{dataset}/detections", summary="Stored answers of methods")
def detections(
    request: HttpRequest,
    dataset: str,
    method: Annotated[list[MethodKey], Query(max_length=MOST_METHODS)] = [],  # noqa: B006  # ninja copies it
    format: Written | None = None,
) -> Answer:
    """One row for each series and method; `method`: slugs or keys, all without one.

    Series that the token's maker has yet to answer are left out, as on the pages.
    """
    token_dataset = find_dataset(request, dataset)
    reader = caller(request).user
    rows = value_or_422(
        lambda: list(detected.exported_detections(token_dataset, reader, methods=method)),
        UnknownDetector,
    )
    columns = tables.column_names(detected.COLUMNS)
    cells = (tables.cells(detected.COLUMNS, row) for row in rows)
    return table_answer(request, f"{token_dataset.slug}-detections", columns, cells, format)


@router.get("/campaigns/{campaign}/ground-truth", summary="Ground truth of a campaign")
def ground_truth_table(
    request: HttpRequest, campaign: str, format: Written | None = None
) -> Answer:
    """One row for each series that the token's maker may see the answers of."""
    token_campaign, reader = find_campaign(request, campaign), caller(request).user
    if token_campaign.is_training:
        raise HttpError(404, f"{token_campaign} is a training, which makes no ground truth")
    name = f"{campaign}-{outcome_name(token_campaign)}"
    return table_answer(request, name, *outcome_table(token_campaign, reader), format)


@router.get("/campaigns/{campaign}/ground-truth.csv", summary="Ground truth of a campaign, as CSV")
def ground_truth(request: HttpRequest, campaign: str) -> Answer:
    return ground_truth_table(request, campaign, "csv")


@router.get("/comparison", summary="Methods against a yardstick")
def comparison(
    request: HttpRequest, what: str = "leaderboard", format: Written | None = None
) -> Answer:
    """Return what the page Compare shows; further settings are those of its address."""
    client = caller(request)
    if what not in compared.WHATS or what == "series":
        raise HttpError(422, f"what: found {what!r}, expected one of {', '.join(compared.WHATS)}")
    query = ComparisonQuery.from_query(request.GET)
    study_comparison = value_or_422(
        lambda: compare_stored(client.study, client.user, query), UnknownYardstick, UnknownMethod
    )
    if study_comparison is None:
        raise HttpError(404, "There is nothing to compare with: no ground truth in this study.")
    table = compared.comparison_table(study_comparison, what)
    return table_answer(request, f"comparison-{what}", table.columns, table.rows, format)


@router.get("/datasets/{dataset}/trend", summary="How results move over recordings")
def trend(
    request: HttpRequest, dataset: str, format: Written | Literal["junit", "markdown"] | None = None
) -> Answer:
    """One row a benchmark, what needs a look first; settings are those of the page's address.

    `junit` is a test suite in which new regressions fail, `markdown` a comment.
    """
    token_dataset, query = find_dataset(request, dataset), TrendQuery.from_query(request.GET)
    start = value_or_422(lambda: find_start(token_dataset, query.start), UnknownStart)
    dataset_trends = trends(token_dataset, caller(request).user, start, query=query)
    if format == "junit":
        return HttpResponse(ci_reports.junit(dataset_trends), content_type="application/xml")
    if format == "markdown":
        return HttpResponse(
            ci_reports.markdown(dataset_trends), content_type="text/markdown; charset=utf-8"
        )
    table = TREND_TABLES.table(dataset_trends, "trends")
    return table_answer(request, f"{token_dataset.slug}-trend", *table, format)
