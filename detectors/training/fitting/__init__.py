"""Fitting of classifiers, networks, forests and kernels on labelled windows and rows."""

from __future__ import annotations
