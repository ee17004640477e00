"""Statistics of answers: pure functions over aligned arrays. Errors are predicted - truth."""

from __future__ import annotations

from analysis.statistics.agreement import Agreement, AgreementMatrix, agreement, agreement_matrix
from analysis.statistics.answers import NEVER, Answers, errors
from analysis.statistics.bootstrap import BootstrapSettings
from analysis.statistics.breakdown import BreakdownGroup, breakdown
from analysis.statistics.comparison import (
    CONSTANT,
    RULES,
    CommonSetCost,
    Comparison,
    UncountedSeries,
    compare,
)
from analysis.statistics.constants import BestConstant, best_constant
from analysis.statistics.curves import Ecdf, ErrorQuantiles, ecdf, error_quantiles
from analysis.statistics.disagreement import Disagreement, disagreements
from analysis.statistics.people import consensus, leave_one_out
from analysis.statistics.ranks import (
    MethodRank,
    NoRankTest,
    RankedPair,
    RankTest,
    cliques,
    rank_test,
)
from analysis.statistics.rows import (
    COLUMNS,
    IterationErrors,
    MethodRow,
    RowScope,
    SteadyConfusion,
    TimeErrors,
    VerdictCounts,
    measure,
)
from analysis.statistics.seconds import elapsed, seconds_between, seconds_of_errors
from analysis.statistics.steady_summary import (
    MATTERS,
    ResultChange,
    SteadySummary,
    change_of_result,
    steady_summary,
    wasted_and_contaminated,
)
from analysis.statistics.trend import (
    Trend,
    TrendChange,
    TrendLevel as TrendGroup,
    trend_of,
)
from analysis.statistics.trend_groups import NoTrend
from analysis.statistics.verdicts import (
    NO_VERDICT,
    SYMBOLS,
    VERDICTS,
    Verdict,
    tolerance_for,
    verdict,
    verdict_codes,
    verdicts,
)

__all__ = [
    "COLUMNS",
    "CONSTANT",
    "MATTERS",
    "NEVER",
    "NO_VERDICT",
    "RULES",
    "SYMBOLS",
    "VERDICTS",
    "Agreement",
    "AgreementMatrix",
    "Answers",
    "BestConstant",
    "BootstrapSettings",
    "BreakdownGroup",
    "CommonSetCost",
    "Comparison",
    "Disagreement",
    "Ecdf",
    "ErrorQuantiles",
    "IterationErrors",
    "MethodRank",
    "MethodRow",
    "NoRankTest",
    "NoTrend",
    "RankTest",
    "RankedPair",
    "ResultChange",
    "RowScope",
    "SteadyConfusion",
    "SteadySummary",
    "TimeErrors",
    "Trend",
    "TrendChange",
    "TrendGroup",
    "UncountedSeries",
    "Verdict",
    "VerdictCounts",
    "agreement",
    "agreement_matrix",
    "best_constant",
    "breakdown",
    "change_of_result",
    "cliques",
    "compare",
    "consensus",
    "disagreements",
    "ecdf",
    "elapsed",
    "error_quantiles",
    "errors",
    "leave_one_out",
    "measure",
    "rank_test",
    "seconds_between",
    "seconds_of_errors",
    "steady_summary",
    "tolerance_for",
    "trend_of",
    "verdict",
    "verdict_codes",
    "verdicts",
    "wasted_and_contaminated",
]
