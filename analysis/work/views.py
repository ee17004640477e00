"""Views that pages of jobs share: find, look after, stop, run again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any, TypeVar

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from analysis.work import services
from analysis.work.job_sentence import JobAction
from analysis.work.kinds import find_kind, job_kind
from analysis.work.models import Job, JobQuerySet
from analysis.work.progress import JobProgress, job_progress
from people.access import SignedInRequest, owned_study_for
from people.database import write_unless_busy
from people.models import Role, Study
from people.undo import success_with_undo

AnyJob = TypeVar("AnyJob", bound=Job)


def job_for(
    request: SignedInRequest, study: Study, jobs: JobQuerySet[AnyJob], public_id: str
) -> AnyJob:
    """The job of the study for who asks, or 404."""
    visible_jobs = jobs.visible_to(request.user).select_related("study", "started_by")
    return get_object_or_404(visible_jobs, study=study, public_id=public_id)


def look_after(job: Job) -> None:
    """Each visit of a job that goes on sweeps, so that no dead worker holds it up."""
    if job.finished is None:
        write_unless_busy(partial(services.sweep, job))
        job.refresh_from_db()


def job_context(
    request: SignedInRequest,
    study: Study,
    job: Job,
    template: str = "analysis/work/_progress.html",
    progress: JobProgress | None = None,
) -> dict[str, Any]:
    """Context of a job's page; `template` is the part of it that it asks for again."""
    return {
        "study": study,
        "job": job,
        "progress": progress or job_progress(job),
        "may_act": study.role_of(request.user) == Role.OWNER,
        "template": template,
        "fragment": "HX-Request" in request.headers,
        "next_action": JobAction(reverse("comparison", args=[study.slug]), "Compare"),
    }


def job_part(request: SignedInRequest, context: Mapping[str, Any]) -> HttpResponse:
    """The part that the page asks for again; once the job is over, word to load all of the page."""
    response = render(request, "analysis/work/_fragment.html", context)
    if context["job"].finished:
        response.headers["HX-Refresh"] = "true"
    return response


def unit_errors(job: Job, *, hidden_words: str = "", most_errors: int = 8) -> list[tuple[str, int]]:
    """Texts of failures with their numbers of units, the most frequent first.

    hidden_words: stand for every text where the reader may not see them: it may tell of a series.
    """
    units = job_kind(job).units.light().filter(job=job).exclude(error="")
    error_lines = (
        dict.fromkeys(text.splitlines()) for text in units.values_list("error", flat=True)
    )
    return Counter(hidden_words or line for lines in error_lines for line in lines).most_common(
        most_errors
    )


def remove_job(
    request: SignedInRequest, job: Job, *, work_phrase: str, removed_sentence: str, list_route: str
) -> HttpResponse:
    """Let go of a job that has ended, and go to the list called `list_route`.

    `work_phrase`: what workers would still be at; `removed_sentence`: what is gone, what stays.
    """
    if job.finished is None:
        messages.error(request, f"Stop it first: workers are still {work_phrase}.")
        return redirect(job)
    job.delete()
    messages.success(request, removed_sentence)
    return redirect(list_route, study=job.study.slug)


@require_POST
def cancel(request: SignedInRequest, study: str, kind: str, **address: str) -> HttpResponse:
    jobs = find_kind(kind).jobs
    job = job_for(request, owned_study_for(request, study), jobs, address[kind])
    if not services.stop(job):
        messages.info(request, f"The {kind} had ended already.")
    else:
        retry_address = f"{job.get_absolute_url()}retry/"
        success_with_undo(request, f"{job.name} is stopped. What is stored stays.", retry_address)
    return redirect(job)


@require_POST
def retry(request: SignedInRequest, study: str, kind: str, **address: str) -> HttpResponse:
    jobs = find_kind(kind).jobs
    job = job_for(request, owned_study_for(request, study), jobs, address[kind])
    if not services.retry(job, key=request.POST.get("key", "")):
        messages.info(request, f"Nothing of this {kind} failed or was stopped.")
    return redirect(job)
