"""Runs of detectors: started, and how far they are."""

from __future__ import annotations

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Router, Schema
from ninja.responses import Status

from analysis.runs.models import Run
from analysis.runs.plan import NothingToRun
from analysis.runs.selection import SeriesSelection, UnknownSelection
from analysis.runs.services import start_run
from analysis.work.progress import job_lines
from api.access import RUN, caller, find_dataset, owner, value_or_422
from api.texts import MethodKeys, Name, Words
from detectors.contract import ParameterError
from detectors.registry import UnknownDetector, canonical_key

router = Router(auth=RUN, tags=["run"])


class RunIn(Schema):
    """Methods by slug or key, and what narrows the data set."""

    methods: MethodKeys
    recording: Words = ""
    system: Words = ""
    text: Words = ""
    campaign: Words = ""
    name: Name = ""


class RunOut(Schema):
    """A run: counts of detections; `state`: queued, running, stopping, stopped or done."""

    id: str
    state: str
    total: int
    done: int
    failed: int


@router.post("/datasets/{dataset}/runs", response={202: RunOut}, summary="Start a run")
def start(request: HttpRequest, dataset: str, run_request: RunIn) -> Status[RunOut]:
    """Start a run; what is stored already is not computed again."""
    token_owner = owner(request)
    selection = SeriesSelection(
        dataset=find_dataset(request, dataset).slug,
        recording=run_request.recording,
        system=run_request.system,
        text=run_request.text,
        campaign=run_request.campaign,
    )

    def begun() -> Run:
        selection.check(token_owner.study)
        keys = [canonical_key(method) for method in run_request.methods]
        return start_run(
            token_owner.study,
            user=token_owner.user,
            selection=selection,
            keys=keys,
            name=run_request.name,
        )

    errors = (NothingToRun, UnknownDetector, UnknownSelection, ParameterError)
    return Status(202, _reply(value_or_422(begun, *errors)))


@router.get("/runs/{run}", response=RunOut, summary="How far a run is")
def state(request: HttpRequest, run: str) -> RunOut:
    return _reply(get_object_or_404(Run.objects.filter(study=caller(request).study), public_id=run))


def _reply(run: Run) -> RunOut:
    (line,) = job_lines([run])
    return RunOut(
        id=run.public_id, state=line.state, total=line.total, done=line.done, failed=line.failed
    )
