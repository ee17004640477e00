"""Addresses of the API, its OpenAPI document among them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any, Final

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.throttling import SimpleRateThrottle

from api import measurements, reads, runs
from api.access import InsufficientScope
from api.texts import TextParser
from people import audit, tokens
from people.outside_text import UnstorableText
from people.problem_details import problem

MOST_ERRORS: Final = 10  # of one request that are told
MOST_PLACE: Final = 40  # characters of a name that somebody else chose


class TokenThrottle(SimpleRateThrottle):
    """Counts each token by itself; two of the same name are two."""

    def get_cache_key(self, request: HttpRequest) -> str | None:
        token = audit.request_token(request)
        return tokens.requests_key(token) if token else None


THROTTLE = TokenThrottle(f"{tokens.REQUESTS_A_MINUTE}/m")

api = NinjaAPI(
    title="Plateau",
    version="1",
    description="Measurements in, results out. A token of the study stands in every request: "
    "Authorization: Bearer TOKEN.",
    docs_url=None,  # its page would come from another host; ours is in the help
    urls_namespace="api",
    throttle=THROTTLE,
    parser=TextParser(),
)
for each in (reads.router, measurements.router, runs.router):
    api.add_router("", each)


@api.exception_handler(HttpError)
def refusal(request: HttpRequest, error: HttpError) -> HttpResponse:  # noqa: ARG001  # ninja gives it
    """Answer a refusal, a body that is no JSON among them."""
    cause = error.__cause__
    if isinstance(cause, UnstorableText):
        return problem(400, str(cause))
    if isinstance(cause, ValueError | RecursionError) and error.status_code == 400:
        return problem(400, f"The body is no JSON document that can be read: {cause}.")
    return problem(error.status_code, error.message)


@api.exception_handler(AuthenticationError)
def no_token(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    """Ask for a token (RFC 6750, section 3)."""
    detail = "No token came, or one that is unknown, revoked or expired: make one in the study."
    refused_challenge = 'Bearer realm="Plateau", error="invalid_token"'
    challenge = (
        refused_challenge if request.headers.get("Authorization") else 'Bearer realm="Plateau"'
    )
    return problem(error.status_code, detail, {"WWW-Authenticate": challenge})


@api.exception_handler(InsufficientScope)
def other_scope(request: HttpRequest, error: InsufficientScope) -> HttpResponse:  # noqa: ARG001
    challenge = f'Bearer realm="Plateau", error="insufficient_scope", scope="{error.scope}"'
    return problem(error.status_code, error.message, {"WWW-Authenticate": challenge})


@api.exception_handler(Http404)
def missing_answer(request: HttpRequest, error: Http404) -> HttpResponse:  # noqa: ARG001  # ninja gives it
    """Answer alike for what is of another study and for what is not there."""
    return problem(404, f"{request.path}: the study of this token has nothing of this name.")


@api.exception_handler(ValidationError)
def not_understood(request: HttpRequest, error: ValidationError) -> HttpResponse:  # noqa: ARG001
    """Name each part of a query or document that was not understood, with its place."""
    errors = [{"where": _error_path(fault), "detail": fault["msg"]} for fault in error.errors]
    detail = "; ".join(f"{fault['where']}: {fault['detail']}" for fault in errors[:MOST_ERRORS])
    return problem(422, detail, errors=errors[:MOST_ERRORS])


def _error_path(error: dict[str, Any]) -> str:
    """Steps into a query or a document; a document itself is its `body`."""
    source, *steps = error["loc"]
    if source == "body":  # the next step is the name of a parameter in our code
        steps = steps[1:] or [source]
    return ".".join(str(step)[:MOST_PLACE] for step in steps)


def with_problems(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let an address answer a method that it does not take with a problem, too."""

    @login_not_required  # a token is asked for
    @csrf_exempt
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED:
            return response
        allowed_methods = response.headers["Allow"]
        detail = f"{request.path}: found {request.method}, expected one of: {allowed_methods}."
        return problem(405, detail, {"Allow": allowed_methods})

    return answer


patterns, app, namespace = api.urls
for pattern in patterns:
    if pattern.callback:
        pattern.callback = with_problems(pattern.callback)

urlpatterns = [path("api/v1/", (patterns, app, namespace))]
