"""Files that were imported lately: those of one recording are one line."""

from __future__ import annotations

from people.models import Study, User
from series.import_pages.recent_imports import recent_imports
from series.models import Dataset, Import, Series


def test_files_of_one_recording_are_one_line(study: Study, olga: User, series: Series) -> None:
    mine = {"dataset": series.benchmark.dataset, "recording": series.recording, "by": olga}
    other = {"dataset": Dataset.objects.create(study=study, slug="other", name="Other")}
    for name, details in (("a", mine), ("b", mine), ("c", other), ("d", mine)):
        Import.objects.create(
            study=study, file_name=name, size=1, state="done", stored=2, known=1, **details
        )

    lines = [(line.newest.file_name, line.further, line.stored) for line in recent_imports(study)]

    assert lines[:3] == [("d", 0, 2), ("c", 0, 2), ("b", 1, 4)]
    assert [line.known for line in recent_imports(study)][:3] == [1, 1, 2]
