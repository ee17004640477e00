"""Versions of the corpus: what each is made of. A published one stays the same to the byte."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

TEXTS: Final = Path(__file__).with_name("texts")


@dataclass(frozen=True, slots=True)
class CorpusVersion:
    """One version.

    lengths: values of its series. slow: whether its noise has the slow changes of the recordings.
    replants: whether a change that is too small to see is planted anew.
    """

    number: int
    lengths: tuple[int, ...]
    slow: bool
    replants: bool

    @property
    def name(self) -> str:
        return f"plateau-corpus-{self.number}"

    @property
    def published_sums(self) -> Path:
        """Digests of all files of this version, as it was published."""
        return self.text("SHA256SUMS", "")

    def text(self, name: str, ending: str) -> Path:
        """Source of a file that comes with the corpus."""
        return TEXTS / f"{name}-{self.number}{ending}"


FIRST: Final = CorpusVersion(
    1, (300, 400, 600, 800, 1000, 1200, 1500, 2000, 2500, 3000), slow=False, replants=False
)
"""What the shipped weights of `plateau` learned from."""
SECOND: Final = CorpusVersion(
    2, (50, 100, 200, 400, 800, 1500, 3000, 10_000), slow=True, replants=True
)
VERSIONS: Final = {version.number: version for version in (FIRST, SECOND)}
CURRENT: Final = SECOND
