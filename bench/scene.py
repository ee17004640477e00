"""A campaign to measure annotating on: simulated series, one person, one session."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from django.conf import settings
from django.core.management import call_command
from django.test import Client

from annotate import campaigns
from detectors.synthetic import simulate
from formats.measurement import Measurement
from people import services as people
from people.models import User
from series import services
from series.models import Series


def campaign(count: int, n: int) -> tuple[str, str]:
    """An open campaign of `count` series of `n` values: its address, and a session to read it."""
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    person = User.objects.create_user("bench")
    study = people.create_study(by=person, name="Bench")
    dataset = services.create_dataset(study, name="Simulated", simulated=True)
    services.import_measurements(dataset, measurements(count, n), "simulated")
    wanted = campaigns.Wanted(
        name="Bench", series=list(Series.objects.values_list("pk", flat=True)), annotators=[person]
    )
    made = campaigns.create(study, wanted, by=person)
    campaigns.open_campaign(made)
    made.annotators.update(guide_seen=made.guide_version)
    client = Client()
    client.force_login(person)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    return f"/s/{study.slug}/campaigns/{made.slug}/annotate/", session


def measurements(count: int, n: int) -> Iterator[Measurement]:
    """Simulated forks with a tail of slow iterations, as measured ones have."""
    random = np.random.default_rng(1)
    for fork in range(count):
        drawn = simulate("step", n=n, seed=fork).values
        values = np.ascontiguousarray(drawn * (1 + random.exponential(0.02, n)))
        values.flags.writeable = False
        yield Measurement(
            benchmark="bench.Step", values=values, label=f"fork {fork}", fork=fork, unit="s/op"
        )
