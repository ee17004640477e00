"""Let an exploration go on, stop it, run parts again, bring back what a dead worker left behind."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import numpy as np
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from analysis.statistics.answers import Floats
from analysis.statistics.objectives import OBJECTIVES, figures, scales_at, score
from analysis.tuning import designs
from analysis.tuning.answer_table import rows_of
from analysis.tuning.models import Exploration, Part
from analysis.tuning.plan import milliseconds_of, parts_for
from analysis.work.models import STALE, TRIES, Worker

FEW: Final = 8  # messages at a time: a run that begins meanwhile shall not wait for all parts
HOPELESS: Final = 3 * designs.ROUND  # sets without a single error to judge, and a search ends
State = Part.State


# --- going on ---------------------------------------------------------------------------------
def next_parts(pk: int) -> list[int]:
    """What may be sent now: the next parts, or those of a search's next round; or it ends."""
    exploration = Exploration.objects.get(pk=pk)
    if not exploration.parts.open().exists() and not _plan_more(exploration):
        close_if_done(pk)
    return parts_to_send(exploration)


def parts_to_send(exploration: Exploration) -> list[int]:
    """Parts without a message, as many as shall have one now."""
    if not exploration.is_open:
        return []
    parts = exploration.parts.all()
    on_the_way = Q(state=State.TAKEN) | Q(state=State.WAITING, queued_at__isnull=False)
    room = max(FEW, 2 * Worker.objects.count()) - parts.filter(on_the_way).count()
    waiting = parts.filter(state=State.WAITING, queued_at=None).order_by("pk")
    return list(waiting.values_list("pk", flat=True)[: max(room, 0)])


def _plan_more(exploration: Exploration) -> bool:
    """Plan the next round of a search; False where all is planned, or too much has failed."""
    if not exploration.is_open or exploration.planned >= exploration.wanted:
        return False
    tried = designs.design_of(exploration)
    scores = _scores(exploration)
    if len(tried) > HOPELESS and not np.isfinite(scores).any():
        return False  # nothing to learn from
    more = designs.next_round(exploration, tried, scores)
    method = designs.method_of(exploration)
    milliseconds = milliseconds_of(exploration.study, method, len(more))
    try:
        with transaction.atomic():
            mine = Exploration.objects.filter(pk=exploration.pk, planned=exploration.planned)
            planned = exploration.planned + len(more)
            if not mine.update(planned=planned, design=designs.packed(np.vstack([tried, more]))):
                return True  # somebody else has planned the same round
            parts = parts_for(exploration, exploration.planned, len(more), milliseconds)
            Part.objects.bulk_create(parts)
    except IntegrityError:
        return True
    return True


def _scores(exploration: Exploration) -> Floats:
    """Of every planned set by the search's own goal; infinite where it is not complete.

    (sets,) or, where a front is looked for, (sets, figures).
    """
    rows = rows_of(exploration)
    found = figures(rows.table, designs.truth_of(exploration))
    if exploration.kind == Exploration.Kind.FRONT:
        scores = np.column_stack([found[name] for name in OBJECTIVES if name in exploration.goal])
        return np.where(rows.complete[:, None] & ~np.isnan(scores), scores, np.inf)
    scores = score(found, exploration.goal, scales_at(found, 0))
    return np.where(rows.complete, scores, np.inf)


def close_if_done(pk: int) -> bool:
    """Close the exploration when its last part has ended; a statement of its own, as for runs."""
    ended = Exploration.objects.filter(pk=pk, finished=None).exclude(
        parts__state__in=[State.WAITING, State.TAKEN]
    )
    now = timezone.now()
    closed = ended.filter(state__in=Exploration.OPEN).update(
        state=Exploration.State.DONE, finished=now
    )
    stopped = ended.filter(state=Exploration.State.STOPPED).update(finished=now)
    return bool(closed + stopped)


# --- stopping and trying again ----------------------------------------------------------------
@transaction.atomic
def stop(exploration: Exploration) -> bool:
    """No new parts; those at work end at their next series. What is stored stays."""
    mine = Exploration.objects.filter(pk=exploration.pk, state__in=Exploration.OPEN)
    stopped = mine.update(state=Exploration.State.STOPPED)
    exploration.parts.filter(state=State.WAITING).update(state=State.STOPPED, worker="")
    close_if_done(exploration.pk)
    return stopped == 1


@transaction.atomic
def retry(exploration: Exploration) -> int:
    """Wait again with parts that failed, were stopped or given up; how many.

    A search that was stopped also goes on with rounds that it has yet to plan.
    """
    unfinished = Q(state__in=[State.STOPPED, State.GIVEN_UP]) | Q(failed_count__gt=0)
    count = exploration.parts.filter(unfinished).wait_again()
    to_plan = exploration.planned < exploration.wanted
    if count or to_plan:
        Exploration.objects.filter(pk=exploration.pk).update(
            state=Exploration.State.QUEUED, finished=None
        )
    return count or int(to_plan)


# --- bringing back ----------------------------------------------------------------------------
def sweep(
    now: datetime | None = None, *, exploration: Exploration | None = None, lost: int = 0
) -> list[int]:
    """Bring back parts whose lease has run out; the parts to be queued now.

    lost: how many messages are known to be missing from the broker; so many waiting parts, the
    longest queued first, are sent again.
    """
    now = now or timezone.now()
    unfinished = Exploration.objects.light().filter(finished=None)
    if exploration:
        unfinished = unfinished.filter(pk=exploration.pk)
    found: list[int] = []
    for each in unfinished:
        for part in each.parts.without_answers().filter(state=State.TAKEN, lease__lt=now):
            bring_back(part, now)
        found += next_parts(each.pk)
    waiting = Part.objects.filter(
        state=State.WAITING, exploration__in=unfinished, queued_at__lt=now - STALE
    )
    again = waiting.order_by("queued_at").values_list("pk", flat=True)[:lost]
    return list(dict.fromkeys([*found, *again]))


def bring_back(part: Part, now: datetime) -> None:
    """Free a part that its worker has left behind; stopped where nobody wants it any more."""
    if not part.is_wanted():
        _let_go(part, state=State.STOPPED, finished=now)
    elif part.attempts >= TRIES:
        text = f"the worker died {part.attempts} times while computing this; last: {part.worker}"
        _let_go(
            part,
            state=State.GIVEN_UP,
            finished=now,
            error=text,
            done_count=part.size,
            failed_count=part.size,
        )
    else:
        _let_go(part, state=State.WAITING, queued_at=None, done_count=0)


def free_parts_of(worker: str) -> None:
    """Bring back the parts of a process that is known to be dead."""
    held = Part.objects.without_answers().filter(state=State.TAKEN, worker=worker)
    for part in held:
        bring_back(part, timezone.now())


def _let_go(part: Part, **values: object) -> None:
    """Two sweeps at once free it once: the attempt's number is part of the condition."""
    held = Part.objects.filter(pk=part.pk, state=State.TAKEN, attempts=part.attempts)
    held.update(lease=None, **values)
