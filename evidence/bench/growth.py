"""Cost against the length of a series: a plot and a table, written into docs/design.

    python -m evidence.bench.growth [METHOD …] [--stdout]

Every method with its defaults on a simulated series of 300 to 1,000,000 values, once it has
answered a short one. A point that is foreseen to take longer than `MOST_SECONDS` is left out, but
for the longest series that a method reads. Seconds are CPU time of the whole process, so
that a busy machine changes little. About ten minutes. Writes `detectors/costs.json` (of the named
methods only, where any is named), and from it cost.svg and cost.md, or prints the table only.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from html import escape
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from detectors.contract import MOST_SECONDS, DetectorError, as_series
from detectors.costs import FILE, measured_costs
from detectors.registry import method_slots, registry
from detectors.simulated.synthetic import simulate
from evidence.bench.methods import measurable
from evidence.bench.timing import machine, parser_of
from formats.markdown import head, row

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "design"
LENGTHS: Final = (300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
KIND: Final = "step"
MILLION: Final = 1_000_000
LATE: Final = 20.0  # times the bound; a point that waits longer for its answer is given up
SLOW: Final = 0.5  # seconds; above, two rounds are enough
MOST_TWICE: Final = 5.0  # seconds; above, compiling is too little to matter
ROUNDS: Final = 20

FAMILIES: Final[Mapping[str, tuple[str, ...]]] = {
    "Kernels and windows": ("kb-kssd", "kelly", "georges"),
    "Simulation": ("mser", "welch", "crossing-mean", "schruben", "spc"),
    "Process industry": ("ssid", "ssd-cpd", "vma"),
    "Tests of neighbouring batches": ("sdm", "t-test", "f-test", "r-test", "exact-bayes"),
    "Stopping rules, at most 50 steps": ("laaber-cov", "laaber-kld", "laaber-rciw"),
    "Change points and groups": ("cp-ssd", "barrett", "jumpavg", "pilot", "ensemble", "prepared"),
    "Searches of ruptures": (
        "ruptures-pelt",
        "ruptures-binseg",
        "ruptures-window",
        "ruptures-bottomup",
        "ruptures-kernel",
    ),
    "Rests after every start": ("max-ess", "min-sse", "kim-convergence"),
    "Tests of few starts": ("geweke", "heidelberger-welch", "split-rhat"),
    "Harnesses": (
        "benchmark-dotnet",
        "benchmark-ips",
        "criterion",
        "go-testing",
        "google-benchmark",
        "pyperf",
        "sailfish",
    ),
    "Learned": (
        "plateau",
        "plateau-online",
        "plateau-result",
        "rocket",
        "fcn",
        "oscnn",
        "classifier",
    ),
    "Configured": ("developer", "jmh-default", "fixed", "fixed-time"),
}
OTHERS: Final = "Others"

Costs = dict[str, dict[int, float]]  # seconds by method and length


def main() -> int:
    parser = parser_of("evidence.bench.growth", __doc__)
    parser.add_argument("methods", nargs="*", metavar="METHOD", help="only these; the rest stays")
    parser.add_argument("--stdout", action="store_true", help="print the table, write no file")
    options = parser.parse_args()
    slugs = options.methods or measurable()
    earlier_costs = measured_costs() if options.methods else {}
    new_costs = {slug: dict(measure_points(slug)) for slug in slugs}
    costs_by_slug = {
        slug: new_costs.get(slug) or dict(earlier_costs.get(slug, {})) for slug in measurable()
    }
    costs = {slug: cost for slug, cost in costs_by_slug.items() if cost}
    print(cost_table(costs))
    if not options.stdout:
        lines = (
            f"  {json.dumps(slug)}: " + json.dumps({n: float(f"{s:.3g}") for n, s in cost.items()})
            for slug, cost in sorted(costs.items())
        )
        FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        (FOLDER / "cost.svg").write_text(picture(costs), encoding="utf-8")
        (FOLDER / "cost.md").write_text(cost_page(costs), encoding="utf-8")
    return 0


# --- measuring ------------------------------------------------------------------------------------


def measure_points(slug: str) -> Iterator[tuple[int, float]]:
    """(length, seconds), as long as a point takes no more than the bound.

    In a process of its own, which is ended when it takes far longer than foreseen.
    """
    own_end, child_end = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=send_points, args=(slug, child_end), daemon=True)
    process.start()
    child_end.close()
    print(f"{slug:20}", end="", file=sys.stderr, flush=True)
    try:
        while own_end.poll(LATE * MOST_SECONDS):
            n, seconds = own_end.recv()
            print(f" {n:,}: {seconds_words(seconds)}", end="", file=sys.stderr, flush=True)
            yield n, seconds
    except EOFError:
        pass
    finally:
        process.kill()
        process.join()
        print(file=sys.stderr)


def send_points(slug: str, connection: Connection) -> None:
    """Send (length, seconds) of one point after the other."""
    measured_points: list[tuple[int, float]] = []
    detector = registry()[slug]()
    detector.answer(simulate(KIND, n=1_000).values)  # compiled, and imported
    for n in sorted({*LENGTHS, *([detector.longest] if detector.longest else [])}):
        last = n == (detector.longest or MILLION)
        if not last and foreseen_seconds(measured_points, n) > MOST_SECONDS:
            continue
        values = as_series(simulate(KIND, n=n).values)
        try:
            seconds = least_seconds(partial(detector.answer, values))
        except DetectorError:
            continue  # too short, or too long
        measured_points.append((n, seconds))
        connection.send(measured_points[-1])


def least_seconds(work: Callable[[], object]) -> float:
    """CPU seconds of the process for one answer: the least of many where it is quick."""
    seconds = process_seconds(work)
    rounds = ROUNDS if seconds < SLOW else int(seconds < MOST_TWICE)  # the first may compile
    return min([seconds, *(process_seconds(work) for _ in range(rounds))])


def process_seconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def foreseen_seconds(measured_points: Sequence[tuple[int, float]], n: int) -> float:
    """Seconds for n values, if the cost goes on growing as it did last."""
    if len(measured_points) < 2:
        return 0.0
    (n_0, t_0), (n_1, t_1) = measured_points[-2:]
    power = max(0.0, math.log(t_1 / t_0) / math.log(n_1 / n_0))
    return float(t_1 * (n / n_1) ** power)


# --- showing --------------------------------------------------------------------------------------


def families(costs: Costs) -> dict[str, list[str]]:
    """Methods by family, in order; those of no family last."""
    slugs_by_family = {
        name: [slug for slug in slugs if slug in costs] for name, slugs in FAMILIES.items()
    }
    placed_slugs = {slug for slugs in slugs_by_family.values() for slug in slugs}
    return {name: slugs for name, slugs in slugs_by_family.items() if slugs} | (
        {OTHERS: unplaced_slugs}
        if (unplaced_slugs := [slug for slug in costs if slug not in placed_slugs])
        else {}
    )


def seconds_words(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def cost_table(costs: Costs) -> str:
    lines = [head("method", *(f"{n:,}" for n in LENGTHS), "grows with")]
    for name, slugs in families(costs).items():
        lines.append(f"| **{name}** |" + " |" * (len(LENGTHS) + 1))
        for slug in slugs:
            cells = [seconds_words(costs[slug][n]) if n in costs[slug] else "" for n in LENGTHS]
            lines.append(row(slug, *cells, power(costs[slug])))
    return "\n".join(lines)


def power(cost: Mapping[int, float]) -> str:
    """The power of n between the last two points that differ tenfold in length."""
    lengths = sorted(cost)
    pairs = [(a, b) for a in lengths for b in lengths if 9 <= b / a <= 11]
    if not pairs:
        return ""
    a, b = pairs[-1]
    return f"n^{math.log(cost[b] / cost[a]) / math.log(b / a):.1f}"


def bounded_table(costs: Costs) -> str:
    """Methods that refuse long series: the longest that they read, and what it costs."""
    lines = [head("method", "most values", "takes", "a million would take about")]
    for slug in sorted(costs):
        if max_length := registry()[slug].longest:
            longest_cost = costs[slug].get(max_length)
            cells = (
                seconds_words(longest_cost) if longest_cost else "",
                lasting(million_seconds(costs[slug])),
            )
            lines.append(row(slug, f"{max_length:,}", *cells))
    return "\n".join(lines)


def million_seconds(cost: Mapping[int, float]) -> float:
    """Seconds for a million values, by the growth over the last three times as many values."""
    max_length = max(cost)
    length_before = max(n for n in cost if 3 * n <= max_length)
    return foreseen_seconds(
        [(length_before, cost[length_before]), (max_length, cost[max_length])], MILLION
    )


def lasting(seconds: float) -> str:
    """Two digits of a long time: `85 s`, `25 min`, `2.4 h`."""
    for unit, factor in (("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * factor:
            return f"{float(f'{seconds / factor:.2g}'):g} {unit}"
    return f"{seconds:.0f} s"


def cost_page(costs: Costs) -> str:
    day = datetime.now(tz=UTC).date().isoformat()
    return f"""# Cost against the length of a series

