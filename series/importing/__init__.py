"""Import of files: uploads, plans, orders, jobs, and the rows that they write."""

from __future__ import annotations
