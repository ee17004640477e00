"""Every table of the app, for Django; whoever needs one imports it from its package."""

from __future__ import annotations

import analysis.archive.models
import analysis.cost.models
import analysis.methods.models
import analysis.references.models
import analysis.removal.models
import analysis.report.models
import analysis.runs.models
import analysis.site.models
import analysis.training.models
import analysis.trend.models
import analysis.tuning.models
import analysis.work.models  # noqa: F401
