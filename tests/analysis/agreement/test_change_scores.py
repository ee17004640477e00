"""Covering and F1 of methods and people on all changes of level of a campaign."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from analysis.runs.models import Detection
from annotate.answering.services import save_mark
from annotate.models import Campaign, Task
from detectors.methods.jumpavg import Jumpavg
from people.models import User
from series.models import Series

pytestmark = pytest.mark.django_db


@pytest.fixture
def scored_campaign(
    campaign: Campaign,
    make_series: Callable[..., Series],
    make_task: Callable[[Series], Task],
    ana: User,
    ben: User,
) -> Campaign:
    """100 values, a method's change at 40: Ana says 40, Ben 40 and 70. Another series waits."""
    campaign.purpose = Campaign.Purpose.CHANGES
    campaign.save()
    task = make_task(make_series([2.0] * 100))
    make_task(make_series([1.0] * 100, fork=1))
    for by, changes in ((ana, [40]), (ben, [40, 70])):
        save_mark(
            task,
            by=by,
            client_id=uuid4(),
            digest=task.series.digest,
            kind="changes",
            changes=changes,
        )
    Detection.objects.create(
        series=task.series,
        detector_key=Jumpavg().key,
        slug="jumpavg",
        steady_start=40,
        changes=[42],
    )
    return campaign


def rows(*options: str) -> dict[str, dict[str, str]]:
    output = io.StringIO()
    call_command("change_scores", "startup-times/first-look", *options, stdout=output)
    return {row["name"]: row for row in csv.DictReader(io.StringIO(output.getvalue()))}


def test_scores_are_those_of_the_definitions(scored_campaign: Campaign) -> None:
    """Covering of no change: 0.6 of Ana's longest segment, by its length, and so on."""
    found = rows()

    disagreement = (0.4 * 0.4 + 0.6 * 0.6 + 0.4 * 0.4 + 0.3 * 0.3 + 0.3 * 0.3) / 2
    assert float(found["no change"]["covering"]) == pytest.approx(disagreement)
    assert float(found["jumpavg"]["precision"]) == 1
    assert float(found["jumpavg"]["recall"]) == pytest.approx((1 + 2 / 3) / 2)
    ana_by_ben = 0.4 * 1 + 0.6 * 0.5
    assert float(found["a2"]["covering"]) == pytest.approx(ana_by_ben)
    assert {row["n"] for row in found.values()} == {"1"}


def test_the_margin_decides_and_is_named(scored_campaign: Campaign) -> None:
    strict_rows = rows("--margin", "1")["jumpavg"]

    assert (strict_rows["margin"], float(strict_rows["precision"])) == ("1", 0.5)
    assert rows()["jumpavg"]["margin"] == "5"


def test_the_page_and_the_file_of_series_say_the_same(
    client: Client, scored_campaign: Campaign
) -> None:
    client.force_login(User.objects.get(username="olga"))
    slugs = [scored_campaign.study.slug, scored_campaign.slug]
    page = client.get(reverse("campaign", args=slugs), {"tab": "agreement"})
    file = client.get(reverse("change-scores-file", args=slugs), {"what": "change-series"})

    scores = {score.name: score for score in page.context["result"].scores}
    text = b"".join(file).decode()
    lines = {row["name"]: row for row in csv.DictReader(io.StringIO(text))}
    assert float(lines["jumpavg"]["covering"]) == scores["jumpavg"].covering
    assert lines["jumpavg"]["changes"] == "42"


def test_another_campaign_has_no_such_scores(campaign: Campaign) -> None:
    with pytest.raises(CommandError, match="one steady start"):
        rows()
