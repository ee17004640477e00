"""Which format a file has: a function of its first bytes, and the reason in words."""

from __future__ import annotations

import re
from typing import NamedTuple

from formats.errors import FormatError
from formats.options import Format, ReadOptions
from formats.separated import looks_separated
from formats.source import encoding_of

NUMPY = b"\x93NUMPY"
ZIP = b"PK\x03\x04"
EXPECTED = "JMH JSON, a JMH log, CSV, .npy, .npz or a number a line"
_LOG_LINE = re.compile(
    r"^(# (JMH version|VM version|VM invoker|Warmup Iteration|Benchmark mode|Run progress)\b"
    r"|Iteration +\d+: ).*$",
    re.MULTILINE,
)
_LISTS = re.compile(r"\[\s*(\[\s*)?(-?\d|NaN|-?Infinity)")
_KNOWN_BINARY = {
    b"\x89PNG": "a PNG picture",
    b"%PDF": "a PDF document",
    b"\x28\xb5\x2f\xfd": "a Zstandard file",
    b"\xfd7zXZ": "an xz file",
    b"BZh": "a bzip2 file",
    b"PAR1": "a Parquet file",
    b"\x89HDF": "an HDF5 file",
    b"SQLite format 3": "an SQLite database",
}


class SniffedFormat(NamedTuple):
    """A format that `formats.read` takes, and why the file is taken for it."""

    format: Format
    why: str


def sniff(head: bytes, name: str, options: ReadOptions | None = None) -> SniffedFormat:
    """The format of a file that begins with `head` (unpacked); raises `FormatError` for none.

    Of the options the separator and the decimal sign are looked at.
    """
    if head.startswith(NUMPY):
        return SniffedFormat("npy", "starts as a NumPy array: .npy")
    if head.startswith(ZIP):
        return _archive(head, name)
    if not head.strip():
        raise FormatError(name, "end of file", found="an empty file", expected=EXPECTED)
    _refuse_binary(head, name)
    text = head.decode(encoding_of(head), errors="replace").lstrip()
    if text[:1] in {"[", "{"}:
        return _json(text, name)
    if found := _LOG_LINE.search(text):
        return SniffedFormat("jmh-log", f"{_short(found[0])} found: JMH's text log")
    return _table(text, options or ReadOptions())


def _archive(head: bytes, name: str) -> SniffedFormat:
    if b".npy" in head[:512]:
        return SniffedFormat("npy", "a zip archive of NumPy arrays: .npz")
    raise FormatError(
        name,
        "first bytes",
        found="a zip archive without NumPy arrays",
        expected=EXPECTED,
        hint="unpack it and give the files in it",
    )


def _refuse_binary(head: bytes, name: str) -> None:
    for magic, what in _KNOWN_BINARY.items():
        if head.startswith(magic):
            raise FormatError(name, "first bytes", found=what, expected=EXPECTED)
    if b"\0" in head and encoding_of(head) != "utf-16":
        shown = head[:4].hex(" ").upper()
        raise FormatError(name, "first bytes", found=f"binary data ({shown})", expected=EXPECTED)


def _json(text: str, name: str) -> SniffedFormat:
    for word in ("primaryMetric", "jmhVersion"):
        if f'"{word}"' in text:
            return SniffedFormat("jmh", f'"{word}" found: JMH JSON')
    if '"benchmark"' in text and '"mode"' in text:
        return SniffedFormat("jmh", '"benchmark" and "mode" found: JMH JSON')
    if _LISTS.match(text):
        return SniffedFormat("replication", "a list of numbers a fork: time series in JSON")
    if '"keyname"' in text:
        hint = "give the package's folder, or import the marks into a campaign"
        found = 'a list of "keyname" and "value": marks of a replication package'
        raise FormatError(name, "start of the file", found=found, expected="values", hint=hint)
    expected = '"primaryMetric" (JMH JSON) or lists of numbers'
    raise FormatError(name, "start of the file", found="other JSON", expected=expected)


def _table(text: str, options: ReadOptions) -> SniffedFormat:
    if columns := looks_separated(text, options):
        return SniffedFormat("csv", columns)
    return SniffedFormat("text", "no columns found: a number a line")


def _short(line: str) -> str:
    return repr(line if len(line) <= 40 else f"{line[:40]}…")
