"""Who may read and who may write each route: the table of `test_access.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

NOBODY, STRANGER, VIC, ANA, OLGA = PEOPLE = ("nobody", "stranger", "vic", "ana", "olga")
ALL = frozenset(PEOPLE)
SIGNED_IN = ALL - {NOBODY}
MEMBERS = frozenset({VIC, ANA, OLGA})
OWNERS = frozenset({OLGA})
ANNOTATORS = frozenset({ANA})
SEEING = frozenset({VIC, OLGA})  # who has nothing left to answer
NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Route:
    """A route's arguments, by name in the world, and who gets an answer from it."""

    arguments: tuple[str, ...] = ()
    get: frozenset[str] = NONE
    post: frozenset[str] = NONE
    query: str = ""


def reads(*arguments: str, by: frozenset[str] = MEMBERS, query: str = "") -> Route:
    return Route(arguments, get=by, query=query)


def writes(*arguments: str, by: frozenset[str] = OWNERS) -> Route:
    return Route(arguments, post=by)


def form(
    *arguments: str, by: frozenset[str] = OWNERS, reading: frozenset[str] | None = None
) -> Route:
    """A page with a form that posts to itself; `reading` may see it without posting."""
    return Route(arguments, get=by if reading is None else reading, post=by)


TASK = ("study", "campaign", "position")

