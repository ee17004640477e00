"""Parts of the first page, pictures and lines of a file, as docs/landing_chart.py draws them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

from detectors.registry import registry

FOLDER: Final = Path(settings.BASE_DIR) / "docs" / "landing"
PARTS: Final = ("chart", "annotating", "comparing", "lines")


def landing() -> dict[str, Any]:
    """For `analysis/site/_landing.html`; `methods` is how many detectors there are."""
    return {"methods": len(registry()), **{name: _part(name) for name in PARTS}}


@cache
def _part(name: str) -> SafeString:
    return mark_safe((FOLDER / f"{name}.html").read_text("utf-8"))  # noqa: S308  # our own file
