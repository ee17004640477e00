"""Errors of a file: said so that the person who has the file can mend it."""

from __future__ import annotations

from typing import Final

MOST_SHOWN: Final = 1_000  # characters of each part of a sentence


class FormatError(ValueError):
    """One problem of one file: where, what was found, what was expected, what to do.

    `str()` is one sentence: ``sort.csv, row 3, column 'fork 1': found '8,0', expected
    a finite number; choose the decimal comma``. Rows and lines count from 1, as editors
    and spreadsheets do; iterations and forks count from 0, as everywhere in Plateau.
    Each part can be stored and printed, whatever it quotes of the file.
    """

    def __init__(self, file: str, where: str, *, found: str, expected: str, hint: str = "") -> None:
        parts = tuple(map(printable, (file, where, found, expected, hint)))
        super().__init__(*parts)
        self.file, self.where, self.found, self.expected, self.hint = parts

    def __str__(self) -> str:
        sentence = f"{self.file}, {self.where}: found {self.found}, expected {self.expected}"
        return f"{sentence}; {self.hint}" if self.hint else sentence

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled by its fields, so that it crosses processes."""
        return (_rebuild, (type(self), self.args))


class TooLarge(FormatError):
    """A limit is passed: reading stops here, whatever is done with other problems."""


def printable(text: str) -> str:
    """`text` cut to `MOST_SHOWN`, with escapes for what cannot be encoded or stored."""
    short_text = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
    return short_text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")


def _rebuild(error_class: type[FormatError], fields: tuple[str, str, str, str, str]) -> FormatError:
    file, where, actual, expected, hint = fields
    return error_class(file, where, found=actual, expected=expected, hint=hint)
