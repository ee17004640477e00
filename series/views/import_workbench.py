"""Page of imports while files wait: one of them as it is read, where all go, what comes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from detectors.least_lengths import MethodCount, least_lengths
from detectors.registry import registry
from formats.paths import PACKED
from formats.registry import ENDINGS, READERS
from people.access import SignedInRequest, owned_study_for
from people.models import Study
from series.import_pages.forms import ConfirmForm, ReadForm
from series.import_pages.import_page import NewSeries, drawn_series, remarks_on, waiting_files
from series.import_pages.import_preview import ImportPreview, preview_import
from series.import_pages.import_sentence import reading_sentence
from series.importing import jobs, uploads
from series.importing.import_plan import RecordingDetails
from series.importing.services import OnProblems
from series.models import Dataset, Import
from series.panels import panels_of

PAGE_TEMPLATE = "series/import/page.html"  # in four states: choose, look, running, done
FILES_A_REQUEST = 5  # so many of the largest files fit into one upload
FORECAST_FIELDS = ("dataset", "label", "on_problems")  # fields on which a forecast depends


def workbench(
    request: SignedInRequest,
    selected_import: Import,
    *,
    read_form: ReadForm | None = None,
    confirm: ConfirmForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page with `selected_import` shown; the forms are bound where they came back with
    errors.
    """
    study, preview = selected_import.study, selected_import.preview
    # Its own row stands for it: it may have been read anew, or belong to another owner.
    waiting_imports = [
        upload
        for upload in uploads.waiting_uploads(study, request.user)
        if upload != selected_import
    ]
    waiting_imports = sorted(
        [*waiting_imports, selected_import], key=lambda upload: (upload.when, upload.pk)
    )
    chosen_ids = request.POST.getlist("uploads") if confirm else None
    files = waiting_files(waiting_imports, chosen_ids)
    included_uploads = [file.upload for file in files if file.included]
    confirm_form = confirm or ConfirmForm(
        study=study,
        uploads=included_uploads or [selected_import],
        dataset=request.GET.get("dataset", ""),
    )
    forecast = forecast_context(request, study, included_uploads, _forecast_fields(confirm_form))
    outlook = forecast["outlook"]
    context = {
        **upload_limits(request),
        **forecast,
        "state": "look",
        "study": study,
        "running": jobs.live_jobs(study),
        "upload": selected_import,
        "preview": preview,
        "files": files,
        "included_series": sum(upload.preview["series"] for upload in included_uploads),
        "importable": not outlook.refused and not outlook.conflict_count,
        "with_problems": outlook.conflict_count
        or any(listed_file.sign == "problem" for listed_file in files),
        "sentence": reading_sentence(preview, selected_import.options),
        "to_know": remarks_on(preview),
        "drawn": drawn_series(preview),
        "before": uploads.earlier_import(selected_import),
        "reading": read_form or ReadForm(upload=selected_import),
        "confirm": confirm_form,
    }
    return render(request, PAGE_TEMPLATE, context, status=status)


def upload_limits(request: HttpRequest) -> dict[str, object]:
    """Limits of files that the form which takes them names."""
    return {
        "formats": len(READERS),
        "endings": [*ENDINGS, *PACKED],
        "limit": settings.IMPORT_MAX_FILE_BYTES // 1_000_000,
        "most_files": settings.DATA_UPLOAD_MAX_NUMBER_FILES,
        "most_bytes": most_bytes(),
        "days": settings.IMPORT_KEEP_DAYS,
        "query": request.GET.urlencode(),
    }


def most_bytes() -> int:
    return int(FILES_A_REQUEST * settings.IMPORT_MAX_FILE_BYTES)


def _forecast_fields(form: ConfirmForm) -> dict[str, str]:
    """Fields on which a forecast depends, as they stand."""
    return {name: str(form[name].value() or "") for name in FORECAST_FIELDS}


def forecast_context(
    request: HttpRequest, study: Study, chosen_uploads: Sequence[Import], fields: Mapping[str, str]
) -> dict[str, Any]:
    """Context of what importing `chosen_uploads` would do, and how long people and methods take for
    what is new.
    """
    outlook = expected_import(study, chosen_uploads, fields)
    return {
        "outlook": outlook,
        "panels": panels_of("imported", request, NewSeries(study, outlook.new)),
        "methods": MethodCount(len(least_lengths()), len(registry())),
    }


def expected_import(
    study: Study, chosen_uploads: Sequence[Import], fields: Mapping[str, str]
) -> ImportPreview:
    """Preview of importing `chosen_uploads`, as the fields of the form are now."""
    dataset = study.datasets.filter(slug=fields.get("dataset", "")).first()
    occasion = RecordingDetails(label=fields.get("label", "").strip())
    on_problems: OnProblems = "stop" if fields.get("on_problems") == "stop" else "leave-out"
    return preview_import(dataset or Dataset(study=study), chosen_uploads, occasion, on_problems)


def upload_for(request: HttpRequest, study: str, import_id: str) -> Import:
    owned_study = owned_study_for(request, study)
    owned_imports = owned_study.imports.select_related("study", "by", "dataset__study", "recording")
    return get_object_or_404(owned_imports, public_id=import_id)


def lead_to(name: str, study: Study, query: str = "", **url_kwargs: str) -> HttpResponse:
    address = reverse(name, kwargs={"study": study.slug, **url_kwargs})
    return redirect(f"{address}?{query}" if query else address)
