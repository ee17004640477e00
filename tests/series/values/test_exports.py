"""Values out, and in again: the same bytes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from django.test import Client
from django.urls import reverse

from people.models import User
from series import queries
from series.importing import services
from series.models import Dataset, Series
from series.reading.file_readers import FileToRead
from series.values import exports


def test_what_is_exported_can_be_imported_with_the_same_digests(
    dataset: Dataset, make_series: Callable[..., Series]
) -> None:
    noise = np.random.default_rng(5)
    for fork in range(3):
        make_series(noise.exponential(1e-7, 50), fork=fork)
    text = "".join(exports.long_csv_rows(queries.select_series(dataset.study, dataset=dataset)))
    other_dataset = services.create_dataset(dataset.study, name="Copy")

    result = services.import_file(other_dataset, FileToRead("values.csv", data=text.encode()))

    assert result.stored == 3
    copied_series = Series.objects.filter(benchmark__dataset=other_dataset)
    assert set(copied_series.values_list("fork", "digest")) == set(
        Series.objects.filter(benchmark__dataset=dataset).values_list("fork", "digest")
    )


def test_a_download_follows_the_filter_of_the_table(
    client: Client, vic: User, dataset: Dataset, make_series: Callable[..., Series]
) -> None:
    make_series([2.0, 1.0], "sort")
    make_series([3.0, 1.0], "hash")
    client.force_login(vic)
    address = reverse("dataset-values", args=[dataset.study.slug, dataset.slug])

    lines = client.get(address + "?q=hash").getvalue().decode().splitlines()

    assert lines[1:] == ["first,,,example,hash,,0,s/op,0,3.0", "first,,,example,hash,,0,s/op,1,1.0"]
