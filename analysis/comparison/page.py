"""The comparison as a page shows it: columns, cells as text with the list behind each, heat map."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from typing import Final

from django.urls import reverse

from analysis.comparison import cells, drawings
from analysis.comparison.asked import ALPHAS, GROUPED, GROUPINGS, Asked, Grouping
from analysis.comparison.groups import MOST, available, broken_down
from analysis.comparison.table import (
    DEFAULT_SORT,
    TRUTH,
    Beside,
    Compared,
    Entry,
    agreements,
    beside,
    key_figure,
    rank_pairs,
)
from analysis.looks import Look
from analysis.statistics import AgreementMatrix, Group, RankTest, TooFew
from analysis.statistics.rows import WITHIN
from people.templatetags.writing import share, si, signed, whole

Value = float | int | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the leaderboard. `figure` names the list behind its numbers."""

    key: str
    head: str
    title: str
    write: Callable[[Value], str]
    figure: str = ""
    first: bool = True  # the way it sorts at the first click: best first


@dataclass(frozen=True, slots=True)
class Shown:
    """One figure: its text, and where the series behind it are listed."""

    text: str
    href: str
    strong: bool
    warn: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    column: Column
    href: str
    direction: str  # ascending, descending or nothing


def _decimal(value: Value, digits: int = 2) -> str:
    if value is None:
        return "–"
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")  # no minus before zero


def _half(value: Value) -> str:
    """A median: one decimal, since it may be a half."""
    return "–" if value is None else _grouped(value, 1)


def _grouped(value: float, digits: int) -> str:
    text = f"{abs(value):,.{digits}f}" if abs(value) >= 10_000 else f"{abs(value):.{digits}f}"
    return ("−" if value < 0 else "") + text.replace(",", "\u2009")


def _seconds(value: Value) -> str:
    return si(value, "s")


def _signed_seconds(value: Value) -> str:
    text = si(value, "s")
    return f"+{text}" if value is not None and value > 0 else text


YES_NO = Column(
    "agreement",
    "Yes/no",
    "Share on which both say steady, or both say never",
    share,
    "agreements",
    first=False,
)
KAPPA = Column(
    "kappa", "κ", "Cohen's kappa of yes/no: agreement beyond chance", _decimal, first=False
)
MEDIAN = Column("median_abs", "Median |Δ|", "Median of the absolute error, both steady", _half, "n")
MEAN = Column(
    "mean_error", "Mean Δ", "Mean of predicted − yardstick: positive is late", signed, "n"
)
WITHIN_TOLERANCE = Column(
    "within_tolerance",
    "Within ±",
    "Share with |Δ| within tolerance, both steady",
    share,
    "within_tolerance",
    first=False,
)
N = Column("n", "n", "Series on which both say steady", whole, "n", first=False)
FALSE_PLATEAU = Column(
    "fp", "False plateau", "Says steady where the yardstick says never", whole, "fp"
)
DISTANCES: Final = (
    N,
    Column("manhattan", "Σ|Δ|", "Manhattan distance: sum of the absolute errors", whole, "n"),
    Column(
        "manhattan_clustered",
        "Σ clustered",
        "Of series whose marks lie together",
        whole,
        "clustered",
    ),
    Column(
        "manhattan_scattered",
        "Σ scattered",
        "Of series whose marks are scattered",
        whole,
        "scattered",
    ),
    MEAN,
    Column(
        "sd_error",
        "SD Δ",
        "Standard deviation of the signed error, dividing by the count",
        _half,
        "n",
    ),
    Column("mean_abs", "Mean |Δ|", "Mean of the absolute error", _half, "n"),
    MEDIAN,
    *(
        Column(
            f"within_{most}",
            f"≤ {most}",
            f"Share with |Δ| at most {most} iterations",
            share,
            f"within_{most}",
            first=False,
        )
        for most in WITHIN
    ),
)
COUNTS: Final = (
    Column("n_yes_no", "n", "Series on which both have an answer", whole, "n_yes_no", first=False),
    Column(
        "agreements",
        "Agreements",
        "Both say steady, or both say never",
        whole,
        "agreements",
        first=False,
    ),
    YES_NO,
    Column("tp", "TP", "Both say steady", whole, "tp", first=False),
    Column("fp", "FP", "It says steady, the yardstick never", whole, "fp"),
    Column("fn", "FN", "It says never, the yardstick steady", whole, "fn"),
    Column("tn", "TN", "Both say never", whole, "tn", first=False),
    Column(
        "balanced_accuracy",
        "Balanced",
        "Balanced accuracy: mean of both rates of being right",
        share,
        first=False,
    ),
    KAPPA,
)
IN_SECONDS: Final = (
    Column(
        "median_abs_seconds", "Median |Δ|", "Median of the absolute error in seconds", _seconds, "n"
    ),
    Column(
        "mean_seconds",
        "Mean Δ",
        "Mean of predicted − yardstick in seconds: positive is late",
        _signed_seconds,
        "n",
    ),
)
SETS: Final[Mapping[str, tuple[Column, ...]]] = {
    "usual": (YES_NO, KAPPA, MEDIAN, MEAN, WITHIN_TOLERANCE, FALSE_PLATEAU),
    "distances": DISTANCES,
    "yes-no": COUNTS,
    "all": (*DISTANCES, *COUNTS[1:], *IN_SECONDS),
}
SET_WORDS: Final = {
    "usual": "The usual ones",
    "distances": "Distances",
    "yes-no": "Steady or never",
    "all": "All of them",
}
ALL_COLUMNS: Final = {
    column.key: column for chosen in SETS.values() for column in (*chosen, *IN_SECONDS)
}
KEY_FIGURES: Final = {"median_abs", "median_abs_seconds"}


