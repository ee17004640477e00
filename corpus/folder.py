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

from corpus.series import CorpusSeries
from demo.catalogue import CATALOGUE, DATA_CARD

NAME: Final = "plateau-corpus-1"
TEXTS: Final = Path(__file__).with_name("texts")
PUBLISHED_SUMS: Final = Path(__file__).with_name("SHA256SUMS")
VALUES, MANIFEST, RECORDED, SUMS = "series.npz", "manifest.csv", "recordings", "SHA256SUMS"
FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)  # of a zip archive: no file says when it was made
Cell = Callable[[CorpusSeries], object]

COLUMNS: Final[Mapping[str, tuple[str, Cell]]] = MappingProxyType(
    {
        "benchmark": ("name of the series, and of its array", lambda s: s.plan.name),
        "fork": ("0: every series is a benchmark of its own", lambda _: 0),
        "shape": ("what its level does", lambda s: s.plan.shape),
        "noise": ("workload whose noise it holds", lambda s: s.plan.workload),
        "noise_fork": ("and the fork, from 0", lambda s: s.noise.fork),
        "runtime": ("of the workload", lambda s: s.noise.system),
        "n": ("iterations", lambda s: s.plan.n),
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
        "level": ("nanoseconds, of the steady level", lambda s: f"{s.noise.level:g}"),
        "spread": (
            "robust standard deviation of the noise, as a share of the level",
            lambda s: f"{s.noise.spread:.6f}",
        ),
        "why": ("one sentence on the answer", lambda s: s.known.why),
        "series_digest": (
            "SHA-256 of the values in seconds (float64, little-endian)",
            lambda s: s.digest,
        ),
    }
)


class FolderInUse(ValueError):
    """A folder that holds something already; the sentence names it."""


def write(folder: Path, series: Iterable[CorpusSeries]) -> dict[str, str]:
    """Write the corpus; the digest of each file, by its name."""
    every = list(series)
    (folder / RECORDED).mkdir(parents=True, exist_ok=True)
    (folder / VALUES).write_bytes(archive(every))
    (folder / MANIFEST).write_text(manifest(every), "utf-8")
    for path in (*(each.path for each in CATALOGUE), DATA_CARD):
        shutil.copyfile(path, folder / RECORDED / path.name)
    for name in ("LICENSE", "CITATION.cff"):
        shutil.copyfile(TEXTS / name, folder / name)
    (folder / "README.md").write_text(readme(every), "utf-8")
    found = digests(folder)
    (folder / SUMS).write_text(sums(found), "utf-8")
    return found


def check_unused(folder: Path) -> None:
    """Raises `FolderInUse` for a folder with something in it."""
    if folder.exists() and any(folder.iterdir()):
        raise FolderInUse(f"{folder}: found files in it, expected a new or an empty folder")


def archive(series: Iterable[CorpusSeries]) -> bytes:
    """An .npz of one array a series, not packed: packing differs between versions of zlib."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as members:
        for each in series:
            array = io.BytesIO()
            np.lib.format.write_array(array, each.nanoseconds, version=(1, 0))
            name = zipfile.ZipInfo(f"{each.plan.name}.npy", FIRST_DAY)
            members.writestr(name, array.getvalue())
    return out.getvalue()


def manifest(series: Iterable[CorpusSeries]) -> str:
    """One row a series, with the columns of `COLUMNS`."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(COLUMNS)
    rows.writerows([cell(each) for _, cell in COLUMNS.values()] for each in series)
    return out.getvalue()


def readme(series: list[CorpusSeries]) -> str:
    columns = "\n".join(f"| `{name}` | {words} |" for name, (words, _) in COLUMNS.items())
    text = (TEXTS / "README.md").read_text("utf-8")
    return text.replace("{series}", f"{len(series):,}").replace("{columns}", columns)


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of every file but the list itself, by its path in the folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != SUMS)
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files
    }


def sums(found: Mapping[str, str]) -> str:
    """As `sha256sum --check` reads it."""
    return "".join(f"{digest}  {name}\n" for name, digest in found.items())
