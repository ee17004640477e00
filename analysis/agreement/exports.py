"""The figures of the agreement page as one long table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from analysis.agreement.figures import AgreementFigures, agreement_figures
from analysis.agreement.query import AgreementQuery
from analysis.agreement.reads import read_votes
from analysis.web.page_tables import CAMPAIGN, PageTable, PageTables, TableRefused, TableRequest
from annotate.models import Campaign
from formats.tables import Cell

COLUMNS: Final = {
    "figure": "name of the figure",
    "first": "annotator, lower end of a band of spreads, or size of a cluster",
    "second": "second annotator of a pair, or upper end of a band; empty: no end",
    "value": "the figure; empty: too few answers",
    "n": "series that it rests on",
    "behind": "code that the list of these series takes as `of` in its address",
}
Row = tuple[Cell, ...]


def agreement_rows(agreement: AgreementFigures) -> Iterator[Row]:
    """A row for each figure: who it is about, its value, the series it rests on, their code."""
    yes_no = agreement.yes_no
    yield "yes-no-agreement", None, None, yes_no.observed, yes_no.n, "votes"
    yield "fleiss-kappa", None, None, yes_no.kappa, yes_no.n, "votes"
    yield "gwet-ac1", None, None, yes_no.ac1, yes_no.n, "votes"
    yield "yes-no-differs", None, None, agreement.split_count, yes_no.n, "split"
    if agreement.asks_iterations:
        yield "krippendorff-alpha", None, None, agreement.alpha.alpha, agreement.alpha.n, "alpha"
        n = sum(band.n for band in agreement.bands)
        yield "median-spread", None, None, agreement.median_spread, n, "spread:0"
        for band in agreement.bands:
            code = f"spread:{band.low}" + ("" if band.high is None else f":{band.high}")
            yield "spread", band.low, band.high, band.n, n, code
        n = sum(count for _, count in agreement.clusters)
        for members, count in agreement.clusters:
            yield "cluster-size", members, None, count, n, f"cluster:{members}"
    yield from _pairs(agreement)
    yield from _people(agreement)


def _pairs(agreement: AgreementFigures) -> Iterator[Row]:
    for pair in agreement.pairs:
        both_names, code = (pair.first, pair.second), f"pair:{pair.first}:{pair.second}"
        yield "pair-yes-no", *both_names, pair.same_share, pair.n, code
        if agreement.asks_iterations:
            yield "pair-mean-abs", *both_names, pair.mean_abs, pair.n_steady, code
            yield "pair-median-abs", *both_names, pair.median_abs, pair.n_steady, code
            yield "pair-within-tolerance", *both_names, pair.within_share, pair.n_steady, code


def _people(agreement: AgreementFigures) -> Iterator[Row]:
    for repeated_answers in agreement.consistencies:
        person_columns, code = (
            (repeated_answers.pseudonym, None),
            f"twice:{repeated_answers.pseudonym}",
        )
        same_share = (
            repeated_answers.same / repeated_answers.voted if repeated_answers.voted else None
        )
        yield "self-yes-no", *person_columns, same_share, repeated_answers.voted, code
        yield (
            "self-median-abs",
            *person_columns,
            repeated_answers.difference,
            repeated_answers.both,
            code,
        )
    for person_drift in agreement.drifts:
        person_columns, code = (person_drift.person, None), f"worked:{person_drift.person}"
        yield "drift-first-third", *person_columns, person_drift.first, person_drift.n, code
        yield "drift-last-third", *person_columns, person_drift.last, person_drift.n, code
        yield "drift-rho", *person_columns, person_drift.rho, person_drift.n, code
        yield "drift-p", *person_columns, person_drift.p, person_drift.n, code
    for absence in agreement.absences:
        person_columns, code = (absence.person, None), f"without:{absence.person}"
        yield "absence-changed", *person_columns, absence.changed, absence.n, code
        yield "absence-yes-no", *person_columns, absence.yes_no, absence.n, code
        yield "absence-median-abs", *person_columns, absence.median_abs, absence.shifted, code
        yield "absence-mean-shift", *person_columns, absence.mean_shift, absence.n, code


def has_agreement(campaign: Campaign) -> bool:
    """Training has no ground truth to agree on, and a second pass belongs to its first one.

    Several changes of level are compared by scores of their own.
    """
    return not (campaign.is_training or campaign.is_repeat or campaign.asks_changes)


def _figures(request: TableRequest) -> AgreementFigures:
    if not has_agreement(request.scope):
        raise TableRefused(
            f"{request.scope.study.slug}/{request.scope.slug}: a campaign of this kind has no "
            "agreement; for a second pass name the campaign of the first"
        )
    return agreement_figures(read_votes(request.scope, request.reader, *request.queries))


AGREEMENT_TABLES: Final = PageTables(
    scope=CAMPAIGN,
    queries={AgreementQuery: ()},
    compute=_figures,
    tables={"agreement": PageTable("Agreement", COLUMNS, agreement_rows)},
)
