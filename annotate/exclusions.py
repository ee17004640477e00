"""Series that are no yardstick in a campaign, told by a room that this one does not know.

Who decides so registers in `AppConfig.register()` a function that gives, for a campaign, the
reasons by primary key of the series. Exports and tables of this room show them; no mark and no
ground truth changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from annotate import blind
from annotate.blind import Reader
from annotate.models import Campaign
from people.late_registry import LateRegistry

Reasons = Callable[[Campaign], Mapping[int, str]]
_registered = LateRegistry[list[Reasons]]([])


def register_exclusions(reasons: Reasons) -> None:
    """Let `reasons(campaign)` name excluded series."""
    if reasons not in _registered.present:
        _registered.present.append(reasons)


def exclusion_reasons(campaign: Campaign) -> dict[int, str]:
    """Reason by primary key of the series."""
    return {
        pk: reason
        for reason_reader in _registered.entries
        for pk, reason in reason_reader(campaign).items()
    }


def count(campaign: Campaign, reader: Reader) -> int:
    """Count the excluded series of the campaign, of those that `reader` may see answers of."""
    reasons = exclusion_reasons(campaign)
    if not reasons:
        return 0
    tasks = campaign.tasks.counted().filter(series__in=list(reasons))
    return blind.without_open(reader, tasks).count()