TABLE: dict[str, Route] = {
    # pages without data
    "home": reads(by=ALL),
    "methods": reads(by=ALL),
    "method": reads("slug", by=ALL),
    "method-text": reads("slug", by=ALL),
    "help": reads(by=ALL),
    "help-keys": reads(by=ALL),
    "help-topic": reads("topic", by=ALL),
    "help-decision": reads("decision", by=ALL),
    "health": reads(by=ALL),
    "metrics": reads(by=NONE),  # off unless a setting says who: tests/analysis/site/test_metrics.py
    "status": reads(by=NONE),  # staff, whatever they are in a study: tests/people/test_staff.py
    "accounts": reads(by=NONE),  # the same: tests/people/test_accounts.py
    "account-disabling": writes("username", by=NONE),
    "account-enabling": writes("username", by=NONE),
    "audit": reads(by=NONE),  # the same: tests/people/test_audit.py
    "audit-file": reads(by=NONE),
    # trying a method; of people who are signed in alone where PLAYGROUND_PUBLIC is off
    "playground-example": reads(by=ALL, query="?kind=step&n=100"),
    "playground-values": writes(by=ALL),
    "playground-answers": writes(by=ALL),
    # signing in
    "sign-in": Route(get=frozenset({NOBODY}), post=frozenset({NOBODY})),
    "first-account": form(by=NONE),  # while nobody has one: tests/people/test_first_account.py
    "sign-out": writes(by=ALL),
    "account": form(by=SIGNED_IN),
    "account-mail": form(by=SIGNED_IN),
    "account-mail-proof": form("mail_token", by=ANNOTATORS),  # it was mailed to her
    "account-password": form(by=SIGNED_IN),
    "account-other-sessions": writes(by=SIGNED_IN),
    # the second factor; how it is asked for, and with which proof it changes: tests/sso
    "mfa_authenticate": form(by=NONE),  # between password and code alone
    "second-factor": reads(by=SIGNED_IN),
    "second-factor-app": form(by=SIGNED_IN),
    "app-removal": writes(by=SIGNED_IN),
    "security-keys": form(by=SIGNED_IN),
    "security-key": Route(("slug",)),  # its owner's alone: tests/sso/key_cases.py
    "security-key-removal": Route(("slug",)),
    "recovery-codes": writes(by=SIGNED_IN),
    "second-factor-removal": writes(by=SIGNED_IN),
    "join": form("token", by=ALL),
    "account-device": form(by=SIGNED_IN),
    "device": form("uidb64", "token", by=NONE),  # no personal link: tests/people/test_joining.py
    "password-forgotten": form(by=ALL),
    "password-new": form("uidb64", "token", by=ALL),
    "password-link": writes("study", "username"),
    # programs; what they may read and write stands in tests/api/test_access.py
    "tokens": form("study"),
    "token-revocation": writes("study", "api_token"),
    # renaming and removing
    "rename": form("study", "kind", "thing"),
    "removal-new": form("study", "kind", "thing"),
    "removed": reads(by=SIGNED_IN),
    "removal-restoration": writes("removal"),
    "removal-purge": form("removal"),
    # studies and people
    "study-new": form(by=SIGNED_IN),
    "study": reads("study"),
    "study-ranking": reads("study"),
    "study-review": reads("study"),
    "people": reads("study"),
    "invite": writes("study"),
    "campaign-invitations": reads("study", "campaign", by=OWNERS),
    "campaign-invitation-mails": Route(("study", "campaign")),  # 404 without a mail server
    "campaign-invitation-revocation": writes("study", "campaign", "invitation"),
    "campaign-invitation-renewal": writes("study", "campaign", "invitation"),
    "invitation-revocation": writes("study", "invitation"),
    "notices": reads("study", by=OWNERS),
    "study-audit": reads("study", by=OWNERS),
    "study-audit-file": reads("study", by=OWNERS),
    "notice-again": writes("study", "notice"),
    "member-role": writes("study", "username"),
    "member-removal": writes("study", "username"),
    # campaigns
    "campaigns": reads("study"),
    "campaign-new": form("study"),
    "campaign-count": writes("study"),
    "campaign-draft": writes("study"),
    "campaign": reads("study", "campaign", query="?tab=truth"),
    "campaign-opening": writes("study", "campaign"),
    "campaign-archiving": writes("study", "campaign"),
    "campaign-closure": form("study", "campaign"),
    "campaign-reminder": form("study", "campaign"),
    "problem-closure": writes("study", "campaign", "problem"),
    "campaign-edit": form("study", "campaign"),
    "recipe-example": reads("study", by=OWNERS),
    "campaign-marking": writes("study", "campaign"),
    "campaign-training": reads("study", "campaign", by=ANNOTATORS | OWNERS),
    "training-attempts": writes("study", "campaign", by=ANNOTATORS | OWNERS),
    "campaign-guide": reads("study", "campaign"),
    "campaign-mine": reads("study", "campaign", by=ANNOTATORS),
    "campaign-agreement-file": reads("study", "campaign"),
    "change-scores-file": reads("study", "campaign"),
    "asking-order": writes("study", "campaign"),
    "least-sure-file": reads("study", "campaign", by=OWNERS),
    "ground-truth-csv": reads("study", "campaign"),
    "marks-csv": reads("study", "campaign"),
    # data
    "datasets": reads("study"),
    "dataset": reads("study", "dataset"),
    "dataset-values": reads("study", "dataset"),
    "benchmark": reads("study", "dataset", "benchmark"),
    "benchmark-forks": reads("study", "dataset", "benchmark"),
    "series-fork-chart": reads("study", "series"),
    "benchmark-forks-file": reads("study", "dataset", "benchmark"),
    "what-to-do": reads("study"),
    "plans-file": reads("study", "dataset"),
    "detections-file": reads("study", "dataset"),
    "plans-annotations": reads("study", "dataset"),
    "plan-savings": reads("study", "dataset"),
    "composition": reads("study", "dataset"),
    "composition-file": reads("study", "dataset"),
    "harness-file": reads("study", "dataset"),
    "trends": reads("study", "dataset"),
    "trends-file": reads("study", "dataset"),
    "trend-builds": reads("study", "dataset"),
    "trend-machines": reads("study", "dataset"),
    "trend-machines-file": reads("study", "dataset"),
    "trend-builds-file": reads("study", "dataset"),
    "trend-alarms": writes("study", "dataset", "benchmark"),
    "trend-file": reads("study", "dataset", "benchmark"),
    "series": reads("study", "series"),
    "series-values": reads("study", "series"),
    "series-table": reads("study", "series"),
    "payload": reads("digest"),
    "payload-window": reads("digest", query="?from=0&to=20&buckets=4"),
    "import": form("study"),
    "import-confirmation": writes("study"),
    "import-forecast": writes("study"),
    "import-progress": reads("study", "import_id", by=OWNERS),
    "import-cancellation": writes("study", "import_id"),
    "import-one": form("study", "import_id"),
    "import-problems": reads("study", "import_id", by=OWNERS),
    "benchmark-direction": writes("study", "dataset", "benchmark"),
    "import-removal": writes("study", "import_id"),
    # annotating
    "annotate": reads("study", "campaign", by=ANNOTATORS),
    "annotate-guide-readings": writes("study", "campaign", by=ANNOTATORS),
    "annotate-task": reads(*TASK, by=ANNOTATORS),
    "annotate-data": reads(*TASK, by=ANNOTATORS),
    "annotate-payload": reads(*TASK, "alias", by=ANNOTATORS),
    "annotate-payload-window": reads(
        *TASK, "alias", by=ANNOTATORS, query="?from=0&to=20&buckets=4"
    ),
    "annotate-events": Route(TASK),  # 404: the campaign shows none (tests/analysis/event_lanes)
    "annotate-marks": writes(*TASK, by=ANNOTATORS),
    "annotate-skips": writes(*TASK, by=ANNOTATORS),
    "annotate-problems": writes(*TASK, by=ANNOTATORS),
    # runs
    "runs": reads("study"),
    "run-new": form("study"),
    "run": reads("study", "run"),
    "run-cancellation": writes("study", "run"),
    "run-retry": writes("study", "run"),
    "run-left-out": writes("study", "run"),
    # sensitivity and tuning
    "tuning-new": form("study"),
    "exploration": reads("study", "exploration"),
    "tuning-file": reads("study", "exploration"),
    "tuning-cancellation": writes("study", "exploration"),
    "tuning-retry": writes("study", "exploration"),
    "tuning-removal": writes("study", "exploration"),
    "tuning-presets": writes("study", "exploration"),
    "preset-removal": writes("study", "preset"),
    # training
    "training-new": form("study"),
    "training": reads("study", "training"),
    "training-cancellation": writes("study", "training"),
    "training-retry": writes("study", "training"),
    "training-removal": writes("study", "training"),
    # methods from files
    "imported-methods": form("study", reading=MEMBERS),
    "imported-series-to-answer": reads("study", query="?dataset=nightly"),
    "imported-method": form("study", "own", reading=MEMBERS),
    "imported-method-confirmation": writes("study", "own"),
    "imported-method-removal": writes("study", "own"),
    # comparing
    "comparison": reads("study"),
    "comparison-tests": reads("study", query="?y=known"),
    "comparison-figures": reads("study", query="?y=known"),
    "comparison-report": Route(("study",), get=MEMBERS, post=MEMBERS, query="?y=known"),
    "archive-uploads": form(by=SIGNED_IN),
    "archive-upload": reads("upload", by=OWNERS),  # whose it is
    "archive-upload-confirmation": writes("upload"),
    "archive-upload-removal": writes("upload"),
    "archives": form("study"),
    "archive": reads("study", "archive", by=OWNERS),
    "archive-file": reads("study", "archive", by=OWNERS),
    "archive-cancellation": writes("study", "archive"),
    "archive-retry": writes("study", "archive"),
    "report": reads("study", "report"),
    "report-button": reads("study", "report"),
    "report-file": reads("study", "report", by=SEEING),
    "method-sets": writes("study", by=frozenset({ANA, OLGA})),
    "method-set-removal": writes("study", "method_set"),
    "method-set-first": writes("study", "method_set"),
    "comparison-export": reads("study", query="?y=known"),
    "what-if": reads("study"),
    "what-if-file": reads("study"),
    "cost-file": reads("study"),
    # disagreements; ana has yet to answer the one series of the world
    "disagreements": reads("study"),
    "disagreements-file": reads("study"),
    "disagreement": reads("study", "series", by=frozenset({VIC, OLGA})),
    "disagreement-decisions": writes("study", "series"),
    "series-evidence": reads("study", "series", query="?of=fixed", by=frozenset({VIC, OLGA})),
    "series-results": reads("study", "series", by=frozenset({VIC, OLGA})),
    "series-events": reads("study", "series", by=frozenset({VIC, OLGA})),
    "dataset-events": form("study", "dataset"),
    "series-events-file": reads("study", "series", by=frozenset({VIC, OLGA})),
    "series-events-import": writes("study", "series"),
    "series-events-removal": writes("study", "series"),
    "series-invocations": reads("study", "series", by=frozenset({VIC, OLGA})),
    "series-invocations-file": reads("study", "series", by=frozenset({VIC, OLGA})),
    "series-online": reads("study", "series", by=frozenset({VIC, OLGA})),
    "series-diagnostics": reads("study", "series", by=frozenset({VIC, OLGA})),
    "series-detections": reads("study", "series", by=frozenset({VIC, OLGA})),
}

World = dict[str, Any]
