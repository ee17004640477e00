"""Harness that recorded most series of a data set, whose rule its page shows by default."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from django.db.models import Count, Max
from django.db.models.fields.json import KeyTextTransform

from detectors.planning.harness_commands import RECORDED_BY, HarnessName, recording_harness
from people.templatetags.writing import grouped
from series.models import Dataset, Series


class RecordedHarness(NamedTuple):
    """A harness, and how many series of all `n` of a data set name it."""

    name: HarnessName
    naming: int
    n: int

    @property
    def words(self) -> str:
        """Apposition to the name of its rule; empty where no series names it."""
        if not self.naming:
            return ""
        series = "all" if self.naming == self.n else f"{grouped(self.naming)} of {grouped(self.n)}"
        return f"the harness of {series} series"


def most_used_harness(dataset: Dataset) -> RecordedHarness:
    """Return the harness of most series, of equals that of the newest series.

    A series without a harness that has a command counts as one of JMH, which no words claim.
    """
    series = Series.objects.filter(benchmark__dataset=dataset).order_by()
    rows = series.values_list(KeyTextTransform(RECORDED_BY, "settings")).annotate(
        count=Count("pk"), newest=Max("pk")
    )
    counts, name_counts = Counter[HarnessName](), Counter[HarnessName]()
    newest_time: dict[HarnessName, int] = {}
    for recording_pk, count, newest_pk in rows:
        name = recording_harness({RECORDED_BY: recording_pk})
        counts[name] += count
        name_counts[name] += count if recording_pk == name else 0
        newest_time[name] = max(newest_pk, newest_time.get(name, 0))
    name = max(counts, key=lambda harness: (counts[harness], newest_time[harness]), default="jmh")
    return RecordedHarness(name, name_counts[name], counts.total())
