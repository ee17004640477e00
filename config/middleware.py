"""Middleware of every request: a reference for the log, the client's address, the policy."""

from __future__ import annotations

import ipaddress
import logging
import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict, UnreadablePostError
from django.middleware.gzip import GZipMiddleware

from people import request_facts
from people.outside_text import refuse_unstorable
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
log = logging.getLogger(__name__)
REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")
Respond = Callable[[HttpRequest], HttpResponse]


class RequestId:
    """Names each request, so that an error page, the log and what workers do can be put together.

    At level INFO each request is a line: its route, which holds no secret of an address, what was
    answered, and how long that took.
    """

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        facts = RequestFacts(_trusted_request_id(request) or secrets.token_hex(8), request)
        context_token, start_time = request_facts.current.set(facts), time.perf_counter()
        try:
            response = self.get_response(request)
            response.headers["X-Request-ID"] = facts.id
            _tell(request, response, time.perf_counter() - start_time)
            return response
        finally:
            request_facts.current.reset(context_token)


def _trusted_request_id(request: HttpRequest) -> str:
    """The id that a trusted proxy gave; empty where none is trusted, or it is no such word."""
    name = settings.REQUEST_ID_HEADER
    request_id = request.headers.get(name, "") if name else ""
    return request_id if REQUEST_ID.fullmatch(request_id) else ""


def _tell(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    if not log.isEnabledFor(logging.INFO):
        return
    method, route, status = (request.method, request_facts.route_of(request), response.status_code)
    log_fields = {
        "method": method,
        "route": route,
        "status": status,
        "ms": round(1000 * seconds, 1),
    }
    log.info("%s %s %s", method, route, status, extra=log_fields)


class ClientAddress:
    """Puts the client's address where Django, the sign-in and every throttle look: `REMOTE_ADDR`.

    With `PLATEAU_TRUSTED_PROXIES` = n, each of the n proxies has appended the address that it saw
    to X-Forwarded-For, so the client's is the nth from the end; what stands before it anybody may
    have written. A request that came past a proxy has fewer entries and keeps its own address.
    """

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        forwarded_addresses = request.headers.get("X-Forwarded-For", "").split(",")
        if 0 < settings.TRUSTED_PROXIES <= len(forwarded_addresses):
            client = _address(forwarded_addresses[-settings.TRUSTED_PROXIES])
            request.META["REMOTE_ADDR"] = client or request.META.get("REMOTE_ADDR", "")
        return self.get_response(request)


def _address(text: str) -> str:
    """The address in `text`, a port left out; empty where there is none."""
    bare_address = text.strip().removeprefix("[").partition("]")[0]
    for ip_text in (bare_address, bare_address.rpartition(":")[0]):
        try:
            return str(ipaddress.ip_address(ip_text))
        except ValueError:
            continue
    return ""


class StorableText:
    """Refuses a request with a text that no database stores, wherever it is, with 400.

    Looks at the path, the query, cookies and forms, before any view does. JSON goes to the API
    alone, whose parser applies the same rule: other bodies may be files, read piece by piece.
    """

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        refuse_unstorable("the address", [request.path_info])
        refuse_unstorable("the query", _texts(request.GET))
        refuse_unstorable("a cookie", request.COOKIES.values())
        if request.content_type == "multipart/form-data":
            # Not read here: a view may first say where its files go, and how large they may be.
            parse = request.parse_file_upload
            request.parse_file_upload = partial(_parse, parse)  # type: ignore[method-assign]
        elif request.content_type == "application/x-www-form-urlencoded":
            with suppress(UnreadablePostError):  # whoever reads the form again deals with it
                # Its bytes: a form that was read has no room for what a view says of its files.
                refuse_unstorable("the form", _texts(QueryDict(request.body, encoding="utf-8")))
        return self.get_response(request)


def _parse(parse: Callable[..., Any], *arguments: Any) -> Any:
    fields, files = parse(*arguments)
    refuse_unstorable("the form", _texts(fields))
    return fields, files


def _texts(fields: QueryDict) -> Iterator[str]:
    for name, values in fields.lists():
        yield name
        yield from map(str, values)


class CompressPages(GZipMiddleware):
    """Sends pages packed, a tenth of their weight; files and streams as they are.

    A packed answer's length could tell what is in it (BREACH): Django masks the token of forms anew
    each time, and adds up to 100 random bytes to the head of the packed answer.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Pack an answer of type text/html."""
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if response.streaming or not is_page:
            return response
        return super().process_response(request, response)


class HeadAsGet:
    """Lets a view answer HEAD as it answers GET; the server sends the head of the answer alone."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "HEAD":
            return self.get_response(request)
        request.method = "GET"
        try:
            return self.get_response(request)
        finally:
            request.method = "HEAD"


class ContentSecurityPolicy:
    """Policy of every answer: nothing from another host, nothing inline, no eval."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), microphone=(), geolocation=()"
        )
        return response
