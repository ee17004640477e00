"""Text that files give to be stored: refused where no database, page or file can hold it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from formats.measurement import Measurement

# Characters of each name, as many as its column in the database has.
MOST: Final[Mapping[str, int]] = {
    "benchmark": 400,
    "system": 200,
    "params": 1_000,
    "unit": 40,
    "mode": 40,
}
MOST_TEXT: Final = 20_000  # of any other text: the arguments of a virtual machine may be long
OVERHEAD: Final = 500  # characters, as many as the objects of a series take bytes
MOST_NUMBER: Final = 2**31 - 1  # of a fork, as its column in the database
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_REPLACED = re.compile("[\0\ud800-\udfff\ufffd]")


class NameFlaw(NamedTuple):
    """Why a text cannot be stored."""

    found: str
    expected: str


def unstorable(text: str) -> str:
    """Name what no database stores of `text`, such as `NUL character`; empty without any."""
    match = _UNSTORABLE.search(text)
    if match is None:
        return ""
    return "NUL character" if match[0] == "\0" else "half of a character (a lone surrogate)"


def flaw(text: str, most_length: int = MOST_TEXT) -> NameFlaw | None:
    """Name what about `text` cannot be stored; None if it can.

    A lone surrogate is half of a character, which no encoding writes; PostgreSQL stores no NUL;
    U+FFFD is what bytes became that are no text in the encoding of the file.
    """
    if len(text) > most_length:
        return NameFlaw(f"{len(text):,} characters", f"at most {most_length:,}")
    if character := unstorable(text):
        plural = (
            "NUL characters"
            if character.startswith("NUL")
            else "halves of characters (lone surrogates)"
        )
        return NameFlaw(repr(text[:40]), f"text without {plural}")
    return NameFlaw(repr(text[:40]), "text in UTF-8") if "\ufffd" in text else None


def normal(text: str) -> str:
    """`text` with ``_`` for what cannot be stored: for names of files, and rows that are shown."""
    return _REPLACED.sub("_", text)


def first_flaw(measurement: Measurement) -> tuple[str, NameFlaw] | None:
    """Name of the first text of `measurement` that cannot be stored, and why."""
    texts = _texts(measurement)
    is_suspect = _REPLACED.search("".join(text for _, text in texts)) is not None
    for name, text in texts:
        most_length = MOST.get(name, MOST_TEXT)
        if (is_suspect or len(text) > most_length) and (name_flaw := flaw(text, most_length)):
            return name, name_flaw
    if not 0 <= measurement.fork <= MOST_NUMBER:
        return "fork", NameFlaw(
            str(measurement.fork)[:40], f"a whole number from 0 to {MOST_NUMBER:,}"
        )
    return None


def text_weight(measurement: Measurement) -> int:
    """Characters of all text of `measurement`, and what a series takes without any."""
    return OVERHEAD + sum(len(text) for _, text in _texts(measurement))


def _texts(measurement: Measurement) -> list[tuple[str, str]]:
    hint = measurement.recording
    return [
        ("benchmark", measurement.benchmark),
        ("system", measurement.system),
        ("params", measurement.params),
        ("unit", measurement.unit),
        ("mode", measurement.mode),
        ("label", measurement.label),
        ("recording label", hint.label),
        ("recording build", hint.build),
        ("recording measured_at", hint.measured_at),
        ("recording machine", hint.machine),
        ("recording instance", hint.instance),
        ("recording runtime", hint.runtime),
        *((name, text) for name, text in measurement.settings.items() if isinstance(text, str)),
    ]
