"""The download button of Compare: workers make one .zip, the button shows how far they are."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from analysis.comparison.inputs import ComparisonInputs
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import inputs_of
from analysis.comparison.views.requested_comparison import known_or_404
from analysis.report import services
from analysis.report.models import ReportJob
from analysis.report.reads import asked_comparison, may_see
from analysis.report.services import TooManyReports
from analysis.work.progress import job_progress
from analysis.work.views import job_for, look_after
from people import downloads
from people.access import SignedInRequest, study_for
from people.models import Study

BUTTON: Final = "analysis/report/_download.html"


@require_http_methods(["GET", "POST"])
def request_report(request: SignedInRequest, study: str) -> HttpResponse:
    """Have workers make the report of this state unless it is kept; a GET leads to Compare."""
    visible_study = study_for(request, study)
    query = ComparisonQuery.from_query(request.GET).alone
    compare_address = reverse("comparison", args=[visible_study.slug]) + query.query() + "#download"
    if request.method == "GET":
        return redirect(compare_address)
    is_scripted = "HX-Request" in request.headers
    try:
        job = services.ask_for_report(
            _inputs(request, visible_study, query), query, user=request.user
        )
    except TooManyReports as wait:
        if is_scripted:
            context = {
                "study": visible_study,
                "address": request.get_full_path(),
                "too_many": str(wait),
            }
            return render(request, BUTTON, context)
        messages.error(request, str(wait))
        return redirect(compare_address)
    if is_scripted:
        return _button(request, visible_study, job)
    if job.digest:
        return redirect("report-file", study=visible_study.slug, report=job.public_id)
    messages.info(request, "Workers make the .zip. Press Download again in a minute.")
    return redirect(compare_address)


@require_GET
def report_page(request: SignedInRequest, study: str, report: str) -> HttpResponse:
    """Lead the address of a job to the comparison that it writes down."""
    visible_study = study_for(request, study)
    return redirect(job_for(request, visible_study, ReportJob.objects.light(), report))


@require_GET
@never_cache
def button(request: SignedInRequest, study: str, report: str) -> HttpResponse:
    """The button of Compare while its report is made, and once it is there."""
    visible_study = study_for(request, study)
    job = job_for(request, visible_study, ReportJob.objects.light(), report)
    look_after(job)
    return _button(request, visible_study, job)


def _button(request: SignedInRequest, study: Study, job: ReportJob) -> HttpResponse:
    errors = job.units.exclude(error="").values_list("error", flat=True)
    context = {
        "study": study,
        "job": job,
        "address": reverse("comparison-report", args=[study.slug]) + asked_comparison(job).query(),
        "progress": job_progress(job),
        "failure": errors.first() if job.finished else "",
    }
    return render(request, BUTTON, context)


@require_GET
@never_cache
def report_file(request: SignedInRequest, study: str, report: str) -> HttpResponse:
    """The .zip, for who may see every series in it."""
    visible_study = study_for(request, study)
    job = job_for(request, visible_study, ReportJob.objects.with_document(), report)
    if not may_see(job, request.user):
        raise Http404("This report has series that you have yet to answer, or that are removed.")
    response = HttpResponse(bytes(job.content), content_type="application/zip")
    downloads.attach(response, f"plateau_{visible_study.slug}_report_{job.digest[:12]}.zip")
    return response


def _inputs(request: SignedInRequest, study: Study, query: ComparisonQuery) -> ComparisonInputs:
    inputs: ComparisonInputs | None = known_or_404(inputs_of, study, request.user, query)
    if inputs is None:
        raise Http404("nothing to compare with yet")
    return inputs
