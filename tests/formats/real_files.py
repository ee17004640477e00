"""Check downloaded files against `real_files.csv`: `python -m tests.formats.real_files FOLDER`.

The files are other people's and stay out of this project. A row says where a file is published
(repository, commit or tag, path), how much of it is meant (`lines`: the first so many; empty: all
of it), what it holds (`series`, and as `values` the first and last value of the first series and
the last value of the last series, in the stored unit) or, as `refusal`, words of the sentence that
refuses it. In FOLDER a file lies at repository/path.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import formats

LIST: Final = Path(__file__).with_name("real_files.csv")


@dataclass(frozen=True, slots=True, kw_only=True)
class RealFile:
    """A row of the list, as text."""

    repository: str
    commit: str
    path: str
    kind: str
    licence: str
    lines: str
    series: str
    values: str
    refusal: str

    def content(self, folder: Path) -> bytes | None:
        """Bytes of the file that are meant; None where it is not in `folder`."""
        path = folder / self.repository / self.path
        if not path.is_file():
            return None
        content = path.read_bytes()
        if not self.lines:
            return content
        return b"".join(content.splitlines(keepends=True)[: int(self.lines)])

    @property
    def expected(self) -> str:
        return (
            f"refused: {self.refusal}" if self.refusal else f"{self.series} series, {self.values}"
        )


def listed_files(path: Path = LIST) -> list[RealFile]:
    with path.open(encoding="utf-8", newline="") as stream:
        return [RealFile(**row) for row in csv.DictReader(stream)]


def read_outcome(content: bytes, name: str) -> tuple[str, str, str]:
    """Number of series, three values and sentence of refusal, as the list has them."""
    try:
        series = list(formats.read_series_of_file(io.BytesIO(content), name))
    except formats.FormatError as error:
        return "", "", str(error)
    if not series:
        return "0", "", ""
    values = (series[0].values[0], series[0].values[-1], series[-1].values[-1])
    return str(len(series)), " ".join(repr(float(value)) for value in values), ""


def is_right(file: RealFile, content: bytes) -> bool:
    """Return whether a file is read, or refused, as the list says."""
    series_count, values, sentence = read_outcome(content, Path(file.path).name)
    if file.refusal:
        return file.refusal in sentence
    return (series_count, values) == (file.series, file.values)


def check_files(files: list[RealFile], folder: Path) -> Iterator[tuple[RealFile, bool | None]]:
    """Each file, and whether it is right; None where it is not in `folder`."""
    for file in files:
        content = file.content(folder)
        yield file, None if content is None else is_right(file, content)


def main(arguments: list[str] | None = None) -> int:
    """Print each wrong file and a table by kind; status 1 if one is wrong or none is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args(arguments).folder
    right_counts, wrong_counts, missing_counts = Counter[str](), Counter[str](), Counter[str]()
    for file, is_as_listed in check_files(listed_files(), folder):
        {True: right_counts, False: wrong_counts, None: missing_counts}[is_as_listed][
            file.kind
        ] += 1
        if is_as_listed is False:
            content = file.content(folder) or b""
            actual = next(filter(None, reversed(read_outcome(content, Path(file.path).name))), "")
            place = f"{file.repository}/{file.path}"
            sys.stdout.write(f"{place}: found {actual}, expected {file.expected}\n")
    counters = (right_counts, wrong_counts, missing_counts)
    for kind in sorted({*right_counts, *wrong_counts, *missing_counts}):
        sys.stdout.write(_counts_line(kind, [counter[kind] for counter in counters]))
    sys.stdout.write(_counts_line("all", [counter.total() for counter in counters]))
    return int(bool(wrong_counts) or not right_counts)


def _counts_line(kind: str, counts: list[int]) -> str:
    right_counts, wrong_counts, missing_counts = counts
    return f"{kind:30}{right_counts:5} right{wrong_counts:5} wrong{missing_counts:5} not there\n"


if __name__ == "__main__":
    raise SystemExit(main())
