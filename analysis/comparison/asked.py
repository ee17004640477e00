"""What a comparison is asked for: the query string, read and written in one place.

Keys are short, in one order, and left out where they say the default, so that a copied address
shows the same thing, and the same thing always has the same address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, Self
from urllib.parse import urlencode

from django.http import QueryDict

Index = Literal["steady_start", "published_index"]
Unit = Literal["iterations", "seconds"]
Columns = Literal["usual", "distances", "yes-no", "all"]
TOLERANCE_MOST: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class Asked:
    """One comparison.

    yardstick   code of a yardstick; empty for the study's default
    methods     names of methods (`Look.name`, or a slug for all its parameters); none means all
    excluding   names of methods that alone decide which series are common; none means all chosen
    tolerance   iterations; None is 5 % of each series' length
    common      only series on which every deciding method has an answer
    """

    yardstick: str = ""
    methods: tuple[str, ...] = ()
    excluding: tuple[str, ...] = ()
    dataset: str = ""
    recording: str = ""
    system: str = ""
    text: str = ""
    index: Index = "steady_start"
    common: bool = True
    tolerance: int | None = None
    unit: Unit = "iterations"
    columns: Columns = "usual"
    sort: str = ""

    @classmethod
    def of(cls, query: QueryDict) -> Self:
        """Read a query string; what is not understood is the default."""

        def one(name: str) -> str:
            return (query.get(name, "") or "").strip()

        def several(name: str) -> tuple[str, ...]:
            return tuple(dict.fromkeys(each.strip() for each in query.getlist(name) if each))

        return cls(
            yardstick=one("y"),
            methods=several("m"),
            excluding=several("by"),
            dataset=one("d"),
            recording=one("r"),
            system=one("s"),
            text=one("q"),
            index="published_index" if one("i") == "published" else "steady_start",
            common=one("common") != "0",
            tolerance=_tolerance(one("tol")),
            unit="seconds" if one("unit") == "seconds" else "iterations",
            columns=_columns(one("cols")),
            sort=one("sort"),
        )

    def pairs(self) -> list[tuple[str, str]]:
        """The query string as pairs, defaults left out."""
        single: list[tuple[str, str]] = [
            ("d", self.dataset),
            ("r", self.recording),
            ("s", self.system),
            ("q", self.text),
            ("i", "published" if self.index == "published_index" else ""),
            ("common", "" if self.common else "0"),
            ("tol", "" if self.tolerance is None else str(self.tolerance)),
            ("unit", "" if self.unit == "iterations" else self.unit),
            ("cols", "" if self.columns == "usual" else self.columns),
            ("sort", self.sort),
        ]
        several = [("m", name) for name in self.methods] + [("by", name) for name in self.excluding]
        first = [("y", self.yardstick)] if self.yardstick else []
        return first + several + [pair for pair in single if pair[1]]

    def query(self, **more: str | int) -> str:
        """`?…` with further keys behind it; empty without any."""
        pairs = self.pairs() + [(name, str(value)) for name, value in more.items() if value != ""]
        return f"?{urlencode(pairs)}" if pairs else ""

    def changed(self, **values: object) -> Self:
        return replace(self, **values)  # type: ignore[arg-type]  # names are the fields'

    @property
    def narrowed(self) -> Mapping[str, str]:
        """What leaves series out because it was asked to."""
        words = {
            "data set": self.dataset,
            "recording": self.recording,
            "system": self.system,
            "text": self.text,
        }
        return {name: value for name, value in words.items() if value}


def _tolerance(text: str) -> int | None:
    return min(int(text), TOLERANCE_MOST) if text.isascii() and text.isdigit() else None


def _columns(text: str) -> Columns:
    found: tuple[Columns, ...] = ("usual", "distances", "yes-no", "all")
    return next((each for each in found if each == text), "usual")
