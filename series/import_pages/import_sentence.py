"""Sentence on how a file was read, whose parts are the settings of reading it otherwise. Pure."""

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


def reading_sentence(preview: Mapping[str, Any], options: Mapping[str, Any]) -> list[SentencePart]:
    """The sentence on a file of which series were found; empty if there are none.

    `preview` is `Import.preview`, `options` is `Import.options`. What is said of medians is left to
    the page, which knows how numbers are written.
    """
    if not preview.get("series"):
        return []
    choice = preview.get("choice")
    table = _table_parts(choice) if choice else _format_parts(preview)
    recordings = preview.get("recordings", 1)
    recordings_text = f" in {recordings:,} recordings" if recordings > 1 else ""
    # A file that waits since before encodings were noted has none
    name = preview.get("encoding")
    encoding = [SentencePart(", as text in "), SentencePart(name, "encoding")] if name else []
    return [
        *table,
        SentencePart(f" of {_iterations(preview)}{recordings_text}, "),
        _unit(preview, options),
        *encoding,
    ]


def _format_parts(preview: Mapping[str, Any]) -> list[SentencePart]:
    count = preview["series"]
    title = reader_of(preview["format"]).title
    return [
        SentencePart(title[0].upper() + title[1:], "format"),
        SentencePart(f": {count:,} series" if count > 1 else ": one series"),
    ]


def _table_parts(choice: Mapping[str, Any]) -> list[SentencePart]:
    has_several_columns = len(choice["columns"]) > 1
    decimal = [SentencePart(", "), SentencePart("decimal commas", "decimal")]
    return [
        SentencePart("A "),
        SentencePart(
            f"table with {SEPARATORS[choice['separator']]}"
            if has_several_columns
            else "column of numbers",
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
    read_count, column_count = len(choice["values"]), len(choice["columns"])
    if column_count == 1:
        return [SentencePart("one series", "layout")]
    layout_words = (
        "each column is a series"
        if read_count == column_count
        else f"{read_count} of {column_count} columns are series"
    )
    if read_count == 1:
        layout_words = f"column “{choice['values'][0]}” is a series"
    return [SentencePart(layout_words, "layout")]


def _iterations(preview: Mapping[str, Any]) -> str:
    shortest_length, longest_length = preview["shortest"], preview["longest"]
    if longest_length == 1:
        return "one iteration"
    return (
        f"{longest_length:,} iterations"
        if shortest_length == longest_length
        else f"{shortest_length:,} to {longest_length:,} iterations"
    )


def _unit(preview: Mapping[str, Any], options: Mapping[str, Any]) -> SentencePart:
    choice = preview.get("choice") or {}
    units = choice.get("units") or [options.get("unit", "")]
    units = [unit for unit in units if unit] or [unit for unit in preview["units"] if unit]
    return SentencePart(f"in {', '.join(units[:4])}" if units else "in no unit", "unit")