![{ALTERNATIVE}](cost.svg)

CPU time of one process for one answer: defaults, compiled, simulated series (`{KIND}`) in memory.
A load above 1 means that others used the machine, which adds to CPU time, too.
Written by `python -m evidence.bench.growth` on {day}. Machine: {machine()}.

{cost_table(costs)}

- An empty cell: more than {MOST_SECONDS:.0f} seconds were foreseen from the two points before, or
  the series is too short for the method.
- *Grows with*: between the two last points of which one has ten times the other's values.
- The stopping rules end after 50 steps of one second: a longer series costs them nothing more.
- `cp-ssd` keeps the costs of all segments up to 5,000 values. Beyond, where they would not fit
  into memory, it computes them anew in each search.
- [Beside the packages of neighbouring fields](neighbours.md): the same answers, and how much longer
  those take.

## Too long

One answer takes at most {MOST_SECONDS:.0f} seconds of this machine. A method that would take longer
for a million values declares the longest series that it reads (`longest`). It answers *too long*
for any longer one: at once, on every page and in every command, alike for each method. A
combination of methods leaves out members for which the series is too long.

{bounded_table(costs)}

Plateau does not read means of blocks instead. A mean of b values has less noise, by the root of b,
and no outliers. A method would find smaller changes in means than its publication can find in
values, so that its name would stand beside answers of another method. Who wants means can import
them as a series of their own.
"""


ALTERNATIVE: Final = (
    "Time of one answer against the number of values, from 300 to 1,000,000, both on logarithmic "
    "scales, a panel for each family of methods; the table below has the figures."
)
WIDTH, COLUMNS, PANEL, PLOT_W, PLOT_H, LEFT, TOP = 960, 3, 318, 176, 170, 44, 40
LOWEST, HIGHEST = -6, 2  # powers of ten of seconds
DECADES: Final = {-6: "1 µs", -3: "1 ms", 0: "1 s"}
COLOURS: Final = ("#2a6fbb", "#b5541c", "#2f8a4c", "#8a4fa3", "#6f6a2a", "#3d8a8f")


def picture(costs: Costs) -> str:
    """Small multiples; grey that can be read on white and on black."""
    panels = list(families(costs).items())
    rows = -(-len(panels) // COLUMNS)
    height = rows * (PLOT_H + 74) + 6
    panels_svg = "".join(
        panel(
            name,
            {slug: costs[slug] for slug in slugs},
            panel_index % COLUMNS,
            panel_index // COLUMNS,
        )
        for panel_index, (name, slugs) in enumerate(panels)
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">
<title>Time of one answer against the number of values, by family of methods</title>
<style>
svg{{--t:#3d4650;--g:#d5dae1}}
@media(prefers-color-scheme:dark){{svg{{--t:#c3cad4;--g:#3a434e}}}}
text{{font:11px Inter,system-ui,sans-serif;fill:var(--t)}}.name{{font-weight:600;font-size:12px}}
.grid{{stroke:var(--g);fill:none}}.line{{fill:none;stroke-width:1.8}}
</style>
{panels_svg}</svg>
"""


