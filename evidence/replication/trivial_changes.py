"""Share of answers of `plateau` that move under changes that should move none.

    python -m evidence.replication.trivial_changes [FOLDER]

FOLDER is the subset of published data with the marks of people: its marked series are changed, and
plain series that no training has seen. A changed published series is still answered by the model
that has not seen its system. An answer moves if it differs by more than 1 % of the series, or is
never only before or after.
A value more is one like the last ones: after a late step it has the level behind the step.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from detectors.contract import NEVER, Context, Detector, Values, as_series
from detectors.methods.plateau import Plateau
from detectors.training.labels.published import panel_of_folder
from evidence.corpus.plain_shares import plain_suite
from evidence.replication.published_files import study_command
from evidence.replication.published_study import PublishedStudy
from formats.markdown import head, row

LENGTHS: Final = (100, 500, 1000, 3000)
LEAST_MOVE: Final = 0.01  # of the series
ASIDE: Final = 2  # values on either side that say what a spike hides
Change = Callable[[Values], Values]
NamedSeries = tuple[Values, str]


def spike_place(values: Values) -> int:
    """Iteration of the value farthest from the median, but for a tenth at either end."""
    edge = values.size // 10
    inner_values = values[edge:-edge]
    return edge + int(np.abs(inner_values - np.median(inner_values)).argmax())


def remove_spike(values: Values) -> Values:
    """Values whose largest spike is the median of the two before and the two after."""
    spike_index = spike_place(values)
    neighbours = np.r_[
        values[spike_index - ASIDE : spike_index], values[spike_index + 1 : spike_index + 1 + ASIDE]
    ]
    return np.r_[values[:spike_index], np.median(neighbours), values[spike_index + 1 :]]


CHANGES: Final[Mapping[str, Change]] = {
    "1,000 times": lambda x: 1000 * x,
    "its median added": lambda x: x + np.median(x),
    "half its median taken off": lambda x: x - np.median(x) / 2,
    "one more value, the median of the last three": lambda x: np.append(x, np.median(x[-3:])),
    "largest spike replaced by its neighbours": remove_spike,
    "largest spike left out": lambda x: np.delete(x, spike_place(x)),
}


def unchanged_values(values: Values) -> Values:
    return values


def starts(method: Detector, series: Sequence[NamedSeries], change: Change) -> list[int]:
    """Answer for each changed series, with the system that it belongs to."""
    return [
        method.detect(as_series(change(values)), Context(benchmark=system)).steady_start
        for values, system in series
    ]


def moved_share(
    series: Sequence[NamedSeries], starts_before: Sequence[int], starts_after: Sequence[int]
) -> float:
    """Share of the series whose answer moves."""
    answers = zip(series, starts_before, starts_after, strict=True)
    return float(np.mean([has_moved(first, last, s[0].size) for s, first, last in answers]))


def has_moved(first: int, last: int, size: int) -> bool:
    """True where an answer for `size` values differs from another by more than 1 % of them."""
    if NEVER in {first, last}:
        return first != last
    return abs(first - last) > LEAST_MOVE * size


def plain_series_of(lengths: Sequence[int]) -> list[NamedSeries]:
    """Plain series without a system, one of each shape, length and noise."""
    return [(plain_series.values, "") for plain_series in plain_suite(lengths)]


def _print_changes(study: PublishedStudy, _: Namespace) -> int:
    marked_series = [
        (panel_series.values, panel_series.group)
        for panel_series in panel_of_folder(study.folder).marked
    ]
    plain_pairs, method = plain_series_of(LENGTHS), Plateau()
    sys.stdout.write(
        head("change", f"{len(marked_series)} marked", f"{len(plain_pairs)} plain") + "\n"
    )
    parts = [
        (named_series, starts(method, named_series, unchanged_values))
        for named_series in (marked_series, plain_pairs)
    ]
    for name, change in CHANGES.items():
        shares = (
            moved_share(named_series, own_starts, starts(method, named_series, change))
            for named_series, own_starts in parts
        )
        sys.stdout.write(row(name, *(f"{100 * share:.1f} %" for share in shares)) + "\n")
        sys.stdout.flush()
    return 0


main = study_command(_print_changes)

if __name__ == "__main__":
    raise SystemExit(main())
