"""Yardsticks of all methods: what each asks, its order of the methods, and how alike orders are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from scipy.stats import spearmanr

from detectors.contract import Detector
from evidence.corpus.asking import ALL, LENGTHS
from evidence.corpus.levels import LEVELS, NEVER_SHAPES
from formats.markdown import markdown_table

Document = dict[str, Any]
PLATEAUS: Final = ("plateau", "plateau-online", "plateau-result")
FITTED_HERE: Final = ("fcn", "oscnn", "rocket", *PLATEAUS)
"""Their weights were fitted on the recordings whose noise the corpus holds, or on the corpus."""
MARK: Final = " †"
FEWEST_COMPARED: Final = 3  # methods of which an order can be told

FIRST_LINES: Final = """\
**The order of the methods depends on the yardstick.** {first_words}
Rank correlations of the four orders (Spearman) are {least:.2f} to {most:.2f}; 1 is the same order,
0 unrelated. People and construction have {people_known}, people and plain series {people_plain},
people and harness cost {people_cost}."""

WHY: Final = """\
**Why they differ.** Each yardstick asks something else.

| yardstick | asks | in short |
|---|---|---|
| people | what a picture of one recording shows; never gets the constant, the median answer for \
other systems | noise is slow, the level often moves once more, and a cautious method stands high: \
{near_people} of {all_people} methods are nearer than the constant |
| construction | the last planted change, from four spreads of the noise on; each iteration beside \
it counts | {near_known} of {all_known} methods are nearer than the constant |
| plain series | right or wrong; a refusal as too short is wrong, and so is an answer behind the \
start of a flat series | {refusing} of {asked} methods refuse some |
| harness cost | what a test runs | an early answer is cheap, and right if less than 1 % of the \
warm-up is left |

The largest difference has {torn}: number {by_people} by people, number {by_known} by construction,
of {common}. The order by people is most like that of *{alike}* in the corpus ({alike_rho:.2f}) and
least like that of *{unlike}* ({unlike_rho:.2f})."""

SIDE_BY_SIDE: Final = """\
## Every method by every yardstick

Methods stand in the order of people; *no.* is the place by a yardstick. Errors are in iterations,
costs in lengths of a series. The column *plain* has the share of plain series with a right answer,
*flat* that of the flat ones. A harness that knows the answers pays {knowing:.2f}, with the constant
{constant:.2f}."""


@dataclass(frozen=True, slots=True)
class MethodOrder:
    """One yardstick: a figure for each method, by its key.

    learned: methods that learned from series of this kind.
    """

    name: str
    question: str
    unit: str
    figures: Mapping[str, float]
    learned: Sequence[str]
    descending: bool = False

    def ordered_keys(self) -> list[str]:
        """Keys of the methods, the first one first."""
        return sorted(self.figures, key=self.figures.__getitem__, reverse=self.descending)

    def places(self) -> dict[str, int]:
        """Place of each method from 1 on; the same figure has the same place."""
        ordered_figures = [self.figures[key] for key in self.ordered_keys()]
        return {key: ordered_figures.index(figure) + 1 for key, figure in self.figures.items()}

    def shown(self, key: str) -> str:
        figure = self.figures[key]
        return f"{figure:.0f}" if self.unit == "iterations" else f"{figure:.2f}"


def all_yardsticks(document: Document, published: Document) -> list[MethodOrder]:
    """People, construction, plain series and harness cost, in this order."""
    rows = document["methods"]
    figures_by_key = {key: row["groups"][ALL] for key, row in rows.items() if "groups" in row}
    return [
        MethodOrder(
            "people",
            "how far from the mark of a panel of five people, on published series?",
            "iterations",
            {key: row["mean"] for key, row in published["methods"].items()},
            PLATEAUS,
        ),
        MethodOrder(
            "construction",
            "how far from the nearest right answer, where the start is known?",
            "iterations",
            {key: group["filled"] for key, group in figures_by_key.items()},
            FITTED_HERE,
        ),
        MethodOrder(
            "plain series",
            "right on how many series that nobody would dispute?",
            "share",
            {key: row["plain"]["right"] for key, row in rows.items() if "plain" in row},
            PLATEAUS,
            descending=True,
        ),
        MethodOrder(
            "harness cost",
            "how long is a test, and is its result right?",
            "lengths",
            {key: group["cost"] for key, group in figures_by_key.items()},
            FITTED_HERE,
        ),
    ]


def rank_correlation(first: Mapping[str, float], second: Mapping[str, float]) -> float | None:
    """Spearman's, over the methods that have both figures; None of too few."""
    common_keys = [key for key in first if key in second]
    if len(common_keys) < FEWEST_COMPARED:
        return None
    return float(
        spearmanr([first[k] for k in common_keys], [second[k] for k in common_keys]).statistic
    )


