"""One plain sentence for each figure. Neutral about people: answers differ, nobody is wrong."""

from __future__ import annotations

from typing import Final

from analysis.agreement.figures import AgreementFigures
from people.templatetags.writing import grouped, share, signed

UNTOLD: Final = (
    "Agreement on steady or never cannot be computed: only series that had already been called "
    "steady were shown, and nobody calls one never."
)


def yes_no(agreement: AgreementFigures) -> str:
    figures = agreement.yes_no
    if not agreement.tells_yes_no:
        return UNTOLD
    if figures.observed is None:
        return "No series has two votes yet."
    if not agreement.split_count:
        return f"On all of {grouped(figures.n)} series the votes are the same."
    return (
        f"Two people who look at the same series say the same in {share(figures.observed)} of "
        f"cases; on {grouped(agreement.split_count)} of {grouped(figures.n)} series the votes "
        "differ."
    )


def chance(agreement: AgreementFigures) -> str:
    if not agreement.tells_yes_no:
        return ""
    if agreement.yes_no.kappa is None or agreement.yes_no.ac1 is None:
        return "With the same answer on every series, agreement beyond chance cannot be computed."
    coefficient_gap = agreement.yes_no.ac1 - agreement.yes_no.kappa
    if coefficient_gap > 0.2:
        return (
            "κ is far below AC1 because one answer is much more frequent than the other: drawn "
            "blindly, the frequent one would often agree, too. AC1 is the fairer figure here."
        )
    return "κ and AC1 say the same: neither answer is rare."


def alpha(agreement: AgreementFigures) -> str:
    figures = agreement.alpha
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
    return f"On {grouped(figures.n)} series that nobody calls never, {words}."


def offsets(agreement: AgreementFigures) -> str:
    if len(agreement.offsets) < 2:
        return "Nobody has marked a series that others marked, too."
    first, last = agreement.offsets[0], agreement.offsets[-1]
    if first.median == last.median:
        return "In the middle, nobody marks earlier or later than the others."
    return (
        f"{first.person.upper()} marks earliest and {last.person.upper()} latest: half of their "
        f"marks lie at {signed(first.median)} and at {signed(last.median)} iterations or less."
    )


def spread(agreement: AgreementFigures) -> str:
    if agreement.median_spread is None:
        return "No series has two marks yet."
    n = sum(band.n for band in agreement.bands)
    return (
        f"On half of {grouped(n)} series the marks lie within {grouped(agreement.median_spread)} "
        "iterations of each other."
    )


def clusters(agreement: AgreementFigures) -> str:
    n = sum(count for _, count in agreement.clusters)
    gathered_count = sum(count for members, count in agreement.clusters if members)
    if not n:
        return "No series is answered by everybody yet."
    return (
        f"On {grouped(gathered_count)} of {grouped(n)} series with a vote for steady the marks lie "
        "together."
    )


def absences(agreement: AgreementFigures) -> str:
    absence = max(agreement.absences, key=lambda absence: absence.changed, default=None)
    if absence is None or not absence.n:
        return "No series is answered by everybody yet."
    return (
        f"The ground truth changes most without {absence.person.upper()}: "
        f"on {grouped(absence.changed)} of {grouped(absence.n)} series."
    )


def drifts(agreement: AgreementFigures) -> str:
    if not agreement.has_drifts:
        return "Nobody has marked ten series in a known order that others marked, too."
    p_by_person = {
        drift.person.upper(): drift.p for drift in agreement.drifts if drift.p is not None
    }
    if not p_by_person:
        return "Over the order of work, marks keep the same distance to the others' marks."
    moving_people = [person for person, p in p_by_person.items() if p < 0.01]
    if not moving_people:
        return "Nobody's marks move with the order of work more than chance would (p ≥ 0.01)."
    return f"The marks of {', '.join(moving_people)} move with the order of work (p < 0.01)."


def twice(agreement: AgreementFigures) -> str:
    n = sum(repeat.n for repeat in agreement.consistencies)
    if not n:
        return "Nobody has answered a series twice yet; a second pass asks for that."
    same_count = sum(repeat.same for repeat in agreement.consistencies)
    vote_count = sum(repeat.voted for repeat in agreement.consistencies)
    votes = f"Of {grouped(vote_count)} second votes"
    return f"{votes} {grouped(same_count)} are the same yes or no as the first."
