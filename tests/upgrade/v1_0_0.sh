#!/bin/sh
# Makes the stored data folder of version 1.0.0, by the code of that version:
#   git worktree add ../v1 v1.0.0 && cd ../v1 && sh .../tests/upgrade/v1_0_0.sh PYTHON FOLDER
# leaves FOLDER/v1_0_0.sql.gz and FOLDER/v1_0_0.archive.zip, which the archive job there made.
set -eu
python=$1 out=$2
export PLATEAU_MODE=development PLATEAU_DATA="$out/data"
manage() { "$python" manage.py "$@"; }

mkdir -p "$PLATEAU_DATA"
manage migrate --verbosity 0
"$python" - "$out" <<'END'
import random, sys
for night in ("first", "second"):
    draw = random.Random(night)
    with open(f"{sys.argv[1]}/{night}.csv", "w") as file:
        print("benchmark,fork,iteration,value", file=file)
        for name, fork, end in [(n, f, 20 + 10 * f) for n in ("merge", "quick") for f in range(3)]:
            for i in range(120):
                level = (1.8 if i < end else 1.0) * (1.3 if night == "second" else 1)
                print(f"{name},{fork},{i},{level + draw.randrange(40) / 1000:.3f}", file=file)
END
manage shell --no-imports --command '
from people.models import Membership, User
from people.services import create_study
olga = User.objects.create_superuser("olga", "olga@example.org", "plateau-demo")
study = create_study(name="Startup times", by=olga)
for name, role in (("ana", "annotator"), ("ben", "annotator"), ("vic", "viewer")):
    user = User.objects.create_user(name, f"{name}@example.org", "plateau-demo")
    Membership.objects.create(study=study, user=user, role=role)
'
manage import_series startup-times/nightly "$out/first.csv" --owner olga --recording first
manage import_series startup-times/nightly "$out/second.csv" --owner olga --recording second
manage shell --no-imports --command '
from uuid import UUID
from annotate import campaigns, services
from annotate.models import Campaign, Task
from people.models import Study, User
from people.services import invite
from people.tokens import make_token
from series.models import Series
study = Study.objects.get()
olga, ana, ben = (User.objects.get(username=each) for each in ("olga", "ana", "ben"))
first = [each.pk for each in Series.objects.filter(recording__label="first")]
spec = dict(series=first, annotators=(ana, ben))
campaign = campaigns.create(study, campaigns.CampaignSpec(name="First look", **spec), by=olga)
campaigns.open_campaign(campaign)
campaigns.create(study, campaigns.CampaignSpec(name="Not yet open", **spec), by=olga)
number = 0
def answer(task, by, kind, index=None):
    global number
    number += 1
    services.save_mark(task, by=by, client_id=UUID(int=number), digest=task.series.digest, kind=kind, index=index)
tasks = list(Task.objects.filter(campaign=campaign).order_by("pk"))
for task in tasks:
    for by in (ana, ben):
        answer(task, by, "steady", 20 + 10 * task.series.fork)
answer(tasks[0], ana, "steady", 25)
answer(tasks[1], ben, "never")
services.report_problem(tasks[2], by=ana, text="a spike")
campaigns.close(campaign, by=olga)
invite(study, role="viewer", by=olga)
make_token(study, by=olga, name="build server", scopes=("read",), days=None)
'
manage run startup-times/nightly --method mser georges --wait
manage tune startup-times/first-look --method georges --vary k=5,10 --wait
manage trend startup-times/nightly --start half
manage shell --no-imports --command '
from uuid import UUID
from analysis.archive.archive_storage import path_of
from analysis.archive.services import ask_for_archive
from analysis.review.services import decide
from analysis.runs.models import Detection, Preset
from analysis.trend.services import judge_alarm
from analysis.work.services import work_through
from annotate.models import Campaign
from people.models import Study, User
from series.models import Benchmark, Recording, Series
study, olga = Study.objects.get(), User.objects.get(username="olga")
campaign = Campaign.objects.get(slug="first-look")
series = Series.objects.filter(recording__label="first").order_by("pk")[1]
decide(series, campaign, kind="exclude", by=olga, client_id=UUID(int=1), text="noisy")
benchmark, recording = Benchmark.objects.get(name="merge"), Recording.objects.get(label="second")
Preset.objects.create(study=study, name="Short", detector_key=Detection.objects.values_list("detector_key", flat=True)[0], by=olga)
judge_alarm(benchmark, recording=recording, by=olga, state="confirmed", note="a new compiler")
judge_alarm(benchmark, recording=recording, by=olga, state="fixed", note="taken back")
archive = ask_for_archive(study, by=olga, licence="CC0-1.0", queued=False)
work_through(archive, worker="here", tell=lambda *_: None)
print(path_of(archive))
'
cp "$PLATEAU_DATA"/archives/*.zip "$out/v1_0_0.archive.zip"
"$python" -c '
import sqlite3, sys
print(*sqlite3.connect(sys.argv[1]).iterdump(), sep="\n")
' "$PLATEAU_DATA/plateau.sqlite3" | gzip -9n > "$out/v1_0_0.sql.gz"
