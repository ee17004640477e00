"""Middleware of every request: a reference for the log, the client's address, the policy."""

from __future__ import annotations

import ipaddress
import logging
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict, UnreadablePostError
from django.http.multipartparser import MultiPartParserError

from people import request_facts
from people.request_facts import RequestFacts

# Plotly adds one empty <style> element and fills it through its style sheet object; this is the
# hash of the empty string. Without it the element is refused and charts lose their own rules.
EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        f"style-src 'self' {EMPTY_STYLE}",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "font-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "object-src 'none'",
    )
)
Respond = Callable[[HttpRequest], HttpResponse]


class RequestId:
    """Names each request, so that an error page and the log can be put together."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        facts = RequestFacts(secrets.token_hex(4), request)
        before = request_facts.current.set(facts)
        try:
            response = self.get_response(request)
            response.headers["X-Request-Id"] = facts.id
            return response
        finally:
            request_facts.current.reset(before)


class AddRequestId(logging.Filter):
    """Puts the request's reference on each line of the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_facts.current.get().id
        return True


class ClientAddress:
    """Puts the client's address where Django, the sign-in and every throttle look: `REMOTE_ADDR`.

    With `PLATEAU_TRUSTED_PROXIES` = n, each of the n proxies has appended the address that it saw
    to X-Forwarded-For, so the client's is the nth from the end; what stands before it anybody may
    have written. A request that came past a proxy has fewer entries and keeps its own address.
    """

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        seen = request.headers.get("X-Forwarded-For", "").split(",")
        if 0 < settings.TRUSTED_PROXIES <= len(seen):
            client = _address(seen[-settings.TRUSTED_PROXIES])
            request.META["REMOTE_ADDR"] = client or request.META.get("REMOTE_ADDR", "")
        return self.get_response(request)


def _address(text: str) -> str:
    """The address in `text`, a port left out; empty where there is none."""
    bare = text.strip().removeprefix("[").partition("]")[0]
    for each in (bare, bare.rpartition(":")[0]):
        try:
            return str(ipaddress.ip_address(each))
        except ValueError:
            continue
    return ""


class NulCharacter(MultiPartParserError):
    """A request holds one. Of this kind, because Django answers it with 400 wherever it reads."""


class NoNulCharacters:
    """Refuses a request with a NUL in its path, query, cookies or form, with 400.

    No text that a person types has one. SQLite stores it; PostgreSQL raises an error, which would
    be a fault of every view that asks the database for such a text.
    """

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        _refuse_nul("the address", [request.path_info])
        _refuse_nul("the query", _texts(request.GET))
        _refuse_nul("a cookie", request.COOKIES.values())
        if request.content_type == "multipart/form-data":
            # Not read here: a view may first say where its files go, and how large they may be.
            parse = request.parse_file_upload
            request.parse_file_upload = partial(_parsed, parse)  # type: ignore[method-assign]
        elif request.content_type == "application/x-www-form-urlencoded":
            with suppress(UnreadablePostError):  # whoever reads the form again deals with it
                # Its bytes: a form that was read has no room for what a view says of its files.
                _refuse_nul("the form", _texts(QueryDict(request.body, encoding="utf-8")))
        return self.get_response(request)


def _parsed(parse: Callable[..., Any], *arguments: Any) -> Any:
    fields, files = parse(*arguments)
    _refuse_nul("the form", _texts(fields))
    return fields, files


def _texts(fields: QueryDict) -> Iterator[str]:
    for name, values in fields.lists():
        yield name
        yield from map(str, values)


def _refuse_nul(where: str, texts: Iterable[str]) -> None:
    if any("\0" in text for text in texts):
        raise NulCharacter(
            f"Found a NUL character in {where}, expected text without. Take it out, and try again."
        )


class ContentSecurityPolicy:
    """Nothing from another host, nothing inline, no eval: on every answer."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), microphone=(), geolocation=()"
        )
        return response
