"""Data to measure on: simulated series in a campaign, and one that five people answered."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from uuid import uuid4

import numpy as np
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from analysis.runs.models import Detection
from annotate.answering.series_aliases import alias_of
from annotate.campaigns import services as campaigns
from annotate.importing.mark_files import import_marks
from annotate.models import Campaign, Task
from detectors.contract import NEVER
from detectors.registry import registry
from detectors.simulated.synthetic import KINDS, SyntheticSeries, simulate
from formats.marks import MarkRow
from formats.measurement import Measurement
from people import services as people
from people.models import Membership, Role, Study, User
from series.importing import services
from series.models import Series


def campaign(count: int, n: int) -> tuple[str, str]:
    """An open campaign of `count` series of `n` values: its address, and a session to read it."""
    study, person = study_of(scene_measurements(count, n))
    bench_campaign = open_campaign_of(study, "Bench", [person])
    bench_campaign.annotators.update(guide_seen=bench_campaign.guide_version)
    return f"/s/{study.slug}/campaigns/{bench_campaign.slug}/annotate/", session_of(person)


def study_of(measurements: Iterable[Measurement]) -> tuple[Study, User]:
    """A study with one data set in an installation that is ready for a browser, and its owner."""
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    return store_study(measurements)


def store_study(measurements: Iterable[Measurement]) -> tuple[Study, User]:
    """A study with one data set, and its owner."""
    owner = User.objects.create_user("owner")
    study = people.create_study(by=owner, name="Bench")
    dataset = services.create_dataset(study, name="Simulated", simulated=True)
    services.import_measurements(dataset, measurements, "simulated")
    return study, owner


def open_campaign_of(
    study: Study, name: str, annotators: Sequence[User], count: int | None = None
) -> Campaign:
    """An open campaign of the first `count` series, or of all."""
    series = list(Series.objects.values_list("pk", flat=True)[:count])
    campaign_spec = campaigns.CampaignSpec(name=name, series=series, annotators=list(annotators))
    campaign = campaigns.create(study, campaign_spec, by=None)
    campaigns.open_campaign(campaign)
    return campaign


def annotators(study: Study, count: int) -> list[User]:
    """People who may mark series, `person-0` and so on."""
    users = [User.objects.create_user(f"person-{number}") for number in range(count)]
    for user in users:
        Membership.objects.create(study=study, user=user, role=Role.ANNOTATOR)
    return users


def session_of(person: User) -> str:
    client = Client()
    client.force_login(person)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def review(count: int, n: int) -> tuple[str, str]:
    """A campaign of `count` series that five people have marked: its study, an owner's session.

    Marks are drawn around the known answers, and say never now and then: a queue needs people
    who disagree. So are the stored answers of every method: what they are does not matter here.
    """
    series_and_forks = list(simulated_forks(count, n))
    study, owner = study_of(
        _measurement(simulated_series, fork) for simulated_series, fork in series_and_forks
    )
    rows = [
        row for simulated_series, fork in series_and_forks for row in _marks(simulated_series, fork)
    ]
    known_starts = {
        (simulated_series.kind, fork): simulated_series.steady_start
        for simulated_series, fork in series_and_forks
    }
    import_marks(study, "marked", rows, file="drawn", by=owner)
    _detect(known_starts)
    return study.slug, session_of(owner)


def simulated_forks(count: int, n: int) -> Iterator[tuple[SyntheticSeries, int]]:
    """Series of all kinds in turn, each with its fork."""
    kinds = list(KINDS)
    for number in range(count):
        fork, kind = divmod(number, len(kinds))
        yield simulate(kinds[kind], n=n, seed=fork), fork


def _detect(known_starts: Mapping[tuple[str, int], int]) -> None:
    """An answer of every method for every series, wider around the known one than the marks."""
    random = np.random.default_rng(2)
    series = list(Series.objects.select_related("benchmark"))
    for detector in registry().values():
        known_answers = np.array(
            [known_starts[one_series.benchmark.name, one_series.fork] for one_series in series]
        )
        start = np.clip(
            known_answers + random.normal(0, 200, known_answers.size), 0, series[0].n - 1
        ).astype(int)
        start[(known_answers == NEVER) | (random.random(known_answers.size) < 0.1)] = NEVER
        Detection.objects.bulk_create(
            Detection(
                series=one_series,
                detector_key=detector().key,
                slug=detector.slug,
                steady_start=answer,
                milliseconds=1.0,
            )
            for one_series, answer in zip(series, start.tolist(), strict=True)
        )


def answer_anew() -> None:
    """One stored answer less, and the same again: the state of the answers is another one."""
    detection = Detection.objects.order_by("pk").last()
    if detection is None:
        raise SystemExit("there is no stored answer")
    detection.delete()
    detection.pk = None
    detection.save()


def _measurement(simulated_series: SyntheticSeries, fork: int) -> Measurement:
    label = f"{simulated_series.kind}|{fork}"
    return Measurement(
        benchmark=simulated_series.kind,
        values=simulated_series.values,
        label=label,
        fork=fork,
        unit="s/op",
        mode="avgt",
    )


def _marks(simulated_series: SyntheticSeries, fork: int) -> Iterator[MarkRow]:
    random = np.random.default_rng([fork, *simulated_series.kind.encode()])
    for person in range(1, 6):
        meant_start = simulated_series.steady_start if random.random() < 0.9 else NEVER
        start = int(
            np.clip(meant_start + random.normal(0, 40), 0, simulated_series.values.size - 1)
        )
        yield MarkRow(
            benchmark=simulated_series.kind,
            fork=fork,
            annotator=f"a{person}",
            answer="never" if meant_start == NEVER else "steady",
            steady_start=NEVER if meant_start == NEVER else start,
        )


def post_times(count: int) -> list[float]:
    """Milliseconds of the server for an answer: request in, revision and ground truth, reply out.

    Five people answer `count` of the series, so that the recipe has clusters to find. The first
    answers of all, which load what the recipe needs, are left out.
    """
    study = Study.objects.get()
    users = annotators(study, 5)
    tasks = list(
        open_campaign_of(study, "Posts", users, count + 1).tasks.select_related("campaign__study")
    )
    times: list[float] = []
    for person in users:
        client = Client()
        client.force_login(person)
        times += [_timed_post(client, task, person) for task in tasks][1:]
    return times


def _timed_post(client: Client, task: Task, annotator: User) -> float:
    url_kwargs = {"study": task.campaign.study.slug, "campaign": task.campaign.slug}
    answer = {
        "kind": "steady",
        "index": str(task.position),
        "digest": alias_of(task, annotator),
        "client_id": str(uuid4()),
        "seconds": "1.5",
        "view": "{}",
    }
    url = reverse("annotate-marks", kwargs={**url_kwargs, "position": task.position})
    began_at = time.perf_counter()
    response = client.post(url, answer)
    spent_milliseconds = 1e3 * (time.perf_counter() - began_at)
    if response.status_code != 201:
        raise SystemExit(f"an answer was not stored: {response.content!r}")
    return spent_milliseconds


def scene_measurements(count: int, n: int) -> Iterator[Measurement]:
    """Simulated forks with a tail of slow iterations, as measured ones have."""
    random = np.random.default_rng(1)
    for fork in range(count):
        step_values = simulate("step", n=n, seed=fork).values
        values = np.ascontiguousarray(step_values * (1 + random.exponential(0.02, n)))
        values.flags.writeable = False
        yield Measurement(
            benchmark="bench.Step", values=values, label=f"fork {fork}", fork=fork, unit="s/op"
        )
