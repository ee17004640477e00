"""Importing by hand: upload, look, confirm. Owners only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import TooManyFilesSent
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from formats import TooLarge
from formats.paths import PACKED
from formats.registry import ENDINGS, titles
from people.access import SignedInRequest, owned_study_for
from people.models import Study
from series import file_readers, jobs, uploads
from series.file_readers import ReadersBusy
from series.forms import ConfirmForm, ReadForm
from series.import_plan import RecordingDetails
from series.import_preview import ImportPreview, import_preview_of
from series.models import Dataset, Import
from series.outlines import paths
from series.services import OnProblems
from series.upload_handler import DiskUploadHandler
from series.upload_storage import purge

FILES_A_REQUEST = 5  # so many of the largest files fit into one upload
DONE_SHOWN = 10
SHOWN = ("dataset", "label", "on_problems")  # fields on which a forecast depends


# --- upload -----------------------------------------------------------------------------------
@csrf_exempt  # only until the size is known: looking for the token reads the whole upload
@require_http_methods(["GET", "POST"])
def imports(request: SignedInRequest, study: str) -> HttpResponseBase:
    """What waits and what was imported; a POST brings files."""
    found = owned_study_for(request, study)
    purge()
    if request.method == "GET":
        file_readers.readers.prepare()  # starts while somebody chooses a file
        return overview(request, found)
    if _too_large(request):
        return overview(request, found, status=413)
    request.upload_handlers = [DiskUploadHandler(request)]
    try:
        return _imports(request, found)
    except TooManyFilesSent:
        messages.error(request, _too_many())
        return overview(request, found, status=413)


@csrf_protect
def _imports(request: SignedInRequest, study: Study) -> HttpResponse:
    new = _kept(request, study)
    query = request.GET.urlencode()
    if len(new) == 1:
        return to("import-one", study, query, import_id=new[0].public_id)
    if not new and not messages.get_messages(request):
        messages.error(request, "No file arrived. Choose one or more files, or paste numbers.")
    return to("import", study, query)


def _kept(request: SignedInRequest, study: Study) -> list[Import]:
    """What came and found room; of what found none, a message says why."""
    arrived = [(file.chunks(), file.name or "upload") for file in request.FILES.getlist("files")]
    if numbers := request.POST.get("numbers", "").strip():
        arrived.append((iter([numbers.encode()]), "pasted.txt"))
    found = []
    for chunks, name in arrived:
        try:
            found.append(uploads.keep(study, chunks, name, by=request.user))
        except TooLarge as full:
            messages.error(request, str(full))
    return found


def _too_many() -> str:
    most = settings.DATA_UPLOAD_MAX_NUMBER_FILES
    return (
        f"This upload has more than {most} files, and at most {most} fit into one. Nothing of it "
        "was kept. Choose fewer files at once, or use manage.py import_series with their folder."
    )


def _too_large(request: HttpRequest) -> bool:
    most = _most_bytes()
    size = int(request.headers.get("Content-Length") or 0)
    if size > most:
        messages.error(
            request,
            f"This upload has {size / 1e6:.0f} MB, and at most {most / 1e6:.0f} MB fit into one. "
            "Upload fewer files at once, pack them with gzip, or use manage.py import_series.",
        )
    return size > most


def _most_bytes() -> int:
    return int(FILES_A_REQUEST * settings.IMPORT_MAX_FILE_BYTES)


def overview(
    request: SignedInRequest, study: Study, form: ConfirmForm | None = None, *, status: int = 200
) -> HttpResponse:
    running = jobs.running(study)  # first: it gives back what a server that stopped had begun
    waiting = list(uploads.waiting(study, request.user))
    asked = form or _confirm_form(request, study, waiting)
    done = study.imports.filter(state=Import.State.DONE).select_related(
        "by", "dataset__study", "recording"
    )
    context = {
        "study": study,
        "waiting": waiting,
        "done": done[:DONE_SHOWN],
        "running": running,
        "confirm": asked,
        "outlook": expected(study, waiting, shown(asked)),
        "formats": titles(),
        "endings": [*ENDINGS, PACKED],
        "limit": settings.IMPORT_MAX_FILE_BYTES // 1_000_000,
        "most_files": settings.DATA_UPLOAD_MAX_NUMBER_FILES,
        "most_bytes": _most_bytes(),
        "days": settings.IMPORT_KEEP_DAYS,
        "query": request.GET.urlencode(),
    }
    return render(request, "series/import.html", context, status=status)


def _confirm_form(request: HttpRequest, study: Study, waiting: Sequence[Import]) -> ConfirmForm:
    return ConfirmForm(study=study, uploads=waiting, dataset=request.GET.get("dataset", ""))


def shown(form: ConfirmForm) -> dict[str, str]:
    """What stands in the fields on which a forecast depends."""
    return {name: str(form[name].value() or "") for name in SHOWN}


def expected(study: Study, chosen: Sequence[Import], said: Mapping[str, str]) -> ImportPreview:
    """What importing `chosen` would do, as the fields of the form are now."""
    dataset = study.datasets.filter(slug=said.get("dataset", "")).first()
    occasion = RecordingDetails(label=said.get("label", "").strip())
    on_problems: OnProblems = "stop" if said.get("on_problems") == "stop" else "leave-out"
    return import_preview_of(dataset or Dataset(study=study), chosen, occasion, on_problems)


def to(name: str, study: Study, query: str = "", **names: str) -> HttpResponse:
    address = reverse(name, kwargs={"study": study.slug, **names})
    return redirect(f"{address}?{query}" if query else address)


# --- one file ---------------------------------------------------------------------------------
@require_http_methods(["GET", "POST"])
def import_one(request: SignedInRequest, study: str, import_id: str) -> HttpResponse:
    """The preview of a file, or what its import did; a POST reads it in another way."""
    upload = upload_for(request, study, import_id)
    jobs.running(upload.study)
    upload.refresh_from_db(fields=["state", "error"])
    if request.method == "POST" and upload.is_waiting:
        form = ReadForm(request.POST, upload=upload)
        if form.is_valid():
            upload.options = form.options()
            try:
                uploads.reread_upload(upload)
            except ReadersBusy as busy:
                form.add_error(None, f"{busy}.")
                return preview_page(request, upload, reading=form, status=503)
            return to("import-one", upload.study, request.GET.urlencode(), import_id=import_id)
        return preview_page(request, upload, reading=form, status=422)
    if upload.is_waiting:
        return preview_page(request, upload)
    context = {"upload": upload, "study": upload.study, "progress": jobs.progress(upload.job)}
    running = upload.state == Import.State.RUNNING
    return render(request, f"series/import_{'running' if running else 'done'}.html", context)


def upload_for(request: HttpRequest, study: str, import_id: str) -> Import:
    owned = owned_study_for(request, study)
    related = owned.imports.select_related("study", "by", "dataset__study", "recording")
    return get_object_or_404(related, public_id=import_id)


def preview_page(
    request: SignedInRequest,
    upload: Import,
    *,
    reading: ReadForm | None = None,
    confirm: ConfirmForm | None = None,
    status: int = 200,
) -> HttpResponse:
    drawn = upload.preview.get("drawn", [])
    asked = confirm or _confirm_form(request, upload.study, [upload])
    context = {
        "study": upload.study,
        "upload": upload,
        "found": upload.preview,
        "drawn": [(each["label"], paths(each["outline"])) for each in drawn],
        "before": uploads.earlier_import(upload),
        "reading": reading or ReadForm(upload=upload),
        "confirm": asked,
        "outlook": expected(upload.study, [upload], shown(asked)),
        "query": request.GET.urlencode(),
    }
    return render(request, "series/import_one.html", context, status=status)


@require_GET
def problems(request: SignedInRequest, study: str, import_id: str) -> HttpResponse:
    """Every problem of a waiting file, as CSV."""
    upload = upload_for(request, study, import_id)
    answer = HttpResponse(uploads.problems_csv(upload), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="problems_{upload.public_id}.csv"'
    return answer


@require_POST
def removal(request: SignedInRequest, study: str, import_id: str) -> HttpResponse:
    """Discard a waiting file."""
    upload = upload_for(request, study, import_id)
    if uploads.discard(upload):
        messages.success(request, f"{upload.file_name} is discarded; nothing of it was stored.")
    else:
        messages.error(request, f"{upload.file_name} no longer waits: it is {_now(upload)}.")
    return to("import", upload.study)


def _now(upload: Import) -> str:
    upload.refresh_from_db(fields=["state"])
    return upload.get_state_display()
