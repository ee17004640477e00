"""The query of the page: which benchmark or data set, beside the settings of a plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, get_args

from analysis.planner.query import PlanQuery
from analysis.references.yardsticks import Kind
from people.query_form import PageControl, choice_field, text_field

LIST: Final = "list"  # place of the control that narrows the list of benchmarks
_METHOD: Final = "method:"


@dataclass(frozen=True, slots=True)
class WhatToDoQuery(PlanQuery):
    """One benchmark, or a data set.

    benchmark  its public id; empty: all benchmarks of the data set
    dataset    its slug; empty: that of the benchmark, or the first with ground truth
    words      only benchmarks with these words in their name
    every_way  whether all harnesses and methods are shown
    """

    benchmark: str = text_field("b", "benchmark")
    dataset: str = text_field("data", "data set")
    words: str = text_field("q", "words", control=PageControl("Words in the name", LIST))
    every_way: bool = choice_field("all", "all", {"no": False, "yes": True}, fallback="a few ways")

    @property
    def steady_by(self) -> str:
        """The code of who says where series become steady; empty for the default."""
        return self.source.removeprefix(_METHOD)

    @property
    def yardstick_code(self) -> str:
        """The code as comparisons name it: methods with their kind; empty for the default."""
        is_code = not self.source or self.source.partition(":")[0] in get_args(Kind)
        return self.source if is_code else f"{_METHOD}{self.source}"
