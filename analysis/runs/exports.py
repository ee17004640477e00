"""Stored detections as rows: the command line, the export page and scripts read these columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from analysis.methods.models import OWN
from analysis.runs.models import Detection
from annotate.blind import Reader, visible_series
from detectors.registry import canonical_key
from formats.tables import Cell
from series.models import Dataset, Series

COLUMNS = (
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
    "method",
    "version",
    "method_params",
    "steady_start",
    "published_index",
    "decided_at",
    "flags",
    "milliseconds",
    "error",
    "series_digest",
    "source",
)


def rows(
    dataset: Dataset, reader: Reader, *, methods: Sequence[str] = ()
) -> Iterator[tuple[Cell, ...]]:
    """One row for each stored detection of the data set, in the order of its series.

    methods: slugs (every stored parametrisation) or keys; none means all.
    Never steady is -1; a cell that does not apply is None. Raises `UnknownDetector`.
    """
    series = Series.objects.filter(benchmark__dataset=dataset)
    found = Detection.objects.filter(series__in=visible_series(reader, series))
    if methods:
        keys = [_key(each) for each in methods if "@" in each or "?" in each]
        slugs = [_known(each) for each in methods if "@" not in each and "?" not in each]
        found = found.filter(detector_key__in=keys) | found.filter(slug__in=slugs)
    ordered = found.select_related("series__benchmark", "series__recording").order_by(
        "series__benchmark__system",
        "series__benchmark__name",
        "series__benchmark__params",
        "series__recording_id",
        "series__fork",
        "slug",
        "detector_key",
    )
    sources = _sources(dataset)
    return (_row(dataset, each, sources) for each in ordered.iterator(chunk_size=2000))


def _known(slug: str) -> str:
    return slug if slug.startswith(OWN) else canonical_key(slug).partition("@")[0]


def _key(text: str) -> str:
    """In full; a method from a file has no defaults that could be left out."""
    return text if text.startswith(OWN) else canonical_key(text)


def _sources(dataset: Dataset) -> dict[str, str]:
    """Of the study's own methods by key: the files that their answers came in."""
    stored = dataset.study.own_methods.stored().select_related("by")
    return {each.detector_key: each.source for each in stored}


def _row(dataset: Dataset, found: Detection, sources: Mapping[str, str]) -> tuple[Cell, ...]:
    series, benchmark = found.series, found.series.benchmark
    recording = series.recording
    name, _, parameters = found.detector_key.partition("?")
    return (
        dataset.slug,
        recording.label,
        recording.build,
        recording.measured_at.isoformat() if recording.measured_at else "",
        benchmark.system,
        benchmark.name,
        benchmark.params,
        series.fork,
        series.n,
        benchmark.unit,
        found.slug,
        name.partition("@")[2],
        parameters,
        found.steady_start,
        found.published_index,
        found.decided_at,
        found.flags,
        found.milliseconds,
        found.error,
        series.digest,
        sources.get(found.detector_key, ""),
    )
