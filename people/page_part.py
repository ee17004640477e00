"""Parts of a page that a script loads, and that are pages of their own without it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def part_or_page(
    request: HttpRequest, part: str, page: str, context: Mapping[str, Any]
) -> HttpResponse:
    """The template `part` where htmx asks for it; for anybody else `page`, which includes it."""
    return render(request, part if request.headers.get("HX-Request") else page, context)