def panel(name: str, costs: Costs, column: int, row: int) -> str:
    left_edge, top = column * PANEL + LEFT, row * (PLOT_H + 74) + TOP
    grid = "".join(
        f'<path class="grid" d="M{left_edge} {y(power, top):.1f}h{PLOT_W}"/>'
        f'<text x="{left_edge - 5}" y="{y(power, top) + 4:.1f}" text-anchor="end">{label}</text>'
        for power, label in DECADES.items()
    )
    ticks = "".join(
        f'<path class="grid" d="M{x(n, left_edge):.1f} {top}v{PLOT_H}"/>'
        f'<text x="{x(n, left_edge):.1f}" y="{top + PLOT_H + 15}" text-anchor="middle">{n:,}</text>'
        for n in (1_000, 10_000, 100_000, 1_000_000)
    )
    title = f'<text class="name" x="{left_edge}" y="{top - 10}">{escape(name)}</text>'
    return grid + ticks + title + cost_lines(costs, left_edge, top) + "\n"


def cost_lines(costs: Costs, left_edge: int, top: int) -> str:
    """A line for each method, with its name at the right end; names keep apart."""
    line_elements = []
    end_heights = {
        slug: y(math.log10(cost[max(cost)]), top) for slug, cost in costs.items() if cost
    }
    label_heights = spread_heights(end_heights)
    for slug, cost in costs.items():
        if not cost:
            continue
        colour = COLOURS[sorted(costs, key=method_slots().__getitem__).index(slug) % len(COLOURS)]
        points = [(x(n, left_edge), y(math.log10(cost[n]), top)) for n in sorted(cost)]
        path = "L".join(f"{px:.1f} {point_y:.1f}" for px, point_y in points)
        label_x = left_edge + PLOT_W + 8
        leader = f"M{points[-1][0]:.1f} {points[-1][1]:.1f}L{label_x - 3} {label_heights[slug]:.1f}"
        line_elements.append(
            f'<path class="line" stroke="{colour}" d="M{path}"/>'
            f'<path stroke="{colour}" stroke-width=".7" stroke-dasharray="2 2" d="{leader}"/>'
            f'<circle cx="{points[-1][0]:.1f}" cy="{points[-1][1]:.1f}" r="2.5" fill="{colour}"/>'
            f'<text x="{label_x}" y="{label_heights[slug] + 4:.1f}">{escape(slug)}</text>'
        )
    return "".join(line_elements)


def spread_heights(
    end_heights: Mapping[str, float], least_distance: float = 13.0
) -> dict[str, float]:
    """Heights near the wanted ones, none nearer to the next than `least_distance`."""
    label_heights: dict[str, float] = {}
    last = -math.inf
    for slug in sorted(end_heights, key=end_heights.__getitem__):
        last = label_heights[slug] = max(end_heights[slug], last + least_distance)
    return label_heights


def x(n: int, left_edge: int) -> float:
    span = math.log(LENGTHS[-1] / LENGTHS[0])
    return left_edge + PLOT_W * math.log(n / LENGTHS[0]) / span


def y(power: float, top: int) -> float:
    return top + PLOT_H * (HIGHEST - power) / (HIGHEST - LOWEST)


if __name__ == "__main__":
    sys.exit(main())
