"""Format of a file: a function of its first bytes, and the reason in words."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import NamedTuple

from formats.encodings import encoding_of
from formats.errors import FormatError
from formats.options import Format, ReadOptions
from formats.other_tools import TUKEY, OtherFile, other_json, other_text
from formats.reader import FileStart
from formats.registry import READERS, titles
from formats.source import HEAD_BYTES

_ZIP = b"PK\x03\x04"
_KIND_BY_MAGIC = {
    b"\x89PNG": "a PNG picture",
    b"%PDF": "a PDF document",
    b"\x28\xb5\x2f\xfd": "a Zstandard file",
    b"\xfd7zXZ": "an xz file",
    b"\x89HDF": "an HDF5 file",
    b"SQLite format 3": "an SQLite database",
    b"\xd0\xcf\x11\xe0": "an Excel workbook",
    _ZIP: "a zip archive without NumPy arrays",
}
_JSON = re.compile(r"\{|\[\s*(?:[\[\]{\"\d-]|true|false|null|NaN|Infinity|\Z)")
_EXPORT = "write its values as CSV, or one a line"
_KIND_BY_ZIP_MARK = {
    b"opendocument.spreadsheet": "an OpenDocument spreadsheet",
    b"[Content_Types].xml": "an Excel workbook",
    b"xl/": "an Excel workbook",
}
_TABLES = {*_KIND_BY_ZIP_MARK.values()}


class SniffedFormat(NamedTuple):
    """A format that `formats.read_series_of_file` takes, and why the file is taken for it."""

    format: Format
    why: str


def sniff(head: bytes, name: str, options: ReadOptions | None = None) -> SniffedFormat:
    """The format of a file that begins with `head` (unpacked); raises `FormatError` for none.

    Of the options the encoding, the separator and the decimal sign are looked at.
    """
    binary, options = _binary(head), options or ReadOptions()
    encoding = encoding_of(head, options.encoding)
    text = "" if binary else head.decode(encoding, errors="replace").lstrip()
    if not binary and not text:
        hint = "choose the file again; it may not have been written yet"
        raise FormatError(name, "end of file", found="an empty file", expected=titles(), hint=hint)
    kind = "json" if _JSON.match(text) else "text"
    start = FileStart(data=head, options=options, **{kind: text})
    for reader in READERS:
        if reason := reader.recognise(start):
            if kind == "json" and PurePath(name).name == "tukey.json":
                raise _other_tool_error(name, TUKEY)
            if reader.takes_any_text:
                if other_tool_file := other_text(text):
                    raise _other_tool_error(name, other_tool_file)
                if text and not any(map(str.isdigit, text)):
                    where, actual = "start of the file", "text without a number"
                    raise FormatError(name, where, found=actual, expected=titles(), hint=_EXPORT)
            return SniffedFormat(reader.name, reason)
    raise _unknown_binary_error(name, binary) if binary else _other_json(name, text)


def _binary(head: bytes) -> str:
    """Name the kind of a file that is no text; empty for text."""
    for mark, binary_kind in _KIND_BY_ZIP_MARK.items():
        if head.startswith(_ZIP) and mark in head:
            return binary_kind
    for magic_bytes, binary_kind in _KIND_BY_MAGIC.items():
        if head.startswith(magic_bytes):
            return binary_kind
    if b"\0" in head and not encoding_of(head).startswith("utf-16"):
        return f"binary data ({head[:4].hex(' ').upper()})"
    return ""


def _unknown_binary_error(name: str, kind: str) -> FormatError:
    hint = "unpack it and give the files in it" if kind == _KIND_BY_MAGIC[_ZIP] else _EXPORT
    hint = "save the sheet as CSV and give that file" if kind in _TABLES else hint
    return FormatError(name, "first bytes", found=kind, expected=titles(), hint=hint)


def _has_open_bracket(text: str) -> bool:
    """True where a bracket of a JSON text is still open at its end."""
    unescaped_text = text.replace("\\\\", "").replace('\\"', "")
    brackets = "".join(unescaped_text.split('"')[::2])  # what stands in no string
    return any(brackets.count(opening) > brackets.count(end) for opening, end in ("[]", "{}"))


def _other_json(name: str, text: str) -> FormatError:
    if known_file := other_json(text):
        return _other_tool_error(name, known_file)
    if len(text) < HEAD_BYTES and _has_open_bracket(text):
        hint = "write or copy the file again: what is there may be the beginning of it"
        actual = "JSON that ends early: a bracket is still open"
        return FormatError(name, "end of file", found=actual, expected="its closing", hint=hint)
    where = "start of the file"
    if '"keyname"' not in text:
        actual = "JSON of another shape"
        return FormatError(name, where, found=actual, expected=titles(), hint=_EXPORT)
    hint = "give the package's folder, or import the marks into a campaign"
    actual = 'a list of "keyname" and "value": marks of a replication package'
    return FormatError(name, where, found=actual, expected="values", hint=hint)


def _other_tool_error(name: str, known_file: OtherFile) -> FormatError:
    where, expected = "start of the file", "the value of every iteration in a format that is read"
    return FormatError(
        name, where, found=known_file.description, expected=expected, hint=known_file.hint
    )
