"""Templates from files, without the line breaks and the indentation that make them readable.

A page weighs less by them, and what it says does not depend on where a line of a template ends.
With `debug`, templates stay as they are written, so that an error names the right line.
"""

from __future__ import annotations

import re

from django.template import Origin
from django.template.loaders import filesystem

VERBATIM = re.compile(r"(<(pre|textarea|script|style)\b.*?</\2>)", re.DOTALL)
BLOCK = (
    r"(?:table|caption|thead|tbody|tfoot|tr|t[hd]|[uo]l|li|d[ltd]|div|section|p|h[1-6]|form|select"
    r"|option|fieldset|legend|details|summary|figure|figcaption|nav|main|header|footer|title)"
)
BESIDE_BLOCK = re.compile(rf"\s*\n\s*(?=</?{BLOCK}\b)|(?P<tag></?{BLOCK}(?:\s[^<>]*)?>)\s*\n\s*")
LINE_BREAK = re.compile(r"\s*\n\s*")


class Loader(filesystem.Loader):
    """Reads a template as `on_one_line`."""

    def get_contents(self, origin: Origin) -> str:
        contents = super().get_contents(origin)
        return contents if self.engine.debug else on_one_line(contents)


def on_one_line(source: str) -> str:
    """Each line break with the blanks around it as one blank, and as none beside a block.

    `pre` and its like stay as they are.
    """
    parts = VERBATIM.split(source)  # text, the element, its name, text …
    parts[::3] = [_squeezed(text) for text in parts[::3]]
    del parts[2::3]
    return "".join(parts)


def _squeezed(text: str) -> str:
    return LINE_BREAK.sub(" ", BESIDE_BLOCK.sub(lambda match: match["tag"] or "", text))
