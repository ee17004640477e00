"""Limits of reading: how much of a file is read before it is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLimits:
    """Upper bounds; a file beyond one of them is refused with a `TooLarge` error.

    `file_bytes` holds for the file as it is and again for what it unpacks to, so that
    a small gzip file cannot fill the memory. `text` holds for the characters of all names and
    settings, where each series counts `formats.names.OVERHEAD` beside its own. `memory` bounds
    what is built of JSON, in bytes, as `formats.json_text` estimates it beforehand. `events` holds
    for the events of one file (`formats.events`). `hints` say what to do about a file beyond a
    limit, by the name of its field.
    """

    file_bytes: int = 200_000_000
    series: int = 100_000
    points_per_series: int = 5_000_000
    points: int = 50_000_000
    text: int = 100_000_000
    memory: int = 1_500_000_000
    events: int = 50_000
    hints: Mapping[str, str] = field(default_factory=dict)
