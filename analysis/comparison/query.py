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

from people.query_settings import AddressSetting, Settings, number, one_of, whole

Index = Literal["steady_start", "published_index"]
Unit = Literal["iterations", "seconds"]
Columns = Literal["usual", "distances", "yes-no", "all"]
Grouping = Literal[
    "system", "dataset", "benchmark", "unit", "length", "recording", "fork", "agreement"
]
Grouped = Literal["median_abs", "mean_error", "within_tolerance", "agreement"]
GROUPINGS: Final[Mapping[Grouping, str]] = {
    "system": "system",
    "dataset": "data set",
    "benchmark": "benchmark",
    "unit": "unit",
    "length": "length",
    "recording": "recording",
    "fork": "fork",
    "agreement": "agreement of people",
}
GROUPED: Final[Mapping[Grouped, str]] = {
    "median_abs": "median |Δ|",
    "mean_error": "mean Δ",
    "within_tolerance": "within tolerance",
    "agreement": "yes/no",
}
ALPHAS: Final = (0.01, 0.05, 0.1)
TOLERANCE_MOST: Final = 10_000_000


_INDICES: Final[Mapping[str, Index]] = {
    "published": "published_index",
    "start": "steady_start",
}
_WORDS: Final[Mapping[str, str]] = {index: word for word, index in _INDICES.items()}
_COLUMNS: Final[tuple[Columns, ...]] = ("usual", "distances", "yes-no", "all")
_AS_ABOVE: Final = "the same as in the first setting"
TOLERANCE: Final = whole("tolerance", 0, TOLERANCE_MOST, otherwise="5 % of each series")
ADDRESS: Final[Settings] = {
    "y": AddressSetting("yardstick"),
    "m": AddressSetting("method"),
    "by": AddressSetting("excluding"),
    "d": AddressSetting("dataset"),
    "r": AddressSetting("recording"),
    "s": AddressSetting("system"),
    "q": AddressSetting("text"),
    "i": one_of("index", "start", "published", otherwise="the first steady iteration"),
    "common": one_of("common", "0", "1", otherwise="each method on its own series"),
    "tol": TOLERANCE,
    "unit": one_of("unit", "iterations", "seconds", otherwise="iterations"),
    "cols": one_of("columns", *_COLUMNS, otherwise="the usual columns"),
    "sort": AddressSetting("sort"),
    "alpha": one_of("alpha", *(f"{each:g}" for each in ALPHAS), otherwise="0.05"),
    "g": one_of("group", *GROUPINGS, otherwise="the first that makes two groups"),
    "gf": one_of("figure", *GROUPED, otherwise=GROUPED["median_abs"]),
    "vy": AddressSetting("against-yardstick"),
    "vi": one_of("against-index", "start", "published", otherwise=_AS_ABOVE),
    "vtol": whole("against-tolerance", 0, TOLERANCE_MOST, otherwise=_AS_ABOVE),
    "vc": one_of("against-series", "0", "1", otherwise=_AS_ABOVE),
}


@dataclass(frozen=True, slots=True)
class ComparisonQuery:
    """One comparison.

    yardstick   code of a yardstick; empty for the study's default
    methods     names of methods (`MethodStyle.name`, or what `methods_meant` reads); none: all
    excluding   names of methods that alone decide which series are common; none means all chosen
    tolerance   iterations; None is 5 % of each series' length
    common      only series on which every deciding method has an answer; else each on its own
    alpha       below it two methods are told apart by rank, one of ALPHAS
    group       what the breakdown groups series by; empty for the first that makes two groups
    grouped     the figure that the breakdown shows
    other_…     a second setting to compare with: yardstick, index, tolerance, common; empty or
                None where it is as here
    """

    yardstick: str = ""
    methods: tuple[str, ...] = ()
    excluding: tuple[str, ...] = ()
    dataset: str = ""
    recording: str = ""
    system: str = ""
    text: str = ""
    index: Index = "steady_start"
    common: bool = False
    tolerance: int | None = None
    unit: Unit = "iterations"
    columns: Columns = "usual"
    sort: str = ""
    alpha: float = 0.05
    group: Grouping | Literal[""] = ""
    grouped: Grouped = "median_abs"
    other_yardstick: str = ""
    other_index: Index | Literal[""] = ""
    other_tolerance: int | None = None
    other_common: bool | None = None

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
            common=one("common") == "1",
            tolerance=_tolerance(one("tol")),
            unit="seconds" if one("unit") == "seconds" else "iterations",
            columns=_columns(one("cols")),
            sort=one("sort"),
            alpha=next((each for each in ALPHAS if f"{each:g}" == one("alpha")), 0.05),
            group=next((each for each in GROUPINGS if each == one("g")), ""),
            grouped=next((each for each in GROUPED if each == one("gf")), "median_abs"),
            other_yardstick=one("vy"),
            other_index=_INDICES.get(one("vi"), ""),
            other_tolerance=_tolerance(one("vtol")),
            other_common={"0": False, "1": True}.get(one("vc")),
        )

    def pairs(self) -> list[tuple[str, str]]:
        """The query string as pairs, defaults left out."""
        single: list[tuple[str, str]] = [
            ("d", self.dataset),
            ("r", self.recording),
            ("s", self.system),
            ("q", self.text),
            ("i", "published" if self.index == "published_index" else ""),
            ("common", "1" if self.common else ""),
            ("tol", "" if self.tolerance is None else str(self.tolerance)),
            ("unit", "" if self.unit == "iterations" else self.unit),
            ("cols", "" if self.columns == "usual" else self.columns),
            ("sort", self.sort),
            ("alpha", "" if self.alpha == 0.05 else f"{self.alpha:g}"),
            ("g", self.group),
            ("gf", "" if self.grouped == "median_abs" else self.grouped),
            ("vy", self.other_yardstick),
            ("vi", _WORDS.get(self.other_index, "")),
            ("vtol", "" if self.other_tolerance is None else str(self.other_tolerance)),
            ("vc", "" if self.other_common is None else str(int(self.other_common))),
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
    def other(self) -> Self | None:
        """The second setting, with everything that it does not say as here; None without one."""
        alone = self.alone
        found = alone.changed(
            yardstick=self.other_yardstick or self.yardstick,
            index=self.other_index or self.index,
            tolerance=self.tolerance if self.other_tolerance is None else self.other_tolerance,
            common=self.common if self.other_common is None else self.other_common,
        )
        return None if found == alone else found

    @property
    def alone(self) -> Self:
        """This setting without the second one."""
        return self.changed(
            other_yardstick="", other_index="", other_tolerance=None, other_common=None
        )

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
    return number(text, 0, TOLERANCE_MOST)


def _columns(text: str) -> Columns:
    return next((each for each in _COLUMNS if each == text), "usual")
