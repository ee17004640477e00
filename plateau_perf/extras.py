"""Packages that only some calls need: extras of the library."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def import_extra(module: str, extra_name: str) -> Any:
    """Import a package; raises `ModuleNotFoundError` with the extra that installs it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        message = f"{package} not installed; `pip install plateau-perf[{extra_name}]`"
        raise ModuleNotFoundError(message, name=error.name) from None
