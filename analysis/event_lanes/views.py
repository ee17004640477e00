"""Import and removal of events of a series, and lanes for who annotates it."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_POST

from analysis.event_lanes import services
from analysis.event_lanes.reads import lane_drawings, placed_lanes
from annotate.access import seen_series_for
from annotate.answering import queries
from formats.errors import FormatError
from formats.events.lanes import LATEST
from people.access import SignedInRequest, for_the_same_person
from people.models import Role
from series.importing.upload_handler import DiskUploadHandler, ReceivedUpload
from series.models import Series
from series.reading.file_readers import FileToRead

SPARE = 100_000  # bytes of a request beside its file


class EventImportForm(forms.Form):
    """Import of one event file."""

    offset = forms.FloatField(required=False, min_value=0, max_value=LATEST)
    replace = forms.BooleanField(required=False)


@csrf_exempt  # the token is checked below, when the size of the request is known
@require_POST
def import_page(request: SignedInRequest, study: str, series: str) -> HttpResponse:
    """Import a file; back to the events of the series with a sentence."""
    owned_series = _owned_series(request, study, series)
    request.upload_handlers = [DiskUploadHandler(request)]
    if int(request.headers.get("Content-Length") or 0) > settings.IMPORT_MAX_FILE_BYTES + SPARE:
        most = settings.IMPORT_MAX_FILE_BYTES // 1_000_000
        messages.error(request, f"This file is too large: at most {most} MB. Pack it with gzip.")
        return _back(owned_series)
    return _import_file(request, owned_series)


@csrf_protect
def _import_file(request: SignedInRequest, series: Series) -> HttpResponse:
    form, file = EventImportForm(request.POST), request.FILES.get("file")
    if not isinstance(file, ReceivedUpload):
        messages.error(request, "No file arrived. Choose a log of the measured process.")
    elif not form.is_valid():
        messages.error(request, "Offset: expected seconds from 0 on, such as 0.35, or nothing.")
    else:
        try:
            result = services.import_events(
                series,
                FileToRead(file.name or "events", file.path.resolve()),
                offset=form.cleaned_data["offset"],
                replace=form.cleaned_data["replace"],
            )
            messages.success(request, str(result))
        except FormatError as refused:
            messages.error(request, f"Nothing was stored. {refused}.")
    return _back(series)


@require_POST
def removal(request: SignedInRequest, study: str, series: str) -> HttpResponse:
    """Delete the lanes of a series; the files that they came from bring them back."""
    owned_series = _owned_series(request, study, series)
    count = services.remove_lanes(owned_series)
    messages.success(request, f"{count} lane{'s' * (count != 1)} of events removed.")
    return _back(owned_series)


def _owned_series(request: SignedInRequest, study: str, series: str) -> Series:
    """404 for who may not see answers to the series; 403 for members who own nothing here."""
    seen_series = seen_series_for(request, study, series)
    if seen_series.benchmark.dataset.study.role_of(request.user) != Role.OWNER:
        raise PermissionDenied("Only an owner of the study may change events.")
    return seen_series


def _back(series: Series) -> HttpResponse:
    return redirect(f"{series.get_absolute_url()}#events")


@for_the_same_person
@require_GET
@never_cache
def events_of_task(
    request: SignedInRequest, study: str, campaign: str, position: int
) -> HttpResponse:
    """Lanes of a series that the person is asked for; 404 unless its campaign shows them.

    Where names are hidden the lanes are drawn without names of events.
    """
    tasks = queries.tasks_of(request.user).at_position(study, campaign, position)
    task = get_object_or_404(tasks.select_related("campaign", "series__benchmark"))
    if not task.campaign.show_events:
        raise Http404("this campaign shows no events")
    return JsonResponse({"lanes": lane_drawings(placed_lanes(task.series))})
