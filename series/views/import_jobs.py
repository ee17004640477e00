"""Importing what was looked into: forecast, confirmation, progress, cancellation. Owners only."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from people.access import SignedInRequest, owned_study_for
from people.models import Study
from series.import_pages.forms import ConfirmForm
from series.importing import jobs, uploads
from series.importing.import_order import ImportOrder
from series.importing.jobs import ImportOutcome
from series.models import Import
from series.views.import_workbench import forecast_context, lead_to, upload_for, workbench
from series.views.imports import imported_sentence


@require_POST
def forecast(request: SignedInRequest, study: str) -> HttpResponse:
    """Show what importing the chosen files as the form stands would do; writes nothing."""
    owned_study = owned_study_for(request, study)
    chosen_uploads = _chosen_uploads(request, owned_study)
    context = forecast_context(request, owned_study, chosen_uploads, request.POST.dict())
    return render(request, "series/import/_forecast.html", {**context, "fresh": True})


def _chosen_uploads(request: SignedInRequest, study: Study) -> list[Import]:
    wanted_ids = request.POST.getlist("uploads")
    return list(uploads.waiting_uploads(study, request.user).filter(public_id__in=wanted_ids))


@require_POST
def confirmation(request: SignedInRequest, study: str) -> HttpResponse:
    """Import the files that are named, each whole or not at all."""
    owned_study = owned_study_for(request, study)
    chosen_uploads = _chosen_uploads(request, owned_study)
    form = ConfirmForm(request.POST, study=owned_study, uploads=chosen_uploads)
    if not chosen_uploads:
        messages.error(request, "No file was chosen. Nothing was imported.")
        return lead_to("import", owned_study)
    if not form.is_valid():
        return workbench(request, chosen_uploads[0], confirm=form, status=422)
    order = ImportOrder(form.target(), form.occasion(), form.cleaned_data["on_problems"])
    job = jobs.begin_import(chosen_uploads, order)
    if not job:
        messages.error(request, "These files are being imported already.")
        return lead_to("import", owned_study)
    if jobs.progress(job):
        return lead_to("import-one", owned_study, import_id=chosen_uploads[0].public_id)
    return redirect(_next_address(request, owned_study, job))


@require_GET
def progress(request: SignedInRequest, study: str, import_id: str) -> HttpResponse:
    """Render how far the import of a file is, as a part of a page; at its end, lead to what came
    of it.
    """
    upload = upload_for(request, study, import_id)
    if job_progress := jobs.progress(upload.job):
        return render(
            request, "series/import/_progress.html", {"upload": upload, "progress": job_progress}
        )
    jobs.live_jobs(upload.study)  # where the server stopped, the files wait again
    answer = HttpResponse()
    answer["HX-Redirect"] = _next_address(request, upload.study, upload.job)
    return answer


@require_POST
def cancellation(request: SignedInRequest, study: str, import_id: str) -> HttpResponse:
    """Ask the import to end. What is stored of other files stays."""
    upload = upload_for(request, study, import_id)
    if not jobs.cancel(upload.job):
        messages.error(request, "This import has ended already; there was nothing to cancel.")
    return lead_to("import-one", upload.study, import_id=import_id)


# --- afterwards -------------------------------------------------------------------------------
def _next_address(request: SignedInRequest, study: Study, job: str) -> str:
    """Address to look at after a job: what is new, or what was left, which is said, too."""
    import_outcome = jobs.outcome(study, job)
    if import_outcome.all_stored:
        next_address = import_outcome.done[0].get_absolute_url() if import_outcome.done else ""
        return next_address or lead_to("import", study).headers["Location"]
    rest = [*import_outcome.refused, *import_outcome.back]
    only_upload = rest[0] if len(rest) == 1 and not import_outcome.done else None
    if (
        not only_upload or not only_upload.error
    ):  # the page of a refused file says itself what is wrong
        _tell(request, import_outcome)
    return rest[0].get_absolute_url()


def _tell(request: SignedInRequest, import_outcome: ImportOutcome) -> None:
    for upload in import_outcome.refused:
        messages.error(request, f"Nothing of this file was stored. {upload.error}")
    if len(import_outcome.back) == 1:
        messages.info(
            request,
            f"Cancelled. Nothing of {import_outcome.back[0].file_name} was stored; it waits here.",
        )
    elif import_outcome.back:
        messages.info(
            request,
            f"Cancelled. {len(import_outcome.back)} files were not imported; they wait here.",
        )
    if import_outcome.done:
        messages.success(request, imported_sentence(import_outcome.done))
