"""A file of many builds, one value each: imported on the page, and then a trend."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from analysis.trend.query import trend_address
from analysis.trend.starts import find_start
from analysis.trend.table import trends
from annotate.blind import EVERYTHING
from people.models import Study, User
from series.models import Benchmark, Dataset, Recording, Series

LEVELS = [10.0, 10.1, 9.9, 10.0, 10.1, 9.9, 10.0, 10.1, 9.9, 10.0, 9.0, 9.1, 8.9, 9.0]


@pytest.fixture
def import_csv(
    client: Client, olga: User, study: Study, settings: Any, tmp_path: Path
) -> Callable[[str], Any]:
    """Uploads a CSV and confirms it with what the page proposes; the page before the import."""
    settings.DATA_DIR = tmp_path
    client.force_login(olga)

    def send(text: str) -> Any:
        file = SimpleUploadedFile("builds.csv", text.encode())
        address = reverse("import", args=[study.slug])
        response = client.post(address, {"files": [file]}, follow=True)
        form = response.context["confirm"]
        values_by_name = {name: form[name].value() or "" for name in form.fields}
        values_by_name["uploads"] = [
            uploaded_file.upload.public_id for uploaded_file in response.context["files"]
        ]
        client.post(reverse("import-confirmation", args=[study.slug]), values_by_name, follow=True)
        return response

    return send


def builds_csv(unit: str = "Mpps") -> str:
    rows = [
        f"b{build},2026-03-{build + 1:02d}T02:00Z,ip4base,{unit},{level},ann"
        for build, level in enumerate(LEVELS)
    ]
    return "\n".join(["build,measured_at,benchmark,unit,value,operator", *rows])


def test_a_file_of_builds_becomes_recordings_and_a_regression(
    import_csv: Callable[[str], Any], client: Client
) -> None:
    response = import_csv(builds_csv())

    assert response.context["preview"]["recordings"] == 14
    assert response.context["preview"]["noted"] == [
        ["columns that are not understood are left out: 'operator'", 14]
    ]
    assert Recording.objects.count() == Series.objects.count() == 14
    third_recording = Recording.objects.get(label="b2")
    assert (third_recording.build, third_recording.measured_at) == (
        "b2",
        datetime(2026, 3, 3, 2, tzinfo=UTC),
    )
    dataset = Dataset.objects.get()
    (row,) = trends(dataset, EVERYTHING, find_start(dataset)).rows
    assert (len(row.dots), row.state) == (14, "regression")  # less of Mpps is worse
    series = Series.objects.get(recording=third_recording)
    for address in (
        dataset.get_absolute_url(),
        Benchmark.objects.get().get_absolute_url(),
        series.get_absolute_url(),
        reverse("payload", args=[series.digest]),
        reverse("trends", args=[dataset.study.slug, dataset.slug]),
        trend_address(row.benchmark),
    ):
        assert client.get(address, follow=True).status_code == 200


def test_what_values_wrote_is_read_again(import_csv: Callable[[str], Any], client: Client) -> None:
    import_csv(builds_csv())
    dataset = Dataset.objects.get()
    recordings_before = sorted(Recording.objects.values_list("label", "build", "measured_at"))
    address = reverse("dataset-values", args=[dataset.study.slug, dataset.slug])
    text = client.get(address).getvalue().decode()
    dataset.delete()

    import_csv(text)

    assert (
        sorted(Recording.objects.values_list("label", "build", "measured_at")) == recordings_before
    )
    assert sorted(series_row.array()[0] for series_row in Series.objects.all()) == sorted(LEVELS)
