"""What a review is asked for: the query string, read and written in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, Self
from urllib.parse import urlencode

from django.http import QueryDict

from analysis.comparison.query import TOLERANCE, TOLERANCE_MOST, ComparisonQuery as Compared
from analysis.review.reasons import CODES
from people.query_settings import AddressSetting, Settings, number, one_of

Order = Literal["disputed", "change", "list", "random"]
Shown = Literal["open", "waiting", "closed"]
ORDERS: Final[dict[Order, str]] = {
    "disputed": "most disputed first",
    "change": "largest change of the result first",
    "list": "by name",
    "random": "in random order",
}
SHOWN: Final[dict[Shown, str]] = {
    "open": "open",
    "waiting": "waiting for annotators",
    "closed": "accepted or excluded",
}
EVERY, ANY = "", "any"
ADDRESS: Final[Settings] = {
    "y": AddressSetting("yardstick"),
    "why": one_of("reason", *CODES, otherwise="the other reasons"),
    "m": AddressSetting("method"),
    "a": AddressSetting("first"),
    "b": AddressSetting("second"),
    "tol": TOLERANCE,
    "d": AddressSetting("dataset"),
    "q": AddressSetting("text"),
    "o": one_of("order", *ORDERS, otherwise=ORDERS["disputed"]),
    "state": one_of("state", *SHOWN, otherwise=SHOWN["open"]),
    "p": one_of("presenting", "1", otherwise="the list"),
}


@dataclass(frozen=True, slots=True)
class ReviewQuery:
    """One review.

    yardstick  code of a yardstick; empty for the study's default
    why        codes of reasons; none means those that are usual for the yardstick
    method     whose answer differs: EVERY, ANY, or a method by name
    pair       two methods by name
    tolerance  iterations; None is 5 % of each series' length
    """

    yardstick: str = ""
    why: tuple[str, ...] = ()
    method: str = EVERY
    pair: tuple[str, str] = ("", "")
    tolerance: int | None = None
    dataset: str = ""
    text: str = ""
    order: Order = "disputed"
    shown: Shown = "open"
    presenting: bool = False

    @classmethod
    def of(cls, query: QueryDict) -> Self:
        """Read a query string; what is not understood is the default."""

        def one(name: str) -> str:
            return (query.get(name, "") or "").strip()

        why = query.getlist("why")
        return cls(
            yardstick=one("y"),
            why=tuple(code for code in CODES if code in why),
            method=one("m"),
            pair=(one("a"), one("b")),
            tolerance=number(one("tol"), 0, TOLERANCE_MOST),
            dataset=one("d"),
            text=one("q"),
            order=next((each for each in ORDERS if each == one("o")), "disputed"),
            shown=next((each for each in SHOWN if each == one("state")), "open"),
            presenting=one("p") == "1",
        )

    def query(self, **more: str) -> str:
        """`?…`, defaults left out, in one order; empty without any."""
        single = [
            ("m", self.method),
            ("a", self.pair[0]),
            ("b", self.pair[1]),
            ("tol", "" if self.tolerance is None else str(self.tolerance)),
            ("d", self.dataset),
            ("q", self.text),
            ("o", "" if self.order == "disputed" else self.order),
            ("state", "" if self.shown == "open" else self.shown),
            ("p", "1" if self.presenting else ""),
            *more.items(),
        ]
        first = [("y", self.yardstick), *(("why", code) for code in self.why)]
        pairs = [(name, value) for name, value in (*first, *single) if value]
        return f"?{urlencode(pairs)}" if pairs else ""

    @property
    def compared(self) -> Compared:
        """The comparison whose answers are read."""
        return Compared(
            yardstick=self.yardstick,
            tolerance=self.tolerance,
            dataset=self.dataset,
            text=self.text,
        )
