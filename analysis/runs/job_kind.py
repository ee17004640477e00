"""Runs as a kind of job: what differs from other jobs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.db.models import Count, OuterRef, Subquery
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from analysis.methods.method_style import style_of
from analysis.runs import detect_unit
from analysis.runs.models import Chunk, Detection, Run
from analysis.work.kinds import JobKind
from analysis.work.leases import Claim, Outcome
from people import notices
from people.notices import Notice

ALONE_AFTER: Final = 2  # attempts after which each series of a chunk is tried alone


class RunKind(JobKind[Run, Chunk]):
    """Chunks of a run: answers are detections, which other runs share."""

    name, unit_noun = "run", "chunk"
    job_model, unit_model = Run, Chunk

    def compute(self, claim: Claim[Chunk]) -> Callable[[], Outcome]:
        return detect_unit.compute(claim)

    def code_of(self, unit: Chunk) -> str:
        return style_of(unit.detector_key).code

    def wants_current(self, claim: Claim[Chunk]) -> bool:
        """False for a series that was left out of the run while it was computed."""
        if not claim.is_wanted():
            return False
        members = claim.unit.members.filter(series__public_id=claim.current)
        return not claim.current or members.exists()

    def done_before(self, job: Run) -> Combinable:
        """SQL expression: settled detections that are stored for a chunk's series."""
        detections = Detection.objects.filter(
            detector_key=OuterRef("detector_key"), series__in_chunks__chunk=OuterRef("pk")
        )
        settled_detections = detections.settled(job).order_by().values("detector_key")
        return Coalesce(Subquery(settled_detections.annotate(n=Count("pk")).values("n")), 0)

    def take_apart(self, claim: Claim[Chunk]) -> bool:
        """A chunk a series: whichever of them kills workers shall not take the others with it."""
        chunk = claim.unit
        if chunk.attempts < ALONE_AFTER or chunk.size == 1:
            return False
        later_pks = chunk.series_ids()[1:]
        if claim.end(is_complete=False, size=1, done_count=0) == "unfinished":
            chunk.members.filter(series__in=later_pks).delete()
            unit_fields = {
                "job_id": chunk.job_id,
                "detector_key": chunk.detector_key,
                "attempts": chunk.attempts,
            }
            Chunk.objects.create_with([(Chunk(**unit_fields), [pk]) for pk in later_pks])
        return True

    def has_ended(self, job: Run) -> None:
        """Tell a webhook; the last two units of a run may both find it done."""
        notices.send(
            Notice(
                "run-finished",
                f"{job.name} is done",
                f"{job.name}: {job.breadth} methods on {job.series_count:,} series.",
                job.study,
                job.get_absolute_url(),
                once=f"run:{job.public_id}:{job.finished}",
            )
        )

    def was_given_up(self, unit: Chunk, text: str) -> None:
        """Each series without an answer fails."""
        settled_detections = Detection.objects.of_chunk(unit).settled(unit.job)
        settled_pks = set(settled_detections.values_list("series_id", flat=True))
        unanswered_pks = [pk for pk in unit.series_ids() if pk not in settled_pks]
        failures = [detect_unit.failure(unit, pk, text) for pk in unanswered_pks]
        detect_unit.upsert_detections(failures, unit.job)
        Chunk.objects.filter(pk=unit.pk).update(failed_count=len(unanswered_pks))
