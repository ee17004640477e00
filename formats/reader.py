"""Declaration of a module that reads one format; `formats.registry` lists them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from formats.measurement import Measurement
from formats.options import ReadOptions
from formats.source import InputSource

OptionName: TypeAlias = Literal[
    "unit",
    "system",
    "benchmark",
    "params",
    "layout",
    "separator",
    "decimal",
    "header",
    "columns",
    "series_columns",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileStart:
    """The first bytes of a file, unpacked, and the same as text.

    At most one of `json` (begins as JSON does) and `text` (any other) is not empty; both are empty
    where the bytes are no text. The last character or line may be cut off.
    """

    data: bytes
    json: str = ""
    text: str = ""
    options: ReadOptions = field(default_factory=ReadOptions)

    def has(self, *marks: str) -> bool:
        """Return whether all of `marks` stand in the beginning of a JSON file."""
        return all(mark in self.json for mark in marks)


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnChoice:
    """Offer of the column chooser for a CSV file: how it is read now, and what else there is.

    `roles` maps each role of the long layout to the column now read for it; `values` are the
    columns now read as series in the wide layout. `units` are those that names of columns say.
    """

    separator: str
    decimal: str
    header: bool
    layout: str
    columns: tuple[str, ...]
    roles: dict[str, str]
    values: tuple[str, ...]
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """One way to settle a doubt: what its button says, and the options that it chooses.

    `keeps` says that the file is read so already.
    """

    label: str
    options: Mapping[str, str]
    keeps: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """Question that a file leaves open: how it is taken now, and how else it may be."""

    name: str
    question: str
    now: str
    remedies: tuple[Remedy, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstRows:
    """The first rows of a file as they stand in it, and the columns that can be chosen, if any."""

    rows: list[list[str]]
    choice: ColumnChoice | None = None


def first_text_lines(source: InputSource, count: int) -> FirstRows:
    """The first lines of a text file, each as one cell; nothing is consumed."""
    return FirstRows(rows=[[line] for line in source.head_text().splitlines()[:count]])


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReader:
    """One format: what a person calls it, how it is recognised, and how it is read.

    `recognise` says why a file that begins so has this format, and nothing (an empty text) where
    it has not. `read` yields series as it reads, in memory that is bounded by the limits of the
    source, and raises `FormatError`. `options` are those of `formats.ReadOptions` that it looks at;
    the length of an iteration is added for all (`formats.reading`). `named_values` says that the
    file calls its values measurements, so that numbers like positions are not doubted. `harness`
    names the program that wrote it, where a plan can be written as its command.
    `takes_any_text` says that `recognise` knows no tool: files of other tools are refused first.
    `doubts` are what a person may have to settle; nothing is consumed.
    """

    name: str
    title: str
    endings: tuple[str, ...]
    recognise: Callable[[FileStart], str]
    read: Callable[[InputSource], Iterator[Measurement]]
    options: tuple[OptionName, ...]
    first_rows: Callable[[InputSource, int], FirstRows] = first_text_lines
    named_values: bool = False
    takes_any_text: bool = False
    harness: str = ""
    doubts: Callable[[InputSource], tuple[Doubt, ...]] = lambda _source: ()
