"""The quota of a study: how many bytes it holds, and how many it may."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.db.models import Q, Sum
from django.db.models.functions import Length

from formats.errors import TooLarge
from people.models import Study
from series.models import Import, Samples, Series
from series.upload_storage import HELD

VALUE_BYTES = 8  # a float64


def stored_bytes(study: Study) -> int:
    """Bytes of the values and raw samples of all series of a study, removed ones included."""
    of = Q(benchmark__dataset__study=study) | Q(benchmark__dataset__study__removed_from=study)
    series = Series.objects.filter(of)
    values = series.aggregate(n=Sum("n"))["n"] or 0
    samples = Samples.objects.filter(series__in=series).aggregate(
        bytes=Sum(Length("offsets") + Length("values") + Length("counts"))
    )
    return values * VALUE_BYTES + (samples["bytes"] or 0)


def waiting_bytes(study: Study) -> int:
    """Bytes of uploaded files that are neither imported nor discarded."""
    waiting = Import.objects.filter(study=study, state__in=HELD)
    return waiting.aggregate(bytes=Sum("size"))["bytes"] or 0


def check(study: Study, file: str, sizes: Iterable[int]) -> None:
    """Raise TooLarge, about `file`, where a study would hold more than PLATEAU_STUDY_MB.

    `sizes`: bytes that would come to those stored.
    """
    new, before = sum(sizes), stored_bytes(study)
    if before + new <= settings.STUDY_MAX_BYTES:
        return
    raise TooLarge(
        file,
        "size",
        found=f"{_megabytes(new)} beside the {_megabytes(before)} that are stored",
        expected=f"at most {_megabytes(settings.STUDY_MAX_BYTES)} in study {study}",
        hint="discard uploads that wait, or ask whoever runs Plateau to raise PLATEAU_STUDY_MB",
    )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB" if size >= 10_000_000 else f"{size / 1e6:.2f} MB"
