"""Names of a task's values on the annotation page: the digest, or one that maps to no series.

Files and pages of a study name series beside their digests. Where a campaign hides names, an
annotator who knew the digest of what is drawn could look its name up; so each person gets another
word for it, which only this installation can make.
"""

from __future__ import annotations

from typing import Final

from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from annotate.models import Task
from people.models import User

UNKNOWN: Final = "0" * 64  # the digest of no values


def alias_of(task: Task, user: User) -> str:
    """64 hexadecimal digits; others for other values, and where names are hidden for others."""
    digest = task.series.digest
    if not task.campaign.hide_names:
        return digest
    words = f"{task.pk} {user.pk} {digest}"
    return salted_hmac("annotate.aliases", words, algorithm="sha256").hexdigest()


def digest_behind(alias: str, task: Task, user: User) -> str:
    """The digest of the task's values if `alias` is theirs, else that of none."""
    is_own_alias = constant_time_compare(alias, alias_of(task, user))
    return task.series.digest if is_own_alias else UNKNOWN


def addresses(task: Task, user: User) -> dict[str, str]:
    """Addresses of the values for the page; both may be cached for ever."""
    if not task.campaign.hide_names:
        digest = {"digest": task.series.digest}
        return {
            "payload": reverse("payload", kwargs=digest),
            "window": reverse("payload-window", kwargs=digest),
        }
    campaign = task.campaign
    url_kwargs = {
        "study": campaign.study.slug,
        "campaign": campaign.slug,
        "position": task.position,
        "alias": alias_of(task, user),
    }
    return {
        "payload": reverse("annotate-payload", kwargs=url_kwargs),
        "window": reverse("annotate-payload-window", kwargs=url_kwargs),
    }
