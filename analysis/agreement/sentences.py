"""One plain sentence for each figure. Neutral about people: answers differ, nobody is wrong."""

from __future__ import annotations

from typing import Final

from analysis.agreement.figures import AgreementFigures
from people.templatetags.writing import share, signed, whole

UNTOLD: Final = (
    "Agreement on steady or never cannot be computed: only series that had already been called "
    "steady were shown, and nobody calls one never."
)


def yes_no(found: AgreementFigures) -> str:
    figures = found.yes_no
    if not found.told:
        return UNTOLD
    if figures.observed is None:
        return "No series has two votes yet."
    if not found.split_count:
        return f"On all of {whole(figures.n)} series the votes are the same."
    return (
        f"Two people who look at the same series say the same in {share(figures.observed)} of "
        f"cases; on {whole(found.split_count)} of {whole(figures.n)} series the votes differ."
    )


def chance(found: AgreementFigures) -> str:
    if not found.told:
        return ""
    if found.yes_no.kappa is None or found.yes_no.ac1 is None:
        return "With the same answer on every series, agreement beyond chance cannot be computed."
    apart = found.yes_no.ac1 - found.yes_no.kappa
    if apart > 0.2:
        return (
            "κ is far below AC1 because one answer is much more frequent than the other: drawn "
            "blindly, the frequent one would often agree, too. AC1 is the fairer figure here."
        )
    return "κ and AC1 say the same: neither answer is rare."


def alpha(found: AgreementFigures) -> str:
    figures = found.alpha
    if figures.alpha is None:
        return "No series has two marks that differ, and nobody who says never."
    if figures.alpha >= 0.8:
        words = "marks of one series lie close together, compared with marks of different series"
    elif figures.alpha >= 0.667:
        words = "marks of one series lie nearer to each other than marks of different series do"
    elif figures.alpha > 0:
        words = "marks of one series differ nearly as much as marks of different series"
    else:
        words = "marks of one series differ as much as marks of different series"
    return f"On {whole(figures.n)} series that nobody calls never, {words}."


def offsets(found: AgreementFigures) -> str:
    if len(found.offsets) < 2:
        return "Nobody has marked a series that others marked, too."
    first, last = found.offsets[0], found.offsets[-1]
    if first.median == last.median:
        return "In the middle, nobody marks earlier or later than the others."
    return (
        f"{first.person.upper()} marks earliest and {last.person.upper()} latest: half of their "
        f"marks lie at {signed(first.median)} and at {signed(last.median)} iterations or less."
    )


def spread(found: AgreementFigures) -> str:
    if found.median_spread is None:
        return "No series has two marks yet."
    n = sum(band.n for band in found.bands)
    return (
        f"On half of {whole(n)} series the marks lie within {whole(found.median_spread)} "
        "iterations of each other."
    )


def clusters(found: AgreementFigures) -> str:
    n = sum(each.n for each in found.clusters)
    together = sum(each.n for each in found.clusters if each.members)
    if not n:
        return "No series is answered by everybody yet."
    return (
        f"On {whole(together)} of {whole(n)} series with a vote for steady the marks lie together."
    )


def absences(found: AgreementFigures) -> str:
    most = max(found.absences, key=lambda each: each.changed, default=None)
    if most is None or not most.n:
        return "No series is answered by everybody yet."
    return (
        f"The ground truth changes most without {most.person.upper()}: on {whole(most.changed)} "
        f"of {whole(most.n)} series."
    )


def drifts(found: AgreementFigures) -> str:
    known = [each for each in found.drifts if each.p is not None]
    moving = [each.person.upper() for each in known if each.p is not None and each.p < 0.01]
    if not known:
        return "Nobody has marked ten series in a known order that others marked, too."
    if not moving:
        return "Nobody's marks move with the order of work more than chance would (p ≥ 0.01)."
    return f"The marks of {', '.join(moving)} move with the order of work (p < 0.01)."


def twice(found: AgreementFigures) -> str:
    n = sum(each.n for each in found.twice)
    if not n:
        return "Nobody has answered a series twice yet; a second pass asks for that."
    same = sum(each.same for each in found.twice)
    voted = sum(each.voted for each in found.twice)
    return f"Of {whole(voted)} second votes {whole(same)} are the same yes or no as the first."
