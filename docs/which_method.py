"""Evidence on the page *Which method?*: a table for each of its three questions.

Written from the figures that `docs.all_methods` keeps, and `docs.panel_figures` of people's marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from detectors.contract import Detector, OnlineDetector
from detectors.registry import DEFAULT_METHOD, DEFAULT_ONLINE_METHOD
from docs.derived import is_stale
from docs.yardsticks import FITTED_HERE, PLATEAUS, MethodOrder, all_yardsticks, orders_of_methods
from evidence.corpus.asking import ALL
from formats.markdown import markdown_table, replace_between

PAGE: Final = Path(__file__).resolve().parent / "guide" / "which-method.md"
MARKERS: Final = "<!-- {name}: written by `make docs` -->", "<!-- /{name} -->"
LENGTH_RANGES: Final = ((10, 29), (30, 299), (300, 1_000_000))
"""Lengths for which the default method answers in other ways: by few stories, by the plain story,
by people's marks where a series is not plain.
"""
QUESTIONS: Final = {
    "marks by people": """\
mean error {figure} iterations, on [{count:,} series](\
all-methods.md#published-series-marked-by-people) of systems that it has not seen""",
    "truth by construction": """\
mean error {figure} iterations, on [{count:,} series](corpus.md) that become steady, of workloads \
that it has not seen""",
    "what nobody would dispute": """\
right on {figure} of [{count:,} plain series](corpus.md#plain-series)""",
    "a short test with a right result": """\
a test costs {figure} lengths of a series, on {count:,} series, [counted so](\
all-methods.md#how-it-was-computed)""",
}
"""Words for the evidence of each yardstick, in the order of `all_yardsticks`."""
Document = dict[str, Any]


def write_evidence(
    document: Document, methods: Sequence[Detector], published: Document, *, check: bool
) -> bool:
    """Write the tables afresh; with `check`, only say whether they are out of date."""
    page = PAGE.read_text("utf-8")
    for name, table in evidence_tables(document, methods, published).items():
        begin, end = (marker.format(name=name) for marker in MARKERS)
        page = replace_between(page, begin, end, table)
    return is_stale(PAGE, page, check=check, part_name="evidence")


def evidence_tables(
    document: Document, methods: Sequence[Detector], published: Document
) -> dict[str, str]:
    """Tables by the name of their place on the page; none before the defaults have figures."""
    orders = orders_of_methods(all_yardsticks(document, published), methods)
    asked_slugs = [{_slug(key) for key in order.figures} for order in orders]
    if not all({DEFAULT_METHOD, DEFAULT_ONLINE_METHOD} <= slugs for slugs in asked_slugs):
        return {}
    return {
        "truth": _truth_table(document, methods, published, orders),
        "online": _online_table(methods, orders),
        "length": _length_table(document, methods, published),
    }


# --- what is right --------------------------------------------------------------------------------
def _truth_table(
    document: Document,
    methods: Sequence[Detector],
    published: Document,
    orders: Sequence[MethodOrder],
) -> str:
    title_by_key = {method.key: method.title for method in methods}
    counts = (
        max(row["series"] for row in published["methods"].values()),
        document["steady"][ALL],
        next(row["plain"]["series"] for row in document["methods"].values() if "plain" in row),
        document["series"][ALL],
    )
    rows = []
    for (question, words), count, order in zip(QUESTIONS.items(), counts, orders, strict=True):
        keys = order.ordered_keys()
        first_key = keys[0]
        next_key = next(key for key in keys if _slug(key) not in (*PLATEAUS, _slug(first_key)))
        evidence = (
            f"{words.format(figure=order.shown(first_key), count=count)}; next, of others: "
            f"{title_by_key[next_key]}, {order.shown(next_key)}"
        )
        rows.append([question, _link(first_key, title_by_key), evidence])
    return markdown_table(["right is", "take", "evidence"], rows)


# --- online ---------------------------------------------------------------------------------------
def _online_table(methods: Sequence[Detector], orders: Sequence[MethodOrder]) -> str:
    people, plain = orders[0], orders[2]
    title_by_key = {method.key: method.title for method in methods}
    key_by_slug = {_slug(method.key): method.key for method in methods}
    untaught_key = max(
        (
            method.key
            for method in methods
            if isinstance(method, OnlineDetector)
            and method.slug not in FITTED_HERE
            and method.key in plain.figures
            and method.key in people.figures
        ),
        key=plain.figures.__getitem__,
    )
    answers = (
        ("no, the series is complete", key_by_slug[DEFAULT_METHOD]),
        ("yes", key_by_slug[DEFAULT_ONLINE_METHOD]),
        (
            "yes, by a method that learned nothing: most often right on plain series",
            untaught_key,
        ),
    )
    rows = [
        [question, _link(key, title_by_key), people.shown(key), plain.shown(key)]
        for question, key in answers
    ]
    return markdown_table(
        ["stop by itself?", "take", "off people's marks", "right on plain series"], rows
    )


# --- length ---------------------------------------------------------------------------------------
def _length_table(document: Document, methods: Sequence[Detector], published: Document) -> str:
    key = next(method.key for method in methods if method.slug == DEFAULT_METHOD)
    share_by_length = {
        int(n): share for n, share in document["methods"][key]["plain"]["length"].items()
    }
    (few, short, long) = (
        _plain_words({n: s for n, s in share_by_length.items() if low <= n <= high})
        for low, high in LENGTH_RANGES
    )
    title_by_key = {method.key: method.title for method in methods}
    default = _link(key, title_by_key)
    marked = published["methods"][key]
    rows = [
        ["fewer than 10", "no method: record more iterations", "Plateau says *too short*"],
        ["10 to 29", f"{default}: tells only *flat*, *a step* and *never*", few],
        ["30 to 299", f"{default}: reads the plain story; nobody has marked such series", short],
        [
            "300 to 1,000,000",
            default,
            f"{long}; {marked['mean']:.0f} iterations off people's marks of 3,000 values",
        ],
    ]
    return markdown_table(["values", "take", "evidence"], rows)


def _plain_words(share_by_length: dict[int, float]) -> str:
    """Words for shares of right answers: `right on 0.93 to 1.00 of plain series of 10 to 20`."""
    least, most = min(share_by_length.values()), max(share_by_length.values())
    lengths = f"{min(share_by_length):,} to {max(share_by_length):,}"
    return f"right on {least:.2f} to {most:.2f} of plain series of {lengths}"


def _slug(key: str) -> str:
    return key.partition("@")[0]


def _link(key: str, title_by_key: dict[str, str]) -> str:
    return f"[{title_by_key[key]}](../detectors/{_slug(key)}.md)"
