"""Any time-series classifier as a stopping model: the future work of the AI-driven paper.

A classifier of scikit-learn or aeon says of a window of any length whether it is stable; the first
window that it accepts begins the steady state. None comes with Plateau: each is trained on labels
of one's own.
"""

from __future__ import annotations

from detectors.api import Source
from detectors.learned.learned_stopping import LearnedStopping


class TrainedClassifier(LearnedStopping):
    slug, version = "classifier", "1"
    title = "Trained classifier"
    code, slot = "CLF", 31
    source = Source(
        "Traini, Di Menna & Cortellessa 2024, AI-driven Java performance testing: balancing "
        "result quality with testing time, section 7",
        doi="10.48550/arXiv.2408.05100",
    )
    cost = "slow"
    needs = ("model",)  # none comes with Plateau
    score_name = "probability of stable"
