"""Bring your own detector: upload answers, look at what they are, bring them in, remove them."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from analysis.methods.models import ImportedMethod
from analysis.runs.imported_methods import services
from analysis.runs.imported_methods.forms import ImportedMethodForm
from analysis.runs.imported_methods.series_to_answer import to_answer
from annotate.access import truth_campaigns_for
from annotate.models import Campaign
from formats import FormatError
from formats.answers import COLUMNS, MOST_BYTES
from people import downloads
from people.access import SignedInRequest, owned_study_for, study_for
from people.models import Role, Study
from series.models import Dataset

SPARE = 100_000  # bytes of a request around its file


# --- the list, and uploading ------------------------------------------------------------------
@csrf_exempt  # only until the size is known: looking for the token reads the whole upload
@require_http_methods(["GET", "POST"])
def own_methods(request: SignedInRequest, study: str) -> HttpResponseBase:
    """The methods that the study brought; a POST brings a file to look at."""
    if request.method == "GET":
        return _list(request, study_for(request, study))
    owned_study = owned_study_for(request, study)
    if int(request.headers.get("Content-Length") or 0) > MOST_BYTES + SPARE:
        messages.error(request, _too_large())
        return _list(request, owned_study, status=413)
    return _upload(request, owned_study)


@csrf_protect
def _upload(request: SignedInRequest, study: Study) -> HttpResponse:
    file = request.FILES.get("file")
    if file is None:
        messages.error(request, "No file arrived. Choose a CSV with a row for each series.")
        return _list(request, study, status=422)
    try:
        waiting = services.keep_waiting(
            study, file.chunks(), file.name or "upload", user=request.user
        )
    except FormatError:
        messages.error(request, _too_large())
        return _list(request, study, status=413)
    return redirect(waiting)


def _too_large() -> str:
    return f"This file is too large: at most {MOST_BYTES // 1_000_000} MB. Nothing was stored."


def _list(request: SignedInRequest, study: Study, *, status: int = 200) -> HttpResponse:
    owner = study.role_of(request.user) == Role.OWNER
    waiting = study.own_methods.waiting().filter(by=request.user)
    context = {
        "study": study,
        "owner": owner,
        "waiting": waiting.select_related("study") if owner else (),
        "datasets": study.datasets.filter(benchmarks__series__isnull=False).distinct(),
        "campaigns": truth_campaigns_for(request, study),
        "columns": COLUMNS,
        "limit": MOST_BYTES // 1_000_000,
    }
    return render(request, "analysis/imported_methods/list.html", context, status=status)


@require_GET
def blank(request: SignedInRequest, study: str) -> StreamingHttpResponse:
    """The series of a data set or campaign as a table to fill in."""
    visible_study = study_for(request, study)
    scope = _scope(request, visible_study)
    name = downloads.download_name(visible_study.slug, scope.slug, "series-to-answer")
    return downloads.csv(to_answer(scope), f"{name}.csv")


def _scope(request: SignedInRequest, study: Study) -> Campaign | Dataset:
    if slug := request.GET.get("campaign"):
        return get_object_or_404(truth_campaigns_for(request, study), slug=slug)
    dataset = study.datasets.filter(slug=request.GET.get("dataset", "")).first()
    if dataset is None:
        raise Http404("no data set or campaign of that name")
    return dataset


# --- one --------------------------------------------------------------------------------------
@require_http_methods(["GET", "POST"])
def own_method(request: SignedInRequest, study: str, own: str) -> HttpResponse:
    """Page of one imported method; before it is stored, the content of its file. A POST renames
    it.
    """
    visible_study = study_for(request, study)
    if request.method == "POST":
        owned_study_for(request, study)
    imported = _imported_method(request, visible_study, own)
    if not imported.is_waiting:
        return _stored(request, imported)
    form = ImportedMethodForm(request.POST or None, waiting=imported)
    if request.method == "POST" and form.is_valid():
        imported.save()
        return redirect(imported)
    return _preview(request, imported, form, status=422 if request.method == "POST" else 200)


def _imported_method(request: HttpRequest, study: Study, public_id: str) -> ImportedMethod:
    """Stored methods for members, waiting files for owners; others get 404."""
    visible = ImportedMethod.objects.visible_to(request.user).select_related("study", "by")
    imported = get_object_or_404(visible, study=study, public_id=public_id)
    if imported.is_waiting and study.role_of(request.user) != Role.OWNER:
        raise Http404("nothing of that name is stored")
    return imported


def _stored(request: SignedInRequest, own: ImportedMethod) -> HttpResponse:
    context = {
        "study": own.study,
        "own": own,
        "owner": own.study.role_of(request.user) == Role.OWNER,
        "convention": own.get_convention_display(),
        "params": own.detector_key.partition("?")[2],
    }
    return render(request, "analysis/imported_methods/one.html", context)


def _preview(
    request: SignedInRequest, own: ImportedMethod, form: ImportedMethodForm, *, status: int = 200
) -> HttpResponse:
    context = {
        "study": own.study,
        "own": own,
        "form": form,
        "found": services.check_waiting(own),
        "before": services.same_file(own),
        "taken": services.same_version(own),
    }
    return render(request, "analysis/imported_methods/preview.html", context, status=status)


@require_POST
def confirmation(request: SignedInRequest, study: str, own: str) -> HttpResponse:
    """Store the answers of a waiting file, all or none."""
    waiting = _imported_method(request, owned_study_for(request, study), own)
    if not waiting.is_waiting:
        return redirect(waiting)
    form = ImportedMethodForm(request.POST, waiting=waiting)
    if not form.is_valid():
        return _preview(request, waiting, form, status=422)
    try:
        stored, new = services.import_method(waiting)
    except services.ImportRefused as refused:
        form.add_error(refused.field or None, str(refused))
        return _preview(request, waiting, form, status=422)
    words = f"Nothing changed: {stored} is stored already, {stored.source}."
    messages.success(request, f"{stored} is stored: {stored.answers} answers." if new else words)
    return redirect(stored)


@require_POST
def remove_imported_method_page(request: SignedInRequest, study: str, own: str) -> HttpResponse:
    """Discard a waiting file; of a method that is stored the page that removes it is asked."""
    waiting = _imported_method(request, owned_study_for(request, study), own)
    if not waiting.is_waiting:
        return redirect("removal-new", study=study, kind="method", thing=own)
    services.discard_waiting(waiting)
    messages.success(request, f"{waiting.file_name} is discarded; nothing of it was stored.")
    return redirect("imported-methods", study=waiting.study.slug)
