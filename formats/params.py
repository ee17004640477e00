"""Parameters of a benchmark as one text: ``size=1000&type=int``.

Names stand in alphabetical order, so that two files that list the same parameters in another
order mean the same benchmark. In a value ``&`` is written ``%26``, and ``%`` before ``25`` or
``26`` is written ``%25``: the text can be taken apart again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping


def canonical(params: Mapping[str, object]) -> str:
    """The text of named parameters; empty for none."""
    return "&".join(f"{name}={_escape(str(value))}" for name, value in sorted(params.items()))


def canonical_text(text: str) -> str:
    """`text` with its parts in order; a text that is not ``name=value&…`` stays as it is."""
    parts = text.strip().split("&")
    if not all("=" in assignment for assignment in parts):
        return text.strip()
    return "&".join(sorted(parts, key=lambda assignment: assignment.partition("=")[0]))


def split(text: str) -> dict[str, str]:
    """The named parameters in canonical text; empty for a text of another form."""
    pairs = [assignment.partition("=") for assignment in text.split("&")]
    if not all(equals_sign for _, equals_sign, _ in pairs):
        return {}
    return {
        name: re.sub(r"%2([56])", lambda match: "%" if match[1] == "5" else "&", value)
        for name, _, value in pairs
    }


def _escape(value: str) -> str:
    return re.sub(r"%(?=2[56])", "%25", value).replace("&", "%26")
