"""Steady-state detectors: contract, registry, methods, kernels, simulated series, command line."""

from __future__ import annotations
