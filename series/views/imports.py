"""Importing by hand: upload, look, confirm. Owners only."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from people.access import SignedInRequest, owned_study_for
from people.models import Study
from series import uploads
from series.drawing import paths
from series.forms import ConfirmForm, ReadForm
from series.models import Dataset, Import

FILES_A_REQUEST = 5  # so many of the largest files fit into one upload
DONE_SHOWN = 10


# --- upload -----------------------------------------------------------------------------------
@csrf_exempt  # only until the size is known: looking for the token reads the whole upload
@login_required
@require_http_methods(["GET", "POST"])
def imports(request: SignedInRequest, study: str) -> HttpResponseBase:
    """What waits and what was imported; a POST brings files."""
    found = owned_study_for(request, study)
    if request.method == "POST" and _too_large(request):
        return _overview(request, found, status=413)
    return _imports(request, found)


@csrf_protect
def _imports(request: SignedInRequest, study: Study) -> HttpResponse:
    if request.method == "GET":
        return _overview(request, study)
    new = _kept(request, study)
    query = request.GET.urlencode()
    if len(new) == 1:
        return _to("import-one", study, query, import_id=new[0].public_id)
    if not new:
        messages.error(request, "No file arrived. Choose one or more files, or paste numbers.")
    return _to("import", study, query)


def _kept(request: SignedInRequest, study: Study) -> list[Import]:
    found = [
        uploads.keep(study, file.chunks(), file.name or "upload", by=request.user)
        for file in request.FILES.getlist("files")
    ]
    if numbers := request.POST.get("numbers", "").strip():
        found.append(uploads.keep(study, [numbers.encode()], "pasted.txt", by=request.user))
    return found


def _too_large(request: HttpRequest) -> bool:
    most = FILES_A_REQUEST * settings.IMPORT_MAX_FILE_BYTES
    size = int(request.headers.get("Content-Length") or 0)
    if size > most:
        messages.error(
            request,
            f"This upload has {size / 1e6:.0f} MB, and at most {most / 1e6:.0f} MB fit into one. "
            "Upload fewer files at once, pack them with gzip, or use manage.py import_series.",
        )
    return size > most


def _overview(
    request: SignedInRequest, study: Study, form: ConfirmForm | None = None, *, status: int = 200
) -> HttpResponse:
    waiting = list(uploads.waiting(study, request.user))
    done = study.imports.filter(state=Import.State.DONE).select_related(
        "by", "dataset__study", "recording"
    )
    context = {
        "study": study,
        "waiting": waiting,
        "done": done[:DONE_SHOWN],
        "confirm": form or _confirm_form(request, study, waiting),
        "limit": settings.IMPORT_MAX_FILE_BYTES // 1_000_000,
        "query": request.GET.urlencode(),
    }
    return render(request, "series/import.html", context, status=status)


def _confirm_form(request: HttpRequest, study: Study, waiting: Sequence[Import]) -> ConfirmForm:
    return ConfirmForm(study=study, uploads=waiting, dataset=request.GET.get("dataset", ""))


def _to(name: str, study: Study, query: str = "", **names: str) -> HttpResponse:
    address = reverse(name, kwargs={"study": study.slug, **names})
    return redirect(f"{address}?{query}" if query else address)


# --- one file ---------------------------------------------------------------------------------
@login_required
@require_http_methods(["GET", "POST"])
def import_one(request: SignedInRequest, study: str, import_id: str) -> HttpResponse:
    """The preview of a file, or what its import did; a POST reads it in another way."""
    upload = _upload(request, study, import_id)
    if request.method == "POST" and upload.is_waiting:
        form = ReadForm(request.POST, upload=upload)
        if form.is_valid():
            upload.options = form.options()
            uploads.look(upload)
            return _to("import-one", upload.study, request.GET.urlencode(), import_id=import_id)
        return _preview(request, upload, reading=form, status=422)
    if upload.is_waiting:
        return _preview(request, upload)
    return render(request, "series/import_done.html", {"upload": upload, "study": upload.study})


def _upload(request: HttpRequest, study: str, import_id: str) -> Import:
    owned = owned_study_for(request, study)
    related = owned.imports.select_related("study", "by", "dataset__study", "recording")
    return get_object_or_404(related, public_id=import_id)


def _preview(
    request: SignedInRequest,
    upload: Import,
    *,
    reading: ReadForm | None = None,
    confirm: ConfirmForm | None = None,
    status: int = 200,
) -> HttpResponse:
    drawn = upload.preview.get("drawn", [])
    context = {
        "study": upload.study,
        "upload": upload,
        "found": upload.preview,
        "drawn": [(each["label"], paths(each["outline"])) for each in drawn],
        "before": uploads.before(upload),
        "reading": reading or ReadForm(upload=upload),
        "confirm": confirm or _confirm_form(request, upload.study, [upload]),
        "query": request.GET.urlencode(),
    }
    return render(request, "series/import_one.html", context, status=status)


@login_required
@require_GET
def problems(request: SignedInRequest, study: str, import_id: str) -> HttpResponse:
    """Every problem of a waiting file, as CSV."""
    upload = _upload(request, study, import_id)
    answer = HttpResponse(uploads.problems_csv(upload), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="problems_{upload.public_id}.csv"'
    return answer


@login_required
@require_POST
def removal(request: SignedInRequest, study: str, import_id: str) -> HttpResponse:
    """Discard a waiting file."""
    upload = _upload(request, study, import_id)
    uploads.discard(upload)
    messages.success(request, f"{upload.file_name} is discarded; nothing of it was stored.")
    return _to("import", upload.study)


# --- confirm ----------------------------------------------------------------------------------
@login_required
@require_POST
def confirmation(request: SignedInRequest, study: str) -> HttpResponse:
    """Import the files that are named, each whole or not at all."""
    found = owned_study_for(request, study)
    wanted = request.POST.getlist("uploads")
    chosen = list(uploads.waiting(found, request.user).filter(public_id__in=wanted))
    form = ConfirmForm(request.POST, study=found, uploads=chosen)
    if not chosen:
        messages.error(request, "No file was chosen. Nothing was imported.")
        return _to("import", found)
    if not form.is_valid():
        if len(chosen) == 1:
            return _preview(request, chosen[0], confirm=form, status=422)
        return _overview(request, found, form, status=422)
    dataset = form.target()
    _import(request, chosen, dataset, form)
    return _after(chosen, dataset)


def _import(
    request: SignedInRequest, chosen: Sequence[Import], dataset: Dataset, form: ConfirmForm
) -> None:
    stored = known = files = 0
    for upload in chosen:
        done = uploads.confirm(
            upload,
            dataset,
            occasion=form.occasion(),
            on_problems=form.cleaned_data["on_problems"],
            by=request.user,
        )
        if done is None:
            messages.error(request, f"Nothing of this file was stored. {upload.error}")
        else:
            files, stored, known = files + 1, stored + done.stored, known + done.known
    if files:
        messages.success(request, told(files, stored, known))


def told(files: int, stored: int, known: int) -> str:
    """`3 files imported: 40 series are new, 12 were there already.`"""
    words = "1 file" if files == 1 else f"{files} files"
    if not stored:
        return f"{words} imported: nothing changed, all {known} series were there already."
    there = f", {known} were there already" if known else ""
    return f"{words} imported: {stored} series are new{there}."


def _after(chosen: Sequence[Import], dataset: Dataset) -> HttpResponse:
    """To what is new; to the preview or the list where something was refused."""
    refused = [each for each in chosen if each.error]
    if not refused:
        return redirect(dataset)
    query = urlencode({"dataset": dataset.slug})
    if len(chosen) == 1:
        return _to("import-one", dataset.study, query, import_id=chosen[0].public_id)
    return _to("import", dataset.study, query)
