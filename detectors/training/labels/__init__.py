"""Labels that models are fitted on: answers of panels, known answers, windows, folds."""

from __future__ import annotations
