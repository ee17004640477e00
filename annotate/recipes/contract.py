"""The contract of recipes: marks in, ground truth out, and the recipe itself."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from annotate.recipes.parameters import RecipeParameter, canonical_parameters, clean

NEVER: Final = -1
"""Never steady, in arrays, CSV and JSON."""

Kind = Literal["steady", "never", "unclear"]
Agreement = Literal[
    "clustered",
    "scattered",
    "unanimous-never",
    "mostly-never",
    "screened-never",
    "screened-undecided",
    "tied",
    "too-few",
    "incomplete",
]
Answer = Literal["steady", "never", "undecided"]


@dataclass(frozen=True, slots=True)
class RecipeMark:
    """One annotator's latest answer for one series.

    `index` is the first steady iteration, 0-based; it belongs to "steady" and only there.
    `screened` says that it is the majority of a screening, and no annotator's own mark.
    """

    annotator: str
    kind: Kind
    index: int | None = None
    screened: bool = False

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ValueError(
                f"mark of {self.annotator}: found kind {self.kind!r}, expected {KINDS}"
            )
        if (self.kind == "steady") != (self.index is not None):
            raise ValueError(
                f"mark of {self.annotator}: found {self.kind} with index {self.index}, "
                "expected an index for steady and none otherwise"
            )
        if self.index is not None and self.index < 0:
            raise ValueError(
                f"mark of {self.annotator}: found index {self.index}, expected 0 or more"
            )


KINDS: Final = ", ".join(get_args(Kind))


@dataclass(frozen=True, slots=True)
class RecipeAnswer:
    """Answer that a recipe makes of the marks of one series.

    steady        True, False (never), or None (undecided: `agreement` says why)
    steady_start  first steady iteration, 0-based; None unless steady
    agreement     the class of the answer, or the reason why there is none
    spread        largest minus smallest steady mark, in iterations; None without one
    cluster       annotators whose marks lie together, in order; empty when there is no cluster
    provisional   somebody has yet to answer while the campaign is open
    """

    steady: bool | None
    steady_start: int | None
    agreement: Agreement
    spread: int | None = None
    cluster: tuple[str, ...] = ()
    provisional: bool = False

    @property
    def answer(self) -> Answer:
        """The column `answer` of the CSV. A provisional one is shown, never exported: `settled`."""
        if self.steady is None:
            return "undecided"
        return "steady" if self.steady else "never"

    @property
    def value(self) -> int | None:
        """The first steady iteration, NEVER, or None for undecided."""
        return NEVER if self.steady is False else self.steady_start

    def settled(self) -> RecipeAnswer:
        """Answer as comparisons and exports see it: a provisional answer is undecided,
        `incomplete`.
        """
        if not self.provisional:
            return self
        return replace(self, steady=None, steady_start=None, agreement="incomplete", cluster=())


@dataclass(frozen=True, slots=True)
class ChosenIteration:
    """The iteration that a recipe takes from steady marks, and the words for how.

    Without `start` the recipe takes none: the series is undecided, and `rule` says so.
    """

    start: int | None
    cluster: tuple[str, ...]
    found: str
    rule: str


Choose = Callable[[Sequence[RecipeMark], Mapping[str, int]], ChosenIteration]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A rule that turns the steady marks of one series into one iteration.

    `choose` is called with one or more steady marks in annotator order and the cleaned
    parameters. Votes for never, ties and open answers are the same for all recipes (`votes`).
    """

    slug: str
    version: str
    title: str
    about: str
    rule: str  # for readers of a ground truth; names of parameters in braces
    parameters: tuple[RecipeParameter, ...]
    choose: Choose

    def clean(self, params: Mapping[str, object] | None = None) -> Mapping[str, int]:
        """All parameters with given or default values; ParameterError says what is wrong."""
        return clean(self.parameters, params)

    def params_text(self, params: Mapping[str, object] | None = None) -> str:
        """The column `recipe_params`: ``eps=50&min_samples=3``."""
        return canonical_parameters(self.clean(params))

    def sentence(self, params: Mapping[str, object] | None = None) -> str:
        """The rule with its parameters: ``The middle of the largest group of marks: …``"""
        return self.rule.format(**self.clean(params))

    def key(self, params: Mapping[str, object] | None = None) -> str:
        """The stored key: ``jagt@1?eps=50&min_samples=3``."""
        return f"{self.slug}@{self.version}?{self.params_text(params)}"


def annotator_order(annotator: str) -> tuple[list[str | int], str]:
    """Sort key of pseudonyms: natural order, so that a2 stands before a10."""
    parts = re.split(r"(\d+)", annotator.casefold())
    # Text and digits alternate, so that no number is ever compared with a text.
    return [int(piece) if i % 2 else piece for i, piece in enumerate(parts)], annotator


def mark_order(mark: RecipeMark) -> tuple[tuple[list[str | int], str], str, int]:
    """Sort key that makes every result blind to the order in which marks are given."""
    index = NEVER if mark.index is None else mark.index
    return annotator_order(mark.annotator), mark.kind, index


def marks_digest(marks: Iterable[RecipeMark]) -> str:
    """SHA-256 of the marks, the same for every order: tells whether stored answers are current."""
    lines = (
        f"{mark.annotator}\t{mark.kind}\t{'' if mark.index is None else mark.index}\n"
        for mark in sorted(marks, key=mark_order)
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()
