"""A published figure, and what is said of ours beside it: equal, or why not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

Origin = Literal["printed", "recomputed"]

ROUNDING: Final = 0.51
"""Of the last printed digit: halves are rounded either way by those who print them."""

SUBSET: Final = "subset"
NOT_HERE: Final = "not computed: the folder lacks what it needs"


@dataclass(frozen=True, slots=True)
class Group:
    """Figures that are printed together: what `--only` names, and where they are published."""

    slug: str
    publication: str
    title: str

    @property
    def command(self) -> str:
        return f"python -m bench.replicate --only {self.slug}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One published figure.

    key      what the same figure is called among ours
    value    as published, with its digits
    origin   printed in the publication, or what its program gives on its data without being printed
    found    what the published data give instead of the printed value, with its digits
    within   how far ours may lie from the value, besides rounding, and still be taken for it
    why      reason of `found` or of `within`
    """

    key: str
    group: str
    what: str
    value: str
    origin: Origin = "printed"
    found: str = ""
    within: float = 0.0
    why: str = ""

    @property
    def differs(self) -> bool:
        """Whether the printed value cannot be had from the published data."""
        return bool(self.found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreachable:
    """What is published and has no figure of ours to stand beside it, or is put in words."""

    publication: str
    where: str
    what: str
    why: str
    command: str


class Judged(NamedTuple):
    """What is said of a figure; `explained` is false for a difference without a reason.

    On a part of the series the published value does not apply, and nothing is compared.
    """

    words: str
    explained: bool = True


def number(text: str) -> float:
    """The value of a figure as published: thousands by commas, a typographic minus."""
    return float(text.replace(",", "").replace("−", "-"))


def agrees(ours: float, text: str, within: float = 0.0) -> bool:
    """Whether a figure is the published one, to the digits that are published."""
    mantissa, _, exponent = text.lower().partition("e")
    digits = len(mantissa.partition(".")[2]) - int(exponent or 0)
    return abs(ours - number(text)) <= ROUNDING * 10.0**-digits + within


def judged(claim: Claim, ours: float | None, *, complete: bool) -> Judged:
    """What is said of our figure beside the published one; `complete`: on all of the series."""
    if ours is None:
        return Judged(NOT_HERE)
    if not complete:
        return Judged(SUBSET)
    if agrees(ours, claim.value):
        return Judged("equal")
    if claim.within and agrees(ours, claim.value, claim.within):
        return Judged(f"within {claim.within:g}: {claim.why}")
    if claim.found and agrees(ours, claim.found):
        return Judged(claim.why)
    return Judged("DIFFERS", explained=False)


class Table(NamedTuple):
    """Lines in Markdown, and the differences that have no reason."""

    lines: list[str]
    unexplained: list[str]


def table(claims: Iterable[Claim], ours: Mapping[str, float], *, complete: bool) -> Table:
    """Every published figure beside ours, by the claims' keys."""
    made = Table(["| figure | published | ours | verdict |", "|---|---|---|---|"], [])
    for claim in claims:
        found = ours.get(claim.key)
        said = judged(claim, found, complete=complete)
        published = claim.value if claim.origin == "printed" else f"{claim.value} (not printed)"
        made.lines.append(f"| {claim.what} | {published} | {shown(found)} | {said.words} |")
        if not said.explained:
            where = f"{claim.group}, {claim.what}"
            made.unexplained.append(f"{where}: {shown(found)}, published {claim.value}")
    return made


def shown(figure: float | None) -> str:
    """Six digits, or all of a whole number."""
    if figure is None:
        return ""
    return f"{figure:,.0f}" if float(figure).is_integer() else f"{figure:,.6g}"
