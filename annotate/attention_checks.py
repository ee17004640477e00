"""Unannounced checks: series with a known answer among those of a campaign.

They look like their neighbours and are not said to be there. What becomes of them is told to the
owner as a share; they stop nobody, and no answer to them enters ground truth, agreement or files.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from dataclasses import dataclass
from statistics import median

from django.core.exceptions import ValidationError
from django.db import transaction

from annotate.answering import training
from annotate.answering.simulated import make_series, shapes
from annotate.campaigns.assignments import assign
from annotate.importing import screening
from annotate.models import Assignment, Campaign, Expected, Task
from detectors.simulated.synthetic import SHORTEST
from series.models import Series

KINDS = ("step", "two-steps", "drift", "spikes", "cyclic", "decay")
MOST = 50


@transaction.atomic
def set_check_count(campaign: Campaign, count: int) -> None:
    """So many checks, dealt among the series of a draft; positions are shuffled anew.

    Raises ValidationError for a campaign that is no draft (people have met its positions), that
    shows names or events (a check has none that would pass for one), or that has no series to look
    like.
    """
    if count == campaign.checks:
        return
    _refuse(campaign, count)
    turns = dict(campaign.tasks.counted().to_mark().values_list("series", "turn"))
    positions = list(turns)
    campaign.tasks.all().delete()
    checks = _make_check_series(campaign, positions, count)
    lot = random.Random(f"{campaign.seed} turns {count}")  # noqa: S311  # no secret
    turns |= {check.series.pk: lot.choice([turns[pk] for pk in positions]) for check in checks}
    checks_by_series = {check.series.pk: check for check in checks}
    order = [*sorted(positions), *checks_by_series]
    random.Random(f"{campaign.seed} positions {count}").shuffle(order)  # noqa: S311  # no secret
    tasks = Task.objects.bulk_create(
        Task(campaign=campaign, series_id=pk, position=position, turn=turns[pk])
        for position, pk in enumerate(order, start=1)
    )
    Expected.objects.bulk_create(
        checks_by_series[task.series_id].expected(task)
        for task in tasks
        if task.series_id in checks_by_series
    )
    campaign.checks = count
    campaign.save(update_fields=["checks"])
    assign(campaign)
    screening.include_unmarked(campaign)  # behind the new positions


def _refuse(campaign: Campaign, count: int) -> None:
    if campaign.state != Campaign.State.DRAFT:
        raise ValidationError("Checks are fixed once the campaign is open.")
    if count and not campaign.hide_names:
        raise ValidationError("Checks need hidden names: a check has no name of its own.")
    if count and campaign.show_events:
        raise ValidationError("Checks have no events: annotators would know them. Hide events.")
    if not 0 <= count <= MOST:
        raise ValidationError(f"A campaign takes up to {MOST} checks; found {count}.")


def _make_check_series(campaign: Campaign, positions: list[int], count: int):  # type: ignore[no-untyped-def]
    """Check series as long, as high and in the unit as the campaign's own in the middle."""
    rows = Series.objects.filter(pk__in=positions).values_list("n", "median", "benchmark__unit")
    lengths, levels, units = zip(*rows, strict=True)
    n = max(SHORTEST, int(median(lengths)))
    level = abs(median(levels)) or 1.0
    # A draft may get other series, and with them other checks: they are another set.
    alias_digest = hashlib.sha256(f"{campaign.seed} {n} {level}".encode()).hexdigest()[:6]
    return make_series(
        campaign.study,
        shapes(KINDS, count, campaign.seed * 1000 + 500),
        n=n,
        name=f"Set {campaign.pk}/{count}/{alias_digest}",
        level=level,
        unit=Counter(units).most_common(1)[0][0],
    )


@dataclass(frozen=True, slots=True)
class CheckScore:
    """Points of one person's answered checks, of those possible."""

    points: float
    answered: int


def check_scores(campaign: Campaign) -> dict[int, CheckScore]:
    """Scores by user id, of everybody who has answered a check: for the owner alone."""
    rows = Assignment.objects.filter(
        task__campaign=campaign, task__expected__isnull=False, latest__isnull=False
    ).select_related("latest", "task__expected")
    score_by_user: dict[int, CheckScore] = {}
    for row in rows:
        assert row.latest is not None  # noqa: S101  # filtered
        score = score_by_user.get(row.user_id, CheckScore(0.0, 0))
        earned_points = training.points(row.latest, row.task.expected)
        score_by_user[row.user_id] = CheckScore(score.points + earned_points, score.answered + 1)
    return score_by_user
