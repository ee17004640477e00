"""Caches of a process have a bound, so that its memory does not follow the requests."""

from __future__ import annotations

import ast
from typing import Final

from evidence.bench.processes import ROOT

ROOMS: Final = ("analysis", "annotate", "api", "config", "detectors", "formats", "people", "series")
FEW_KEYS: Final = {"_rule", "_part", "_compiled", "_limits"}
"""Caches without a bound whose arguments are constants of the program, never of a request."""


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
