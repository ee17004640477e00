"""Kernel change points of the package `ruptures`: PELT on distances between distributions.

No publication reads a steady state from it. Plateau's reading: the last segment is the steady
state. Nothing in the search can say that a series is never steady.
"""

from __future__ import annotations

from detectors.api import Detector, Source, parameter
from detectors.rules.segments import ruptures_search


class RupturesKernel(ruptures_search.LastSegment):
    slug, version = "ruptures-kernel", "1"
    title = "Kernel change points (ruptures)"
    code, slot = "RK", 25
    source = Source(
        "Celisse, Marot, Pierre-Jean & Rigaill 2018, New efficient algorithms for multiple "
        "change-point detection with reproducing kernels; package ruptures (Truong, Oudre & "
        "Vayatis 2020)",
        doi="10.1016/j.csda.2018.07.002",
        url="https://github.com/deepcharles/ruptures",
    )
    cost = "quick"
    longest = 50_000

    class Params(Detector.Params):
        kernel: str = parameter(
            "rbf",
            choices=("rbf", "linear"),
            help="What changes: the whole distribution (rbf), the mean (linear).",
        )
        gamma: float = parameter(
            0.1,
            low=1e-6,
            high=1e6,
            unit="1 / noise²",
            help="Width of the rbf kernel: values 1/√gamma apart, in units of noise, are unlike.",
        )
        penalty: float = ruptures_search.penalty_parameter(5.0)
        min_size: int = ruptures_search.min_size_parameter()

    params: Params

    def search(self) -> ruptures_search.RupturesSearch:
        import ruptures  # noqa: PLC0415  # half a second that only these methods need

        p = self.params
        # Left alone, the package would choose gamma from a matrix of all n x n distances.
        kernel_params = {"gamma": p.gamma} if p.kernel == "rbf" else None
        search: ruptures_search.RupturesSearch = ruptures.KernelCPD(
            kernel=p.kernel, min_size=p.min_size, params=kernel_params
        )
        return search
