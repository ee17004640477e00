"""Settings of an archive: what whoever makes it says of the data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ArchiveSettings:
    """Under which licence the data are, and who made them."""

    licence: str = ""
    authors: tuple[str, ...] = ()
