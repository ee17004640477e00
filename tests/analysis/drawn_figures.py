"""Figures as pages carry them, and addresses of their files."""

from __future__ import annotations

import html
import json
import re
from typing import Any


def drawn_figure(page: str, name: str) -> dict[str, Any]:
    """Data and layout of the figure of a name."""
    text = page[page.index(f'id="{name}"') :].split("data-plot-json>", 1)[1]
    document: dict[str, Any] = json.loads(text.split("</script>", 1)[0])
    return document


def pdf_address(page: str) -> str:
    """Address of the only figure's PDF."""
    (address,) = re.findall(r'href="([^"]+format=pdf)"', page)
    return html.unescape(address)
