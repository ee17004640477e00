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
from analysis.runs.imported_methods.series_to_answer import blank_answer_csv
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
        messages.error(request, _size_refusal())
        return _list(request, owned_study, status=413)
    return _upload(request, owned_study)


@csrf_protect
def _upload(request: SignedInRequest, study: Study) -> HttpResponse:
    file = request.FILES.get("file")
    if file is None:
        messages.error(request, "No file arrived. Choose a CSV with a row for each series.")
        return _list(request, study, status=422)
    try:
        waiting_method = services.hold_upload(
            study, file.chunks(), file.name or "upload", user=request.user
        )
    except FormatError:
        messages.error(request, _size_refusal())
        return _list(request, study, status=413)
    return redirect(waiting_method)


def _size_refusal() -> str:
    return f"This file is too large: at most {MOST_BYTES // 1_000_000} MB. Nothing was stored."


def _list(request: SignedInRequest, study: Study, *, status: int = 200) -> HttpResponse:
    is_owner = study.role_of(request.user) == Role.OWNER
    waiting_methods = study.own_methods.waiting().filter(by=request.user)
    context = {
        "study": study,
        "owner": is_owner,
        "waiting": waiting_methods.select_related("study") if is_owner else (),
        "datasets": study.datasets.filter(benchmarks__series__isnull=False).distinct(),
        "campaigns": truth_campaigns_for(request, study),
        "columns": COLUMNS,
        "limit": MOST_BYTES // 1_000_000,
    }
    return render(request, "analysis/imported_methods/list.html", context, status=status)


@require_GET
def blank_table(request: SignedInRequest, study: str) -> StreamingHttpResponse:
    """The series of a data set or campaign as a table to fill in."""
    visible_study = study_for(request, study)
    scope = _scope(request, visible_study)
    name = downloads.download_name(visible_study.slug, scope.slug, "series-to-answer")
    return downloads.csv(blank_answer_csv(scope), f"{name}.csv")


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
    imported_method = _imported_method(request, visible_study, own)
    if not imported_method.is_waiting:
        context = {
            "study": imported_method.study,
            "own": imported_method,
            "owner": imported_method.study.role_of(request.user) == Role.OWNER,
            "convention": imported_method.get_convention_display(),
            "params": imported_method.detector_key.partition("?")[2],
        }
        return render(request, "analysis/imported_methods/one.html", context)
    form = ImportedMethodForm(request.POST or None, waiting_method=imported_method)
    if request.method == "POST" and form.is_valid():
        imported_method.save()
        return redirect(imported_method)
    return _preview(request, imported_method, form, status=422 if request.method == "POST" else 200)


def _imported_method(request: HttpRequest, study: Study, public_id: str) -> ImportedMethod:
    """Stored methods for members, waiting files for owners; others get 404."""
    visible_methods = ImportedMethod.objects.visible_to(request.user).select_related("study", "by")
    imported_method = get_object_or_404(visible_methods, study=study, public_id=public_id)
    if imported_method.is_waiting and study.role_of(request.user) != Role.OWNER:
        raise Http404("nothing of that name is stored")
    return imported_method


def _preview(
    request: SignedInRequest,
    imported_method: ImportedMethod,
    form: ImportedMethodForm,
    *,
    status: int = 200,
) -> HttpResponse:
    context = {
        "study": imported_method.study,
        "own": imported_method,
        "form": form,
        "check": services.check_waiting_file(imported_method),
        "same_file": services.method_of_same_file(imported_method),
        "same_version": services.method_of_same_version(imported_method),
    }
    return render(request, "analysis/imported_methods/preview.html", context, status=status)


@require_POST
def confirmation(request: SignedInRequest, study: str, own: str) -> HttpResponse:
    """Store the answers of a waiting file, all or none."""
    waiting_method = _imported_method(request, owned_study_for(request, study), own)
    if not waiting_method.is_waiting:
        return redirect(waiting_method)
    form = ImportedMethodForm(request.POST, waiting_method=waiting_method)
    if not form.is_valid():
        return _preview(request, waiting_method, form, status=422)
    try:
        stored_method, is_new = services.import_method(waiting_method)
    except services.ImportRefused as refused:
        form.add_error(refused.field or None, str(refused))
        return _preview(request, waiting_method, form, status=422)
    unchanged_message = (
        f"Nothing changed: {stored_method} is stored already, {stored_method.source}."
    )
    messages.success(
        request,
        f"{stored_method} is stored: {stored_method.answers} answers."
        if is_new
        else unchanged_message,
    )
    return redirect(stored_method)


@require_POST
def remove_imported_method_page(request: SignedInRequest, study: str, own: str) -> HttpResponse:
    """Discard a waiting file; of a method that is stored the page that removes it is asked."""
    waiting_method = _imported_method(request, owned_study_for(request, study), own)
    if not waiting_method.is_waiting:
        return redirect("removal-new", study=study, kind="method", thing=own)
    services.discard_waiting_file(waiting_method)
    messages.success(request, f"{waiting_method.file_name} is discarded; nothing of it was stored.")
    return redirect("imported-methods", study=waiting_method.study.slug)
