"""Kept reports: the one of a state, and who may see it.

The same state, the same report: its key is of everything that a report says.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from django.db.models import Count, Max, Q
from django.http import QueryDict

from analysis.comparison.inputs import ComparisonInputs
from analysis.comparison.query import ComparisonQuery
from analysis.references import yardsticks
from analysis.references.yardsticks import UnknownYardstick
from analysis.report.bundle import PACKAGES, package_version, program
from analysis.report.content import recipe_settings
from analysis.report.models import ReportJob
from annotate import blind
from annotate.models import Campaign, Mark
from people.models import Study, User
from series.models import Series


def state_key(inputs: ComparisonInputs, query: ComparisonQuery) -> str:
    """SHA-256 of the answers that were read, of every name beside them and of the settings.

    The series are among them: two people who may see different series have different keys.
    """
    sha256 = hashlib.sha256()
    for text in _texts(inputs, query):
        sha256.update(text.encode() + b"\0")
    return sha256.hexdigest()


def _texts(inputs: ComparisonInputs, query: ComparisonQuery) -> Iterator[str]:
    yardstick = inputs.yardstick
    yield json.dumps([program(), *((name, package_version(name)) for name in PACKAGES)])
    yield json.dumps([yardstick.study.slug, yardstick.study.name, yardstick.title])
    yield json.dumps(recipe_settings(yardstick.campaign))
    yield _marks_state(yardstick.campaign)
    yield json.dumps(query.changed(yardstick=yardstick.code).alone.pairs())
    yield inputs.digest
    yield json.dumps([[look.name, look.code, look.title, look.key] for look in inputs.looks])
    yield json.dumps(
        {name: repr(missing_answers) for name, missing_answers in inputs.without.items()}
    )
    yield json.dumps([line.named for line in inputs.lines])
    yield json.dumps(
        [
            [excluded_series.line.pk, excluded_series.line.named, excluded_series.reason]
            for excluded_series in inputs.excluded
        ]
    )
    yield inputs.left_out.because if inputs.left_out else ""
    yield str(int(inputs.left_out))


def _marks_state(campaign: Campaign | None) -> str:
    """State of the marks: their number, and the last one; a mark is never changed, only
    followed.
    """
    if campaign is None:
        return ""
    marks = Mark.objects.filter(task__campaign=campaign)
    return json.dumps(marks.aggregate(count=Count("pk"), last=Max("pk")))


def report_of_state(study: Study, key: str) -> ReportJob | None:
    """The newest report of a state that is made or on its way; one that failed is neither."""
    reports = ReportJob.objects.filter(study=study, state_key=key).light().select_related("study")
    usable_reports = reports.filter(~Q(digest="") | Q(state__in=ReportJob.OPEN))
    return usable_reports.order_by("-created", "-pk").first()


def asked_comparison(job: ReportJob) -> ComparisonQuery:
    """The comparison that the job writes down."""
    parameters = QueryDict(mutable=True)
    for name, value in job.query:
        parameters.appendlist(name, value)
    return ComparisonQuery.from_query(parameters)


def may_see(job: ReportJob, reader: User) -> bool:
    """True if `reader` may see every series of the report, and its yardstick is there.

    Asked anew whenever it is shown: since it was made, somebody may have been asked for one of
    its series, or a series or the campaign been removed.
    """
    try:
        yardsticks.yardstick(job.study, job.yardstick)
    except UnknownYardstick:
        return False
    study_series = Series.objects.filter(benchmark__dataset__study=job.study)
    visible_pks = set(blind.visible_series(reader, study_series).values_list("pk", flat=True))
    return set(job.series_ids) <= visible_pks
