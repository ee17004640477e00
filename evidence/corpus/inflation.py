"""Variance inflation of means of 100 calls: `python -m evidence.corpus.inflation [FOLDER]`.

Slow noise makes means of neighbours vary more than those of independent calls. The command prints
median and 95 % of that ratio for the recordings, for each version of the corpus, and for published
series in FOLDER, from the panel's answer on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import numpy as np

from demo import layout
from demo.catalogue import CATALOGUE
from detectors.contract import Values
from detectors.training.labels.published import panel_of_folder
from evidence.corpus.noise import KEPT, variance_inflation
from evidence.corpus.series import CorpusSeries, corpus_of
from evidence.corpus.versions import VERSIONS
from formats.markdown import markdown_table

FEWEST: Final = 1000  # values of which ten means can be taken


def corpus_noise(series: Iterable[CorpusSeries]) -> Iterator[Values]:
    """Noise of each series from its answer on; of one that never settles, all of it."""
    for one_series in series:
        yield one_series.noise_ratios[max(one_series.known.steady_start, 0) :]


def recorded_calls() -> Iterator[Values]:
    """Last calls of each recorded fork."""
    for workload in CATALOGUE:
        for fork in layout.read_recording(workload.path)["primaryMetric"]["rawData"]:
            yield np.array(fork[-KEPT:], dtype=np.float64)


def published_calls(folder: Path) -> Iterator[Values]:
    """Values of each marked series from the panel's answer on."""
    for series in panel_of_folder(folder).marked:
        yield series.values[series.start :]


def inflation_quantiles(stretches: Iterable[Values]) -> tuple[int, float, float]:
    """Number of stretches that are long enough; median and 95 % of their inflation."""
    inflations = [variance_inflation(values) for values in stretches if values.size >= FEWEST]
    middle, high_inflation = np.percentile(inflations, (50, 95)).tolist()
    return len(inflations), middle, high_inflation


def inflation_table(sources: Mapping[str, Iterable[Values]]) -> str:
    rows = []
    for name, stretches in sources.items():
        count, middle, high_inflation = inflation_quantiles(stretches)
        rows.append([name, f"{count:,}", f"{middle:.1f}", f"{high_inflation:.1f}"])
    return markdown_table(["noise of", "series", "median", "95 %"], rows)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m evidence.corpus.inflation", description=__doc__
    )
    parser.add_argument("folder", metavar="FOLDER", type=Path, nargs="?", help="published series")
    options = parser.parse_args(arguments)
    sources: dict[str, Iterable[Values]] = {"recordings, last 1,000 calls": recorded_calls()}
    for version in VERSIONS.values():
        sources[version.name] = corpus_noise(corpus_of(version))
    if options.folder:
        sources["published series"] = published_calls(options.folder)
    sys.stdout.write(f"{inflation_table(sources)}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
