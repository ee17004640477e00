"""ROCKET as a stopping model (Traini, Di Menna & Cortellessa 2024): random convolutions.

Five hundred random kernels are laid over a window of 100 values; a linear classifier says from
the share of positive outputs and the largest one whether the window is stable. The publication
prints the last warm-up iteration; the answer here is the one after it.
"""

from __future__ import annotations

from detectors.api import Source
from detectors.learned.learned_stopping import LearnedStopping


class RocketStopping(LearnedStopping):
    slug, version = "rocket", "1"
    title = "ROCKET"
    code, slot = "ROC", 29
    source = Source(
        "Traini, Di Menna & Cortellessa 2024, AI-driven Java performance testing: balancing "
        "result quality with testing time; ROCKET by Dempster, Petitjean & Webb 2020",
        doi="10.48550/arXiv.2408.05100",
        url="https://github.com/SpencerLabAQ/AIPT",
    )
    cost = "quick"
    score_name = "value of the classifier"
