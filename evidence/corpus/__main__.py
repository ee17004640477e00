"""Make the corpus: `python -m evidence.corpus FOLDER [--seed 0] [--version 2]`."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from evidence.corpus import folder
from evidence.corpus.series import corpus_of
from evidence.corpus.versions import CURRENT, VERSIONS, CorpusVersion


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m evidence.corpus", description=__doc__)
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="new, or empty")
    parser.add_argument("--seed", type=int, default=0, help="0: the corpus as published")
    parser.add_argument(
        "--version",
        type=int,
        choices=VERSIONS,
        default=CURRENT.number,
        help="1: what the shipped weights learned from",
    )
    options = parser.parse_args(arguments)
    version = VERSIONS[options.version]
    began_at = time.perf_counter()
    try:
        folder.check_unused(options.folder)
        series = corpus_of(version, options.seed)
        file_digests = folder.write_corpus(options.folder, series, version)
    except (folder.FolderInUse, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    size = sum(path.stat().st_size for path in options.folder.rglob("*") if path.is_file())
    sys.stdout.write(
        f"{options.folder}: {len(series):,} series, {sum(s.plan.n for s in series):,} values, "
        f"{size / 1e6:.1f} MB, {time.perf_counter() - began_at:.1f} s\n"
    )
    if options.seed:
        sys.stdout.write(f"Seed {options.seed}: another corpus than {version.name}.\n")
        return 0
    return _compare_digests(file_digests, version)


def _compare_digests(file_digests: dict[str, str], version: CorpusVersion) -> int:
    """Compare what was made with what was published; 1 if it differs."""
    if folder.sums(file_digests) == version.published_sums.read_text("utf-8"):
        sys.stdout.write(f"Every file is that of {version.name}.\n")
        return 0
    sys.stderr.write(
        f"The digests differ from {version.published_sums}: this is not {version.name}.\n"
    )
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
