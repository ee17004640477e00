"""Parts of the command line `python -m detectors`."""

from __future__ import annotations
