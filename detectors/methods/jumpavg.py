"""jumpavg: the series in groups of the least description length, and where the last one begins.

The method of the FD.io CSIT trend analysis cuts a series into groups of one level each and
names no steady state. `reading=last` with `block=1` is its own last group; on long series one
outlier near the end moves that, so the default groups medians of blocks and then walks back
over groups of the same level, which is Plateau's adaptation.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace

import numpy as np

from detectors.api import Context, Detection, Detector, Source, Values, draw, parameter
from detectors.arrays.safe_range import scaled_to_range
from detectors.contract import DetectorError
from detectors.kernels.jumpavg import Starts, coding, grouped

MOST_UNITS = 1e100  # beyond, the square of a value in units leaves the range of a double
SMALLEST, LARGEST = sys.float_info.min, sys.float_info.max


@dataclass(frozen=True, slots=True, eq=False)
class BlockGroups:
    """Consecutive groups of blocks of `block` values; means in units of the series.

    starts: first block of each group; `stop` is the block after the last one.
    """

    starts: Starts
    means: Values
    stop: int
    block: int
    bits: float
    unit: float

    def scaled(self, exponent: int) -> BlockGroups:
        """Groups of values 2 to the `exponent` times as large."""
        with np.errstate(over="ignore", under="ignore"):
            means, unit = np.ldexp(self.means, exponent), float(np.ldexp(self.unit, exponent))
        return replace(self, means=np.clip(means, -LARGEST, LARGEST), unit=unit)

    @property
    def sizes(self) -> Starts:
        return np.diff(self.starts, append=self.stop)


class Jumpavg(Detector):
    slug, version = "jumpavg", "1"
    title = "jumpavg"
    code, slot = "JA", 16
    source = Source("FD.io CSIT, trend analysis; package jumpavg 0.4.2")
    family = "Change points"
    rates = "own"
    rates_note = (
        "Its publication reads packets a second, as they are: a group of more is a progression. "
        "Where a level falls at once, the answers for times and for rates lie at most two blocks "
        "apart; a slow decay may be cut elsewhere."
    )
    cost = "quick"
    gives_changes = True
    longest = 400_000

    class Params(Detector.Params):
        reading: str = parameter(
            "tolerant",
            choices=("tolerant", "last"),
            help="Start of the last group (last), or of the first that keeps its level (tolerant).",
        )
        block: int = parameter(
            10,
            low=1,
            high=100_000,
            unit="iterations",
            help="Medians of so many values are grouped; 1 groups the values. "
            "A series of fewer than ten blocks is grouped value by value.",
        )
        min_group: int = parameter(
            5,
            low=1,
            high=1_000_000,
            unit="blocks",
            help="Tolerant: shorter groups are spikes, and skipped.",
        )
        tolerance: float = parameter(
            0.1,
            low=0.0,
            high=1e6,
            unit="share of the mean",
            help="Tolerant: means no further apart than this are one level.",
        )
        unit: float = parameter(
            0.0,
            low=0.0,
            high=1e12,
            unit="series unit",
            help="Resolution of the values; 0 derives it from the largest value and sbps.",
        )
        sbps: float = parameter(
            12.0,
            low=1.0,
            high=48.0,
            unit="bits",
            help="Significant bits of a value, where no unit is given.",
        )

    params: Params

    @property
    def least_length(self) -> int:
        return 1

    def detect(self, values: Values, context: Context) -> Detection:
        groups = self._groups(values)
        start = int(groups.starts[self._steady_group(groups)]) * groups.block
        flags = ("unblocked",) if groups.block < self.params.block else ()
        changes = tuple((groups.starts[1:] * groups.block).tolist())
        return Detection(start, published_index=start, flags=flags, changes=changes)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        groups = self._groups(values)
        edges = [*(groups.starts * groups.block).tolist(), values.size]
        pieces = zip(edges[:-1], edges[1:], groups.means.tolist(), strict=True)
        # Compared, not subtracted: means of the largest numbers have no difference.
        rises = np.append(False, groups.means[1:] > groups.means[:-1])
        falls = np.append(False, groups.means[1:] < groups.means[:-1])
        better_groups, worse_groups = (rises, falls) if context.is_rate else (falls, rises)
        return (
            draw.Levels(
                tuple(pieces),
                label="groups",
                meaning="Groups whose means together describe the series in the fewest bits.",
            ),
            _changes(groups, worse_groups, "regressions (slower)", "slower"),
            _changes(groups, better_groups, "progressions (faster)", "faster"),
            draw.Figures(
                (
                    ("groups", groups.starts.size, ""),
                    ("description length", groups.bits, "bits"),
                    ("resolution", groups.unit, context.unit),
                ),
                label="grouping",
                meaning="One group more must save more bits than it costs.",
            ),
        )

    def _groups(self, values: Values) -> BlockGroups:
        p = self.params
        block = p.block if values.size >= 10 * p.block else 1
        blocks, exponent = medians(values, block)
        maximum = float(blocks.max())
        if maximum <= 0:
            raise DetectorError("not applicable: no value is above zero, and none gives a scale")
        unit = self._unit(maximum, exponent)
        greatest_units = float(np.abs(blocks).max()) / unit
        if not 1 / MOST_UNITS < greatest_units < MOST_UNITS:
            raise DetectorError(
                f"not applicable: values of up to {greatest_units:.0e} units of resolution; "
                f"expected {1 / MOST_UNITS:.0e} to {MOST_UNITS:.0e}: choose another unit"
            )
        starts, means, bits = grouped(blocks, unit, maximum, coding(blocks.size))
        groups = BlockGroups(starts, means, blocks.size, block, bits, unit)
        return groups if exponent == 0 else groups.scaled(exponent)

    def _unit(self, maximum: float, exponent: int) -> float:
        """The resolution of blocks that are the values divided by 2 to the `exponent`."""
        p = self.params
        if not p.unit:
            return maximum / (math.pow(2.0, p.sbps + 1.0) - 1.0)
        with np.errstate(over="ignore", under="ignore"):
            unit = float(np.ldexp(p.unit, -exponent))
        # With one of these two as their unit, the values will be refused.
        return min(max(unit, SMALLEST), LARGEST)

    def _steady_group(self, groups: BlockGroups) -> int:
        """The number of the group in which the steady state begins."""
        long_indices = np.flatnonzero(groups.sizes >= self.params.min_group)
        if self.params.reading == "last" or not long_indices.size:
            return groups.starts.size - 1
        means = groups.means[long_indices]
        is_unlike = np.abs(means - means[-1]) > self.params.tolerance * abs(means[-1])
        return (
            int(long_indices[np.flatnonzero(is_unlike)[-1] + 1])
            if is_unlike.any()
            else int(long_indices[0])
        )


def medians(values: Values, block: int) -> tuple[Values, int]:
    """Medians of consecutive blocks, in the range of squares, and the exponent that they lack.

    An incomplete last block is left out. With `block` 1 they are the values.
    """
    scaled_values, exponent = scaled_to_range(values)
    if block == 1:
        return scaled_values, exponent
    full_blocks = scaled_values[: scaled_values.size - scaled_values.size % block]
    block_medians, block_exponent = scaled_to_range(
        np.median(full_blocks.reshape(-1, block), axis=1)
    )
    block_medians.setflags(write=False)  # as values are, or the kernels are compiled twice
    return block_medians, exponent + block_exponent


def _changes(groups: BlockGroups, is_chosen: np.ndarray, label: str, word: str) -> draw.Events:
    """The starts of some groups, each with the change of the mean."""
    group_indices = np.flatnonzero(is_chosen).tolist()
    return draw.Events(
        tuple(int(groups.starts[group_index]) * groups.block for group_index in group_indices),
        label=label,
        notes=tuple(
            f"{groups.means[group_index - 1]:.4g} → {groups.means[group_index]:.4g}"
            for group_index in group_indices
        ),
        meaning=f"Where a group begins that is {word} than the one before.",
    )
