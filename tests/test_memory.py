"""Memory of a process does not follow requests: caches are bounded, cycles are freed."""

from __future__ import annotations

import ast
from math import prod
from typing import Final

from config.garbage import THRESHOLDS
from evidence.bench.processes import ROOT

ROOMS: Final = ("analysis", "annotate", "api", "config", "detectors", "formats", "people", "series")
FEW_KEYS: Final = {"_rule", "_shipped_html", "_compile", "_limits", "_letters_of"}
"""Caches without a bound whose arguments come from program or settings, never from a request."""


def has_unbounded_cache(function: ast.FunctionDef) -> bool:
    caches = {ast.unparse(decorator) for decorator in function.decorator_list}
    return bool(caches & {"cache", "functools.cache", "lru_cache(maxsize=None)", "lru_cache(None)"})


def test_results_of_requests_are_kept_within_bounds() -> None:
    paths = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    nodes = (node for path in paths for node in ast.walk(ast.parse(path.read_bytes())))
    functions = (node for node in nodes if isinstance(node, ast.FunctionDef))

    unbounded = {
        function.name
        for function in functions
        if function.args.args and has_unbounded_cache(function)
    }

    assert unbounded == FEW_KEYS


def test_old_cycles_are_freed_after_a_million_new_objects() -> None:
    assert prod(THRESHOLDS) <= 1_000_000
