"""Error pages: what happened, where, and what to do."""

from __future__ import annotations

import sys

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from people import request_facts
from people.database import is_unavailable
from people.outside_text import UnstorableText
from people.problem_details import is_for_program, problem
from series.values_store import ValuesUnavailable

TEXTS = {
    400: ("This request could not be read", "Go back, reload the page and try again."),
    403: ("You may not do this", "Ask an owner of the study for the right to do it."),
    404: ("Not found", "There is no page here, or you may not see it."),
    413: ("The file is too large", "Split it, or ask whoever runs Plateau to raise the limit."),
    429: ("Too many requests", "Wait a minute and try again."),
    500: (
        "Plateau failed",
        "The fault is in Plateau. Try again; if it comes back, report the reference.",
    ),
    503: ("Plateau is busy", "Its database is busy or does not answer, or its disk is full."),
}
READ_AGAIN = "This page tries again by itself."
SEND_AGAIN = "What you sent may not have been stored. Go back, and send it again in some seconds."
TELL = "Tell whoever runs Plateau if it stays so."
RETRY_AFTER = 5  # seconds


def error_page(
    request: HttpRequest, status: int, *, text: str = "", reason: str = ""
) -> HttpResponse:
    """Error page of `status`: a fragment for htmx, a sentence for scripts, a problem for programs.

    The page's script takes a sentence as the word of Plateau itself, and what has none as that of
    a proxy or another network (docs/design/script.md).
    """
    title, remedy = TEXTS[status]
    if is_for_program(request):
        return problem(status, f"{title}. {text or remedy}")
    if request.headers.get("Accept", "").startswith("application/json"):
        sentence = f"{title}. {text or remedy}"
        fields = {"sentence": sentence, "problem": sentence, "reason": reason}
        return JsonResponse(fields, status=status)
    template = "errors/_notice.html" if request.headers.get("HX-Request") else "errors/page.html"
    context = {
        "title": title,
        "text": text or remedy,
        "status": status,
        "reference": request_facts.current.get().id,
    }
    return render(request, template, context, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        return error_page(request, 413)
    return error_page(
        request, 400, text=str(exception) if isinstance(exception, UnstorableText) else ""
    )


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, 403, text=str(exception))


def not_found_page(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    return error_page(request, 404)


def failed(request: HttpRequest) -> HttpResponse:
    """Answer whatever was raised, in a view or around it: a database that is busy is no fault."""
    error = sys.exc_info()[1]
    if isinstance(error, ValuesUnavailable):
        return busy_page(request, title="Values cannot be read", reason=f"{error}. {TELL}")
    return busy_page(request) if is_unavailable(error) else error_page(request, 500)


def busy_page(request: HttpRequest, *, title: str = "", reason: str = "") -> HttpResponse:
    """503 in the form that was asked for; without the database, which is what does not answer."""
    title, reason = title or TEXTS[503][0], reason or TEXTS[503][1]
    reading = request.method in {"GET", "HEAD"}
    text = f"{reason} {READ_AGAIN if reading else SEND_AGAIN}"
    context = {"title": title, "text": text, "reading": reading, "seconds": RETRY_AFTER}
    context |= {"address": request.get_full_path(), "reference": request_facts.current.get().id}
    answer: HttpResponse
    if is_for_program(request):
        answer = problem(503, f"{title}. {text}")
    elif request.headers.get("HX-Request"):
        answer = HttpResponse(render_to_string("errors/_busy.html", context))
    elif "text/html" in request.headers.get("Accept", ""):
        answer = HttpResponse(render_to_string("errors/busy.html", context))
    else:  # scripts of pages ask for anything; each looks for its own word
        answer = JsonResponse({"sentence": f"{title}. {text}", "problem": f"{title}. {text}"})
    answer.status_code = 503
    answer.headers["Retry-After"] = str(RETRY_AFTER)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    text = "This form was open too long, or cookies are off. Reload it and try again."
    return error_page(request, 403, text=text, reason="stale-form")


def locked_out_page(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:  # noqa: ARG001
    """After too many wrong passwords from one address: for one name, or for any names."""
    text = "Too many wrong passwords from your address. Wait five minutes, then try again."
    return error_page(request, 429, text=text)
