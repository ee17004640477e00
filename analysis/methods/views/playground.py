"""Trying a method: simulated examples, what a file holds, and answers. No values are kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.views.decorators.http import require_GET, require_POST

from analysis.methods.catalogue import group_by_family
from analysis.methods.playground import calculator, subjects
from analysis.methods.playground.answers import MOST_AT_ONCE, kept_answer
from analysis.methods.playground.calculator import ChildrenBusy
from analysis.methods.playground.controls import controls
from analysis.methods.playground.query import PlaygroundQuery, script_fields
from analysis.methods.playground.subjects import (
    MOST_BYTES,
    MOST_VALUES,
    PlaygroundSubject,
    SimulatedExample,
    UnusableValues,
)
from detectors.contract import Detector, ParameterError
from detectors.registry import DEFAULT_METHOD, UnknownDetector, from_key, method_slots, registry
from detectors.simulated.synthetic import KINDS
from formats import FormatError
from people.models import Study
from people.templatetags.writing import grouped
from people.throttle import Throttle
from series.reading.file_readers import ReadersBusy

View = Callable[..., HttpResponseBase]
# Limit for people who are not signed in: a moved slider asks about once a second.
QUESTIONS = Throttle("playground", limit=60)
UNITS = {"": "as in the file", "s": "s", "ms": "ms", "us": "µs", "ns": "ns"}


def is_open_to(request: HttpRequest) -> bool:
    """Strangers come in where whoever runs Plateau lets them."""
    return request.user.is_authenticated or settings.PLAYGROUND_PUBLIC


def _visitors(view: View) -> View:
    """A page for who may come in; a question of a script gets a sentence instead of a form."""

    @login_not_required
    @wraps(view)
    def guarded(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
        if is_open_to(request):
            return view(request, **arguments)
        if request.headers.get("Accept", "").startswith("application/json"):
            return _problem("You were signed out. Sign in, then try again.", status=401)
        return redirect_to_login(request.get_full_path())

    return guarded


def _problem(text: str, *, status: int, **extra_fields: Any) -> JsonResponse:
    return JsonResponse({"problem": text, **extra_fields}, status=status)


def _busy_response(text: str) -> JsonResponse:
    """503: the page asks again by itself."""
    response = _problem(text, status=503)
    response.headers["Retry-After"] = "1"
    return response


def _throttled(view: View) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, **arguments)
        if wait_seconds := QUESTIONS.seconds_to_wait(request):
            text = f"{QUESTIONS.limit} a minute; try again in {wait_seconds} s."
            return _problem(text, status=429, retry=wait_seconds)
        QUESTIONS.count(request)
        return view(request, **arguments)

    return guarded


def playground_context(request: HttpRequest, query: PlaygroundQuery) -> dict[str, Any]:
    """Context with which a method's page tries it: an example, or the series of the address."""
    calculator.at_once.prepare()
    query, subject = _query_and_subject(query, request)
    detector = query.detector
    all_methods = sorted(registry().values(), key=lambda method: method_slots()[method.slug])
    available_methods = (method for method in all_methods if not method.missing())
    return {
        "query": query,
        "controls": controls(detector),
        "changed": detector.key != type(detector)().key,
        "most_at_once": MOST_AT_ONCE[detector.cost],
        "methods": list(group_by_family(available_methods, lambda method: method).items()),
        "kinds": list(KINDS),
        "units": UNITS,
        "subject": subject.drawing_fields,
        "most_bytes": MOST_BYTES,
        "most_values": MOST_VALUES,
        "owned": Study.objects.owned_by(request.user),
        "page_data": {**script_fields(query), "series": subject.drawing_fields},
    }


def _query_and_subject(
    query: PlaygroundQuery, request: HttpRequest
) -> tuple[PlaygroundQuery, PlaygroundSubject]:
    """Query and shown subject: the series, or the example, or if neither may be shown the next
    example.
    """
    if query.digest:
        try:
            return query, subjects.stored_subject(query.digest, request.user)
        except UnusableValues as refused:
            query.notices.append(str(refused))
    try:
        return query, subjects.simulated_subject(query.example, request.user)
    except UnusableValues:
        example = subjects.next_example(query.example, request.user)
    return replace(query, example=example), subjects.simulated_subject(example, request.user)


