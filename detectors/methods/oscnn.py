"""OSCNN as a stopping model (Traini, Di Menna & Cortellessa 2024): kernels of many sizes at once.

Each layer convolves with every prime size up to a quarter of the window, so that nobody has to
choose one. The publication prints the last warm-up iteration; the answer is the one after it.
"""

from __future__ import annotations

from detectors.api import Source
from detectors.learned.learned_stopping import NetworkStopping


class Oscnn(NetworkStopping):
    slug, version = "oscnn", "1"
    title = "OSCNN"
    code, slot = "OSC", 28
    source = Source(
        "Traini, Di Menna & Cortellessa 2024, AI-driven Java performance testing: balancing "
        "result quality with testing time; network by Tang et al. 2022",
        doi="10.48550/arXiv.2408.05100",
        url="https://github.com/SpencerLabAQ/AIPT",
    )
