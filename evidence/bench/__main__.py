"""Every benchmark, one after the other: `make bench`. Each is also a module of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BENCHES = (
    "methods",
    "cold",
    "kernels",
    "packages",
    "stages",
    "growth",
    "run",
    "run --every-method",
    "parameter_sets",
    "quality",
    "intervals",
    "annotate",
    "review",
    "compare",
    "large",
)
ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Run each in a process of its own, so that none warms the caches of the next."""
    failed_benches = []
    for name in BENCHES:
        print(f"\n# {name}\n", flush=True)
        if subprocess.run(
            [sys.executable, "-m", *f"evidence.bench.{name}".split()], cwd=ROOT, check=False
        ).returncode:
            failed_benches.append(name)
    print(
        f"\nMissed its budget or failed: {', '.join(failed_benches)}"
        if failed_benches
        else "\nAll ran."
    )
    return bool(failed_benches)


if __name__ == "__main__":
    sys.exit(main())