@dataclass(frozen=True)
class Leaderboard:
    """Heads and rows of the table."""

    compared: Compared
    study: str

    @property
    def asked(self) -> Asked:
        return self.compared.asked

    @property
    def usual(self) -> bool:
        """Whether intervals and verdict bars stand between the figures."""
        return self.asked.columns == "usual"

    @property
    def drawn(self) -> bool:
        """Whether intervals are drawn: a second setting needs their room."""
        return self.usual and self.compared.other is None

    @property
    def key(self) -> Column:
        """The figure that two settings are compared by."""
        key = key_figure(self.asked)
        return ALL_COLUMNS.get(key) or Column(key, key, key, _decimal)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        chosen = SETS[self.asked.columns]
        if self.usual and self.asked.unit == "seconds":
            swap = {MEDIAN: IN_SECONDS[0], MEAN: IN_SECONDS[1]}
            return tuple(swap.get(column, column) for column in chosen)
        return chosen

    @property
    def before(self) -> list[Head]:
        """Heads before the interval; all where there is none."""
        return [self._head(c) for c in self.columns[: 3 if self.usual else None]]

    @property
    def middle(self) -> list[Head]:
        return [self._head(c) for c in self.columns[3:4]] if self.usual else []

    @property
    def after(self) -> list[Head]:
        return [self._head(c) for c in self.columns[4:]] if self.usual else []

    def _head(self, column: Column) -> Head:
        now = self.asked.sort or DEFAULT_SORT
        best = column.key if column.first else f"-{column.key}"
        other = f"-{column.key}" if column.first else column.key
        wanted = other if now == best else best
        direction = {column.key: "ascending", f"-{column.key}": "descending"}.get(now, "")
        sort = "" if wanted == DEFAULT_SORT else wanted
        return Head(column, self.asked.changed(sort=sort).query() or "?", direction)

    @cached_property
    def intervals(self) -> drawings.Intervals:
        return drawings.intervals(self.compared.entries)

    @property
    def rows(self) -> Iterator[Ranked]:
        base = reverse("compare-series", args=[self.study])
        steady = self.compared.result
        second = beside(self.compared)
        for entry in self.compared.entries:
            shown = [self._shown(entry, column, base) for column in self.columns]
            cut = 3 if self.usual else len(shown)
            why = self._why(entry)
            silence = f"no answer: {why}" if entry.name in self.compared.inputs.silent else ""
            fewer = entry.kind == "method" and entry.answered < steady.n_truth
            yield Ranked(
                entry,
                shown[:cut],
                self.intervals.rows.get(entry.name),
                shown[cut : cut + 1],
                [
                    Linked(piece, self._behind(entry, piece.cell, base))
                    for piece in drawings.bar(entry)
                ],
                shown[cut + 1 :],
                self._behind(entry, "unanswered", base) if fewer or silence else "",
                silence,
                why,
                self._second(entry, second.get(entry.name)),
            )

    @property
    def width(self) -> int:
        """Cells of a row behind the method's name."""
        return len(self.columns) + self.usual + self.drawn

    def _second(self, entry: Entry, found: Beside | None) -> Second | None:
        if self.compared.other is None:
            return None
        if found is None:
            return Second("–", "–", "–", "", "It has no row there")
        write = self.key.write
        if entry.rank is None or found.rank is None:
            return Second(write(found.there), _change(self.key, found.change), "", "", "")
        up = entry.rank - found.rank
        moved = f"↑{up}" if up > 0 else f"↓{-up}" if up else ""
        words = f"rank {found.rank} there, {entry.rank} here"
        return Second(
            write(found.there), _change(self.key, found.change), str(found.rank), moved, words
        )

    def _why(self, entry: Entry) -> str:
        """Why a method has no answer, and for how many series; nothing where it has all."""
        answers = self.compared.answers(entry.name)
        if entry.without is None or answers is None:
            return ""
        n, without = len(self.compared.lines), entry.without
        parts = [
            _of_all(without.too_short, n, "too short for it on"),
            _of_all(without.not_available, n, "not available for"),
            _of_all(without.failed, n, "it failed on"),
            _of_all(n - int(answers.given.sum()) - sum(astuple(without)), n, "not run on"),
        ]
        return ", ".join(part for part in parts if part)

    def _shown(self, entry: Entry, column: Column, base: str) -> Shown:
        value = entry.cells()[column.key]
        figure = None if isinstance(value, str) else value
        href = (
            self._behind(entry, column.figure, base) if column.figure and figure is not None else ""
        )
        text = column.write(figure)
        if column is FALSE_PLATEAU:
            never = entry.row.yes_no.fp + entry.row.yes_no.tn
            text = f"{text} of {whole(never)}" if never else "–"
            href = href if entry.row.yes_no.fp else ""
        return Shown(text, href, column.key in KEY_FIGURES)

    def _behind(self, entry: Entry, figure: str, base: str) -> str:
        return base + self.asked.query(cell=figure, of=entry.name)


