"""Tests that the checks of the structure fail on what they are for."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from scripts import structure


def write_file(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_a_line_may_have_120_columns_and_no_more(tmp_path: Path) -> None:
    write_file(tmp_path, "templates/a/b.html", f"{'–' * 120}\n{'x' * 121}\n")

    assert list(structure.long_lines(tmp_path)) == [
        "templates/a/b.html:2: 121 columns, expected at most 120"
    ]


def test_words_that_are_refused_are_named_in_texts_and_not_in_tags(tmp_path: Path) -> None:
    table = "| usual | default |\n| let go | withdraw |\n"
    write_file(
        tmp_path,
        "docs/design/words.md",
        f"| study | usual |\n\n## Refused words\n\n| word | say |\n|---|---|\n{table}",
    )
    write_file(tmp_path, "docs/guide/a.md", "A study is unusual.\nLet go of it.\n")
    write_file(
        tmp_path, "templates/a.html", "{% if usual %}{{ usual }}{# usual #}\nThe usual one.\n"
    )

    assert list(structure.refused_words(tmp_path)) == [
        "docs/guide/a.md:2: says 'let go'; say 'withdraw'",
        "templates/a.html:2: says 'usual'; say 'default'",
    ]


def test_an_assertion_takes_four_words_of_a_page(tmp_path: Path) -> None:
    test_lines = (
        'assert "one two three four five" in page',
        'assert "one two 3 four five" in page.text and x',
        'assert not "one two three four five" in shown()',
        """assert '<p data-said="one two three four five">' in page""",
        'assert "one two three four five" in sentence',
    )
    write_file(tmp_path, "tests/test_a.py", "\n".join(test_lines))

    places = [wording.partition(": ")[0] for wording in structure.wordings(tmp_path)]

    assert places == ["tests/test_a.py:1", "tests/test_a.py:3"]


def test_a_class_that_stands_twice_is_told_with_its_places(tmp_path: Path) -> None:
    write_file(tmp_path, "series/one.py", "class Row: ...\nclass Command: ...\n")
    write_file(tmp_path, "tests/two.py", "\nclass Row: ...\nclass Command: ...\n")
    write_file(tmp_path, "demo/workloads/three.py", "class Row: ...\n")

    (breach,) = structure.double_names(tmp_path)

    assert "class Row stands in series/one.py:1, tests/two.py:2" in breach


def test_a_function_name_of_three_modules_is_told_but_for_contracts(tmp_path: Path) -> None:
    for number in range(3):
        text = (
            "def shown(): ...\ndef main(): ...\ndef _own(): ...\nclass A:\n    def of(self): ...\n"
        )
        write_file(tmp_path, f"series/m{number}.py", text)
    write_file(tmp_path, "series/two.py", "def twice(): ...\n")
    write_file(tmp_path, "people/two.py", "def twice(): ...\n")

    (breach,) = structure.shared_functions(tmp_path)

    assert breach.startswith("function shown stands in series/m0.py, series/m1.py, series/m2.py")


def test_a_docstring_begins_with_a_verb_or_a_noun(tmp_path: Path) -> None:
    lines = ('"""Rows."""', "def one():", '    """Whether it is."""', "class A:", '    """Form."""')
    write_file(tmp_path, "series/one.py", "\n".join(lines))
    write_file(tmp_path, "tests/two.py", '"""What a test is about."""\n')

    (breach,) = structure.torn_docstrings(tmp_path)

    assert breach.startswith("series/one.py:2: begins with 'Whether'")


def test_a_class_inside_of_another_is_no_double(tmp_path: Path) -> None:
    write_file(tmp_path, "series/one.py", "class A:\n    class Meta: ...\n")
    write_file(tmp_path, "series/two.py", "class B:\n    class Meta: ...\n")

    assert not list(structure.double_names(tmp_path))


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        ({}, []),
        ({"a": ["b"], "b": []}, []),
        ({"a": ["b"], "b": ["a"]}, [["a", "b"]]),
        ({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]}, [["a", "b", "c"]]),
        ({"a": ["b"], "b": ["a", "c"], "c": ["d"], "d": ["c"]}, [["a", "b"], ["c", "d"]]),
    ],
)
def test_circles_are_found_apart(graph: dict[str, list[str]], expected: list[list[str]]) -> None:
    assert structure.circles(graph) == expected


def test_a_circle_is_walked_the_shortest_way() -> None:
    graph = {"a": ["b", "d"], "b": ["c"], "c": ["a"], "d": ["a"]}

    assert structure.walk(["a", "b", "c", "d"], graph) == ["a", "d", "a"]


def test_imports_inside_of_functions_and_for_types_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late_code = "def f():\n    from round_trip import two\n"
    types = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from round_trip import one\n"
    for name, text in (("__init__", ""), ("one", late_code), ("two", types)):
        write_file(tmp_path, f"round_trip/{name}.py", text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "round_trip", raising=False)

    assert list(structure.circles_of(["round_trip"])) == [
        "circle of 2 modules: round_trip.one -> round_trip.two -> round_trip.one"
    ]


def test_packages_of_analysis_are_told_apart_and_other_rooms_are_not() -> None:
    modules = {"analysis.runs.a": ["analysis.work.b", "series.c"], "series.c": ["series.d"]}

    assert structure.package_imports(modules) == {
        "analysis.runs": {"analysis.work", "series"},
        "series": set(),
    }


def test_a_form_that_asks_as_it_is_filled_in_replaces_what_it_asked_before() -> None:
    """Else htmx keeps two requests of a form and drops the third, which is the newest."""
    asking_pattern = re.compile(r"<[^<]*?hx-trigger=\"[^\"]*\b(?:input|change)\b[^\"]*\"[^>]*>")
    template_names = [
        path.name
        for path in (structure.ROOT / "templates").rglob("*.html")
        for tag in asking_pattern.findall(path.read_text("utf-8"))
        if "hx-sync=" not in tag
    ]

    assert template_names == []
