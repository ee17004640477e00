"""Stored detections as rows: command, download and API read these columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from analysis.methods.models import OWN
from analysis.runs.models import CERTAINTY_MEANINGS, Detection
from analysis.web.page_tables import DATASET, PageTables, declared_table
from annotate.blind import Reader, visible_series
from detectors.contract import ParameterError
from detectors.registry import KeyParts, UnknownDetector, canonical_key
from formats.tables import ANSWER_MEANINGS, Cell, TableColumn
from series.models import Dataset, Series
from series.values.exports import DIGEST, SERIES_COLUMNS


@dataclass(frozen=True, slots=True)
class ExportedDetection:
    """One row of the detections CSV; `source` is the file that the answer came in, or empty."""

    dataset: Dataset
    detection: Detection
    source: str


def _detection_field(name: str) -> Callable[[ExportedDetection], Cell]:
    """Reader of the column `name` of the stored row."""
    return lambda row: getattr(row.detection, name)


_LAST_COLUMNS: Final = ("milliseconds", "error")  # columns behind those of certainty
Column: TypeAlias = TableColumn[ExportedDetection]
COLUMNS: Final[tuple[Column, ...]] = (
    Column("dataset", lambda row: row.dataset.slug),
    Column("dataset_name", lambda row: row.dataset.name),
    *(column.column_of_part(lambda row: row.detection.series) for column in SERIES_COLUMNS),
    Column("method", lambda row: row.detection.slug, "slug of the detector"),
    Column(
        "version",
        lambda row: KeyParts.from_key(row.detection.detector_key).version,
        "its version, which changes when an answer may",
    ),
    Column(
        "method_params",
        lambda row: KeyParts.from_key(row.detection.detector_key).parameters,
        "its parameters, defaults written out",
    ),
    *(
        Column(name, _detection_field(name), meaning)
        for name, meaning in {**ANSWER_MEANINGS, **CERTAINTY_MEANINGS}.items()
        if name not in _LAST_COLUMNS
    ),
    *(Column(name, _detection_field(name)) for name in _LAST_COLUMNS),
    DIGEST.column_of_part(lambda row: row.detection.series),
    Column(
        "source",
        lambda row: row.source,
        "the file that the answers came in; empty for those that Plateau computed",
    ),
)


def exported_detections(
    dataset: Dataset, reader: Reader, *, methods: Sequence[str] = ()
) -> Iterator[ExportedDetection]:
    """One row for each stored detection of the data set, in the order of its series.

    methods: slugs (every stored parametrisation) or keys; none means all.
    Never steady is -1; a cell that does not apply is None. Raises `UnknownDetector`.
    """
    series = Series.objects.filter(benchmark__dataset=dataset)
    detections = Detection.objects.filter(series__in=visible_series(reader, series))
    if methods:
        keys = [_key(key) for key in methods if "@" in key or "?" in key]
        slugs = [_canonical_slug(slug) for slug in methods if "@" not in slug and "?" not in slug]
        detections = detections.filter(detector_key__in=keys) | detections.filter(slug__in=slugs)
    ordered_detections = detections.select_related(
        "series__benchmark", "series__recording"
    ).order_by(
        "series__benchmark__system",
        "series__benchmark__name",
        "series__benchmark__params",
        "series__recording_id",
        "series__fork",
        "slug",
        "detector_key",
    )
    sources = _source_by_key(dataset)
    return (
        ExportedDetection(dataset, detection, sources.get(detection.detector_key, ""))
        for detection in ordered_detections.iterator(chunk_size=2000)
    )


def _canonical_slug(slug: str) -> str:
    return slug if slug.startswith(OWN) else canonical_key(slug).partition("@")[0]


def _key(text: str) -> str:
    """Complete detector key; a method from a file has no defaults that could be left out."""
    return text if text.startswith(OWN) else canonical_key(text)


def _source_by_key(dataset: Dataset) -> dict[str, str]:
    """Files that the answers of the study's own methods came in, by detector key."""
    stored_methods = dataset.study.own_methods.stored().select_related("by")
    return {
        imported_method.detector_key: imported_method.source for imported_method in stored_methods
    }


DETECTION_TABLES: Final = PageTables(
    scope=DATASET,
    queries={},
    compute=lambda request: exported_detections(request.scope, request.reader),
    tables={
        "detections": declared_table("Stored detections", COLUMNS, lambda detections: detections)
    },
    refusals=(UnknownDetector, ParameterError),
)
