"""Tables in LaTeX for papers, with the rules of the booktabs package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from formats.tables import Cell

DIGITS: Final = 4  # significant ones of a number; the CSV file has all
LONGEST_PAGE: Final = 50  # rows: a longer table breaks over pages
ESCAPES: Final = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "\n": " ",
    }
)


def latex_table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """Lines of a tabular, or of a longtable above 50 rows: numbers to the right, text to the left.

    A number has four significant digits, a bool is yes or no, None an empty cell. Raises
    ValueError for a row of another length than `columns`.
    """
    table_rows = [list(row) for row in rows]
    for row in table_rows:
        if len(row) != len(columns):
            raise ValueError(f"found {len(row)} cells, expected {len(columns)}")
    is_long = len(table_rows) > LONGEST_PAGE
    environment = "longtable" if is_long else "tabular"
    alignment = "".join(map(_alignment, zip(*table_rows, strict=True))) or "l" * len(columns)
    packages = "booktabs, longtable" if is_long else "booktabs"
    body = [*map(_line, table_rows)]
    letters = "" if "".join(body).isascii() else "; letters for XeLaTeX or LuaLaTeX"
    yield f"% \\usepackage{{{packages}}}; numbers have {DIGITS} significant digits{letters}\n"
    yield f"\\begin{{{environment}}}{{{alignment}}}\n\\toprule\n"
    yield _line(columns)
    yield "\\midrule\n\\endhead\n" if is_long else "\\midrule\n"
    yield from body
    yield f"\\bottomrule\n\\end{{{environment}}}\n"


def _alignment(cells: Sequence[Cell]) -> str:
    return "r" if all(_is_number(cell) for cell in cells if cell is not None) else "l"


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _line(cells: Iterable[Cell]) -> str:
    line = " & ".join(map(_text, cells))
    # After the end of a row LaTeX takes a star and brackets for arguments of that end.
    guard = "{}" if line.startswith(("[", "*")) else ""
    return f"{guard}{line} \\\\\n"


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return _number(f"{cell + 0.0:.{DIGITS}g}")  # a negative zero becomes zero
    return _number(str(cell)) if isinstance(cell, int) else _words(cell)


def _words(text: str) -> str:
    """Text as it stands: two hyphens do not become a dash."""
    return text.translate(ESCAPES).replace("--", "-{}-")


def _number(text: str) -> str:
    """A number in mathematics, where `-` is a minus sign and `e` a power of ten."""
    mantissa, _, exponent = text.partition("e")
    if exponent:
        return f"${mantissa} \\cdot 10^{{{int(exponent)}}}$"
    return f"${text}$" if text.startswith("-") else text