@_visitors
@_throttled
@require_GET
def example(request: HttpRequest) -> JsonResponse:
    """A simulated series: values, how to draw them, the true answer."""
    simulated_example = SimulatedExample.from_fields(request.GET.dict())
    try:
        subject = subjects.simulated_subject(simulated_example, request.user)
    except UnusableValues as refused:
        return _problem(str(refused), status=422)
    response = JsonResponse({**subject.drawing_fields, "query": simulated_example.pairs()})
    response.headers["Cache-Control"] = "private, max-age=600"
    return response


@_visitors
@_throttled
@require_POST
def playground_values(request: HttpRequest) -> JsonResponse:
    """JSON of the series in a file or in pasted text, for the page that sent them."""
    file = request.FILES.get("file")
    unit = request.POST.get("unit", "")
    if file is not None and (file.size or 0) > MOST_BYTES:
        megabytes = f"found {(file.size or 0) / 1e6:.1f} MB, expected at most 2 MB"
        return _problem(f"{file.name}: {megabytes}. Import larger files into a study.", status=413)
    file_bytes = file.read() if file else request.POST.get("text", "").encode()
    name = (file.name if file else "") or "pasted values"
    if not file_bytes.strip():
        return _problem("Nothing was pasted: expected one number a line, CSV or JSON.", status=422)
    try:
        read_series = subjects.read_subjects(file_bytes, name, unit=unit if unit in UNITS else "")
    except FormatError as error:
        return (
            _busy_response(f"{error}.")
            if isinstance(error, ReadersBusy)
            else _problem(f"{error}.", status=422)
        )
    return JsonResponse({"series": read_series})


@_visitors
@_throttled
@require_POST
def playground_answers(request: HttpRequest) -> HttpResponse:
    """Answer of a method for the values that the request names or carries."""
    try:
        detector = _asked_detector(request)
        subject = _subject(request, detector)
        # The evidence goes as it came: to read and write it again would take longer than all else
        answer = kept_answer(detector, subject, is_pressed="press" in request.POST)
        head = json.dumps(answer.page_fields, allow_nan=False)
        body = f'{head[:-1]}, "evidence": {answer.evidence}}}'
        return HttpResponse(body, content_type="application/json")
    except (ParameterError, UnknownDetector) as error:
        return _problem(f"{error}.", status=422, field=str(error).partition(" ")[0])
    except UnusableValues as refused:
        return _problem(str(refused), status=422)
    except ChildrenBusy:
        return _busy_response("Other answers are being computed; try again in a moment.")


def _asked_detector(request: HttpRequest) -> Detector:
    """Detector by its key (a pin), or by the fields of the form."""
    if key := request.POST.get("key"):
        return from_key(key)
    slug = request.POST.get("m", DEFAULT_METHOD)
    if slug not in registry():
        raise UnknownDetector(f"there is no method {slug!r}")
    texts = {
        name.removeprefix("p."): text
        for name, text in request.POST.items()
        if name.startswith("p.") and isinstance(text, str)
    }
    return registry()[slug].parse(texts)


def _subject(request: HttpRequest, detector: Detector) -> PlaygroundSubject:
    upload = request.FILES.get("values")
    if upload is not None:
        if (upload.size or 0) > MOST_VALUES * 8:
            raise UnusableValues(
                f"Values: found more than {grouped(MOST_VALUES)}, which is the most."
            )
        return subjects.pasted_subject(upload.read(), request.POST.get("about", ""), request.user)
    if digest := request.POST.get("series"):
        needs_samples = "samples" in (*detector.needs, *detector.uses)
        return subjects.stored_subject(digest, request.user, has_samples=needs_samples)
    example = SimulatedExample.from_fields({k: str(v) for k, v in request.POST.items()})
    return subjects.simulated_subject(example, request.user)
