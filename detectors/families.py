"""The fields that methods come from: headings of the catalogue, of forms and of the tables.

A method of ours declares one of these; a test holds them together. A method from elsewhere may
declare another, which then is a heading of its own.
"""

from __future__ import annotations

from typing import Final

FAMILIES: Final = (
    "Baselines",
    "Change points",
    "Combinations",
    "Harnesses",
    "Learned methods",
    "MCMC",
    "Molecular dynamics",
    "Process industry",
    "Published detectors",
    "Simulation",
)
