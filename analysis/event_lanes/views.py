"""Import of events of a series or a recording, their removal, and lanes for who annotates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from analysis.event_lanes import services
from analysis.event_lanes.reads import lane_drawings, placed_lanes
from analysis.event_lanes.recording_events import (
    import_recording_events,
    outcome_sentence,
    recorded_series,
)
from annotate import blind
from annotate.access import seen_series_for
from annotate.answering import queries
from formats.errors import FormatError
from formats.events.file_names import RULE
from formats.events.lanes import LATEST
from people.access import SignedInRequest, for_the_same_person, owned_study_for
from people.models import Role
from series.access import dataset_for
from series.importing.upload_handler import DiskUploadHandler, ReceivedUpload
from series.models import Dataset, Recording, Series
from series.reading.file_readers import FileToRead

SPARE = 100_000  # bytes of a request beside its files
MOST_FILES: Final = 200  # of a recording at once, on its page
MOST_SECONDS: Final = 60.0  # after which the page reads no further file


class EventImportForm(forms.Form):
    """Import of one event file."""

    offset = forms.FloatField(
        required=False,
        min_value=0,
        max_value=LATEST,
        label="First iteration at, s",
        help_text="Seconds from the start of a process to its first recorded iteration, if known.",
    )
    replace = forms.BooleanField(required=False, label="Replace lanes that other files brought")


class RecordingEventsForm(EventImportForm):
    """Import of event files of a recording."""

    recording = forms.ModelChoiceField(Recording.objects.none(), empty_label=None)
    first_fork = forms.TypedChoiceField(
        choices=[(0, "0"), (1, "1")], coerce=int, label="Number of the first fork in names of files"
    )
    field_order = ("recording", "first_fork", "offset", "replace")

    def __init__(self, dataset: Dataset, data: QueryDict | None = None) -> None:
        super().__init__(data)
        recordings = cast("forms.ModelChoiceField[Recording]", self.fields["recording"])
        recordings.queryset = dataset.recordings.all()


@csrf_exempt  # the token is checked below, when the size of the request is known
@require_POST
def import_page(request: SignedInRequest, study: str, series: str) -> HttpResponse:
    """Import a file; back to the events of the series with a sentence."""
    owned_series = _owned_series(request, study, series)
    if _is_too_large(request):
        return _back_to_series(owned_series)
    return _import_file(request, owned_series)


def _is_too_large(request: SignedInRequest) -> bool:
    """Let files arrive on disk; True, with a message, where they are larger than one may be."""
    request.upload_handlers = [DiskUploadHandler(request)]
    size = int(request.headers.get("Content-Length") or 0)
    is_too_large = size > settings.IMPORT_MAX_FILE_BYTES + SPARE
    if is_too_large:
        messages.error(request, f"Too large: at most {_most_megabytes()} MB. Pack it with gzip.")
    return is_too_large


def _most_megabytes() -> int:
    return int(settings.IMPORT_MAX_FILE_BYTES // 1_000_000)


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
    return _back_to_series(series)


@require_POST
def removal(request: SignedInRequest, study: str, series: str) -> HttpResponse:
    """Delete the lanes of a series; the files that they came from bring them back."""
    owned_series = _owned_series(request, study, series)
    count = services.remove_lanes(owned_series)
    messages.success(request, f"{count} lane{'s' * (count != 1)} of events removed.")
    return _back_to_series(owned_series)


def _owned_series(request: SignedInRequest, study: str, series: str) -> Series:
    """404 for who may not see answers to the series; 403 for members who own nothing here."""
    seen_series = seen_series_for(request, study, series)
    if seen_series.benchmark.dataset.study.role_of(request.user) != Role.OWNER:
        raise PermissionDenied("Only an owner of the study may change events.")
    return seen_series


def _back_to_series(series: Series) -> HttpResponse:
    return redirect(f"{series.get_absolute_url()}#events")


# --- a recording ------------------------------------------------------------------------------
@csrf_exempt  # as `import_page`
@require_http_methods(["GET", "POST"])
def recording_page(request: SignedInRequest, study: str, dataset: str) -> HttpResponse:
    """Import of many files: a form, and below it which file went to which series."""
    owned_dataset = dataset_for(request, study, dataset)
    owned_study_for(request, study)
    if request.method == "POST" and _is_too_large(request):
        return redirect("dataset-events", study, dataset)
    return _recording_page(request, owned_dataset)


@csrf_protect
def _recording_page(request: SignedInRequest, dataset: Dataset) -> HttpResponse:
    form = RecordingEventsForm(dataset, request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {}
    if form.is_bound:
        files = request.FILES.getlist("files")
        uploads = [file for file in files if isinstance(file, ReceivedUpload)]
        if not 0 < len(uploads) <= MOST_FILES:
            count = f"found {len(uploads)}, expected 1 to {MOST_FILES}"
            form.add_error(None, f"Files: {count}. The command import_events takes a folder.")
        elif form.is_valid():
            context = _import_uploads(request, form.cleaned_data, uploads)
    return render(
        request,
        "analysis/event_lanes/recording.html",
        {
            "study": dataset.study,
            "dataset": dataset,
            "form": form,
            "rule": RULE,
            "limit": _most_megabytes(),
            "most_files": MOST_FILES,
            **context,
        },
    )


def _import_uploads(
    request: SignedInRequest, fields: Mapping[str, Any], uploads: Sequence[ReceivedUpload]
) -> dict[str, Any]:
    """Outcomes of an import, beside series that this person has no answer to give to."""
    series = list(recorded_series(fields["recording"]))
    open_series = blind.open_series(request.user)
    hidden_keys = set(
        open_series.filter(recording=fields["recording"]).values_list("pk", flat=True)
    )
    files = [FileToRead(file.name or "events", file.path.resolve()) for file in uploads]
    outcomes = list(
        import_recording_events(
            series,
            files,
            hidden_pks=hidden_keys,
            offset=fields["offset"],
            replace=fields["replace"],
            first_fork=fields["first_fork"],
            most_seconds=MOST_SECONDS,
        )
    )
    return {
        "outcomes": outcomes,
        "sentence": outcome_sentence(outcomes, len(files), len(series) - len(hidden_keys)),
        "hidden_count": len(hidden_keys),
    }


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
