"""FCN as a stopping model (Traini, Di Menna & Cortellessa 2024): a network of three convolutions.

The network gives the probability that a window of 100 values is stable. The publication prints
the last warm-up iteration; the answer here is the one after it.
"""

from __future__ import annotations

from detectors.api import Source
from detectors.learned.learned_stopping import NetworkStopping


class Fcn(NetworkStopping):
    slug, version = "fcn", "1"
    title = "FCN"
    code, slot = "FCN", 27
    source = Source(
        "Traini, Di Menna & Cortellessa 2024, AI-driven Java performance testing: balancing "
        "result quality with testing time; network by Wang, Yan & Oates 2017",
        doi="10.48550/arXiv.2408.05100",
        url="https://github.com/SpencerLabAQ/AIPT",
    )
