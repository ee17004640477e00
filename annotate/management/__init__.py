"""Commands about campaigns, marks and ground truth."""

from __future__ import annotations
