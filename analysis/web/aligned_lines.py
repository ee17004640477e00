"""Columns of equal width, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def aligned_lines(rows: Sequence[Sequence[str]], *, left_columns: int = 1) -> Iterator[str]:
    """Yield lines of equally wide columns: the first `left_columns` flush left, others flush
    right.
    """
    widths = [max(map(len, column_texts)) for column_texts in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            text.ljust(width) if column_index < left_columns else text.rjust(width)
            for column_index, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip() + "\n"
