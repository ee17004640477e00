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
Plateau recomputes the figures of two publications from their published data. This page lists what \
differs, what cannot be computed, and the command that shows it; `make docs` writes it.

`make replicate` prints every figure beside the published one. It reads checkouts of \
`SEALABQualityGroup/steady-state` and `MartinBeseda/steady-state`, in one folder or side by side:

```
make replicate PLATEAU_REPLICATION=FOLDER
```

The second holds series, marks, labels and the answers of KB-KSSD (`analysis-v2`). The first holds \
the answers of CP-SSD and the stops of the other techniques (`data`). `--quick` takes \
[previews of the intervals](../design/MATH.md#9-resampling-forks-by-counts) and a sample of the \
answers. A command below does the part that it names, in the folder of `PLATEAU_REPLICATION`. \
Without the packages, the tests compare methods with answers of published programs to simulated \
series (`tests/vectors`).

| word | meaning |
|---|---|
| *equal* | the figure rounds to the printed digits |
| n, sd | Monte Carlo deviation of one run, where random numbers were drawn without a seed; a \
figure that chance alone moves by more than {100 * WIDEST:g} % is not compared |
| z | distance of two runs in their standard deviations; up to {MOST_Z:g} is taken for chance |
| `not computed` | a comparison that was not made, with the reason; the last line counts these |

On a part of the series the same figures are computed, and the published values do not apply.

| exit status | meaning |
|---|---|
| 0 | every comparison was made; every figure is equal, or differs for a printed reason |
| 1 | some differ without a reason |
| 2 | no published data, or a file of it cannot be read; `make` itself ends with 2 for every \
status but 0, and prints it |
| 3 | nothing differs, but some comparisons were not made |
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
                (_differing_row(claim) for claim in publication_claims if claim.differs),
            ),
            *_chance_section(
                [claim for claim in publication_claims if claim.random and not claim.beside]
            ),
            "### Not to be computed, or not a figure\n",
            _table(
                ("where", "what is published", "why", "command"), _unreachable_rows(publication)
            ),
            *(_other_data_section() if publication == LEARNED else ()),
        ]
    parts += ["## What is reproduced\n", REPRODUCED, _table(HEADS, _equal_rows(claims)), _sobol()]
    return "\n".join(parts)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return (
        markdown_table(heads, ([cell.replace("|", "\\|") for cell in row] for row in rows)) + "\n"
    )


def _differing_row(claim: PublishedFigure) -> Sequence[str]:
    return claim.what, claim.value, claim.found, claim.why, f"`{_command(claim)}`"


def _command(claim: PublishedFigure) -> str:
    return next(group.command for group in GROUPS if group.slug == claim.group)


def _chance_section(random_claims: Sequence[PublishedFigure]) -> Iterator[str]:
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
The bootstrap behind these figures is published without a seed. The command prints n, sd and z \
beside each that is not equal. {REPETITIONS:,} repetitions of every interval with other random \
numbers give the deviation of one run; two runs differ by √2 times as much.
"""


def _other_data_section() -> Iterator[str]:
    """Figures that the packages alone do not give."""
    yield "### Computed from more than the two packages\n"
    yield BEYOND_PACKAGES
    rows = [
        (
            claim.what,
            claim.value,
            claim.part,
            claim.why or "held to the printed digits",
            f"`{_command(claim)}`",
        )
        for claim in published_figures()
        if claim.group in BEYOND
    ]
    yield _table(("figure", "printed", "ours, on a part", "beside ours", "command"), rows)


BEYOND_PACKAGES: Final = """\
These need the weights of the published models (`SpencerLabAQ/AIPT`) in the folder of the \
checkouts: arrays `models/rocket_fold0.npz` and so on, and thresholds in `models/index.json`. \
Published are pickled programs and network files; Plateau reads neither. Without weights \
the figures count as not computed. *On a part*: 396 benchmarks of the tests (Figure 4; each 47th \
segment), or 40 with all forks.
"""


def _unreachable_rows(publication: str) -> Iterator[Sequence[str]]:
    for figure in unreachable_figures():
        if figure.publication == publication:
            yield figure.where, figure.what, figure.why, f"`{figure.command}`"


HEADS: Final = ("figures", "printed", "not printed", "command")
REPRODUCED: Final = """\
So many figures come out from the published data, by where they are published. A command ends with \
an error if one of them does not on the complete packages. Figures that are not printed are what \
the published programs and data give. The tests of Plateau compute all of them on 396 of the 586 \
series.
"""
ON_ALL_SERIES: Final = f"""\
## Sobol' indices on all 407 series

The table has the total order of the sum of squared errors, with half of a 95 % interval. It comes \
from the complete packages and 24,576 sets of parameters.

{{table}}
The last three stand in the published order. The first two are a tie: {{apart:.3f}} apart here, \
within their intervals, and {{published:.3f}} in the publication. The set of the published search \
is worse on unseen systems than the defaults: a mean absolute error of {SEARCHED} iterations \
against {DEFAULTS}.

This table was computed once and is not part of the tests. \
`python -m evidence.replication.sobol_indices` computes it again from the complete packages, or \
the indices of a part of the series, and says of how many.
"""


def _sobol() -> str:
    rows = [
        (
            f"`{name}`",
            f"{own_index:.3f} ± {half_width:.3f}",
            f"{PUBLISHED[name][1]:.3f}",
            "yes" if abs(own_index - PUBLISHED[name][1]) <= half_width else "no",
            "`python -m evidence.replication.sobol_indices`",
        )
        for name, (own_index, half_width) in TOTAL_ORDER.items()
    ]
    heads = ("parameter", "total order", "published", "published within the interval", "command")
    first_name, second_name, *_ = TOTAL_ORDER
    return ON_ALL_SERIES.format(
        table=_table(heads, rows),
        apart=abs(TOTAL_ORDER[first_name][0] - TOTAL_ORDER[second_name][0]),
        published=abs(PUBLISHED[first_name][1] - PUBLISHED[second_name][1]),
    )


def _equal_rows(claims: Sequence[PublishedFigure]) -> Iterator[Sequence[str]]:
    for group in [group for group in GROUPS if group.slug not in BEYOND]:
        matches = [claim for claim in claims if claim.group == group.slug and not claim.differs]
        printed_count = sum(equal_claim.origin == "printed" for equal_claim in matches)
        yield (
            group.title,
            str(printed_count),
            str(len(matches) - printed_count),
            f"`{group.command}`",
        )


def write_reproduction_page(*, check: bool) -> int:
    """Write the page afresh; with `check`, only say whether it is out of date."""
    return int(is_stale(PAGE, reproduction_markdown(), check=check) and check)


if __name__ == "__main__":
    raise SystemExit(write_reproduction_page(check="--check" in sys.argv[1:]))
