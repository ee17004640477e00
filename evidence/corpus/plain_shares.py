"""Share of plain series that a method answers rightly.

    python -m evidence.corpus.plain_shares METHOD…

Each shape in each length with each noise, so that a share can be told by any of them. Flat series
are counted in lengths from 10 on. Prints a table a kind of share, a row a method; `--json` writes
the shares.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from detectors.contract import Detector, DetectorError
from detectors.registry import from_key
from detectors.simulated.plain_series import (
    EVALUATION,
    LENGTHS,
    NOISES,
    SHORT_LENGTHS,
    Noise,
    PlainRanges,
    PlainSeries,
    plain_series,
    shapes_of,
)
from evidence.corpus.plain_noise import RECORDED, tail_noise
from formats.markdown import head, row

SOURCES: Final[Mapping[str, Noise]] = MappingProxyType({**NOISES, RECORDED: tail_noise})
COPIED: Final = 3000  # values, up to which a kind is drawn more than once
Kind = Literal["shape", "length", "noise"]
KINDS: Final[Mapping[Kind, Callable[[PlainSeries], str]]] = MappingProxyType(
    {
        "shape": lambda series: series.shape,
        "length": lambda series: str(series.values.size),
        "noise": lambda series: series.noise,
    }
)
Judged = Sequence[tuple[PlainSeries, bool]]


def plain_suite(
    lengths: Iterable[int] = (*SHORT_LENGTHS, *LENGTHS),
    copies: int = 1,
    ranges: PlainRanges = EVALUATION,
    sources: Mapping[str, Noise] = SOURCES,
) -> Iterator[PlainSeries]:
    """Every shape, length and noise, `copies` times; the same series every time."""
    for n in lengths:
        copy_numbers = range(copies if n <= COPIED else 1)
        for shape, (noise, source), number in product(shapes_of(n), sources.items(), copy_numbers):
            yield plain_series(shape, noise, n, number, ranges, source)


def judge_plain_answers(
    method: Detector, suite: Iterable[PlainSeries]
) -> list[tuple[PlainSeries, bool]]:
    """Each series, and whether the method's answer is right; without an answer none is."""
    return [(series, _is_right(method, series)) for series in suite]


def _is_right(method: Detector, series: PlainSeries) -> bool:
    try:
        return series.is_right(method.answer(series.values).steady_start)
    except DetectorError:
        return False


def shares(results: Judged, kind: Kind) -> dict[str, float]:
    """Share of right answers for each value of a kind, in the order of the suite."""
    groups: defaultdict[str, list[bool]] = defaultdict(list)
    for series, is_right in results:
        groups[KINDS[kind](series)].append(is_right)
    return {name: sum(rights) / len(rights) for name, rights in groups.items()}


def document(results: Judged) -> dict[str, object]:
    """All shares of a method, for JSON."""
    total = sum(is_right for _, is_right in results) / len(results)
    figures: dict[str, object] = {"series": len(results), "right": total}
    figures.update((kind, shares(results, kind)) for kind in KINDS)
    return figures


def share_tables(results_by_method: Mapping[str, Judged]) -> str:
    """Markdown: a table for each kind of share, a row for each method."""
    parts = []
    for kind in KINDS:
        rows = {name: shares(results, kind) for name, results in results_by_method.items()}
        names = list(next(iter(rows.values())))
        lines = [head("method", "all", *names)]
        for name, share_by_name in rows.items():
            total = sum(is_right for _, is_right in results_by_method[name]) / len(
                results_by_method[name]
            )
            lines.append(row(name, *(f"{share:.2f}" for share in (total, *share_by_name.values()))))
        parts.append(f"Share of right answers by {kind}\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m evidence.corpus.plain_shares", description=__doc__
    )
    parser.add_argument("methods", metavar="METHOD", nargs="+", help="slug or key")
    parser.add_argument("--lengths", type=int, nargs="+", default=[*SHORT_LENGTHS, *LENGTHS])
    parser.add_argument("--copies", type=int, default=2, help="of each kind up to 3,000 values")
    parser.add_argument("--json", type=Path, help="write the shares here, too")
    options = parser.parse_args(arguments)
    suite = list(plain_suite(options.lengths, options.copies))
    results_by_method = {
        name: judge_plain_answers(from_key(name), suite) for name in options.methods
    }
    sys.stdout.write(f"{len(suite):,} series\n\n{share_tables(results_by_method)}")
    if options.json:
        documents = {name: document(results) for name, results in results_by_method.items()}
        options.json.write_text(json.dumps(documents, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
