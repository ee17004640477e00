"""Symbols of slots for drawings made on the server: the shapes of js/chart/symbols.js, 12 × 12."""

from __future__ import annotations

from typing import Final

SHAPES: Final = (
    "M1.2 6a4.8 4.8 0 1 0 9.6 0a4.8 4.8 0 1 0-9.6 0Z",
    "M1.7 1.7h8.6v8.6h-8.6Z",
    "M6 .4L11.6 6L6 11.6L.4 6Z",
    "M6 1L11.2 10.4H.8Z",
    "M6 11L11.2 1.6H.8Z",
    "M4.2 .9h3.6v3.3h3.3v3.6h-3.3v3.3h-3.6v-3.3h-3.3v-3.6h3.3Z",
    "M3.2 1L6 3.8L8.8 1L11 3.2L8.2 6L11 8.8L8.8 11L6 8.2L3.2 11L1 8.8L3.8 6L1 3.2Z",
    "M6 0.7L11.3 4.6L9.3 10.8L2.7 10.8L0.7 4.6Z",
    "M6 0.4L7.5 4.3L11.7 4.5L8.5 7.2L9.5 11.3L6 9L2.5 11.3L3.5 7.2L0.3 4.5L4.5 4.3Z",
    "M6 0.5L10.8 3.3L10.8 8.8L6 11.5L1.2 8.8L1.2 3.2Z",
)


SYMBOLS: Final = 2 * len(SHAPES)
"""Ten shapes, full and open; then colours take other shapes."""

STEP: Final = 3  # shapes further on with each round of slots


def classes(slot: int | None) -> str:
    """Classes of a slot's symbol in a page: of its colour, and of its shape where that is moved.

    None for a method that is not installed.
    """
    if slot is None:
        return ""
    symbol_slot = slot % SYMBOLS
    open_slot = symbol_slot - symbol_slot % len(SHAPES)
    shape_class = "" if slot < SYMBOLS else f" shape-{open_slot + _shape_index(slot)}"
    return f"slot-{symbol_slot}{shape_class}"


def shape(slot: int) -> str:
    """Path data of a slot's symbol."""
    return SHAPES[_shape_index(slot)]


def _shape_index(slot: int) -> int:
    return (slot + STEP * (slot // SYMBOLS)) % len(SHAPES)


def is_open(slot: int) -> bool:
    """True if the symbol is an outline: slots 10 to 19 of each twenty."""
    return slot // len(SHAPES) % 2 == 1


# --- the same look in the words of Plotly -----------------------------------------------------
MARKERS: Final = (
    *("circle", "square", "diamond", "triangle-up", "triangle-down"),
    *("cross", "x", "pentagon", "star", "hexagon"),
)
"""Plotly's names of SHAPES."""
DASHES: Final = (
    *("solid", "8px,4px", "solid", "2px,3px", "solid", "8px,4px", "solid", "2px,3px"),
    *("solid", "8px,4px", "6px,3px", "2px,2px", "10px,3px,2px,3px", "12px,4px", "6px,3px"),
    *("2px,2px", "10px,3px,2px,3px", "12px,4px", "6px,3px", "2px,2px"),
)
"""Of slots 0 to 19, as method-colours.css has them; a test compares."""


def marker(slot: int | None) -> str:
    """Plotly's name of a slot's symbol; a circle for a method that is not installed."""
    if slot is None:
        return MARKERS[0]
    return MARKERS[_shape_index(slot)] + ("-open" if is_open(slot) else "")


def dash(slot: int | None) -> str:
    """Plotly's dash of a slot's lines."""
    return DASHES[0] if slot is None else DASHES[slot % SYMBOLS]


def colour(slot: int | None) -> str:
    """The token of a slot's colour."""
    return "var(--ink-3)" if slot is None else f"var(--slot-{slot % len(SHAPES)})"
