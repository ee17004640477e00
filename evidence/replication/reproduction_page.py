"""The page of what could not be reproduced, as part of `make docs`.

    python -m evidence.replication.reproduction_page [--check]

Written from `evidence.replication.published_figures`, without any published data.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from docs.derived import is_stale
from evidence.replication.comparison_tally import STATUS
from evidence.replication.figure_verdicts import WIDEST
from evidence.replication.monte_carlo import MOST_Z, REPETITIONS
from evidence.replication.published_figures import (
    BEYOND,
    GROUPS,
    KERNEL,
    LEARNED,
    PublishedFigure,
    published_figures,
    unreachable_figures,
)
from evidence.replication.sobol_indices import DEFAULTS, PUBLISHED, SEARCHED, TOTAL_ORDER
from formats.markdown import markdown_table

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "guide" / "reproduction.md"
TITLE: Final = "What could not be reproduced, and why"
PUBLICATIONS: Final = (("Kernel-based detection", KERNEL), ("Learned stopping models", LEARNED))
INTRODUCTION: Final = f"""\
Plateau recomputes the figures of two publications from the data that were published with them, \
and prints each beside the published one. This page lists what does not come out, what cannot be \
computed at all, and the command that shows it; it is written by `make docs`.

`make replicate` prints everything. It reads checkouts of the published packages \
(`SEALABQualityGroup/steady-state` and `MartinBeseda/steady-state`, in one folder or side by side):

```
make replicate PLATEAU_REPLICATION=FOLDER
```

The second brings series, marks, labels and the answers of KB-KSSD along (`analysis-v2`); from the \
first come the answers of CP-SSD and the stops of the other techniques (`data`). Each file of \
measurements is read once. Rows are printed when they are known, and the error output says how \
long the rest takes. `--quick` takes previews of the intervals ([section 9](../design/MATH.md)) \
and a sample of the answers.

A command below does the part that it names; it reads the folder that `PLATEAU_REPLICATION` \
names. Without it, the tests compare every method that has a counterpart elsewhere with the \
small vectors in `tests/vectors`: answers of published programs to simulated series. \
A figure is *equal* if it rounds to the printed digits. Where a publication drew random \
numbers without a seed, the Monte Carlo deviation of a run is computed and printed (n, sd), and \
with it z, the distance of two runs in their standard deviations; up to {MOST_Z:g} is taken for \
chance. A figure that chance alone moves by more than {100 * WIDEST:g} % is not compared. On a \
part of the series the same figures are computed, and the published values do not apply.

