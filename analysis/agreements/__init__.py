"""How far the people of a campaign agree, for what a reader may see: page, lists and file."""

from __future__ import annotations

from analysis.agreements import files, words
from analysis.agreements.behind import UnknownFigure, behind
from analysis.agreements.figures import Figures, figures
from analysis.agreements.reading import Asked, Votes, read

__all__ = [
    "Asked",
    "Figures",
    "UnknownFigure",
    "Votes",
    "behind",
    "figures",
    "files",
    "read",
    "words",
]
