"""KB-KSSD (Beseda et al. 2025): a step found by two kernels, then Kelly's test window by window.

Outliers are substituted, the last downward step is looked for, and the values right of it are
judged in tumbling windows. The answer is the start of the unbroken run of steady windows that
ends with the series. Where the paper and its published program differ, the program is
followed, because the published results are the program's.
"""

from __future__ import annotations

import numpy as np

from detectors.api import Context, Detection, Detector, Source, Values, draw, parameter
from detectors.kernels import kb_kssd as kernels, kb_kssd_variants as variants
from detectors.kernels.kb_kssd import NO_STEP
from detectors.rules import kb_kssd_evidence as stages
from detectors.rules.online.loop import OnlineRule, OnlineState

STEP = "The step that the kernels found; windows are judged after it."
LARGE = "Lowest where the level falls most between all before and all after."
SHORT = "Lowest where the level falls most between neighbours on both sides."
SHORTEST = 30  # below, the published short kernel means nothing
WINDOW = 3  # values that Kelly's test needs
KERNELS = ("both", "large", "short", "none")  # in the order of the kernels' numbers


class KbKssd(OnlineRule[OnlineState]):
    slug, version = "kb-kssd", "1"
    title = "KB-KSSD"
    code, slot = "KB", 0
    source = Source(
        "Beseda, Cortellessa, Di Pompeo, Traini & Tucci 2025, A kernel-based approach for "
        "accurate steady-state detection in performance time series",
        url="https://github.com/MartinBeseda/steady-state",
        section="folder analysis-v2",
    )
    family = "Published detectors"
    revises = True

    class Params(Detector.Params):
        outlier_window: int = parameter(
            100,
            low=1,
            high=100_000,
            unit="iterations",
            help="Target length of the sections in which outliers are looked for.",
        )
        pct_low: float = parameter(
            2.0, low=0.0, high=50.0, unit="%", help="Values below this percentile are outliers."
        )
        pct_high: float = parameter(
            98.0, low=50.0, high=100.0, unit="%", help="Values above this percentile are outliers."
        )
        medfilt: int = parameter(
            1,
            low=1,
            high=999,
            unit="iterations",
            help="Length (odd) of a running median before the step is looked for; 1 is none.",
        )
        step_window: int = parameter(
            70,
            low=1,
            high=100_000,
            unit="iterations",
            help="Values on either side of the later of two steps, when they are compared.",
        )
        short_half: int = parameter(
            15, low=2, high=10_000, unit="iterations", help="Half the length of the short kernel."
        )
        prob_window: int = parameter(
            500, low=3, high=100_000, unit="iterations", help="Length of a window of Kelly's test."
        )
        t_crit: float = parameter(
            4.0,
            low=1e-6,
            high=1e6,
            unit="standard deviations",
            help="Half width of the band in which a value counts as steady.",
        )
        prob_threshold: float = parameter(
            0.95, low=0.0, high=1.0, help="Least share of such values in a steady window."
        )
        min_steady_length: int = parameter(
            1,
            low=0,
            high=1_000_000,
            unit="iterations",
            help="A steady state of no more values than this, at the end, does not count.",
        )
        stride: int = parameter(
            15,
            low=1,
            high=100_000,
            unit="iterations",
            help="Online: the answer is renewed at every multiple of this many values.",
        )
        direction: str = parameter(
            "down",
            choices=("down", "either"),
            help="Steps that count: downward ones (published), or also upward ones.",
        )
        kernels: str = parameter(
            "both",
            choices=KERNELS,
            help="Kernels that look for the step: both (published), one, or none of them.",
        )
        substitute: bool = parameter(
            True,  # noqa: FBT003  # the default
            help="Whether outliers are substituted first (published).",
        )
        ar_order: int = parameter(
            0,
            low=0,
            high=100,
            unit="iterations",
            help="Kelly's test judges the residuals of an autoregressive model of each window, of "
            "at most this order (chosen by BIC); 0: the values themselves (published).",
        )

        def check(self) -> None:
            self.require(self.medfilt % 2 == 1, f"medfilt must be odd; got {self.medfilt}")

    params: Params

    def detect(self, values: Values, context: Context) -> Detection:
        start, _ = self._start_and_step(values)
        return Detection(start, published_index=start)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        _, step = self._start_and_step(values)
        p = self.params
        x = self._prepared_values(values)
        smoothed_values = self._smoothed_values(x)
        starts, probabilities = self._probabilities(x, step)
        percents = (p.pct_low, p.pct_high)
        rows: list[tuple[str, float | int, str]] = [
            (
                "replaced values",
                int(stages.replaced_iterations(kernels.copy_in_range(values), x).size),
                "",
            ),
            ("length of a window", p.prob_window, "iterations"),
            ("probability of the last window", float(probabilities[-1]), ""),
            ("least probability of a steady window", p.prob_threshold, ""),
        ]
        step_choice = None
        if (p.direction, p.kernels) == ("down", "both"):
            step_choice = stages.step_choice(values, smoothed_values, p.step_window, p.short_half)
        large_curves = (_large_curve(smoothed_values),) if p.kernels in {"both", "large"} else ()
        short_curves = (
            (_short_curve(smoothed_values, p.short_half),) if p.kernels in {"both", "short"} else ()
        )
        return (
            self._kelly_curve(starts, probabilities, step),
            *large_curves,
            *short_curves,
            stages.window_evidence(starts, probabilities, p.prob_threshold),
            *(step_choice.drawings if step_choice else ()),
            *(
                stages.section_evidence(values, x, p.outlier_window, percents)
                if p.substitute
                else ()
            ),
            *draw.event(step, "last iteration before the step", STEP),
            stages.decision_figures(
                stages.step_figures(smoothed_values, p.short_half, p.kernels, step),
                [*(step_choice.rows if step_choice else ()), *rows],
            ),
        )

    def start(self, context: Context) -> OnlineState:
        return OnlineState()

    def look(self, state: OnlineState, *, end: bool) -> Detection | None:
        """Renew the answer at every multiple of `stride` values."""
        n = state.buffer.n
        due_at = n if end else n - n % self.params.stride
        if not end and due_at < max(state.position + 1, self.least_length):
            return state.detection
        values = state.buffer.first(due_at)
        start, step = self._start_and_step(values)
        _, probabilities = self._probabilities(self._prepared_values(values), step)
        state.position = due_at
        state.figures = {"step": float(step), "probability": float(probabilities[-1])}
        return Detection(start, published_index=start)

    @property
    def least_length(self) -> int:
        """The least length of a series: one section after value 0, and one short kernel."""
        p = self.params
        section = p.outlier_window + 1 if p.substitute else WINDOW
        if p.kernels in {"both", "short"}:
            return max(SHORTEST, 2 * p.short_half, section)
        return max(WINDOW, section)

    def _start_and_step(self, values: Values) -> tuple[int, int]:
        p = self.params
        if not self.as_published:
            return self._variant_steps(values)
        return kernels.kb_kssd(
            values,
            p.outlier_window,
            p.pct_low,
            p.pct_high,
            p.medfilt,
            p.step_window,
            p.short_half,
            p.prob_window,
            p.t_crit,
            p.prob_threshold,
            p.min_steady_length,
        )

    @property
    def as_published(self) -> bool:
        """True where the method is the published one, whatever its numbers."""
        p = self.params
        is_plain = (p.direction, p.kernels, p.ar_order) == ("down", "both", 0)
        return is_plain and p.substitute

    def _variant_steps(self, values: Values) -> tuple[int, int]:
        """(start, step) stage by stage, where a stage is not the published one."""
        p = self.params
        x = self._prepared_values(values)
        smoothed_values = self._smoothed_values(x)
        find = variants.either_step if p.direction == "either" else variants.downward_step
        step = find(smoothed_values, p.step_window, p.short_half, KERNELS.index(p.kernels))
        starts, probabilities = self._probabilities(x, step)
        least_probability, shortest_run = p.prob_threshold, p.min_steady_length
        return variants.last_run(starts, probabilities, step, least_probability, shortest_run), step

    def _prepared_values(self, values: Values) -> Values:
        p = self.params
        if not p.substitute:
            return kernels.copy_in_range(values)
        return kernels.prepare_values(values, p.outlier_window, p.pct_low, p.pct_high)

    def _smoothed_values(self, x: Values) -> Values:
        return kernels.smooth_values(x, self.params.medfilt) if self.params.medfilt > 1 else x

    def _probabilities(self, x: Values, step: int) -> tuple[Values, Values]:
        p = self.params
        if p.ar_order:
            return variants.residual_probabilities(x, step, p.prob_window, p.t_crit, p.ar_order)
        return kernels.probabilities(x, step, p.prob_window, p.t_crit)

    def _kelly_curve(self, starts: Values, probabilities: Values, step: int) -> draw.Curve:
        zero_before = [] if step == NO_STEP else [0.0]
        return draw.Curve(
            np.r_[zero_before, probabilities, probabilities[-1]],
            label="Kelly's probability of a steady window",
            x=np.r_[zero_before, starts].astype(np.int64),
            threshold=self.params.prob_threshold,
            shape="steps",
            meaning=f"Share of steady values in windows of {self.params.prob_window} after the "
            "step; steady from the first of those that stay at the line or above up to the end.",
        )


def _large_curve(x: Values) -> draw.Curve:
    """Response of the large kernel in units of the series; searched for its minimum."""
    running_sum = np.cumsum(x - kernels.mean_about(x, float(np.median(x))))
    return draw.Curve(
        -2 * running_sum / x.size,
        label="large kernel, mean change",
        x=np.arange(x.size),
        meaning=LARGE,
    )


def _short_curve(x: Values, half_width: int) -> draw.Curve:
    """Response of the short kernel in units of the series; searched for its minimum."""
    centred = x - kernels.mean_about(x, float(np.median(x)))
    means = np.lib.stride_tricks.sliding_window_view(centred, half_width).mean(axis=1)
    differences = means[half_width:] - means[:-half_width]
    iterations = np.arange(half_width - 1, half_width - 1 + differences.size)
    return draw.Curve(differences, label="short kernel, mean change", x=iterations, meaning=SHORT)
