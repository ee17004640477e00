"""The query of the cost page beside that of the comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.http import QueryDict

from analysis.statistics.quality import OVER, Over
from analysis.statistics.replay import CAP, MEASURED, Accounting, ReplayRules
from analysis.web.command_options import MOST
from people.query_settings import AddressSetting, Settings, number, one_of, whole

NO_CAP: Final = "none"
ADDRESS: Final[Settings] = {
    "how": one_of("accounting", "published", "honest", otherwise="the published accounting"),
    "cap": whole("cap", 0, MOST, otherwise=f"a cap of {CAP}", or_word=NO_CAP),
    "len": whole("measured", 1, MOST, otherwise=f"{MEASURED} measured iterations"),
    "b": AddressSetting("baseline"),
    "over": one_of("over", *OVER, otherwise="differing"),
}


@dataclass(frozen=True, slots=True)
class CostQuery:
    """How the test is run, and what methods are held against.

    accounting  by which the result and the wasted seconds are judged; times are shown by both
    baseline    name of a method; empty for the first of the usual ones
    over        the benchmarks over which deviations are summed up
    """

    accounting: Accounting = "published"
    cap: int | None = CAP
    measured: int = MEASURED
    baseline: str = ""
    over: Over = "differing"

    @classmethod
    def of(cls, query: QueryDict) -> CostQuery:
        """Read a query string; what is not understood is the default."""
        over: Over = next((each for each in OVER if each == query.get("over")), "differing")
        cap = query.get("cap", "").strip()
        return cls(
            accounting="honest" if query.get("how") == "honest" else "published",
            cap=None if cap == NO_CAP else _number(cap, 0, CAP),
            measured=_number(query.get("len", ""), 1, MEASURED),
            baseline=query.get("b", "").strip(),
            over=over,
        )

    def pairs(self) -> dict[str, str]:
        """Keys of the query string; an empty value says the default."""
        cap = NO_CAP if self.cap is None else str(self.cap)
        return {
            "how": "honest" if self.accounting == "honest" else "",
            "cap": "" if self.cap == CAP else cap,
            "len": "" if self.measured == MEASURED else str(self.measured),
            "b": self.baseline,
            "over": "" if self.over == "differing" else self.over,
        }

    def rules(self, accounting: Accounting) -> ReplayRules:
        return ReplayRules(accounting, self.cap, self.measured)


def _number(text: str, low: int, default: int) -> int:
    known = number(text, low, MOST)
    return default if known is None else known
