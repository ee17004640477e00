"""Make the corpus: `python -m corpus FOLDER [--seed 0]`."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from corpus import folder
from corpus.noise import recorded_noise
from corpus.series import made, planned


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m corpus", description=__doc__)
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="new, or empty")
    parser.add_argument("--seed", type=int, default=0, help="0: plateau-corpus-1 as published")
    options = parser.parse_args(arguments)
    began = time.perf_counter()
    try:
        folder.check_unused(options.folder)
        noises = recorded_noise()
        series = [made(each, noises, options.seed) for each in planned(noises, options.seed)]
        found = folder.write(options.folder, series)
    except (folder.FolderInUse, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    size = sum(path.stat().st_size for path in options.folder.rglob("*") if path.is_file())
    sys.stdout.write(
        f"{options.folder}: {len(series):,} series, {sum(s.plan.n for s in series):,} values, "
        f"{size / 1e6:.1f} MB, {time.perf_counter() - began:.1f} s\n"
    )
    if options.seed:
        sys.stdout.write(f"Seed {options.seed}: another corpus than {folder.NAME}.\n")
        return 0
    return _compared(found)


def _compared(found: dict[str, str]) -> int:
    """Whether what was made is what was published; 1 if it is not."""
    if folder.sums(found) == folder.PUBLISHED_SUMS.read_text("utf-8"):
        sys.stdout.write(f"Every file is that of {folder.NAME}.\n")
        return 0
    sys.stderr.write(
        f"The digests differ from {folder.PUBLISHED_SUMS}: this is not {folder.NAME}.\n"
    )
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