def order_correlation(first: MethodOrder, second: MethodOrder) -> float | None:
    """Rank correlation of two orders: 1 where they are the same."""
    correlation = rank_correlation(first.figures, second.figures)
    if correlation is None:
        return None
    return -correlation if first.descending != second.descending else correlation


# --- the page -------------------------------------------------------------------------------------
def yardstick_sentences(
    document: Document, methods: Sequence[Detector], published: Document
) -> str:
    """Say by how much the orders differ, who is first in each, and why; empty without figures."""
    yardsticks = orders_of_methods(all_yardsticks(document, published), methods)
    pairs = list(combinations(yardsticks, 2))
    pair_correlations = [order_correlation(a, b) for a, b in pairs]
    correlations = [rho for rho in pair_correlations if rho is not None]
    if len(correlations) < len(pairs):
        return ""
    people_known, people_plain, people_cost = (f"{rho:.2f}" for rho in correlations[:3])
    words = FIRST_LINES.format(
        first_words=first_sentence(yardsticks, methods),
        least=min(correlations),
        most=max(correlations),
        people_known=people_known,
        people_plain=people_plain,
        people_cost=people_cost,
    )
    return "\n\n".join(
        [
            words,
            firsts_table(yardsticks, methods),
            correlation_table(yardsticks),
            yardstick_reasons(document, published, yardsticks, methods),
        ]
    )


def first_sentence(yardsticks: Sequence[MethodOrder], methods: Sequence[Detector]) -> str:
    """Sentence on whether one method is first by each yardstick."""
    first_keys = {yardstick.ordered_keys()[0] for yardstick in yardsticks}
    if len(first_keys) > 1:
        return "No method is first by all four yardsticks."
    title = next(method.title for method in methods if method.key in first_keys)
    return f"{title} is first by all four yardsticks; the orders below it differ."


def orders_of_methods(
    yardsticks: Iterable[MethodOrder], methods: Sequence[Detector]
) -> list[MethodOrder]:
    """The yardsticks with figures of these methods alone."""
    keys = {method.key for method in methods}
    return [
        MethodOrder(
            yardstick.name,
            yardstick.question,
            yardstick.unit,
            {key: figure for key, figure in yardstick.figures.items() if key in keys},
            yardstick.learned,
            yardstick.descending,
        )
        for yardstick in yardsticks
    ]


def firsts_table(yardsticks: Sequence[MethodOrder], methods: Sequence[Detector]) -> str:
    """The first of each yardstick, and the first that learned from no series of its kind."""
    method_by_key = {method.key: method for method in methods}
    rows = []
    for yardstick in yardsticks:
        ordered_keys = yardstick.ordered_keys()
        first_key = ordered_keys[0]
        untaught_key = next(
            key for key in ordered_keys if method_by_key[key].slug not in yardstick.learned
        )
        rows.append(
            [
                f"by {yardstick.name}",
                yardstick.question,
                *(
                    f"{method_by_key[key].title} ({yardstick.shown(key)})"
                    for key in (first_key, untaught_key)
                ),
            ]
        )
    return markdown_table(
        ["yardstick", "asks", "first", "first that learned from none of its kind"], rows
    )


def correlation_table(yardsticks: Sequence[MethodOrder]) -> str:
    rows = [
        [a.name, *("1" if a is b else f"{order_correlation(a, b) or 0.0:.2f}" for b in yardsticks)]
        for a in yardsticks
    ]
    return markdown_table(["Spearman's rank correlation", *(y.name for y in yardsticks)], rows)


