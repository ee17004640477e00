"""Blindness: what a person has yet to answer, and so must see no answer of.

Every page, payload, table and export of `annotate` and `analysis` asks here before it shows a
mark, a detection or a ground truth of a series to somebody. Blindness beats role: an owner who
is on a campaign is as blind to its open series as anybody else. And it holds for copies: series of
any study whose values are those of an open one, whole or trimmed, in another unit or as rates.
Values that somebody sends are compared without their order as well.

It fails closed: whoever reads answers says for whom, a `Reader`. There is no default, and None is
nobody; what is for the eyes of an owner of the machine alone is asked for by name, `EVERYTHING`.
"""

from __future__ import annotations

import hashlib
from enum import Enum
from typing import Any, Final, Self, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import BooleanField, Count, Q, QuerySet

from annotate.models import Assignment, Campaign
from annotate.models.campaign import CampaignQuerySet
from detectors.contract import Values
from people.compiled_sql import CompiledOnce
from people.models import Membership, Role, Study, User
from series.models import Series
from series.models.series import SeriesQuerySet
from series.values.copies import has_copy

Rows = TypeVar("Rows", bound=QuerySet[Any])
# Purposes of campaigns whose answers lift blindness.
OPENING = (Campaign.Purpose.ANNOTATE, Campaign.Purpose.CHANGES, Campaign.Purpose.REPEAT)


class Unblinded(Enum):
    """Reader who is not blind to anything."""

    EVERYTHING = "everything"


EVERYTHING: Final = Unblinded.EVERYTHING
"""A command on the machine itself, whose owner can read the database anyway."""

Reader = User | Unblinded
"""For whom answers are read: a person, or EVERYTHING by name."""


class HiddenSeriesCount(int):
    """Number of series that are kept from a person; `asked` of them wait for that person's answer.

    The others are series for which an annotator was never asked.
    """

    asked: int

    def __new__(cls, count: int, asked_count: int) -> Self:
        instance = super().__new__(cls, count)
        instance.asked = asked_count
        return instance

    @property
    def because(self) -> str:
        """Why they are left out, to be read after "because"."""
        pronoun = "it" if self == 1 else "them"
        if self.asked == self:
            return f"you have yet to answer {pronoun}"
        if not self.asked:
            return f"you have not been asked for {pronoun} yet"
        waiting_words = f"you have yet to answer {self.asked} of them"
        return f"{waiting_words}, and have not been asked for the others yet"


def unfinished_passes(user: int) -> CampaignQuerySet:
    """Second passes of which the person of that key has a series left to answer."""
    return (
        Campaign.objects.present()
        .filter(
            purpose=Campaign.Purpose.REPEAT,
            pk__in=Assignment.objects.filter(user=user, latest=None).values("task__campaign"),
        )
        .exclude(state=Campaign.State.CLOSED)
    )


def open_series(reader: Reader | AnonymousUser) -> SeriesQuerySet:
    """Series of which this reader may see nothing but the values.

    Those are the series that they are asked for in a campaign that is not closed, and have not
    answered there; and, in studies where they are an annotator, also every series that they were
    never asked for: a campaign of tomorrow may ask. A closed campaign takes no answers any more,
    so its series are open to nobody.

    A screening keeps its people blind until it is closed, because the campaign that follows asks
    for the same series; a second pass until the person has answered all of it, because their own
    first answers are what it is compared with. Training tells nothing about real series.

    With a series all its copies are open; one that was never asked for is no reason for that where
    the person has answered a copy of it.
    """
    if reader is EVERYTHING:
        return Series.objects.none()
    if not reader.is_authenticated:
        return Series.objects.all()
    return Series.objects.filter(_is_open_to(reader))


def visible_series(reader: Reader | AnonymousUser, series: SeriesQuerySet) -> SeriesQuerySet:
    """Filter `series` to those whose marks, detections and ground truth this reader may see."""
    if reader is EVERYTHING:
        return series
    if not reader.is_authenticated:
        return series.none()
    return series.visible_to(reader).exclude(_is_open_to(reader))


def without_open(reader: Reader | AnonymousUser, rows: Rows, series: str = "series") -> Rows:
    """Leave out rows about series that are open to this reader; `series` is the path to these."""
    if reader is EVERYTHING:
        return rows
    if not reader.is_authenticated:
        return rows.none()
    return rows.exclude(_is_open_to(reader, "" if series == "pk" else series))


def count_hidden_series(
    reader: Reader, series: SeriesQuerySet, seen_count: int | None = None
) -> HiddenSeriesCount:
    """Count which of `series` are left out for this reader: a page that leaves any out says so.

    seen  how many of them `visible_series` gave; where these are all, nothing else is looked up
    """
    if reader is EVERYTHING or not _has_been_asked(reader):
        return HiddenSeriesCount(0, 0)
    if seen_count is not None and series.count() == seen_count:
        return HiddenSeriesCount(0, 0)
    hidden_series = series.visible_to(reader).filter(_is_open_to(reader)).order_by()
    counts = hidden_series.aggregate(
        every=Count("pk"), asked=Count("pk", filter=Q(_waits_for(reader)))
    )
    return HiddenSeriesCount(counts["every"], counts["asked"])


