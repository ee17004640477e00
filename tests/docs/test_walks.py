"""Tests of walks.md: what a trace notes, and that the page names files and functions that are."""

from __future__ import annotations

import re

from annotate.recipes.contract import RecipeMark
from annotate.recipes.registry import aggregate
from docs.walk_trace import ROOT, WalkTrace
from docs.walks import PAGE

ROW = re.compile(r"^\| `(?P<file>.+?)` \| (?P<functions>.+?) \|", re.MULTILINE)


def test_every_file_and_function_of_the_page_is_there() -> None:
    rows = ROW.findall(PAGE.read_text("utf-8"))

    missing_names = [
        f"{file}: {name}"
        for file, functions in rows
        for name in re.findall(r"`(?:.*?\.)?(\w+)`", functions)
        if f"def {name}(" not in (ROOT / file).read_text("utf-8")
    ]

    assert len(rows) > 100
    assert missing_names == []


def test_a_trace_names_the_records_that_hold_what_is_carried_in_the_order_of_their_files() -> None:
    marks = [RecipeMark(name, "steady", index=7) for name in ("a1", "a2", "a3")]
    trace = WalkTrace(lambda value: type(value) is int and value == 7)
    second_trace = WalkTrace(lambda value: type(value) is int and value == 8)

    with trace.running():
        aggregate("jagt", marks, complete=True)
    with second_trace.running():
        aggregate("jagt", marks, complete=True)

    assert next(iter(trace.functions)) == "annotate/recipes/registry.py"
    assert {"RecipeMark", "RecipeAnswer"} <= set(trace.types)
    assert "`annotate/recipes/jagt.py`" in trace.table()
    assert second_trace.types == []
