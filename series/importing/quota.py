"""The quota of a study: how many bytes it holds, and how many it may."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet, Sum
from django.db.models.functions import Coalesce, Length

from formats.errors import TooLarge
from people.models import Study
from series.importing.upload_files import HELD
from series.models import Import, Recording, Samples, Series, StoredEventLane

VALUE_BYTES = 8  # a float64


@dataclass(frozen=True, slots=True)
class QuotaUse:
    """Use of a study's quota: bytes that are stored, and of uploads that wait."""

    study: Study
    stored: int
    waiting: int

    @property
    def share(self) -> float:
        return (self.stored + self.waiting) / settings.STUDY_MAX_BYTES

    @property
    def usage_text(self) -> str:
        """Such as `1.20 MB of 10,000 MB`."""
        return f"{megabytes(self.stored + self.waiting)} of {megabytes(settings.STUDY_MAX_BYTES)}"


def study_quota(study: Study) -> QuotaUse:
    """Quota use of one study."""
    return QuotaUse(study, stored_bytes(study), waiting_bytes(study))


def all_quotas() -> list[QuotaUse]:
    """Quota uses of all studies, the fullest first: three queries, however many there are."""
    study_path = "recording__dataset__study"
    values = _sizes_by_study(Series.objects.all(), study_path, Sum("n"))
    samples = _sizes_by_study(
        Samples.objects.all(),
        f"series__{study_path}",
        Sum(Length("offsets") + Length("values") + Length("counts")),
    )
    lane_bytes = _sizes_by_study(
        StoredEventLane.objects.all(), f"series__{study_path}", Sum("size")
    )
    held_imports = Import.objects.filter(state__in=HELD).order_by().values_list("study")
    waiting_bytes_by_study = dict(held_imports.annotate(bytes=Sum("size")))
    quota_uses = [
        QuotaUse(
            study,
            values.get(study.pk, 0) * VALUE_BYTES
            + samples.get(study.pk, 0)
            + lane_bytes.get(study.pk, 0),
            waiting_bytes_by_study.get(study.pk, 0),
        )
        for study in Study.objects.all()
    ]
    return sorted(quota_uses, key=lambda quota_use: quota_use.share, reverse=True)


def _sizes_by_study(rows: QuerySet[Any], study_path: str, size: Sum) -> dict[int, int]:
    """`size` of the rows of each study, by its key; what was removed counts where it came from."""
    owner = Coalesce(f"{study_path}__removed_from", study_path)
    sizes = rows.order_by().annotate(owner=owner).values_list("owner").annotate(size=size)
    return {study: size or 0 for study, size in sizes}


def stored_bytes(study: Study) -> int:
    """Bytes of the values, samples and events of a study's series, removed ones included."""
    in_study = Q(dataset__study=study) | Q(dataset__study__removed_from=study)
    recordings = Recording.objects.filter(in_study)
    # An index by recording has the lengths: no row of a series is read.
    values = Series.objects.filter(recording__in=recordings).aggregate(n=Sum("n"))["n"] or 0
    samples = Samples.objects.filter(series__recording__in=recordings).aggregate(
        bytes=Sum(Length("offsets") + Length("values") + Length("counts"))
    )
    lanes = StoredEventLane.objects.filter(series__recording__in=recordings)
    lane_bytes = lanes.aggregate(bytes=Sum("size"))["bytes"] or 0
    return values * VALUE_BYTES + (samples["bytes"] or 0) + lane_bytes


def waiting_bytes(study: Study, *, skipped_import: Import | None = None) -> int:
    """Bytes of uploaded files that wait, other than those of `skipped_import`."""
    waiting_imports = Import.objects.filter(study=study, state__in=HELD)
    if skipped_import is not None:
        waiting_imports = waiting_imports.exclude(pk=skipped_import.pk)
    return waiting_imports.aggregate(bytes=Sum("size"))["bytes"] or 0


def check_waiting_quota(upload: Import) -> None:
    """Raise TooLarge where the study has no room for `upload` beside what is stored and waits."""
    check_quota(upload.study, upload.file_name, [upload.size])


def lock_quota(study: Study) -> None:
    """Let no other transaction that locks it change the study's use until this one ends."""
    Study.every.select_for_update(no_key=True).get(pk=study.pk)


def check_quota(
    study: Study, file: str, sizes: Iterable[int], *, upload: Import | None = None
) -> None:
    """Raise TooLarge, about `file`, where a study would hold more than PLATEAU_STUDY_MB.

    sizes   bytes that would come to those stored, and to those of uploads that wait
    upload  the upload that these bytes are of: it waits no more
    """
    new_bytes = sum(sizes) + waiting_bytes(study, skipped_import=upload)
    size = stored_bytes(study)
    if size + new_bytes <= settings.STUDY_MAX_BYTES:
        return
    raise TooLarge(
        file,
        "size",
        found=f"{megabytes(new_bytes)} beside the {megabytes(size)} that are stored",
        expected=f"at most {megabytes(settings.STUDY_MAX_BYTES)} in study {study}",
        hint="discard uploads that wait, or ask whoever runs Plateau to raise PLATEAU_STUDY_MB",
    )


def megabytes(size: int) -> str:
    """Write a size as people read it."""
    return f"{size / 1e6:,.0f} MB" if size >= 10_000_000 else f"{size / 1e6:.2f} MB"
