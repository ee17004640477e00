"""Every method on one series of 3,000 values, with its defaults; and the start of the command line.

`python -m evidence.bench.methods` prints Markdown tables: time of one core, fastest of many rounds,
the door included. Exit status 1: the methods together, without those whose speed is a package's,
miss their budget, or the command line does.
"""

from __future__ import annotations

import sys
from functools import partial

from detectors.contract import as_series
from detectors.registry import get, registry
from detectors.simulated.synthetic import simulate
from evidence.bench.timing import child_seconds, fastest_ms, machine, parser_of
from formats.markdown import head, row

N = 3000
BUDGET, AIM = 1_000.0, 500.0  # milliseconds for all methods that count, one after the other
INSTANT = {"sdm": 0.1, "t-test": 0.1, "f-test": 0.1, "r-test": 0.1}  # milliseconds
START = 1_500.0  # milliseconds from a shell's prompt to the list of methods
KINDS = ("step", "decay")  # a decay is what stopping rules read longest


def measurable() -> list[str]:
    """Methods that answer without more than values."""
    return [slug for slug, method in registry().items() if not (method.needs or method.missing())]


def counts_in_budget(slug: str) -> bool:
    """Exact Bayes has a budget of its own, and searches of `ruptures` are that package's."""
    return slug != "exact-bayes" and not slug.startswith("ruptures-")


def main() -> int:
    parser_of("evidence.bench.methods", __doc__).parse_args()
    print(f"Machine: {machine()}\n")
    is_over_budget = [are_methods_late(), is_listing_late()]
    return int(any(is_over_budget))


def are_methods_late() -> bool:
    """Milliseconds by method; True if a budget is missed."""
    print(f"Every method, {N} values, milliseconds\n")
    print(head("method", *KINDS, "counts"))
    simulated_values = [as_series(simulate(kind, n=N).values) for kind in KINDS]
    totals, is_over_budget = [0.0] * len(KINDS), False
    for slug in measurable():
        times = [fastest_ms(partial(get(slug)().answer, values)) for values in simulated_values]
        figures = (f"{milliseconds:.3f}" for milliseconds in times)
        print(row(slug, *figures, "yes" if counts_in_budget(slug) else ""), flush=True)
        is_over_budget |= max(times) > INSTANT.get(slug, float("inf"))
        if counts_in_budget(slug):
            totals = [a + b for a, b in zip(totals, times, strict=True)]
    print(row("all that count", *(f"{milliseconds:.0f}" for milliseconds in totals), ""))
    print(f"\nUnder {BUDGET:.0f} ms together: {'yes' if max(totals) < BUDGET else 'NO'}", end="")
    print(f"; under {AIM:.0f} ms: {'yes' if max(totals) < AIM else 'no'}")
    print(f"{', '.join(INSTANT)} under 0.1 ms: {'NO' if is_over_budget else 'yes'}\n")
    return is_over_budget or max(totals) >= BUDGET


def is_listing_late() -> bool:
    """Milliseconds to the list of methods; True if that takes too long."""
    milliseconds = min(1e3 * child_seconds(["-m", "detectors", "list"]) for _ in range(4))
    print(f"`python -m detectors list`: {milliseconds:.0f} ms, under {START:.0f} ms: ", end="")
    print("yes" if milliseconds < START else "NO")
    return milliseconds >= START


if __name__ == "__main__":
    sys.exit(main())
