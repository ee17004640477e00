"""The corpus as a folder: values, manifest, recordings, licence, and digests of all of them."""

from __future__ import annotations

import csv
import io
import shutil
import zipfile
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np

from demo.catalogue import CATALOGUE, DATA_CARD
from evidence.corpus.series import CorpusSeries
from evidence.corpus.versions import CURRENT, TEXTS, CorpusVersion

LICENSE: Final = TEXTS / "LICENSE"
VALUES, MANIFEST, RECORDED, SUMS = "series.npz", "manifest.csv", "recordings", "SHA256SUMS"
FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)  # of a zip archive: no file says when it was made
Cell = Callable[[CorpusSeries], object]
Columns = Mapping[str, tuple[str, Cell]]

_SERIES: Final[Columns] = {
    "benchmark": ("name of the series, and of its array", lambda s: s.plan.name),
    "fork": ("0: every series is a benchmark of its own", lambda _: 0),
    "shape": ("what its level does", lambda s: s.plan.shape),
    "noise": ("workload whose noise it holds", lambda s: s.plan.workload),
    "noise_fork": ("and the fork, from 0", lambda s: s.noise.fork),
    "runtime": ("of the workload", lambda s: s.noise.system),
    "n": ("iterations", lambda s: s.plan.n),
}
_NOISE: Final[Columns] = {
    "level": ("nanoseconds, of the steady level", lambda s: f"{s.noise.level:g}"),
    "spread": (
        "robust standard deviation of the noise, as a share of the level",
        lambda s: f"{s.noise.spread:.6f}",
    ),
}
_WHY: Final[Columns] = {
    "why": ("one sentence on the answer", lambda s: s.known.why),
    "series_digest": (
        "SHA-256 of the values in seconds (float64, little-endian)",
        lambda s: s.digest,
    ),
}
COLUMNS: Final[Mapping[int, Columns]] = MappingProxyType(
    {
        1: {
            **_SERIES,
            "steady_start": (
                "first steady iteration, 0-based; -1 never",
                lambda s: s.known.steady_start,
            ),
            "within_spread": (
                "first iteration from which the level is within one spread of the steady one",
                lambda s: s.known.within_spread,
            ),
            "exactness": (
                "exact; threshold: by how much of a decay counts as nothing",
                lambda s: s.known.exactness,
            ),
            **_NOISE,
            **_WHY,
        },
        2: {
            **_SERIES,
            "steady_start": (
                "first steady iteration, 0-based; of a decay the middle of those; -1 never",
                lambda s: s.known.middle,
            ),
            "earliest": (
                "first right answer: the level is within one spread of the steady one",
                lambda s: s.known.within_spread,
            ),
            "latest": (
                "last right answer: of a decay a tenth of the spread is left",
                lambda s: s.known.steady_start,
            ),
            "seen": (
                "yes; too small to see: the change is below three spreads, no answer is wrong",
                lambda s: "yes" if s.is_seen else "too small to see",
            ),
            **_NOISE,
            "slow": (
                "standard deviation of the slow part of the noise, as a share of the level",
                lambda s: f"{s.noise.slow:.6f}",
            ),
            **_WHY,
        },
    }
)
"""What the manifest says of each series, by version."""


class FolderInUse(ValueError):
    """A folder that holds something already; the sentence names it."""


def write_corpus(
    folder: Path, series: Iterable[CorpusSeries], version: CorpusVersion = CURRENT
) -> dict[str, str]:
    """Write the corpus; the digest of each file, by its name."""
    all_series = list(series)
    (folder / RECORDED).mkdir(parents=True, exist_ok=True)
    (folder / VALUES).write_bytes(archive(all_series))
    (folder / MANIFEST).write_text(manifest(all_series, version), "utf-8")
    for path in (*(workload.path for workload in CATALOGUE), DATA_CARD):
        shutil.copyfile(path, folder / RECORDED / path.name)
    shutil.copyfile(LICENSE, folder / LICENSE.name)
    shutil.copyfile(version.text("CITATION", ".cff"), folder / "CITATION.cff")
    (folder / "README.md").write_text(readme(all_series, version), "utf-8")
    file_digests = digests(folder)
    (folder / SUMS).write_text(sums(file_digests), "utf-8")
    return file_digests


def check_unused(folder: Path) -> None:
    """Raises `FolderInUse` for a folder with something in it."""
    if folder.exists() and any(folder.iterdir()):
        raise FolderInUse(f"{folder}: found files in it, expected a new or an empty folder")


def archive(series: Iterable[CorpusSeries]) -> bytes:
    """An .npz of one array a series, not packed: packing differs between versions of zlib."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as members:
        for one_series in series:
            array = io.BytesIO()
            np.lib.format.write_array(array, one_series.nanoseconds, version=(1, 0))
            name = zipfile.ZipInfo(f"{one_series.plan.name}.npy", FIRST_DAY)
            members.writestr(name, array.getvalue())
    return buffer.getvalue()


def manifest(series: Iterable[CorpusSeries], version: CorpusVersion = CURRENT) -> str:
    """One row a series, with the columns of the version."""
    columns = COLUMNS[version.number]
    buffer = io.StringIO()
    rows = csv.writer(buffer, lineterminator="\n")
    rows.writerow(columns)
    rows.writerows([cell(one_series) for _, cell in columns.values()] for one_series in series)
    return buffer.getvalue()


def readme(series: list[CorpusSeries], version: CorpusVersion = CURRENT) -> str:
    column_items = COLUMNS[version.number].items()
    columns = "\n".join(f"| `{name}` | {words} |" for name, (words, _) in column_items)
    text = version.text("README", ".md").read_text("utf-8")
    return text.replace("{series}", f"{len(series):,}").replace("{columns}", columns)


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of every file but the list itself, by its path in the folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != SUMS)
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files
    }


def sums(file_digests: Mapping[str, str]) -> str:
    """Text of digests as `sha256sum --check` reads it."""
    return "".join(f"{digest}  {name}\n" for name, digest in file_digests.items())
