"""What pages of jobs share: found, looked after, stopped, run again."""

from __future__ import annotations

from functools import partial
from typing import TypeVar

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from analysis.work import services
from analysis.work.kinds import kind_named
from analysis.work.models import Job, JobQuerySet
from people.access import SignedInRequest, owned_study_for
from people.database import unless_busy
from people.models import Study

AnyJob = TypeVar("AnyJob", bound=Job)


def job_for(
    request: SignedInRequest, study: Study, jobs: JobQuerySet[AnyJob], public_id: str
) -> AnyJob:
    """The job of the study for who asks, or 404."""
    visible = jobs.visible_to(request.user).select_related("study", "started_by")
    return get_object_or_404(visible, study=study, public_id=public_id)


def look_after(job: Job) -> None:
    """Each visit of a job that goes on sweeps, so that no dead worker holds it up."""
    if job.finished is None:
        unless_busy(partial(services.sweep, job))
        job.refresh_from_db()


@require_POST
def cancel(request: SignedInRequest, study: str, kind: str, **address: str) -> HttpResponse:
    jobs = kind_named(kind).jobs
    found = job_for(request, owned_study_for(request, study), jobs, address[kind])
    if not services.stop(found):
        messages.info(request, f"The {kind} had ended already.")
    return redirect(found)


@require_POST
def retry(request: SignedInRequest, study: str, kind: str, **address: str) -> HttpResponse:
    jobs = kind_named(kind).jobs
    found = job_for(request, owned_study_for(request, study), jobs, address[kind])
    if not services.retry(found, key=request.POST.get("key", "")):
        messages.info(request, f"Nothing of this {kind} failed or was stopped.")
    return redirect(found)
