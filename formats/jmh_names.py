"""Names in JMH's files of a benchmark that one file holds in several modes."""

from __future__ import annotations


class ModeNames:
    """JMH's ``-bm all`` measures one benchmark in every mode, and these are different series.

    The mode that comes first in a file keeps the plain name; any other is named after it, as in
    ``org.Sort.quick [avgt]``.
    """

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], str] = {}

    def name(self, benchmark: str, params: str, mode: str) -> str:
        first = self._first.setdefault((benchmark, params), mode)
        return benchmark if mode == first else f"{benchmark} [{mode}]"


def series_label(benchmark: str, params: str, fork: int) -> str:
    """The name of a series inside a JMH file, as the command line prints it."""
    return f"{benchmark}|{params}|{fork}"


def place(benchmark: str, params: str, fork: int | None = None) -> str:
    """Name of a series inside a JMH file for people, in errors."""
    params_text = f" ({params})" if params else ""
    tail = "" if fork is None else f", fork {fork}"
    return f"benchmark {benchmark}{params_text}{tail}"
