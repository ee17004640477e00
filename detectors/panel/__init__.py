"""A panel's habits: features of series, forests, and the estimates behind `plateau`."""

from __future__ import annotations
