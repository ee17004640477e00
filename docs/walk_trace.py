"""Trace of a request: files in the order in which they are entered, their functions, and records
that functions are given or return.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

from formats.markdown import markdown_table

ROOT: Final = Path(__file__).resolve().parents[1]
ROOMS: Final = ("analysis", "annotate", "detectors", "formats", "series")
"""Rooms that are traced: `people` and `config` are on every way."""
DEPTH: Final = 8  # of records and containers in which the value is looked for
MOST: Final = 5  # functions of a file that are named
FEW: Final = 200  # items of a container that are looked at

Carried = Callable[[object], bool]
"""True for a plain value that is what the walk carries."""


class WalkTrace:
    """One walk, traced while `running`.

    functions  by file, both in the order in which they are entered
    carriers   by file: classes of records that hold what the walk carries, of tables among them
    """

    def __init__(self, is_carried: Carried) -> None:
        self.functions: dict[str, dict[str, None]] = {}
        self.carriers: dict[str, dict[str, None]] = {}
        self._carried = is_carried

    @contextmanager
    def running(self) -> Iterator[None]:
        sys.setprofile(self._note_call)
        try:
            yield
        finally:
            sys.setprofile(None)

    @property
    def types(self) -> list[str]:
        """Names of the records that carry the value, in the order in which they come."""
        return list(dict.fromkeys(name for names in self.carriers.values() for name in names))

    def table(self) -> str:
        """Table of the files, as Markdown."""
        rows = (
            (f"`{file}`", first_functions(list(names)), code_list(self.carriers.get(file, ())))
            for file, names in self.functions.items()
        )
        return markdown_table(("file", "functions", "records that carry it"), rows)

    def _note_call(self, frame: FrameType, event: str, returned_object: object) -> None:
        code = frame.f_code
        if event not in {"call", "return"} or not code.co_filename.startswith(f"{ROOT}/"):
            return
        file = code.co_filename.removeprefix(f"{ROOT}/")
        if file.split("/")[0] not in ROOMS or code.co_name.startswith("<"):
            return
        self.functions.setdefault(file, {})[code.co_qualname.replace(".<locals>", "")] = None
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        seen_objects = (
            [frame.f_locals.get(name) for name in names] if event == "call" else [returned_object]
        )
        for value in seen_objects:
            self._note(file, value, DEPTH)

    def _note(self, file: str, value: object, depth: int) -> bool:
        """Note the records in `value` that hold what is carried; True if there is any."""
        if depth == 0:
            return False
        if (parts := parts_of(value)) is None:
            return self._carried(value)
        held_types = [self._note(file, attribute, depth - 1) for attribute in parts]
        if is_record(value) and any(held_types):
            self.carriers.setdefault(file, {})[record_name(value)] = None
        return any(held_types)


def is_record(value: object) -> bool:
    """Return whether `value` is a record or a row of a table of this project."""
    kind = type(value)
    marks = ("__dataclass_fields__", "_fields", "_meta")
    return kind.__module__.startswith(ROOMS) and any(hasattr(kind, mark) for mark in marks)


def record_name(value: object) -> str:
    """Name of the class of a record; rows of a table say so."""
    name = type(value).__qualname__
    return f"{name} (table)" if hasattr(value, "_meta") and hasattr(value, "pk") else name


def parts_of(value: object) -> Collection[Any] | None:
    """Fields or items of `value`, or None of a plain one."""
    if isinstance(value, dict):
        return [*value.keys(), *value.values()][: 2 * FEW]
    if isinstance(value, Mapping):  # one that computes when it is asked is not asked here
        return list(getattr(value, "__dict__", {}).values())
    if isinstance(value, list | tuple):
        return value[:FEW]
    if not is_record(value):
        return None
    if names := getattr(type(value), "__dataclass_fields__", None):
        return [getattr(value, name, None) for name in names]
    return [field for name, field in vars(value).items() if name != "_state"]


def first_functions(names: Sequence[str]) -> str:
    """The first functions of a file, and how many more were entered."""
    rest_words = f", {len(names) - MOST} more" if len(names) > MOST else ""
    return code_list(names[:MOST]) + rest_words


def code_list(names: Collection[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