def yardstick_reasons(
    document: Document,
    published: Document,
    yardsticks: Sequence[MethodOrder],
    methods: Sequence[Detector],
) -> str:
    """Reasons, with the methods and series of the corpus that show them."""
    people, construction = yardsticks[0], yardsticks[1]
    common_keys = [key for key in people.figures if key in construction.figures]
    places = [
        MethodOrder(y.name, "", y.unit, {k: y.figures[k] for k in common_keys}, ()).places()
        for y in (people, construction)
    ]
    torn_key = max(common_keys, key=lambda key: abs(places[0][key] - places[1][key]))
    correlation_by_name = similarity_to_people(document, people)
    closest_pair, farthest_pair = (
        max(correlation_by_name, key=correlation_by_name.__getitem__),
        min(correlation_by_name, key=correlation_by_name.__getitem__),
    )
    constants = published["constant"]["mean"], document["constant"][ALL]["mean"]
    near_people, near_known = (
        sum(figure < constant_figure for figure in yardstick.figures.values())
        for yardstick, constant_figure in zip((people, construction), constants, strict=True)
    )
    plain_rows = [row["plain"] for row in document["methods"].values() if "plain" in row]
    return WHY.format(
        refusing=sum(any("no answer" in c for c in p["shape"].values()) for p in plain_rows),
        asked=len(plain_rows),
        near_people=near_people,
        all_people=len(people.figures),
        near_known=near_known,
        all_known=len(construction.figures),
        torn=next(method.title for method in methods if method.key == torn_key),
        by_people=places[0][torn_key],
        by_known=places[1][torn_key],
        common=len(common_keys),
        alike=closest_pair,
        alike_rho=correlation_by_name[closest_pair],
        unlike=farthest_pair,
        unlike_rho=correlation_by_name[farthest_pair],
    )


def similarity_to_people(document: Document, people: MethodOrder) -> dict[str, float]:
    """Rank correlation of the order by people with that of a part of the corpus."""
    shapes = [shape for shape in LEVELS if shape not in NEVER_SHAPES]
    name_by_group = {shape_name: shape_name for shape_name in shapes} | {
        name: f"{name} values" for name in LENGTHS
    }
    correlation_by_name = {}
    for group, name in name_by_group.items():
        errors = {
            key: row["groups"][group]["filled"]
            for key, row in document["methods"].items()
            if "groups" in row and row["groups"][group]["filled"] is not None
        }
        correlation = rank_correlation(people.figures, errors)
        if correlation is not None:
            correlation_by_name[name] = correlation
    return correlation_by_name


def method_comparison(document: Document, methods: Sequence[Detector], published: Document) -> str:
    """Every method in a row, with its figure and its place by each yardstick."""
    yardsticks = orders_of_methods(all_yardsticks(document, published), methods)
    people = yardsticks[0]
    shown_methods = [m for m in methods if any(m.key in y.figures for y in yardsticks)]
    shown_methods.sort(key=lambda method: people.figures.get(method.key, float("inf")))
    rank_tables = [yardstick.places() for yardstick in yardsticks]
    rows = []
    for method in shown_methods:
        cells = [method.title + (MARK if method.slug in FITTED_HERE else "")]
        for yardstick, rank_by_method in zip(yardsticks, rank_tables, strict=True):
            is_there = method.key in yardstick.figures
            cells += (
                [yardstick.shown(method.key), str(rank_by_method[method.key])]
                if is_there
                else ["", ""]
            )
        cells.append(flat_share(document["methods"].get(method.key, {})))
        rows.append(cells)
    head = ["method"]
    for name in ("people", "construction", "plain", "cost"):
        head += [name, "no."]
    words = SIDE_BY_SIDE.format(**document["cost"])
    return f"{words}\n\n{markdown_table([*head, 'flat'], rows)}"


def flat_share(row: Document) -> str:
    """Share of flat series with a right answer, as it is printed; empty without one."""
    if "plain" not in row:
        return ""
    return f"{shape_share(row['plain'], 'flat'):.2f}"


def shape_share(plain: Document, shape: str) -> float:
    counts: Mapping[str, int] = plain["shape"][shape]
    return counts.get("right", 0) / sum(counts.values())
