"""One method under many parameter sets, with the stages that sets share."""

from __future__ import annotations
