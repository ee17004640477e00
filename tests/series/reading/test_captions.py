"""Short names of series: what differs stays."""

from __future__ import annotations

import pytest

from formats import RecordingHint
from series.models import Benchmark
from series.reading.captions import captions, distinct_packages, shortest_tail
from series.reading.staging import BenchmarkKey, SeriesHeader


def header(name: str, params: str = "", fork: int = 0, system: str = "") -> SeriesHeader:
    key = BenchmarkKey(system, name, params)
    return SeriesHeader(name, key, "s", "", fork, f"{name}{params}{fork}", RecordingHint(), "")


def caption_texts(*series: SeriesHeader) -> list[tuple[str, str]]:
    return [(caption.name, caption.detail) for caption in captions(series, series)]


@pytest.mark.parametrize(
    ("name", "others", "tail"),
    [
        ("org.app.Text.escape", ["org.app.Text.pad"], "escape"),
        ("org.app.Sort.merge", ["org.app.Heap.merge"], "Sort.merge"),
        ("a.merge", ["b.a.merge"], "a.merge"),
        ("b.a.merge", ["a.merge"], "b.a.merge"),
        ("checkout", [], "checkout"),
        ("org.app.only", [], "only"),
    ],
)
def test_the_shortest_tail_that_no_other_name_has(name: str, others: list[str], tail: str) -> None:
    assert shortest_tail(name, {name, *others}) == tail


def test_forks_parameters_and_systems_only_where_they_differ() -> None:
    assert caption_texts(header("org.A.x")) == [("x", "")]
    assert caption_texts(header("org.A.x"), header("org.A.x", fork=1)) == [
        ("x", "fork 0"),
        ("x", "fork 1"),
    ]
    assert caption_texts(header("x", "n=1&t=a"), header("x", "n=2&t=a")) == [
        ("x", "n=1"),
        ("x", "n=2"),
    ]
    assert caption_texts(header("x", "n=1"), header("y", "m=2", system="s")) == [
        ("x", ""),
        ("y", ""),
    ]
    assert caption_texts(header("x", system="one"), header("x", system="two")) == [
        ("x", "one"),
        ("x", "two"),
    ]
    assert caption_texts() == []


def test_names_are_told_apart_from_those_that_are_not_shown() -> None:
    shown_header, hidden_header = header("org.A.x"), header("org.B.x")

    (caption,) = captions([shown_header], [shown_header, hidden_header])

    assert caption.name == "A.x"


@pytest.mark.parametrize(
    ("names", "packages"),
    [
        ([], []),
        (["org.app.Sort.merge"], [""]),
        (["org.app.Sort.merge", "org.app.Sort.quick"], ["", ""]),
        (["org.app.a.Sort.merge", "org.app.b.Sort.merge"], ["a", "b"]),
        (["org.app.Sort.merge", "org.app.b.Sort.merge", "merge"], ["org.app", "org.app.b", ""]),
    ],
)
def test_a_package_is_named_where_rows_have_several(names: list[str], packages: list[str]) -> None:
    assert distinct_packages([Benchmark(name=name) for name in names]) == packages
