"""The page of what could not be reproduced: `python -m docs.reproduction [--check]`.

Written from `bench.facts`, without any published data, as part of `make docs`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from bench.claims import Claim
from bench.facts import GROUPS, KERNEL, LEARNED, UNREACHABLE, claims

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "guide" / "reproduction.md"
TITLE: Final = "What could not be reproduced, and why"
PUBLICATIONS: Final = (("Kernel-based detection", KERNEL), ("Learned stopping models", LEARNED))
INTRODUCTION: Final = """\
Plateau recomputes the figures of two publications from the data that were published with them, \
and prints each beside the published one. This page lists what does not come out, what cannot be \
computed at all, and the command that shows it; it is written by `make docs`.

`make replicate` prints everything. It reads a checkout of the published packages \
(`SEALABQualityGroup/steady-state` and `MartinBeseda/steady-state`, in one folder or side by side):

```
make replicate PLATEAU_REPLICATION=FOLDER
```

The second brings series, marks and labels along (`analysis-v2`); from the first come the answers \
of CP-SSD and the stops of the other techniques (`data`). Table 2 reads the published weights, \
too, as arrays: `models/rocket_fold0.npz` and so on, beside their thresholds in \
`models/index.json`. What a folder lacks is said in the place of its figures.

A command below does the part that it names; it reads the folder that `PLATEAU_REPLICATION` \
names. A figure is *equal* if it rounds to the printed digits. On a part of the \
series the same figures are computed, and the published values do not apply. A figure that \
neither is equal nor has a reason here ends the command with an error.
"""


def page() -> str:
    """The page in Markdown."""
    known = claims()
    parts = [f"# {TITLE}\n", INTRODUCTION]
    for name, publication in PUBLICATIONS:
        groups = {each.slug: each for each in GROUPS if each.publication == publication}
        own = [each for each in known if each.group in groups]
        parts += [
            f"## {name}\n",
            f"{publication}.\n",
            "### Printed, and not what the data give\n",
            _table(
                ("figure", "printed", "from the data", "why", "command"),
                (_differing(each) for each in own if each.differs),
            ),
            *_loose([each for each in own if each.within]),
            "### Not to be computed, or not a figure\n",
            _table(("where", "what is published", "why", "command"), _unreachable(publication)),
        ]
    parts += ["## What is reproduced\n", REPRODUCED, _table(HEADS, _reproduced(known))]
    return "\n".join(parts)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [_row(heads), "|---" * len(heads) + "|", *(_row(row) for row in rows)]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(each.replace('|', chr(92) + '|') for each in cells)} |"


def _differing(claim: Claim) -> Sequence[str]:
    return claim.what, claim.value, claim.found, claim.why, f"`{_command(claim)}`"


def _command(claim: Claim) -> str:
    return next(each.command for each in GROUPS if each.slug == claim.group)


def _loose(own: Sequence[Claim]) -> Iterator[str]:
    """Figures that hang on what is not published: one line a group and tolerance."""
    if not own:
        return
    yield "### Printed, and reproduced within a tolerance\n"
    rows = []
    for group in [each for each in GROUPS if each.slug in {claim.group for claim in own}]:
        of_group = [each for each in own if each.group == group.slug]
        for within in sorted({each.within for each in of_group}):
            alike = [each for each in of_group if each.within == within]
            rows.append(
                (group.title, str(len(alike)), f"{within:g}", alike[0].why, f"`{group.command}`")
            )
    yield _table(("figures", "how many", "taken for equal within", "why", "command"), rows)


def _unreachable(publication: str) -> Iterator[Sequence[str]]:
    for each in UNREACHABLE:
        if each.publication == publication:
            yield each.where, each.what, each.why, f"`{each.command}`"


HEADS: Final = ("figures", "printed", "not printed", "command")
REPRODUCED: Final = """\
So many figures are what the published data give, by where they are published. On the complete \
packages a command ends with an error if one of them is not. Those that are not printed are what \
the published programs and data give, and are held against ours in the same way. The tests of \
Plateau compute all of them on 396 of the 586 series, and on a checkout that is made up.
"""


def _reproduced(known: Sequence[Claim]) -> Iterator[Sequence[str]]:
    for group in GROUPS:
        equal = [each for each in known if each.group == group.slug and not each.differs]
        printed = sum(each.origin == "printed" for each in equal)
        yield group.title, str(printed), str(len(equal) - printed), f"`{group.command}`"


def write(*, check: bool) -> int:
    """Write the page afresh; with `check`, only say whether it is out of date."""
    text = page()
    if PAGE.is_file() and PAGE.read_text("utf-8") == text:
        return 0
    if check:
        sys.stderr.write(f"{PAGE}: out of date; run make docs\n")
        return 1
    PAGE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(write(check="--check" in sys.argv[1:]))
