"""Addresses of the API, its OpenAPI document among them."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.throttling import SimpleRateThrottle

from api import measurements, reads, runs
from people import audit, tokens


class TokenThrottle(SimpleRateThrottle):
    """Counts each token by itself; two of the same name are two."""

    def get_cache_key(self, request: HttpRequest) -> str | None:
        token = audit.token_of(request)
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
)
for each in (reads.router, measurements.router, runs.router):
    api.add_router("", each)


@api.exception_handler(HttpError)
def refused(request: HttpRequest, error: HttpError) -> HttpResponse:
    """Every answer that is none is one sentence."""
    return api.create_response(request, {"sentence": error.message}, status=error.status_code)


@api.exception_handler(AuthenticationError)
def no_token(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    sentence = "No token came, or one that is unknown, revoked or expired: make one in the study."
    return api.create_response(request, {"sentence": sentence}, status=error.status_code)


@api.exception_handler(Http404)
def not_there(request: HttpRequest, error: Http404) -> HttpResponse:  # noqa: ARG001  # ninja gives it
    """Of another study or of none: the same answer."""
    sentence = f"{request.path}: the study of this token has nothing of this name."
    return api.create_response(request, {"sentence": sentence}, status=404)


@api.exception_handler(ValidationError)
def not_understood(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """What of a query or document was not understood, and where it stands."""
    said = "; ".join(_said(each) for each in error.errors)
    return api.create_response(request, {"sentence": said}, status=422)


def _said(problem: dict[str, Any]) -> str:
    where = ".".join(str(part) for part in problem["loc"][1:])
    return f"{where}: {problem['msg']}"


patterns, app, namespace = api.urls
for pattern in patterns:
    if pattern.callback:
        login_not_required(pattern.callback)  # a token is asked for

urlpatterns = [path("api/v1/", (patterns, app, namespace))]
