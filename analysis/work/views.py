"""What pages of jobs share: found, looked after, stopped, run again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, TypeVar

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from analysis.work import services
from analysis.work.kinds import kind_named
from analysis.work.models import Job, JobQuerySet
from analysis.work.progress import JobProgress, job_lines, job_progress
from people.access import SignedInRequest, owned_study_for
from people.database import unless_busy
from people.models import Role, Study

ROWS: Final = 25
AnyJob = TypeVar("AnyJob", bound=Job)


def job_for(
    request: SignedInRequest, study: Study, jobs: JobQuerySet[AnyJob], public_id: str
) -> AnyJob:
    """The job of the study for who asks, or 404."""
    visible = jobs.visible_to(request.user).select_related("study", "started_by")
    return get_object_or_404(visible, study=study, public_id=public_id)


def job_page(request: SignedInRequest, study: Study, jobs: JobQuerySet[Any]) -> dict[str, Any]:
    """What the list of a study's jobs shows: one page of them, the newest first."""
    shown = Paginator(jobs.select_related("started_by", "study"), ROWS)
    page = shown.get_page(request.GET.get("page"))
    may_start = study.role_of(request.user) == Role.OWNER
    return {"study": study, "page": page, "lines": job_lines(list(page)), "may_start": may_start}


def look_after(job: Job) -> None:
    """Each visit of a job that goes on sweeps, so that no dead worker holds it up."""
    if job.finished is None:
        unless_busy(partial(services.sweep, job))
        job.refresh_from_db()


def job_context(
    request: SignedInRequest,
    study: Study,
    job: Job,
    template: str = "analysis/work/_progress.html",
    progress: JobProgress | None = None,
) -> dict[str, Any]:
    """What the page of a job is given; `template` is the part of it that it asks for again."""
    return {
        "study": study,
        "job": job,
        "progress": progress or job_progress(job),
        "may_act": study.role_of(request.user) == Role.OWNER,
        "template": template,
        "fragment": "HX-Request" in request.headers,
    }


def job_part(request: SignedInRequest, context: Mapping[str, Any]) -> HttpResponse:
    """The part that the page asks for again; once the job is over, word to load all of the page."""
    answer = render(request, "analysis/work/_fragment.html", context)
    if context["job"].finished:
        answer.headers["HX-Refresh"] = "true"
    return answer


def remove_job(
    request: SignedInRequest, job: Job, *, doing: str, removed: str, listing: str
) -> HttpResponse:
    """Let go of a job that has ended, and go to the list called `listing`.

    `doing` is what workers would still be at; `removed` says what is gone, and what stays.
    """
    if job.finished is None:
        messages.error(request, f"Stop it first: workers are still {doing}.")
        return redirect(job)
    job.delete()
    messages.success(request, removed)
    return redirect(listing, study=job.study.slug)


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
