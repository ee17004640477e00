"""Importing by hand: upload, look, confirm. Owners only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import TooManyFilesSent
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from formats import TooLarge
from people.access import SignedInRequest, owned_study_for
from people.models import Study
from people.undo import success_with_undo, undone_state
from series.import_pages.forms import ReadForm
from series.import_pages.import_page import NewSeries, remedy
from series.import_pages.recent_imports import recent_imports
from series.importing import jobs, quota, uploads
from series.importing.services import RAISE_FILE_SIZE
from series.importing.upload_files import purge_uploads
from series.importing.upload_handler import DiskUploadHandler
from series.models import Import
from series.panels import panels_of
from series.reading import file_readers
from series.reading.file_readers import ReadersBusy
from series.views.import_workbench import (
    PAGE_TEMPLATE,
    lead_to,
    most_bytes,
    upload_for,
    upload_limits,
    workbench,
)


# --- upload -----------------------------------------------------------------------------------
@csrf_exempt  # only until the size is known: looking for the token reads the whole upload
@require_http_methods(["GET", "POST"])
def imports(request: SignedInRequest, study: str) -> HttpResponseBase:
    """Show what waits and what was imported; a POST brings files."""
    owned_study = owned_study_for(request, study)
    purge_uploads()
    if request.method == "GET":
        file_readers.readers.prepare()  # starts while somebody chooses a file
        jobs.live_jobs(owned_study)  # gives back what a server that stopped had begun
        if first_upload := uploads.waiting_uploads(owned_study, request.user).first():
            return lead_to(
                "import-one", owned_study, request.GET.urlencode(), import_id=first_upload.public_id
            )
        return overview(request, owned_study)
    if is_too_large(request):
        return overview(request, owned_study, status=413)
    request.upload_handlers = [DiskUploadHandler(request)]
    try:
        return _imports(request, owned_study)
    except TooManyFilesSent:
        messages.error(request, _count_refusal())
        return overview(request, owned_study, status=413)


@csrf_protect
def _imports(request: SignedInRequest, study: Study) -> HttpResponse:
    new_uploads = _keep_uploads(request, study)
    query = request.GET.urlencode()
    if len(new_uploads) == 1:
        return lead_to("import-one", study, query, import_id=new_uploads[0].public_id)
    if not new_uploads and not messages.get_messages(request):
        messages.error(request, "No file arrived. Choose one or more files, or paste numbers.")
    return lead_to("import", study, query)


def _keep_uploads(request: SignedInRequest, study: Study) -> list[Import]:
    """Keep what came and found room; of what found none, a message says why."""
    arrived_files = [
        (file.chunks(), file.name or "upload") for file in request.FILES.getlist("files")
    ]
    if numbers := request.POST.get("numbers", "").strip():
        arrived_files.append((iter([numbers.encode()]), "pasted.txt"))
    kept_uploads = []
    for chunks, name in arrived_files:
        try:
            kept_uploads.append(uploads.store_upload(study, chunks, name, by=request.user))
        except TooLarge as error:
            messages.error(request, str(error))
    return kept_uploads


def _count_refusal() -> str:
    most_files = settings.DATA_UPLOAD_MAX_NUMBER_FILES
    return (
        f"This upload has more than {most_files} files, and at most {most_files} fit into one. "
        "Nothing of it "
        "was kept. Choose fewer files at once, or use manage.py import_series with their folder."
    )


def is_too_large(request: HttpRequest) -> bool:
    most_file_bytes = most_bytes()
    size = int(request.headers.get("Content-Length") or 0)
    if size > most_file_bytes:
        messages.error(
            request,
            f"This upload has {size / 1e6:.0f} MB, and at most {most_file_bytes / 1e6:.0f} MB fit "
            "into one. "
            "Upload fewer files at once, pack them with gzip, "
            f"use manage.py import_series, or {RAISE_FILE_SIZE}.",
        )
    return size > most_file_bytes


def overview(request: SignedInRequest, study: Study, *, status: int = 200) -> HttpResponse:
    """The files that wait, the first one shown; a place to drop some where none waits."""
    # First: it gives back what a server that stopped had begun.
    running_jobs = jobs.live_jobs(study)
    if (
        first_upload := uploads.waiting_uploads(study, request.user)
        .select_related("study", "by")
        .first()
    ):
        return workbench(request, first_upload, status=status)
    context = {
        **upload_limits(request),
        "state": "choose",
        "study": study,
        "recent_imports": list(recent_imports(study)),
        "running": running_jobs,
        "used": quota.study_quota(study),
    }
    return render(request, PAGE_TEMPLATE, context, status=status)


# --- one file ---------------------------------------------------------------------------------
@require_http_methods(["GET", "POST"])
def import_page(request: SignedInRequest, study: str, import_id: str) -> HttpResponse:
    """Look at a waiting file, or at what became of its job; a POST reads it in another way."""
    upload = upload_for(request, study, import_id)
    jobs.live_jobs(upload.study)
    upload.refresh_from_db(fields=["state", "error", "job"])
    progress = jobs.progress(upload.job)
    if progress or not upload.is_waiting:
        return _job_page(request, upload, progress)
    if request.method == "GET":
        return workbench(request, upload)
    if chosen_remedy := request.POST.get("mend"):
        options = remedy(upload.preview, chosen_remedy)
        if options is None:
            messages.error(
                request, "This question was settled already, or the file was read in another way."
            )
            return workbench(request, upload, status=409)
        return _read_again(request, upload, {**upload.options, **options}, ReadForm(upload=upload))
    form = ReadForm(request.POST, upload=upload)
    if not form.is_valid():
        return workbench(request, upload, read_form=form, status=422)
    return _read_again(request, upload, form.options(), form)


def _read_again(
    request: SignedInRequest, upload: Import, options: dict[str, Any], form: ReadForm
) -> HttpResponse:
    upload.options = options
    try:
        uploads.reread_upload(upload)
    except ReadersBusy as error:
        messages.error(request, f"{error}.")
        return workbench(request, upload, read_form=form, status=503)
    return lead_to("import-one", upload.study, request.GET.urlencode(), import_id=upload.public_id)


def _job_page(
    request: SignedInRequest, upload: Import, progress: jobs.ImportProgress | None
) -> HttpResponse:
    """A job, under the address of its first file."""
    first_upload = jobs.first_upload_of_job(upload)
    if request.method == "GET" and first_upload != upload:
        return lead_to(
            "import-one", upload.study, request.GET.urlencode(), import_id=first_upload.public_id
        )
    return _progress_page(request, upload, progress) if progress else _outcome_page(request, upload)


def _progress_page(
    request: SignedInRequest, upload: Import, progress: jobs.ImportProgress
) -> HttpResponse:
    """Render the progress of a job for each of its files, stored ones too, until all have ended."""
    context = {"upload": upload, "study": upload.study, "progress": progress, "state": "running"}
    return render(request, PAGE_TEMPLATE, context)


def _outcome_page(request: SignedInRequest, upload: Import) -> HttpResponse:
    """Show what became of a file that waits no longer, and of those that were confirmed with it."""
    uploads_together = jobs.outcome(upload.study, upload.job).done if upload.job else [upload]
    context: dict[str, Any] = {
        "state": "done",
        "upload": upload,
        "study": upload.study,
        "files": uploads_together,
        "left_out": [
            file.file_name for file in uploads.waiting_uploads(upload.study, request.user)
        ],
        "import_sentence": imported_sentence(uploads_together)
        if upload.state == Import.State.DONE
        else "",
    }
    if upload.state == Import.State.DONE:
        new_series = NewSeries(
            upload.study, sum(finished_import.stored for finished_import in uploads_together)
        )
        context["panels"] = panels_of("imported", request, new_series)
    return render(request, PAGE_TEMPLATE, context)


def imported_sentence(finished_imports: Sequence[Import]) -> str:
    """`3 files imported: 40 series are new, 12 were there already.`"""
    stored_count, known_count = (
        sum(finished_import.stored for finished_import in finished_imports),
        sum(finished_import.known for finished_import in finished_imports),
    )
    words = "1 file" if len(finished_imports) == 1 else f"{len(finished_imports)} files"
    if not stored_count:
        return f"{words} imported: nothing changed, all {known_count} series were there already."
    known_text = f", {known_count} were there already" if known_count else ""
    new_text = "1 series is new" if stored_count == 1 else f"{stored_count} series are new"
    return f"{words} imported: {new_text}{known_text}."


@require_GET
def problems(request: SignedInRequest, study: str, import_id: str) -> HttpResponse:
    """Every problem of a waiting file, as CSV."""
    upload = upload_for(request, study, import_id)
    answer = HttpResponse(uploads.problems_csv(upload), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="problems_{upload.public_id}.csv"'
    return answer


@require_POST
def discard_import_page(request: SignedInRequest, study: str, import_id: str) -> HttpResponse:
    """Discard a waiting file, or undo that."""
    upload = upload_for(request, study, import_id)
    state = undone_state(request)
    if state is not None:
        return _restored_page(request, upload, state["state"])
    if uploads.discard(upload):
        sentence = f"{upload.file_name} is discarded; nothing of it was stored."
        success_with_undo(request, sentence, request.path, before={"state": upload.state})
    else:
        messages.error(request, f"{upload.file_name} no longer waits: it is {_now(upload)}.")
    return lead_to("import", upload.study)


def _restored_page(request: SignedInRequest, upload: Import, state: str) -> HttpResponse:
    """Let a discarded file wait again; where it cannot, a message says why."""
    try:
        if uploads.restore_upload(upload, state):
            messages.success(request, f"{upload.file_name} waits again.")
            return redirect(upload)
    except TooLarge as error:
        messages.error(request, str(error))
        return lead_to("import", upload.study)
    state_text = _now(upload)
    if upload.state == Import.State.DISCARDED:
        messages.error(request, f"{upload.file_name} is gone: upload it again.")
    else:
        messages.error(request, f"{upload.file_name} is not discarded: it is {state_text}.")
    return lead_to("import", upload.study)


def _now(upload: Import) -> str:
    upload.refresh_from_db(fields=["state"])
    return upload.get_state_display()
