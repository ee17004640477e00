"""The report of a comparison: asked for, watched while workers make it, read or kept as a file."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from analysis.comparison.inputs import ComparisonInputs
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import inputs_of
from analysis.comparison.views.requested import known_or_404
from analysis.report import services
from analysis.report.bundle import style
from analysis.report.models import ReportJob
from analysis.report.reads import asked_by, document_of, may_see, report_of_state, state_key
from analysis.report.script import policy_digest, script_digests
from analysis.report.services import TooManyReports
from analysis.work.progress import job_progress
from analysis.work.views import job_context, job_for, job_part, look_after
from people import downloads
from people.access import SignedInRequest, study_for
from people.models import Study

BUTTON: Final = "analysis/report/_download.html"
FILES: Final = ("html", "zip")  # ?as=…; anything else is read in the browser


@require_http_methods(["GET", "POST"])
def ask(request: SignedInRequest, study: str) -> HttpResponse:
    """POST: the report of this state, which workers make unless it is kept. GET makes nothing."""
    here = study_for(request, study)
    asked = ComparisonQuery.of(request.GET).alone
    inputs = _inputs(request, here, asked)
    form = _form(request)
    if request.method == "POST":
        try:
            job = services.ask_for_report(inputs, asked, by=request.user)
            return (
                _button(request, here, job) if _by_script(request) else redirect(_place(job, form))
            )
        except TooManyReports as wait:
            if _by_script(request):
                told = {"study": here, "address": request.get_full_path(), "too_many": str(wait)}
                return render(request, BUTTON, told)
            messages.error(request, str(wait))
            return redirect(reverse("comparison", args=[here.slug]) + asked.query())
    if known := report_of_state(here, state_key(inputs, asked)):
        return redirect(_place(known, form))
    context = {"study": here, "asked": asked, "yardstick": inputs.yardstick, "form": form}
    return render(request, "analysis/report/ask.html", context)


@require_GET
@never_cache
def report(request: SignedInRequest, study: str, report: str) -> HttpResponse:
    """Progress, asked again by itself; then the document, or the files if one was asked for."""
    here = study_for(request, study)
    job = job_for(request, here, ReportJob.objects.light(), report)
    look_after(job)
    if job.digest and not may_see(job, request.user):
        raise Http404("This report has series that you have yet to answer, or that are removed.")
    if job.digest and not _form(request) and "HX-Request" not in request.headers:
        return redirect(_place(job, ""))
    context = job_context(request, here, job)
    errors = job.units.exclude(error="").values_list("error", flat=True)
    context |= {"failure": errors.first(), "asked": asked_by(job)}
    if context["fragment"]:
        return job_part(request, context)
    return render(request, "analysis/report/job.html", context)


@require_GET
@never_cache
def button(request: SignedInRequest, study: str, report: str) -> HttpResponse:
    """The button of Compare while its report is made, and once it is there."""
    here = study_for(request, study)
    job = job_for(request, here, ReportJob.objects.light(), report)
    look_after(job)
    return _button(request, here, job)


def _button(request: SignedInRequest, study: Study, job: ReportJob) -> HttpResponse:
    errors = job.units.exclude(error="").values_list("error", flat=True)
    context = {
        "study": study,
        "job": job,
        "address": reverse("comparison-report", args=[study.slug]) + asked_by(job).query(),
        "progress": job_progress(job),
        "failure": errors.first() if job.finished else "",
    }
    return render(request, BUTTON, context)


def _by_script(request: SignedInRequest) -> bool:
    return "HX-Request" in request.headers


@require_GET
@never_cache
def document(request: SignedInRequest, study: str, report: str) -> HttpResponse:
    """`?as=html` and `?as=zip` are files; without, the same document is shown."""
    here = study_for(request, study)
    job = job_for(request, here, ReportJob.objects.made(), report)
    if not may_see(job, request.user):
        raise Http404("This report has series that you have yet to answer, or that are removed.")
    form = _form(request)
    if form == "zip":
        answer = HttpResponse(bytes(job.content), content_type="application/zip")
    else:
        text = document_of(job)
        answer = HttpResponse(text if form else _with_way_back(text, here, asked_by(job)))
        answer.headers["Content-Security-Policy"] = _policy()
    if form in FILES:
        downloads.attach(answer, f"plateau_{here.slug}_report_{job.digest[:12]}.{form}")
    return answer


def _with_way_back(document: bytes, study: Study, query: ComparisonQuery) -> bytes:
    """The document as a page of the study: a file has no page to go back to."""
    address = reverse("comparison", args=[study.slug]) + query.query()
    link = format_html('<p class="way-back"><a href="{}">Back to Compare</a></p>', address)
    return document.replace(b"<main>", b"<main>" + link.encode(), 1)


def _policy() -> str:
    """Style sheet and scripts stand in the document: nothing else may be loaded or run.

    The library adds an empty style sheet, which it fills itself.
    """
    return (
        f"default-src 'none'; style-src {policy_digest(style())} {policy_digest('')}; "
        f"script-src {script_digests()}; img-src data:; font-src data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    )


def _inputs(request: SignedInRequest, study: Study, asked: ComparisonQuery) -> ComparisonInputs:
    found: ComparisonInputs | None = known_or_404(inputs_of, study, request.user, asked)
    if found is None:
        raise Http404("nothing to compare with yet")
    return found


def _form(request: SignedInRequest) -> str:
    """The file that is wanted; empty to read it."""
    given = request.POST if request.method == "POST" else request.GET
    return form if (form := given.get("as", "")) in FILES else ""


def _place(job: ReportJob, form: str) -> str:
    """Where it is read or kept once it is made; until then the page of its job."""
    base = job.get_absolute_url() + ("document/" if job.digest else "")
    return f"{base}?as={form}" if form else base
