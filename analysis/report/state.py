"""The key of a report: of everything that it says. The same key, the same report."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from analysis.comparison.inputs import ComparisonInputs
from analysis.comparison.query import ComparisonQuery
from analysis.report import content
from analysis.report.bundle import PACKAGES, package_version, program


def state_key(inputs: ComparisonInputs, asked: ComparisonQuery) -> str:
    """SHA-256 of the answers that were read, of every name beside them and of the settings.

    The series are among them: two people who may see different series have different keys.
    """
    whole = hashlib.sha256()
    for text in _texts(inputs, asked):
        whole.update(text.encode() + b"\0")
    return whole.hexdigest()


def _texts(inputs: ComparisonInputs, asked: ComparisonQuery) -> Iterator[str]:
    yardstick = inputs.yardstick
    yield json.dumps([program(), *((name, package_version(name)) for name in PACKAGES)])
    yield json.dumps([yardstick.study.slug, yardstick.study.name, yardstick.title])
    yield json.dumps(content.recipe_settings(yardstick.campaign))
    yield json.dumps(asked.changed(yardstick=yardstick.code).alone.pairs())
    yield inputs.digest
    yield json.dumps([[each.name, each.code, each.title, each.key] for each in inputs.looks])
    yield json.dumps({name: repr(each) for name, each in inputs.without.items()})
    yield json.dumps([line.named for line in inputs.lines])
    yield json.dumps([[each.line.pk, each.line.named, each.reason] for each in inputs.excluded])
    yield inputs.left_out.because if inputs.left_out else ""
    yield str(int(inputs.left_out))
