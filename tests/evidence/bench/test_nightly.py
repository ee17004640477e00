"""Programs that the measurement of nights hands to Django's shell."""

from __future__ import annotations

import ast
from importlib import import_module

import pytest

from evidence.bench.nightly import PAGES_CODE, PAST_CODE


@pytest.mark.parametrize("code", [PAGES_CODE, PAST_CODE.format(nights=1)])
def test_programs_of_the_shell_name_what_there_is(code: str) -> None:
    nodes = list(ast.walk(ast.parse(code)))
    imported_names = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                package = import_module(node.module)
                imported_names[alias.name] = getattr(package, alias.name, None) or import_module(
                    f"{node.module}.{alias.name}"
                )
    attributes = [
        (node.value.id, node.attr)
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    ]

    assert attributes
    assert all(hasattr(imported_names[name], attribute) for name, attribute in attributes)
