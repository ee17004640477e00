"""How a file was read, as a sentence whose parts are the settings of reading it otherwise. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from formats.registry import reader_of

SEPARATORS: Final = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}


@dataclass(frozen=True, slots=True)
class SentencePart:
    """Words of the sentence; `field` names the setting that they speak of, if any."""

    text: str
    field: str = ""


def reading_of(found: Mapping[str, Any], options: Mapping[str, Any]) -> list[SentencePart]:
    """The sentence on a file of which series were found; empty if there are none.

    `found` is `Import.preview`, `options` is `Import.options`. What is said of medians is left to
    the page, which knows how numbers are written.
    """
    if not found.get("series"):
        return []
    choice = found.get("choice")
    table = _of_table(choice) if choice else _of_format(found)
    recordings = found.get("recordings", 1)
    of = f" in {recordings:,} recordings" if recordings > 1 else ""
    encoding = _encoding(found)
    return [
        *table,
        SentencePart(f" of {_iterations(found)}{of}, "),
        _unit(found, options),
        *encoding,
    ]


def _encoding(found: Mapping[str, Any]) -> list[SentencePart]:
    """Where it is worth a word; a file that waits since before encodings were noted has none."""
    name = found.get("encoding")
    return [SentencePart(", as text in "), SentencePart(name, "encoding")] if name else []


def _of_format(found: Mapping[str, Any]) -> list[SentencePart]:
    count = found["series"]
    title = reader_of(found["format"]).title
    return [
        SentencePart(title[0].upper() + title[1:], "format"),
        SentencePart(f": {count:,} series" if count > 1 else ": one series"),
    ]


def _of_table(choice: Mapping[str, Any]) -> list[SentencePart]:
    several = len(choice["columns"]) > 1
    decimal = [SentencePart(", "), SentencePart("decimal commas", "decimal")]
    return [
        SentencePart("A "),
        SentencePart(
            f"table with {SEPARATORS[choice['separator']]}" if several else "column of numbers",
            "separator",
        ),
        *(decimal if choice["decimal"] == "," else []),
        SentencePart(" and "),
        SentencePart("a header" if choice["header"] else "no header", "header"),
        SentencePart(": "),
        *_layout(choice),
    ]


def _layout(choice: Mapping[str, Any]) -> list[SentencePart]:
    if choice["layout"] == "long":
        value = SentencePart(f"from “{choice['roles'].get('value', '?')}”", "column_value")
        return [SentencePart("each row is a value", "layout"), SentencePart(", "), value]
    read, there = len(choice["values"]), len(choice["columns"])
    if there == 1:
        return [SentencePart("one series", "layout")]
    which = "each column is a series" if read == there else f"{read} of {there} columns are series"
    if read == 1:
        which = f"column “{choice['values'][0]}” is a series"
    return [SentencePart(which, "layout")]


def _iterations(found: Mapping[str, Any]) -> str:
    least, most = found["shortest"], found["longest"]
    if most == 1:
        return "one iteration"
    return f"{most:,} iterations" if least == most else f"{least:,} to {most:,} iterations"


def _unit(found: Mapping[str, Any], options: Mapping[str, Any]) -> SentencePart:
    choice = found.get("choice") or {}
    units = choice.get("units") or [options.get("unit", "")]
    units = [unit for unit in units if unit] or [unit for unit in found["units"] if unit]
    return SentencePart(f"in {', '.join(units[:4])}" if units else "in no unit", "unit")