def _change(column: Column, value: float | None) -> str:
    """A difference of two figures of a column, always with its sign; shares in points."""
    if value is None:
        return "–"
    unsigned: dict[object, Callable[[Value], str]] = {signed: whole, _signed_seconds: _seconds}
    write = unsigned.get(column.write, column.write)
    size = write(abs(value)).replace("%", "pts")
    return size if not value else f"{'+' if value > 0 else '−'}{size}"


def _of_all(count: int, n: int, words: str) -> str:
    if not count:
        return ""
    return f"{words} all {whole(n)} series" if count == n else f"{words} {whole(count)} series"


@dataclass(frozen=True, slots=True)
class Linked:
    piece: drawings.Piece
    href: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """One row as the template writes it.

    `fewer` lists the series that it has no answer for, `why` says why; `silence` where there is
    none at all.
    `second` is there when a second setting is.
    """

    entry: Entry
    before: Sequence[Shown]
    interval: drawings.Interval | None
    middle: Sequence[Shown]
    bar: Sequence[Linked]
    after: Sequence[Shown]
    fewer: str
    silence: str
    why: str
    second: Second | None


@dataclass(frozen=True, slots=True)
class Second:
    """By the second setting: the figure, here − there, the rank and how far it has moved."""

    there: str
    change: str
    rank: str
    moved: str
    words: str


# --- heat map ---------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class HeatCell:
    """Share of agreement in percent, its colour class, and the list of series that differ."""

    text: str
    heat: int
    href: str
    title: str


@dataclass(frozen=True, slots=True)
class HeatRow:
    code: str
    title: str
    cells: Sequence[HeatCell | None]  # None on the diagonal


@dataclass(frozen=True, slots=True)
class Heat:
    heads: Sequence[tuple[str, str]]
    rows: Sequence[HeatRow]


def heat(compared: Compared, study: str) -> Heat:
    """Agreement of every pair: the yardstick first, then by similarity."""
    matrix = agreements(compared.inputs)
    names = [matrix.names[at] for at in matrix.order]
    names.sort(key=lambda name: name != TRUTH)  # stable: the others keep their order
    base = reverse("compare-series", args=[study])
    heads = [(_code(compared, name), cells.title_of(compared, name)) for name in names]
    rows = [
        HeatRow(*head, [_heat_cell(compared, matrix, name, other, base) for other in names])
        for head, name in zip(heads, names, strict=True)
    ]
    return Heat(heads, rows)


