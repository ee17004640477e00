"""Numbers as people write them in text files."""

from __future__ import annotations

import re

_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+")


def number(text: str, decimal: str) -> float | None:
    """The number in `text`, which may be infinite or NaN; None if there is none.

    With a decimal comma a point is refused: nobody can say what ``1.234,5`` means to whom.
    """
    if "_" in text or (decimal == "," and "." in text):
        return None
    try:
        return float(text.replace(",", ".", 1) if decimal == "," else text)
    except ValueError:
        return None


def has_comma(text: str) -> bool:
    """Whether `text` is a number once its comma is a decimal sign."""
    return _COMMA.fullmatch(text.strip()) is not None


def has_thousands(text: str) -> bool:
    """Whether the comma in `text` may as well separate thousands."""
    return _THOUSANDS.fullmatch(text.strip()) is not None


def comma_hint(text: str) -> str:
    return "choose the decimal comma" if has_comma(text) else ""
