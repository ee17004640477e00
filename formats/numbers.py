"""Numbers as people write them in text files: decimal signs and thousands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Literal

from formats.units import storage_unit

DecimalSign = Literal[".", ","]

_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")
_DIGITS_POINT = re.compile(r"\d\.\d")
_POINTS_THEN_COMMA = re.compile(r"[+-]?\d{1,3}(\.\d{3})+,\d+")
_SIGNS: Final = " \u00a0\u202f'\u2019"  # group thousands and nothing else
_GROUPING: Final = re.compile(rf"(?<=\d)[{_SIGNS}](?=\d)")
_EXPONENT: Final = r"(?:[eE][+-]?\d+)?"
# Groups of three before the decimal sign; the first has no leading zero. A single group after a
# comma or a point alone may be a fraction; with `.` chosen a comma can only group, with `,` a lone
# point is refused.
_CERTAIN: Final = {
    ".": re.compile(
        rf"[+-]?[1-9]\d{{0,2}}(?:(?:,\d{{3}})+\.\d*|(?:,\d{{3}}){{2,}}|(?:[{_SIGNS}]\d{{3}})+(?:\.\d*)?)"
        + _EXPONENT
    ),
    ",": re.compile(
        rf"[+-]?[1-9]\d{{0,2}}(?:(?:\.\d{{3}})+,\d*|(?:\.\d{{3}}){{2,}}|(?:[{_SIGNS}]\d{{3}})+(?:,\d*)?)"
        + _EXPONENT
    ),
}
_NO_VALUE: Final = {"", "-", "na", "n/a", "nan", "null", "none", "inf", "-inf", "infinity"}
_WITH_UNIT = re.compile(r"[+-]?[\d.,]+\s*[a-zA-Zµμ%/]+")


def parse_number(text: str, decimal: str) -> float | None:
    """The number in `text`, which may be infinite or NaN; None if there is none.

    `decimal` is ``.``, ``,`` or ``auto``: a point, and ``1,234`` is refused as it may be a
    fraction. With a decimal comma a point alone is refused: nobody can say what ``1.234`` means.
    """
    if "_" in text:
        return None
    comma = decimal == ","
    try:
        if not comma or "." not in text:
            return float(text.replace(",", ".", 1) if comma else text)
    except ValueError:
        pass  # it may have groups of thousands
    sign = "," if decimal == "," else "."
    is_certain = _CERTAIN[sign].fullmatch(text) or (decimal == "." and has_thousands(text))
    if not is_certain:
        return None
    return float(re.sub(f"[{_SIGNS}{'.' if sign == ',' else ','}]", "", text).replace(",", "."))


def has_comma(text: str) -> bool:
    """Return whether `text` is a number once its comma is a decimal sign."""
    return _COMMA.fullmatch(text.strip()) is not None


def has_thousands(text: str) -> bool:
    """Return whether the comma in `text` may as well separate thousands."""
    return _THOUSANDS.fullmatch(text.strip()) is not None


def decimal_of(cells: Iterable[str]) -> tuple[DecimalSign | None, str]:
    """The decimal sign of numbers, None if they do not say; and a number that has either meaning.

    A comma only where no number has a point as a decimal sign.
    """
    has_decimal_comma, ambiguous_cell = False, ""
    for cell in (_GROUPING.sub("", raw_cell) for raw_cell in cells):
        if _POINTS_THEN_COMMA.fullmatch(cell):
            has_decimal_comma = True
        elif _DIGITS_POINT.search(cell):
            return ".", ""
        elif has_comma(cell):
            has_decimal_comma = has_decimal_comma or not has_thousands(cell)
            ambiguous_cell = ambiguous_cell or (cell if has_thousands(cell) else "")
    return ("," if has_decimal_comma else None), "" if has_decimal_comma else ambiguous_cell


def is_gap(text: str) -> bool:
    """Return whether `text` stands where a value is missing."""
    return text.strip().lower() in _NO_VALUE


def hint_for(text: str) -> str:
    """Advice on a cell or line that is no number."""
    if has_comma(text):
        return "choose the decimal comma"
    if is_gap(text):
        return "a series has no gaps: take the row out, or leave the column out"
    if _WITH_UNIT.fullmatch(text.strip()) or storage_unit(text).is_time:
        return "write the unit into the header, as in 'time (ms)', and only numbers below it"
    return "correct it, or leave the column out"
