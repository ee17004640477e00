"""Files that people download: streamed, and named so that one finds them again."""

from __future__ import annotations

from collections.abc import Iterable
from json import dumps

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone


def download_name(*parts: str) -> str:
    """plateau_<part>_…_<today>, without an ending."""
    return "_".join(("plateau", *parts, timezone.localdate().isoformat()))


def csv(pieces: Iterable[str], name: str) -> StreamingHttpResponse:
    """A table as a CSV file called `name`, sent while it is made."""
    answer = StreamingHttpResponse(pieces, content_type="text/csv; charset=utf-8")
    attach(answer, name)
    return answer


def text(pieces: Iterable[str], name: str) -> StreamingHttpResponse:
    """Plain text as a file called `name`."""
    answer = StreamingHttpResponse(pieces, content_type="text/plain; charset=utf-8")
    attach(answer, name)
    return answer


def json_text(document: object) -> str:
    return dumps(document, indent=2) + "\n"


def json(document: object, name: str) -> HttpResponse:
    """A document as an indented JSON file called `name`."""
    answer = HttpResponse(json_text(document), content_type="application/json")
    attach(answer, name)
    return answer


def pdf(content: bytes, name: str) -> HttpResponse:
    """A page as a PDF file called `name`."""
    answer = HttpResponse(content, content_type="application/pdf")
    attach(answer, name)
    return answer


def attach(answer: HttpResponseBase, name: str) -> None:
    """Let the browser keep `answer` as a file called `name`."""
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
