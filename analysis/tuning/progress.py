"""How far an exploration is: counts and times only, never an answer of a series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, QuerySet, Sum
from django.utils import timezone

from analysis.runs.progress import MethodLabel, method_of, shown_state
from analysis.tuning.models import Exploration, Part
from analysis.work import workers
from analysis.work.models import LEASE, UnitCounts, Worker

RATE_OVER: Final = timedelta(seconds=60)  # the rate is that of the last minute


@dataclass(frozen=True, slots=True)
class ExplorationWorker:
    """One living worker, and what it does for this exploration."""

    worker: Worker
    part: Part | None


@dataclass(frozen=True, slots=True)
class ExplorationLine:
    """One exploration in a list. Counts are answers: parameter sets times series."""

    exploration: Exploration
    method: MethodLabel
    total: int
    done: int
    failed: int
    state: str  # queued, running, stopping, stopped, done

    @property
    def percent(self) -> int:
        return 100 if not self.total else 100 * self.done // self.total

    @property
    def seconds(self) -> float | None:
        """How long it took, or has taken."""
        began, ended = self.exploration.began, self.exploration.finished
        return None if began is None else ((ended or timezone.now()) - began).total_seconds()

    @property
    def going(self) -> bool:
        """Whether anything may still change by itself."""
        return self.state in {"queued", "running", "stopping"}


@dataclass(frozen=True, slots=True)
class ExplorationProgress:
    """An exploration as its page shows it."""

    line: ExplorationLine
    rate: float | None  # answers a second, over the last minute
    workers: tuple[ExplorationWorker, ...]
    waiting: int  # parts
    silent: tuple[str, ...]  # workers whose lease has run out
    last_seen: datetime | None
    errors: tuple[tuple[str, int], ...]  # text and parts that have it

    @property
    def seconds_left(self) -> float | None:
        left = self.line.total - self.line.done
        return left / self.rate if self.rate and self.line.exploration.is_open else None

    @property
    def lease_seconds(self) -> int:
        """After so long without a word of its worker, a part is given to another."""
        return round(LEASE.total_seconds())


def progress_of(exploration: Exploration, *, told: bool) -> ExplorationProgress:
    """Everything that the progress of its page shows, read afresh.

    told: whether the reader may see the texts of failures, which may speak of a series.
    """
    now = timezone.now()
    parts = Part.objects.without_answers().filter(exploration=exploration)
    held = list(parts.filter(state=Part.State.TAKEN).order_by("pk"))
    alive = workers.living_workers(now)
    return ExplorationProgress(
        line=exploration_lines([exploration])[0],
        rate=_rate(parts, exploration, now) if exploration.is_open else None,
        workers=tuple(
            ExplorationWorker(each, next((p for p in held if p.worker == each.name), None))
            for each in alive
        ),
        waiting=parts.filter(state=Part.State.WAITING).count(),
        silent=tuple(each.worker for each in held if each.lease and each.lease < now),
        last_seen=workers.last_seen() if not alive else None,
        errors=_errors(parts, told=told),
    )


def _rate(parts: QuerySet[Part], exploration: Exploration, now: datetime) -> float | None:
    if exploration.began is None:
        return None
    since = max(exploration.began, now - RATE_OVER)
    lately = parts.filter(Q(finished__gte=since) | Q(state=Part.State.TAKEN))
    done = lately.aggregate(done=Sum("done_count"))["done"] or 0
    passed = (now - since).total_seconds()
    return done / passed if done and passed > 0.5 else None


def _errors(parts: QuerySet[Part], *, told: bool) -> tuple[tuple[str, int], ...]:
    """What went wrong, the most frequent first; a part may have one text for each series."""
    counts: dict[str, int] = {}
    for text in parts.exclude(error="").values_list("error", flat=True):
        for line in dict.fromkeys(text.splitlines()):
            words = line if told else "hidden until you answer its series"
            counts[words] = counts.get(words, 0) + 1
    return tuple(sorted(counts.items(), key=lambda item: -item[1])[:5])


def exploration_lines(explorations: Sequence[Exploration]) -> list[ExplorationLine]:
    """Explorations with their counts, read in one query for all."""
    counts = Part.objects.filter(exploration__in=explorations).counts_by("exploration")
    return [_line(each, counts.get(each.pk, UnitCounts())) for each in explorations]


def _line(exploration: Exploration, counts: UnitCounts) -> ExplorationLine:
    return ExplorationLine(
        exploration=exploration,
        method=method_of(exploration.method),
        total=exploration.wanted * exploration.series_count,
        done=counts.done,
        failed=counts.failed,
        state=shown_state(exploration, counts.held),
    )
