"""Error pages: what happened, where, and what to do."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from config.middleware import request_id

TEXTS = {
    400: ("This request could not be read", "Go back, reload the page and try again."),
    403: ("You may not do this", "Ask an owner of the study for the right to do it."),
    404: ("Nothing here", "There is no page here, or you may not see it."),
    413: ("The file is too large", "Split it, or ask whoever runs Plateau to raise the limit."),
    429: ("Too many requests", "Wait a minute and try again."),
    500: ("Plateau failed", "It is not your fault. Try again; if it stays, report the reference."),
    503: ("Plateau is being upgraded", "This page tries again by itself."),
}


def page(request: HttpRequest, status: int, *, text: str = "") -> HttpResponse:
    """The error page of `status`; a fragment where htmx asked for one."""
    title, remedy = TEXTS[status]
    template = "errors/_notice.html" if request.headers.get("HX-Request") else "errors/page.html"
    context = {
        "title": title,
        "text": text or remedy,
        "status": status,
        "reference": request_id.get(),
    }
    return render(request, template, context, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    return page(request, 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return page(request, 403, text=str(exception))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    return page(request, 404)


def failed(request: HttpRequest) -> HttpResponse:
    return page(request, 500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    text = "This form was open too long, or cookies are off. Reload it and try again."
    return page(request, 403, text=text)


def locked_out(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:  # noqa: ARG001
    """After too many wrong passwords from one address: for one name, or for any names."""
    text = "Too many wrong passwords from your address. Wait five minutes, then try again."
    return page(request, 429, text=text)
