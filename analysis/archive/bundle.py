"""An archive written: the same state of a study and the same settings give the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from analysis.archive import descriptors
from analysis.archive.descriptors import ReadableTable
from analysis.archive.models import ArchiveSettings
from analysis.archive.rows import StudyRows
from analysis.archive.tables import PEOPLE, TABLES
from analysis.archive.zip_writing import DigestingArchive, digesting_archive
from analysis.runs import exports as detections
from annotate.blind import EVERYTHING
from annotate.importing.outcome_table import outcome_table
from annotate.models import Campaign
from annotate.truth import exports as answers, level_changes
from formats import marks, series_table, tables
from formats.tables import TableColumn
from people.models import Study
from series.models import Samples, Series
from series.models.series import SeriesQuerySet
from series.values import exports as values
from series.values.read_ahead import read_ahead

Arrays = Iterator[tuple[str, np.ndarray[Any, Any]]]
AT_ONCE: Final = 20  # series whose values are in memory together
DETECTIONS: Final = tuple(each for each in detections.COLUMNS if each.name != "source")
"""Without the column that names who brought a file."""


class StudyChanged(RuntimeError):
    """Somebody changed the study while it was archived; the sentence says what."""


@dataclass(frozen=True)
class StudyArchive:
    """All that a study holds. Nothing in it tells when it was written, or by whom."""

    study: Study
    archive_settings: ArchiveSettings

    @property
    def n_steps(self) -> int:
        """Number of steps that `write` counts to."""
        return len(TABLES) + len(self.readable_tables) + 3

    def write(self, path: Path, check_claim: Callable[[], object] = int) -> Iterator[int]:
        """Write the .zip to `path`; gives how many of `steps` are done after each.

        `check_claim` is called again and again; what it raises ends the writing.
        """
        with digesting_archive(path, check_claim) as archive:
            for done_count, _ in enumerate(self._parts(archive), start=1):
                yield done_count

    def _parts(self, archive: DigestingArchive) -> Iterator[None]:
        archive_settings, files = self.archive_settings, self.readable_tables
        archive.add_text(
            descriptors.README, [descriptors.readme(self.study, archive_settings, files.values())]
        )
        archive.add_text(descriptors.CITATION, [descriptors.citation(self.study, archive_settings)])
        rows = StudyRows(self.study)
        archive.add_text(PEOPLE, rows.people())
        for table in TABLES:
            archive.add_text(table.path, rows.text(table))
            yield
        archive.add_arrays(descriptors.VALUES, _values(self._series))
        yield
        if self._samples.exists():
            archive.add_arrays(descriptors.SAMPLES, self._sample_arrays(rows))
        yield
        for path in files:
            archive.add_text(path, self._text(path))
            yield
        self._check_unchanged(archive)
        package = descriptors.data_package(self.study, archive_settings, archive.files, files)
        archive.add_text(descriptors.PACKAGE, [package])
        archive.add_text(descriptors.SUMS, [archive.sums])
        yield

    def _check_unchanged(self, archive: DigestingArchive) -> None:
        """Values never change; answers may have come between the first table and the last file."""
        rows = StudyRows(self.study)
        digest_by_path = {file.path: file.digest for file in archive.files}
        for table in TABLES:
            digest = hashlib.sha256()
            for piece in rows.text(table):
                digest.update(piece.encode())
            if digest.hexdigest() != digest_by_path[table.path]:
                raise StudyChanged(f"{table.summary} changed meanwhile; make the archive again")

    @cached_property
    def readable_tables(self) -> dict[str, ReadableTable]:
        """Files for readers by path: values, and what files of pages give of each part."""
        readable_tables = []
        purposes = [Campaign.Purpose.ANNOTATE, Campaign.Purpose.CHANGES]
        for campaign in self.study.campaigns.filter(purpose__in=purposes).order_by("pk"):
            people = answers.pseudonyms(campaign)
            summary = f"ground truth of the campaign “{campaign}”, by {campaign.recipe}"
            ground_truth_columns: Sequence[TableColumn[Any]] = answers.ground_truth_table(people)
            if campaign.asks_changes:
                summary = f"changes of level of the campaign “{campaign}”, on which people agree"
                ground_truth_columns = level_changes.level_changes_table(people)
            readable_tables.append(
                ReadableTable(f"ground-truth/{campaign.slug}.csv", summary, ground_truth_columns)
            )
            summary = f"marks of the campaign “{campaign}”, every revision"
            readable_tables.append(
                ReadableTable(f"marks/{campaign.slug}.csv", summary, marks.COLUMNS)
            )
        for dataset in self.study.datasets.order_by("pk"):
            summary = f"detections on the data set “{dataset}”"
            readable_tables.append(
                ReadableTable(f"detections/{dataset.slug}.csv", summary, DETECTIONS)
            )
            summary = f"values of the data set “{dataset}”, a row an iteration"
            readable_tables.append(
                ReadableTable(f"values/{dataset.slug}.csv", summary, series_table.COLUMNS)
            )
        return {readable_table.path: readable_table for readable_table in readable_tables}

    def _text(self, path: str) -> Iterator[str]:
        folder, _, file_name = path.partition("/")
        slug = file_name.removesuffix(".csv")
        if folder in {"ground-truth", "marks"}:
            campaign = self.study.campaigns.get(slug=slug)
            if folder == "marks":
                return answers.marks_csv(campaign, EVERYTHING)
            return tables.table_text(*outcome_table(campaign, EVERYTHING))
        dataset = self.study.datasets.get(slug=slug)
        if folder == "values":
            return values.long_csv_rows(self._series.filter(benchmark__dataset=dataset))
        return tables.write_rows(DETECTIONS, detections.exported_detections(dataset, EVERYTHING))

    @property
    def _series(self) -> SeriesQuerySet:
        study_series = Series.objects.filter(benchmark__dataset__study=self.study)
        return study_series.order_by("benchmark__dataset_id", "pk")

    @property
    def _samples(self) -> Any:
        return Samples.objects.filter(series__in=self._series.order_by()).order_by("series")

    def _sample_arrays(self, rows: StudyRows) -> Arrays:
        numbers = rows.numbers(Series)
        for samples in self._samples.iterator(AT_ONCE):
            number = numbers[samples.series_id]
            yield f"{number}.offsets", np.frombuffer(samples.offsets, "<i8")
            yield f"{number}.values", np.frombuffer(samples.values, "<f8")
            yield f"{number}.counts", np.frombuffer(samples.counts, "<i8")


def _values(series: SeriesQuerySet) -> Arrays:
    """Each array once, whichever series have the same values."""
    written_digests: set[str] = set()
    for stored_series in read_ahead(series.select_related("stored").iterator(AT_ONCE)):
        if stored_series.digest not in written_digests:
            written_digests.add(stored_series.digest)
            yield stored_series.digest, stored_series.array()
