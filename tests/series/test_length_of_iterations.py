"""Series stored before anybody knew how long their iterations last: what is certain is said."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from django.apps import apps
from django.db import connection
from django.test import Client

from people.models import User
from series.models import Benchmark, Dataset, Import, Recording, Series

migration = importlib.import_module("series.migrations.0004_length_of_iterations")


def length_after(series: Series) -> str:
    migration.say(apps, connection.schema_editor())
    return str(Series.objects.get(pk=series.pk).iteration_length)


def brought_by(name: str, dataset: Dataset, recording: Recording) -> None:
    study = dataset.study
    done = Import.State.DONE
    Import.objects.create(
        study=study, dataset=dataset, recording=recording, file_name=name, size=1, state=done
    )


def test_of_a_published_file(
    make_series: Callable[..., Series], dataset: Dataset, recording: Recording
) -> None:
    published, other = make_series([3.0, 2.0], "org.Sort"), make_series([3.0, 2.0], "org.Other")
    Benchmark.objects.update(system="owner__repo", mode="")
    brought_by("owner__repo#org.Sort#size=1.json", dataset, recording)

    assert length_after(published) == "0.1 s"
    assert Series.objects.get(pk=published.pk).seconds_per_iteration == 0.1
    assert length_after(other) == "None"


def test_not_of_a_file_with_another_name_or_with_conditions(
    make_series: Callable[..., Series], dataset: Dataset, recording: Recording
) -> None:
    plain = make_series([3.0, 2.0], "org.Sort")
    told = make_series([3.0, 2.0], "org.Told", settings={"forks": 2})
    Benchmark.objects.update(system="owner__repo", mode="")
    brought_by("org.Sort.csv", dataset, recording)
    brought_by("owner__repo#org.Told#.json", dataset, recording)

    assert length_after(plain) == "None"
    assert length_after(told) == "None"


def test_of_recordings_and_simulations_of_the_demo(
    make_series: Callable[..., Series], dataset: Dataset, recording: Recording
) -> None:
    recorded = make_series([3.0, 2.0], settings={"measurement_batch_size": 1})
    brought_by("java-word-count.json.gz", dataset, recording)
    assert length_after(recorded) == "one operation"

    simulated = make_series([3.0, 2.0], "step")
    Benchmark.objects.filter(name="step").update(system="simulated")
    assert length_after(simulated) == "None"
    Dataset.objects.update(simulated=True)
    assert length_after(simulated) == "one operation"


def test_the_page_of_a_series_says_it(
    make_series: Callable[..., Series], client: Client, olga: User
) -> None:
    client.force_login(olga)

    for settings, said in (({}, "not known"), ({"seconds_per_iteration": 0.1}, "0.1 s")):
        Series.objects.all().delete()
        series = make_series([3.0, 2.0, 1.0], settings=settings)
        page = client.get(series.get_absolute_url()).content.decode()
        assert f"<dt>Length of an iteration</dt><dd>{said}</dd>" in page