def _heat_cell(
    compared: Compared, matrix: AgreementMatrix, name: str, other: str, base: str
) -> HeatCell | None:
    if name == other:
        return None
    found = matrix.cell(name, other)
    titles = f"{cells.title_of(compared, name)} and {cells.title_of(compared, other)}"
    if found.share is None:
        return HeatCell("–", 0, "", f"{titles}: no series with both answers")
    first, second = (other, name) if name == TRUTH else (name, other)
    href = base + compared.asked.query(cell="differ", of=first, other=second)
    title = f"{titles} agree on {found.agree} of {found.of} series"
    return HeatCell(f"{100 * found.share:.0f}", round(10 * found.share), href, title)


def _code(compared: Compared, name: str) -> str:
    if name == TRUTH:
        return "GT" if compared.yardstick.kind in {"campaign", "known"} else "Y"
    person = name.removeprefix("person:")
    return person[:4].upper() if person != name else compared.looks[name].code


# --- choices within a figure ------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Choice:
    """One of several ways to show a figure, as a link."""

    text: str
    asked: Asked
    chosen: bool

    @property
    def id(self) -> str:
        """Of the link, so that the focus finds it again when the page is drawn anew."""
        return "choice-" + self.text.replace(" ", "-").replace("|", "")

    @property
    def href(self) -> str:
        return self.asked.query() or "?"


# --- breakdown --------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class GroupRow:
    """One group: its name, its series, one figure a method; `href` narrows the page to it."""

    group: Group
    href: str
    texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Groups:
    """The breakdown as a table: a row a group, a column a method."""

    by: str
    figure: str
    groupings: Sequence[Choice]
    figures: Sequence[Choice]
    looks: Sequence[Look]
    rows: Sequence[GroupRow]
    of: int


NARROWING: Final[Mapping[Grouping, str]] = {
    "system": "system",
    "dataset": "dataset",
    "recording": "recording",
}


def groups(compared: Compared) -> Groups | None:
    """The chosen figure of every method in every group; None where there are not two groups."""
    found = broken_down(compared, MOST)
    if found is None:
        return None
    asked, column = compared.asked, ALL_COLUMNS[compared.asked.grouped]
    narrowing = NARROWING.get(found.by)
    return Groups(
        by=GROUPINGS[found.by],
        figure=GROUPED[asked.grouped],
        groupings=[
            Choice(GROUPINGS[by], asked.changed(group=by), chosen=by == found.by)
            for by in available(compared)
        ],
        figures=[
            Choice(words, asked.changed(grouped=key), chosen=key == asked.grouped)
            for key, words in GROUPED.items()
        ],
        looks=[compared.looks[name] for name in compared.inputs.methods],
        rows=[_group_row(group, column, asked, narrowing) for group in found.groups],
        of=found.of,
    )


def _group_row(group: Group, column: Column, asked: Asked, narrowing: str | None) -> GroupRow:
    href = asked.changed(**{narrowing: group.name}).query() if narrowing else ""
    values = (row.columns()[column.key] for row in group.rows)
    texts = [column.write(None if isinstance(value, str) else value) for value in values]
    return GroupRow(group, href if group.name != "–" else "", texts)


# --- ranks ------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Ranks:
    """The diagram with its sentences; without one, why."""

    alphas: Sequence[Choice]
    sentence: str
    also: str = ""
    drawing: drawings.RankDrawing | None = None
    test: RankTest | None = None


def ranks(compared: Compared) -> Ranks:
    """Average ranks of the chosen methods but baselines, on series that all have answered."""
    test = rank_pairs(compared.inputs, compared.asked.alpha)
    alphas = [
        Choice(f"{each:g}", compared.asked.changed(alpha=each), chosen=each == compared.asked.alpha)
        for each in ALPHAS
    ]
    if isinstance(test, TooFew):
        return Ranks(alphas, test.sentence)
    looks = compared.looks
    pairs = [f"{looks[a].code} – {looks[b].code}" for a, b in test.also]
    also = f"Also not told apart: {', '.join(pairs)}." if pairs else ""
    return Ranks(
        alphas,
        _with_titles(test.sentence, compared),
        also,
        drawings.rank_drawing(test, looks),
        test,
    )


def _with_titles(sentence: str, compared: Compared) -> str:
    """The sentence with codes instead of keys; longest names first, as one may begin another."""
    for name in sorted(compared.looks, key=len, reverse=True):
        sentence = sentence.replace(name, compared.looks[name].code)
    return sentence
