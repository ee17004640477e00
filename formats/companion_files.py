"""Files beside a measurement file: those that name its benchmarks, and those that hold nothing.

Sources: bheisler/criterion.rs: `src/benchmark_group.rs` (`new/benchmark.json` beside
`new/sample.json`); airspeed-velocity/asv: docs/source/dev.rst (`benchmarks.json` in the folder of
results, `machine.json` in that of a machine).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from formats.options import ReadOptions
from formats.other_tools import other_json

COMPANIONS: Final = {
    *("benchmark.json", "estimates.json", "tukey.json"),  # of Criterion.rs
    *("benchmarks.json", "machine.json"),  # of asv
}
MOST_BYTES: Final = 20_000_000
_HEAD: Final = 100_000  # bytes


def is_companion(path: Path) -> bool:
    """Return whether a file of a folder only describes the measurements in files beside it."""
    if path.name == "sample.json" and path.parent.name == "base":
        return (path.parent.parent / "new" / path.name).exists()
    if path.name not in COMPANIONS:
        return False
    if path.name == "tukey.json":
        return path.with_name("sample.json").exists()
    try:
        with path.open("rb") as stream:
            text = stream.read(_HEAD).decode("utf-8", "replace")
    except OSError:
        return False
    known_file = other_json(text)
    return known_file is not None and known_file.is_companion


def add_neighbour_options(path: Path, options: ReadOptions) -> ReadOptions:
    """Add what files beside `path` say of its benchmarks: their name, names of parameters."""
    if path.name == "sample.json" and not options.benchmark:
        named_document = _document(path.with_name("benchmark.json"))
        full_id = named_document.get("full_id")
        return replace(options, benchmark=full_id) if isinstance(full_id, str) else options
    listing = path.absolute().parent.parent / "benchmarks.json"
    if path.suffix == ".json" and (names := _param_names(listing, _modification_time(listing))):
        return replace(options, param_names=names)
    return options


def _modification_time(path: Path) -> int:
    """Time of the last change in nanoseconds; 0 without a file."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=8)
def _param_names(path: Path, _changed: int) -> Mapping[str, tuple[str, ...]]:
    """Names of the parameters of each benchmark, as `benchmarks.json` of asv has them."""
    names = {}
    for benchmark, fields in _document(path).items():
        params = fields.get("param_names") if isinstance(fields, dict) else None
        if isinstance(params, list) and params and all(isinstance(name, str) for name in params):
            names[benchmark] = tuple(params)
    return names


def _document(path: Path) -> Mapping[str, object]:
    """The object in a small JSON file; empty where there is none."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return {}
        document = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}
