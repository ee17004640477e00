"""Encoding of a text file: by its mark, by its zeros, by bytes that are no UTF-8."""

from __future__ import annotations

import codecs
import re
from typing import Final, Literal, TypeAlias

Encoding: TypeAlias = Literal["auto", "utf-8", "utf-16", "windows-1252"]

TITLES: Final = {"utf-16": "UTF-16", "cp1252": "Windows-1252"}
"""What pages call the encodings that are worth a word."""
_CODECS: Final = {"utf-8": "utf-8-sig", "utf-16": "utf-16", "windows-1252": "cp1252"}
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LOOKED_AT = 64  # bytes: the names and numbers that begin a table have no letter beyond U+00FF
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
# Up to three bytes beside a letter, as in a word of western Europe: "M\xfcnchen", "\xb5s".
_IN_A_WORD = re.compile(rb"(?<=[A-Za-z])[\x80-\xff]{1,3}|[\x80-\xff]{1,3}(?=[A-Za-z])")
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
_WORD = re.compile(rb"[A-Za-z\x80-\xff]+")


def encoding_of(head: bytes, chosen_encoding: Encoding = "auto") -> str:
    """Python's name of the encoding: the chosen one, else what the first bytes of the file say.

    A byte order mark, or zeros in every other byte, is UTF-16. What is no UTF-8 is Windows-1252 if
    it looks like words; else UTF-8, so that what is no text fails with a place.
    """
    if chosen_encoding != "auto":
        return _CODECS[chosen_encoding]
    if head.startswith(_UTF16):
        return "utf-16"
    first_bytes = head[:_LOOKED_AT]
    if len(first_bytes) > 1 and not any(first_bytes[1::2]) and all(first_bytes[::2]):
        return "utf-16-le"
    if len(first_bytes) > 1 and not any(first_bytes[::2]) and all(first_bytes[1::2]):
        return "utf-16-be"
    return "utf-8-sig" if windows_1252_at(head) is None else "cp1252"


def windows_1252_at(head: bytes) -> int | None:
    """Place of the first byte that is no UTF-8, in what looks like Windows-1252; None otherwise.

    JSON is UTF-8 by its standard, and what holds control characters is no text.
    """
    if head.isascii() or head.lstrip()[:1] in {b"{", b"["} or _CONTROL.search(head):
        return None
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # the last letter may be cut off
    except UnicodeDecodeError as error:
        return error.start if _is_words(head) else None
    return None


def _is_words(head: bytes) -> bool:
    try:
        head.decode("cp1252")  # five bytes mean nothing in it
    except UnicodeDecodeError:
        return False
    return not _BEYOND_ASCII.search(_IN_A_WORD.sub(b"", head))


def word_at(head: bytes, byte_index: int) -> str:
    """The word of Windows-1252 in which the byte at `byte_index` stands."""
    words = (match for match in _WORD.finditer(head) if match.start() <= byte_index < match.end())
    return next(words)[0].decode("cp1252", errors="replace")[:40]


def title_of(encoding: str) -> str:
    """Name of an encoding on pages; empty for UTF-8, which is not worth a word."""
    return TITLES.get(encoding.removesuffix("-le").removesuffix("-be"), "")
