"""Georges, Buytaert & Eeckhout (2007): steady once k values in a row vary little.

The publication names the window's last iteration. The answer is its first: all k values are the
measurements that the publication keeps.
"""

from __future__ import annotations

import numpy as np

from detectors.api import NEVER, Context, Detection, Detector, Source, Values, draw, parameter
from detectors.contract import TooShort
from detectors.kernels.cov import all_window_covs, first_quiet_block, first_quiet_window
from detectors.kernels.kb_kssd import copy_in_range

FIRST_BLOCK = -1  # what the published script prints for a first block: no warm-up


class Georges(Detector):
    slug, version = "georges", "1"
    title = "Georges et al."
    code, slot = "GE", 9
    source = Source(
        "Georges, Buytaert & Eeckhout 2007, Statistically rigorous Java performance evaluation",
        doi="10.1145/1297027.1297033",
        section="4.2; blocks: SEALABQualityGroup/steady-state, create_georgesconfig.py",
    )
    family = "Published detectors"
    uses = ("samples",)

    class Params(Detector.Params):
        k: int = parameter(
            30, low=2, high=100_000, unit="values", help="Length of a window, or least of a block."
        )
        threshold: float = parameter(
            0.02, low=1e-9, high=1e6, help="The coefficient of variation must be smaller."
        )
        window: str = parameter(
            "sliding",
            choices=("sliding", "blocks"),
            help="Every window of values (the paper), or blocks of operations (its later script).",
        )
        ddof: int = parameter(
            1,
            low=0,
            high=1,
            help="The deviation of a sliding window is divided by k minus this; of a block by all.",
        )
        max_iterations: int = parameter(
            0, low=0, high=100_000_000, unit="iterations", help="At most so many are read; 0: all."
        )

        def check(self) -> None:
            self.require(
                self.max_iterations == 0 or self.max_iterations >= self.k,
                f"max_iterations must be 0 or at least k ({self.k}); got {self.max_iterations}",
            )

    params: Params

    @property
    def least_length(self) -> int:
        return 0 if self.params.window == "blocks" else self.params.k

    def detect(self, values: Values, context: Context) -> Detection:
        p = self.params
        if p.window == "blocks":
            return self._block_detection(values, context)
        start = first_quiet_window(copy_in_range(self._read_part(values)), p.k, p.threshold, p.ddof)
        if start == NEVER:
            return Detection(NEVER, published_index=NEVER, decided_at=NEVER)
        last = start + p.k - 1
        return Detection(start, published_index=last, decided_at=last)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        detection = self.detect(values, context)
        p = self.params
        curves: draw.Drawings = ()
        if p.window == "sliding":
            covs = all_window_covs(copy_in_range(self._read_part(values)), p.k, p.ddof)
            label = "coefficient of variation from here on"
            meaning = f"Of the {p.k} iterations that begin here; below the line they are steady."
            curves = (draw.Curve(covs, label=label, threshold=p.threshold, meaning=meaning),)
        return *curves, *draw.decision_band(
            detection,
            "first that varies little",
            "The first window or block whose variation is below the threshold.",
        )

    def _read_part(self, values: Values) -> Values:
        return values[: self.params.max_iterations or values.size]

    def _block_detection(self, values: Values, context: Context) -> Detection:
        p = self.params
        n = self._read_part(values).size
        least_length = p.k if context.samples is None else 1
        if n < least_length:
            raise TooShort(needed=least_length, got=values.size)
        if (raw := context.samples) is None:  # means count as samples: one operation an iteration
            samples = values, np.ones(n, np.int64), np.arange(n + 1)
        else:
            samples = raw.values, raw.counts, raw.offsets
        operations, counts, offsets = samples
        first, last = first_quiet_block(
            copy_in_range(operations), counts, offsets, n, p.k, p.threshold
        )
        flags = ("adapted",) if context.samples is None else ()
        if first == NEVER:
            return Detection(NEVER, NEVER, decided_at=values.size - 1, flags=flags)
        # The script counts a later block's first iteration as warm-up, which it is not.
        return Detection(first, first or FIRST_BLOCK, decided_at=last, flags=flags)
