"""Archives that people upload: shown when they are checked, then imported as a new study."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from analysis.archive import uploading
from analysis.archive.models import ArchiveUpload
from analysis.archive.uploading import UploadRefused
from people import services
from people.access import SignedInRequest
from series.importing.upload_handler import DiskUploadHandler
from series.views.import_workbench import upload_limits
from series.views.imports import is_too_large


@csrf_exempt  # only until the size is known: looking for the token reads the whole upload
@never_cache
@require_http_methods(["GET", "POST"])
def archive_uploads(request: SignedInRequest) -> HttpResponseBase:
    """Page of this person's waiting uploads, with the form for one more."""
    _may_import(request)
    if request.method == "GET":
        return _overview(request)
    if is_too_large(request):
        return _overview(request, status=413)
    request.upload_handlers = [DiskUploadHandler(request)]
    return _receive_upload(request)


def _may_import(request: SignedInRequest) -> None:
    """Whoever may make studies: an archive becomes one."""
    if not services.may_create_study(request.user):
        raise PermissionDenied(
            "Only staff of this installation make studies, also of archives. Ask whoever runs it."
        )


@csrf_protect
def _receive_upload(request: SignedInRequest) -> HttpResponse:
    file = request.FILES.get("file")
    if not isinstance(file, UploadedFile):
        messages.error(request, "No file arrived. Choose the .zip of an archive.")
        return _overview(request, status=422)
    try:
        return redirect(
            uploading.keep_upload(file.chunks(), file.name or "upload", user=request.user)
        )
    except UploadRefused as refused:
        messages.error(request, str(refused))
        return _overview(request, status=422)


def _overview(request: SignedInRequest, *, status: int = 200) -> HttpResponse:
    visible_uploads = uploading.visible_uploads(request.user)
    for upload in visible_uploads:
        uploading.give_up_dead_upload(upload)
    context = {**upload_limits(request), "waiting": visible_uploads}
    return render(request, "analysis/archive/uploads.html", context, status=status)


@never_cache
@require_GET
def archive_upload(request: SignedInRequest, upload: str) -> HttpResponse:
    """Page of an upload's progress, polled by the page; then of its contents."""
    own_upload = _upload_for(request, upload)
    uploading.give_up_dead_upload(own_upload)
    if own_upload.state == ArchiveUpload.State.DONE and own_upload.study:
        return _redirect(request, own_upload.study.get_absolute_url())
    if request.headers.get("HX-Request") and not own_upload.is_going:
        return _redirect(request, own_upload.get_absolute_url())
    return render(request, "analysis/archive/upload.html", {"upload": own_upload})


def _redirect(request: SignedInRequest, address: str) -> HttpResponse:
    """A redirect, also of the whole page where a part of it asks."""
    if not request.headers.get("HX-Request"):
        return redirect(address)
    response = HttpResponse()
    response["HX-Redirect"] = address
    return response


def _upload_for(request: SignedInRequest, public_id: str) -> ArchiveUpload:
    """One of this person's own; 404 for everybody else."""
    _may_import(request)
    own_uploads = ArchiveUpload.objects.filter(by=request.user).select_related("study")
    return get_object_or_404(own_uploads, public_id=public_id)


@require_POST
def archive_upload_confirmation(request: SignedInRequest, upload: str) -> HttpResponse:
    own_upload = _upload_for(request, upload)
    if not uploading.confirm(own_upload):
        messages.error(request, "This archive no longer waits.")
    return redirect(own_upload)


@require_POST
def archive_upload_removal(request: SignedInRequest, upload: str) -> HttpResponse:
    own_upload = _upload_for(request, upload)
    if not uploading.discard(own_upload):
        messages.error(request, "This archive is being read: it can be discarded afterwards.")
        return redirect(own_upload)
    messages.success(request, f"{own_upload.file_name} is discarded; nothing of it was stored.")
    return redirect("archive-uploads")
