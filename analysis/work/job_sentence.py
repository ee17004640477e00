"""Sentence of a job's page that stands first: how far the work is."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.web.templatetags.run_figures import lasting_range
from analysis.work.progress import JobProgress
from people.templatetags.writing import grouped


@dataclass(frozen=True, slots=True)
class JobSentence:
    """The answer of the page, and below it how far it holds."""

    answer: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class JobAction:
    """Primary button of a job's page once the job has ended."""

    address: str
    words: str


def sentence_of_work(progress: JobProgress, noun: str = "answer") -> JobSentence:
    """Say how far a job is that has not ended, or was stopped; noun: what its units make."""
    total_text, done_text = grouped(progress.total), grouped(progress.done)
    nouns = f"{noun}{'' if progress.total == 1 else 's'}"
    if progress.state == "queued":
        return JobSentence(f"{total_text} {nouns} to compute; none is there yet.")
    count_sentence = f"{done_text} of {total_text} {nouns} are there."
    if progress.state in {"stopped", "stopping"}:
        return JobSentence(f"{count_sentence} The {progress.noun} was stopped.")
    seconds_left = progress.seconds_left
    if seconds_left:
        return JobSentence(f"{count_sentence} The rest takes {lasting_range(seconds_left)}.")
    pause = f" No {noun} came in the last minute." if progress.has_paused else ""
    return JobSentence(f"{count_sentence}{pause}")
