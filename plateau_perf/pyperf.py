"""Run a pyperf script with as many warm-up values as its first look shows that it needs.

    python -m plateau_perf.pyperf bench.py -o results.json

The first look is one process without warm-up. Its values, in their order, are asked for the first
steady one; the script then runs with `--warmups` set to it. Needs `plateau-perf[pyperf]`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from plateau_perf.answer import Answer, detect
from plateau_perf.extras import import_extra

LOOKED_AT: Final = 100  # values of the first look
LEAST: Final = 10  # values that the default method needs
DONE, NEVER_STEADY = 0, 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Look, then run; return the exit status of the script, or 1 where it is never steady."""
    parser = argparse.ArgumentParser(prog="python -m plateau_perf.pyperf", description=__doc__)
    parser.add_argument(
        "--first-look",
        metavar="N",
        type=_value_count,
        default=LOOKED_AT,
        help="values; default: 100",
    )
    parser.add_argument("script", help="a program of pyperf")
    parser.add_argument("options", nargs=argparse.REMAINDER, help="its own, such as -o FILE")
    options = parser.parse_args(arguments)
    try:
        answers = first_look([sys.executable, options.script], options.first_look)
    except subprocess.CalledProcessError as error:
        print(f"{options.script}: ended with status {error.returncode}", file=sys.stderr)
        return error.returncode
    for name, answer in answers.items():
        print(f"{name}: {answer}")
    if never_names := [name for name, answer in answers.items() if answer.start is None]:
        print(
            f"not run: {', '.join(never_names)} found no steady value in the first look of "
            f"{options.first_look} values; a longer one may (--first-look)",
            file=sys.stderr,
        )
        return NEVER_STEADY
    warmups = max(answer.start or 0 for answer in answers.values())
    command = [sys.executable, options.script, f"--warmups={warmups}", *options.options]
    print(" ".join(command), flush=True)
    return subprocess.run(command, check=False).returncode


def _value_count(text: str) -> int:
    count = int(text)
    if count < LEAST:
        raise argparse.ArgumentTypeError(f"must be {LEAST} or more; got {text}")
    return count


def first_look(command: Sequence[str], count: int) -> dict[str, Answer]:
    """Run a script once, without warm-up; answers by the names of its benchmarks.

    Raises `CalledProcessError` where the script fails.
    """
    pyperf = import_extra("pyperf", "pyperf")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "first-look.json")
        options = ["--processes=1", "--warmups=0", f"--values={count}", "--quiet", f"-o{file}"]
        subprocess.run([*command, *options], check=True, stdout=subprocess.DEVNULL)
        suite = pyperf.BenchmarkSuite.load(str(file))
    return {
        benchmark.get_name(): detect(benchmark.get_values()) for benchmark in suite.get_benchmarks()
    }


if __name__ == "__main__":
    raise SystemExit(main())