def sees_all(reader: Reader, study: Study, series: SeriesQuerySet) -> bool:
    """Return whether this reader may see the answers of all of `series`, which are of `study`.

    Of who annotates nowhere and was never asked, it is told without a look at the series.
    """
    if reader is EVERYTHING:
        return True
    if not Study.objects.visible_to(reader).filter(pk=study.pk).exists():
        return False
    return not _has_been_asked(reader) or not series.filter(_is_open_to(reader)).exists()


def _has_been_asked(reader: User) -> bool:
    """True where the reader annotates anywhere, or was asked for an answer."""
    memberships = Membership.objects.filter(user=reader.pk, role=Role.ANNOTATOR)
    return memberships.exists() or Assignment.objects.filter(user=reader.pk).exists()


def asked_series(user: User) -> SeriesQuerySet:
    """Series that wait for this person's answer: some of `open_series`."""
    return Series.objects.filter(_waits_for(user))


def is_open(user: User | AnonymousUser, series: Series) -> bool:
    """Return whether this person has yet to answer `series`."""
    return open_series(user).filter(pk=series.pk).exists()


def _is_open_to(reader: User, path: str = "") -> CompiledOnce:
    columns = "pk", "copy_group", "benchmark__dataset__study"
    output = BooleanField()
    return CompiledOnce(_is_open, Series, reader.pk, *columns, output_field=output, path=path)


def _waits_for(reader: User) -> CompiledOnce:
    return CompiledOnce(_is_asked, Series, reader.pk, "pk", output_field=BooleanField())


def _own_assignments(user: int) -> QuerySet[Assignment]:
    present_assignments = Assignment.objects.filter(task__campaign__study__removed=None)
    return present_assignments.filter(user=user)


def _series_of(assignments: QuerySet[Assignment]) -> Q:
    """A series of one of these: a list that is made once, however many series are looked at.

    Without statistics a database looks through all assignments of a person for each series.
    """
    return Q(pk__in=assignments.order_by().values("task__series"))


def _is_asked(user: int) -> Q:
    open_assignments = _own_assignments(user).exclude(task__campaign__state=Campaign.State.CLOSED)
    return _series_of(
        open_assignments.filter(
            Q(latest=None)
            | Q(task__campaign__purpose=Campaign.Purpose.SCREENING)
            | Q(task__campaign__in=unfinished_passes(user))
        )
    )


def _is_open(user: int) -> Q:
    is_asked, never_asked_query = _is_asked(user), _is_never_asked(user)
    return _is_copy(user, is_asked, never_asked_query) | never_asked_query | is_asked


def _is_never_asked(user: int) -> Q:
    annotates = Membership.objects.filter(user=user, role=Role.ANNOTATOR).values("study")
    return Q(benchmark__dataset__study__in=annotates) & ~_is_done(user)


def _is_done(user: int) -> Q:
    return _series_of(
        _own_assignments(user).filter(
            Q(latest__isnull=False, task__campaign__purpose__in=OPENING)
            | Q(task__campaign__state=Campaign.State.CLOSED)
        )
    )


def _is_copy(user: int, is_asked: Q, never_asked_query: Q) -> Q:
    """Copies of what is open; few series have any, so that these are looked at first."""
    copied_series = Series.objects.filter(copy_group__isnull=False).order_by()
    answered_groups = copied_series.filter(_is_done(user)).values("copy_group")
    unasked_groups = (
        copied_series.filter(never_asked_query)
        .exclude(copy_group__in=answered_groups)
        .values("copy_group")
    )
    waiting_groups = copied_series.filter(is_asked).values("copy_group")
    is_copy = Q(copy_group__in=waiting_groups) | Q(copy_group__in=unasked_groups)
    return Q(copy_group__isnull=False) & is_copy  # never NULL, which is not the opposite of its NOT


def is_copy_of_open(person: User | AnonymousUser, values: Values) -> bool:
    """Return whether `values` that this person sent are those of a series whose answers they may
    not see.

    Of somebody who is not signed in nobody knows what they have yet to answer: what any campaign
    that is not closed asks for.
    """
    if person.is_authenticated:
        hidden_series = open_series(person)
    else:
        hidden_series = Series.objects.filter(
            tasks__campaign__in=Campaign.objects.present().exclude(state=Campaign.State.CLOSED)
        ).distinct()
    digest = hashlib.sha256(values.astype("<f8", copy=False).tobytes()).hexdigest()
    return hidden_series.filter(digest=digest).exists() or has_copy(hidden_series, values)
