"""The script of a report: the drawing library and the modules of figures, inlined once."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings

STATIC: Final = Path(settings.BASE_DIR) / "static"
LIBRARY: Final = "vendor/plotly-basic-4.1.1/plotly-basic.min.js"
FIGURES: Final = ("colours", "raising", "files", "tables", "zooming", "drawn-figure", "page")
MODULES: Final = (
    "js/shared/elements.js",
    "js/shared/plotter.js",
    "js/shared/picture.js",
    *(f"js/figures/{name}.js" for name in FIGURES),
)
"""In the order in which they need one another; a test compares with what they import."""
MODULE_WORDS: Final = re.compile(
    r"^import .*;\n|^export (?=const|class|function|async)", re.MULTILINE
)
"""What makes a module of a file: all stand in one function of the report."""


@cache
def scripts() -> tuple[str, str]:
    """The texts of the two elements: the library, and what draws."""
    modules = "".join((STATIC / name).read_text("utf-8") for name in MODULES)
    return (STATIC / LIBRARY).read_text("utf-8"), f"(() => {{\n{MODULE_WORDS.sub('', modules)}}})()"