A comparison that was not made is a line of its own, `not computed`, with the reason, and is \
counted in the last line. {STATUS} (`make` itself ends with 2 whenever the command does not end \
with 0, and prints the status.)
"""


def reproduction_markdown() -> str:
    """The page in Markdown."""
    claims = published_figures()
    parts = [f"# {TITLE}\n", INTRODUCTION]
    for name, publication in PUBLICATIONS:
        groups = {group.slug: group for group in GROUPS if group.publication == publication}
        publication_claims = [claim for claim in claims if claim.group in groups]
        parts += [
            f"## {name}\n",
            f"{publication}.\n",
            "### Printed, and not what the data give\n",
            _table(
                ("figure", "printed", "from the data", "why", "command"),
                (_differing(claim) for claim in publication_claims if claim.differs),
            ),
            *_by_chance([claim for claim in publication_claims if claim.random]),
            "### Not to be computed, or not a figure\n",
            _table(("where", "what is published", "why", "command"), _unreachable(publication)),
            *(_beyond() if publication == LEARNED else ()),
        ]
    parts += ["## What is reproduced\n", REPRODUCED, _table(HEADS, _reproduced(claims)), _sobol()]
    return "\n".join(parts)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return (
        markdown_table(heads, ([cell.replace("|", "\\|") for cell in row] for row in rows)) + "\n"
    )


def _differing(claim: PublishedFigure) -> Sequence[str]:
    return claim.what, claim.value, claim.found, claim.why, f"`{_command(claim)}`"


def _command(claim: PublishedFigure) -> str:
    return next(group.command for group in GROUPS if group.slug == claim.group)


def _by_chance(random_claims: Sequence[PublishedFigure]) -> Iterator[str]:
    """Figures that hang on random numbers: one line a group."""
    if not random_claims:
        return
    yield "### Reproduced but for random numbers\n"
    yield BY_CHANCE
    count_by_group = Counter(claim.group for claim in random_claims)
    rows = [
        (group.title, str(count_by_group[group.slug]), f"`{group.command}`")
        for group in GROUPS
        if group.slug in count_by_group
    ]
    yield _table(("figures", "how many", "command"), rows)


BY_CHANCE: Final = f"""\
The bootstrap behind these figures is published without a seed. The command prints, beside each \
that is not equal to its digits, n, sd and z: {REPETITIONS:,} repetitions of every interval with \
other random numbers give the deviation of one run, and two runs differ by √2 times as much.
"""


def _beyond() -> Iterator[str]:
    """Figures that the packages alone do not give."""
    yield "### Computed from more than the two packages\n"
    yield BEYOND_PACKAGES
    rows = [
        (claim.what, claim.value, claim.why or "held to the printed digits", f"`{_command(claim)}`")
        for claim in published_figures()
        if claim.group in BEYOND
    ]
    yield _table(("figure", "printed", "beside ours", "command"), rows)


BEYOND_PACKAGES: Final = """\
These need the weights of the published models (`SpencerLabAQ/AIPT`) as arrays, \
`models/rocket_fold0.npz` and so on beside thresholds in `models/index.json`, in the folder of the \
checkouts. They are published as pickled programs and network files, which Plateau does not read: \
with the two packages alone nobody can compute these figures, and they count as not computed.
"""


def _unreachable(publication: str) -> Iterator[Sequence[str]]:
    for figure in unreachable_figures():
        if figure.publication == publication:
            yield figure.where, figure.what, figure.why, f"`{figure.command}`"


HEADS: Final = ("figures", "printed", "not printed", "command")
REPRODUCED: Final = """\
So many figures are what the published data give, by where they are published. On the complete \
packages a command ends with an error if one of them is not. Those that are not printed are what \
the published programs and data give, and are held against ours in the same way. The tests of \
Plateau compute all of them on 396 of the 586 series, and read the layout of the packages.
"""
ON_ALL_SERIES: Final = f"""\
## Sobol' indices on all 407 series

Total order, of the sum of squared errors over all 407 marked series (24,576 sets of parameters), \
computed on the complete packages; the half width is that of a 95 % interval:

{{table}}
The last three stand in the published order; the first two are a tie, {{apart:.3f}} apart here, \
within their intervals, and {{published:.3f}} in the publication. The set that the published \
search chooses is worse on systems that the choice has not seen than the defaults are: a mean \
absolute error of {SEARCHED} iterations against {DEFAULTS}.

Only those who have the complete packages can compute this table, with \
`python -m evidence.replication.sobol_indices` and `PLATEAU_REPLICATION` set to their folder; it \
was computed once and is not part of the tests. On a part of the series the same command computes \
indices of that part, and says of how many.
"""


def _sobol() -> str:
    rows = [
        (
            f"`{name}`",
            f"{ours:.3f} ± {half_width:.3f}",
            f"{PUBLISHED[name][1]:.3f}",
            _within(ours, half_width, PUBLISHED[name][1]),
            "`python -m evidence.replication.sobol_indices`",
        )
        for name, (ours, half_width) in TOTAL_ORDER.items()
    ]
    heads = ("parameter", "total order", "published", "published within the interval", "command")
    first, second, *_ = TOTAL_ORDER
    return ON_ALL_SERIES.format(
        table=_table(heads, rows),
        apart=abs(TOTAL_ORDER[first][0] - TOTAL_ORDER[second][0]),
        published=abs(PUBLISHED[first][1] - PUBLISHED[second][1]),
    )


def _within(ours: float, half_width: float, published: float) -> str:
    return "yes" if abs(ours - published) <= half_width else "no"


def _reproduced(claims: Sequence[PublishedFigure]) -> Iterator[Sequence[str]]:
    for group in [group for group in GROUPS if group.slug not in BEYOND]:
        equal = [claim for claim in claims if claim.group == group.slug and not claim.differs]
        printed_count = sum(equal_claim.origin == "printed" for equal_claim in equal)
        yield group.title, str(printed_count), str(len(equal) - printed_count), f"`{group.command}`"


def write_reproduction_page(*, check: bool) -> int:
    """Write the page afresh; with `check`, only say whether it is out of date."""
    return int(is_stale(PAGE, reproduction_markdown(), check=check) and check)


if __name__ == "__main__":
    raise SystemExit(write_reproduction_page(check="--check" in sys.argv[1:]))
