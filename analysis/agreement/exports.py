"""The figures of the agreement page as one long table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from analysis.agreement.figures import AgreementFigures
from formats.tables import Cell

COLUMNS: Final = ("figure", "first", "second", "value", "n", "behind")
Row = tuple[Cell, ...]


def agreement_rows(found: AgreementFigures) -> Iterator[Row]:
    """A row for each figure: who it is about, its value, the series it rests on, their code."""
    yes_no = found.yes_no
    yield "yes-no-agreement", None, None, yes_no.observed, yes_no.n, "votes"
    yield "fleiss-kappa", None, None, yes_no.kappa, yes_no.n, "votes"
    yield "gwet-ac1", None, None, yes_no.ac1, yes_no.n, "votes"
    yield "yes-no-differs", None, None, found.split_count, yes_no.n, "split"
    if found.iterations:
        yield "krippendorff-alpha", None, None, found.alpha.alpha, found.alpha.n, "alpha"
        yield from _spread(found)
        yield from _clusters(found)
    yield from _pairs(found)
    yield from _people(found)


def _spread(found: AgreementFigures) -> Iterator[Row]:
    n = sum(band.n for band in found.bands)
    yield "median-spread", None, None, found.median_spread, n, "spread:0"
    for band in found.bands:
        code = f"spread:{band.low}" + ("" if band.high is None else f":{band.high}")
        yield "spread", band.low, band.high, band.n, n, code


def _clusters(found: AgreementFigures) -> Iterator[Row]:
    n = sum(each.n for each in found.clusters)
    for each in found.clusters:
        yield "cluster-size", each.members, None, each.n, n, f"cluster:{each.members}"


def _pairs(found: AgreementFigures) -> Iterator[Row]:
    for pair in found.pairs:
        who, code = (pair.first, pair.second), f"pair:{pair.first}:{pair.second}"
        yield "pair-yes-no", *who, pair.same_share, pair.n, code
        if found.iterations:
            yield "pair-mean-abs", *who, pair.mean_abs, pair.n_steady, code
            yield "pair-median-abs", *who, pair.median_abs, pair.n_steady, code
            yield "pair-within-tolerance", *who, pair.within_share, pair.n_steady, code


def _people(found: AgreementFigures) -> Iterator[Row]:
    for again in found.twice:
        who, code = (again.pseudonym, None), f"twice:{again.pseudonym}"
        same = again.same / again.voted if again.voted else None
        yield "self-yes-no", *who, same, again.voted, code
        yield "self-median-abs", *who, again.difference, again.both, code
    for each in found.drifts:
        who, code = (each.person, None), f"worked:{each.person}"
        yield "drift-first-third", *who, each.first, each.n, code
        yield "drift-last-third", *who, each.last, each.n, code
        yield "drift-rho", *who, each.rho, each.n, code
        yield "drift-p", *who, each.p, each.n, code
    for gone in found.absences:
        who, code = (gone.person, None), f"without:{gone.person}"
        yield "absence-changed", *who, gone.changed, gone.n, code
        yield "absence-yes-no", *who, gone.yes_no, gone.n, code
        yield "absence-median-abs", *who, gone.median_abs, gone.shifted, code
        yield "absence-mean-shift", *who, gone.mean_shift, gone.n, code
