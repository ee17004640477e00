"""Figures as pages carry them."""

from __future__ import annotations

import json
from typing import Any


def drawn(page: str, name: str) -> dict[str, Any]:
    """Data and layout of the figure of a name."""
    text = page[page.index(f'id="{name}"') :].split("data-plot-json>", 1)[1]
    document: dict[str, Any] = json.loads(text.split("</script>", 1)[0])
    return document
