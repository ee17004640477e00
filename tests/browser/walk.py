"""The pages that a walk through Plateau visits, on the demo's data; and what is wrong with one."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request

from analysis.methods.models import ImportedMethod
from analysis.removal import services as removal_services
from analysis.runs.imported_methods import services as own_services
from analysis.runs.models import Run
from analysis.tuning import plan
from analysis.tuning.models import Exploration
from analysis.tuning.query import ExplorationQuery, Kind, checked_range, level_range
from analysis.tuning.services import start_exploration
from analysis.work import services as jobs
from annotate.answering import training
from annotate.answering.services import save_mark
from annotate.campaigns import invitations, services as campaigns
from annotate.models import Campaign
from detectors.registry import get
from people.models import Study, User
from series.importing import uploads
from series.models import Benchmark, Import, Series
from tests.browser import page_fixtures
from tests.browser.installation import ANNOTATOR, OWNER
from tests.browser.walk_page import WalkPage, at
from tests.every_case import EVERY_CASE

AXE = Path(__file__).parents[1] / "vendor" / "axe-core-4.14.1" / "axe.min.js"
PATIENCE = 60.0  # seconds for a page to come to rest
LOOK_INTERVAL = (
    50  # milliseconds between two looks at a page that waits for the server of this process
)
AWAIT_REST_SCRIPT = """document.fonts.ready.then(() => new Promise((resolve) =>
  requestAnimationFrame(() => requestIdleCallback(() => resolve(0)))))"""
# What was fulfilled stays in the page: to send it takes a fifth of the time.
BROKEN_RULES_SCRIPT = """({violations}) => violations.map(
  ({id, help, nodes}) => `${id}: ${help} at ${nodes[0].html.slice(0, 160)}`)"""
# Whatever lies behind the bars, wherever the page is scrolled to, can be scrolled free.
PLACE_BARS_SCRIPT = """(position) => document.querySelectorAll('.bar, nav.bottom')
  .forEach((bar) => bar.style.setProperty('position', position))"""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@dataclass(frozen=True, slots=True)
class WalkData:
    """What the walk needs of the demo."""

    study: Study
    series: Series
    campaign: Campaign
    run: Run

    @classmethod
    def of_demo(cls) -> WalkData:
        study = Study.objects.get(slug="demo")
        runs = Run.objects.filter(study=study, state=Run.State.DONE)
        run = runs.first()
        assert run, "the demo ships with a finished run"
        return cls(
            study,
            Series.objects.filter(
                benchmark__dataset__study=study, detections__isnull=False, known_start=None
            )
            .order_by("pk")
            .distinct()[0],
            Campaign.objects.filter(study=study).for_truth().filter(simulated=False)[0],
            run,
        )


def demo_stops(walk_data: WalkData) -> list[WalkPage]:
    """Every page with content of its own; forms that post and files are not pages."""
    study, campaign, series = (walk_data.study.slug, walk_data.campaign.slug, walk_data.series)
    dataset = series.benchmark.dataset.slug
    simulated_id = simulated_series(walk_data).public_id
    finished_import = Import.objects.filter(study=walk_data.study, state=Import.State.DONE).first()
    pages = [
        WalkPage("welcome", at("home"), "nobody"),
        WalkPage("sign-in", at("sign-in"), "nobody"),
        WalkPage("password-forgotten", at("password-forgotten"), "nobody"),
        WalkPage("methods", at("methods"), "nobody"),
        WalkPage("method", at("method", "kb-kssd"), "nobody"),
        WalkPage("method-text", at("method-text", "plateau"), "nobody"),
        WalkPage("help", at("help"), "nobody"),
        WalkPage("help-topic", at("help-topic", "ground-truth"), "nobody"),
        WalkPage("help-keys", at("help-keys"), "nobody"),
        WalkPage("not-found", "/nowhere/"),
        WalkPage("method-tried", f"{at('method', 'cp-ssd')}?series={series.digest}"),
        WalkPage("home", at("home"), "annotator"),
        WalkPage("study", at("study", study)),
        WalkPage("datasets", at("datasets", study)),
        WalkPage("dataset", at("dataset", study, dataset)),
        WalkPage("what-to-do", f"{at('what-to-do', study)}?b={series.benchmark.public_id}"),
        WalkPage("what-to-do-all", f"{at('what-to-do', study)}?data={dataset}"),
        WalkPage("trends", at("trends", study, "nights")),
        WalkPage("trend-builds", at("trend-builds", study, "nights")),
        WalkPage("trend-machines", at("trend-machines", study, "nights")),
        WalkPage("dataset-events", at("dataset-events", study, "events")),
        WalkPage("trends-one", at("trends", study, dataset)),
        WalkPage(
            "trend", f"{at('trends', study, 'nights')}?b={slower_benchmark(walk_data).public_id}"
        ),
        WalkPage("series", at("series", study, series.public_id)),
        *(
            WalkPage(f"series-{part_id}", f"{at('series', study, series.public_id)}#{part_id}")
            for part_id in ("diagnostics", "results", "online")
        ),
        WalkPage(
            "series-forks",
            f"{at('series', study, series_with_forks(walk_data).public_id)}#fork-chart",
        ),
        WalkPage("import", at("import", study)),
        WalkPage("import-preview", store_walk_upload(walk_data, PREVIEWED).get_absolute_url()),
        WalkPage("import-broken", store_walk_upload(walk_data, BROKEN).get_absolute_url()),
        WalkPage("campaigns", at("campaigns", study)),
        WalkPage("campaign-new", at("campaign-new", study)),
        WalkPage("campaign-edit-draft", at("campaign-edit", study, draft_campaign(walk_data).slug)),
        WalkPage("campaign", at("campaign", study, campaign)),
        WalkPage("campaign-edit", at("campaign-edit", study, campaign)),
        WalkPage("campaign-guide", at("campaign-guide", study, campaign)),
        WalkPage(
            "campaign-training",
            at("campaign-training", study, training_campaign(walk_data).slug),
            "annotator",
        ),
        WalkPage("campaign-truth", f"{at('campaign', study, campaign)}?tab=truth"),
        WalkPage("campaign-agreement", f"{at('campaign', study, campaign)}?tab=agreement"),
        WalkPage("marks-import", f"{at('campaign-new', study)}?marks=yes"),
        WalkPage("annotate", at("annotate", study, campaign), "annotator"),
        WalkPage("campaign-mine", at("campaign-mine", study, campaign), "annotator"),
        WalkPage(
            "campaign-mine-full",
            at("campaign-mine", study, screening_campaign(walk_data).slug),
            "annotator",
        ),
        WalkPage("campaign-draft", at("campaign", study, draft_campaign(walk_data).slug)),
        WalkPage("campaign-closure", f"{at('campaign', study, campaign)}?ask=close"),
        WalkPage("join", at("join", invitation_token(walk_data)), "nobody"),
        WalkPage(
            "removal", at("removal-new", study, "campaign", screening_campaign(walk_data).slug)
        ),
        WalkPage("rename", at("rename", study, "dataset", dataset)),
        WalkPage("removed", removed_things_address(walk_data)),
        WalkPage("runs", at("runs", study)),
        WalkPage("run-new", at("run-new", study)),
        WalkPage("run", at("run", study, walk_data.run.public_id)),
        WalkPage("tuning", f"{at('runs', study)}?kind=sensitivity"),
        WalkPage("tuning-new", f"{at('tuning-new', study)}?kind=grid&ranges=published"),
        WalkPage("tuning-tuned", grid_exploration(walk_data).get_absolute_url()),
        WalkPage("tuning-indices", sensitivity_exploration(walk_data).get_absolute_url()),
        WalkPage("imported-methods", at("imported-methods", study)),
        WalkPage(
            "imported-method", at("imported-method", study, uploaded_method(walk_data).public_id)
        ),
        WalkPage("comparison", at("comparison", study)),
        WalkPage("comparison-tests", at("comparison-tests", study)),
        WalkPage("comparison-figures", at("comparison-figures", study)),
        WalkPage("what-if", at("what-if", study)),
        WalkPage("disagreements", at("disagreements", study)),
        WalkPage("disagreements-methods", f"{at('disagreements', study)}?by=methods"),
        WalkPage(
            "disagreements-least-sure",
            f"{at('disagreements', study)}?y=campaign:{campaign}&order=least-sure",
        ),
        WalkPage(
            "disagreements-agreement",
            f"{at('disagreements', study)}?y=campaign:{campaign}&of=votes",
        ),
        WalkPage(
            "disagreement", f"{at('disagreement', study, simulated_id)}?y=known&why=truth&m=any"
        ),
        WalkPage("archives", at("archives", study)),
        WalkPage("people", at("people", study)),
        WalkPage("tokens", at("tokens", study)),
        WalkPage("study-audit", at("study-audit", study)),
        WalkPage("account", at("account")),
        WalkPage("account-password", at("account-password")),
        WalkPage("study-new", at("study-new")),
        WalkPage("status", at("status")),
        WalkPage("accounts", at("accounts")),
        WalkPage("audit", at("audit")),
    ]
    if finished_import:
        pages.append(WalkPage("import-one", at("import-one", study, finished_import.public_id)))
    return pages


def sorted_list_stops(walk_data: WalkData) -> list[WalkPage]:
    """Lists in an order that brings figures of its own."""
    study, campaign = walk_data.study.slug, walk_data.campaign.slug
    truth = f"{at('campaign', study, campaign)}?tab=truth"
    return [
        WalkPage("dataset-by-change", f"{at('dataset', study, 'simulated')}?sort=change"),
        WalkPage("campaign-truth-by-change", f"{truth}&sort=change"),
    ]


def simulated_series(walk_data: WalkData) -> Series:
    """A simulated series, for whose known answer methods have stored theirs."""
    simulated_series = Series.objects.filter(
        benchmark__dataset__study=walk_data.study, known_start__gte=0
    )
    return simulated_series.filter(detections__isnull=False).order_by("pk").distinct()[0]


def grid_exploration(walk_data: WalkData) -> Exploration:
    """A small grid against the known answers."""
    method = get("georges")
    ranges = (
        level_range(method, "k", (10, 30)),
        level_range(method, "threshold", (0.01, 0.02, 0.05)),
    )
    return run_exploration(walk_data, ExplorationQuery(Kind.GRID, method, ranges, {}, "known"))


def sensitivity_exploration(walk_data: WalkData) -> Exploration:
    """Indices of two parameters from few samples."""
    method = get("georges")
    ranges = (checked_range(method, "k", 10, 50), checked_range(method, "threshold", 0.01, 0.1))
    return run_exploration(
        walk_data, ExplorationQuery(Kind.SENSITIVITY, method, ranges, {}, "known", samples=16)
    )


def run_exploration(walk_data: WalkData, query: ExplorationQuery) -> Exploration:
    scope = plan.exploration_scope(walk_data.study, "known")
    exploration = start_exploration(walk_data.study, query, scope, user=None, queued=False)
    jobs.work_through(exploration, worker="walk", tell_progress=lambda *_: None)
    return exploration


def uploaded_method(walk_data: WalkData) -> ImportedMethod:
    """A file of answers that waits, with a row that fits and one that does not."""
    rows = f"series_digest,steady_start\n{walk_data.series.digest},40\n{'0' * 64},-1\n"
    return own_services.hold_upload(
        walk_data.study, [rows.encode()], "our-classifier.csv", user=None
    )


def series_with_forks(walk_data: WalkData) -> Series:
    """A recorded series whose benchmark has other forks."""
    later_forks = Series.objects.filter(benchmark__dataset__study=walk_data.study, fork__gt=0)
    return later_forks.order_by("pk")[0]


def slower_benchmark(walk_data: WalkData) -> Benchmark:
    """A benchmark of the simulated nights that has a regression."""
    return Benchmark.objects.get(dataset__study=walk_data.study, name="night.Parse")


PREVIEWED = b"benchmark,fork,iteration,value,unit\n" + b"".join(
    b"walk.One,0,%d,%d,ms\n" % (at, 5 + (at < 20)) for at in range(60)
)
BROKEN = b"benchmark,fork,iteration,value\nwalk.Two,0,0,1.5\nwalk.Two,0,1,soon\n"


def store_walk_upload(walk_data: WalkData, text: bytes) -> Import:
    """A file that waits to be looked at and confirmed."""
    name = "nightly.csv" if text is PREVIEWED else "broken.csv"
    return uploads.store_upload(walk_data.study, [text], name, by=User.objects.get(username=OWNER))


def draft_campaign(walk_data: WalkData) -> Campaign:
    """A campaign whose people are still to be chosen."""
    return _campaign(walk_data, "A draft")


def invitation_token(walk_data: WalkData) -> str:
    """The secret of a link to the draft, whose people page then shows it."""
    owner = User.objects.get(username=OWNER)
    [invitation] = invitations.invite_to_campaign(
        draft_campaign(walk_data), [("Dina", "dina@example.org")], by=owner
    )
    return invitation.token


def removed_things_address(walk_data: WalkData) -> str:
    """The page of removed things, with one on it."""
    removal_services.remove_from_study(
        _campaign(walk_data, "Taken back"), user=User.objects.get(username=OWNER)
    )
    return at("removed")


def screening_campaign(walk_data: WalkData) -> Campaign:
    """A screening that the annotator has answered; it makes no ground truth, so no other page."""
    ada = User.objects.get(username=ANNOTATOR)
    purpose = Campaign.Purpose.SCREENING
    campaign = _campaign(walk_data, "Screened", annotators=[ada], purpose=purpose)
    if campaign.state == Campaign.State.DRAFT:
        campaigns.open_campaign(campaign)
        for task in campaign.tasks.select_related("series"):
            kind = "never" if task.position == 2 else "steady"
            digest = task.series.digest
            save_mark(task, by=ada, client_id=uuid4(), digest=digest, kind=kind, seconds=4.0)
    return campaign


def _campaign(walk_data: WalkData, name: str, **how: Any) -> Campaign:
    """Of five simulated series; made once."""
    earlier_campaign = walk_data.study.campaigns.filter(name=name).first()
    simulated_series = Series.objects.filter(benchmark__dataset__slug="simulated").order_by("pk")
    series = list(simulated_series.values_list("pk", flat=True)[:5])
    spec = campaigns.CampaignSpec(name=name, series=series, **{"annotators": [], **how})
    return earlier_campaign or campaigns.create(walk_data.study, spec, by=None)


def training_campaign(walk_data: WalkData) -> Campaign:
    """A training that nobody has begun."""
    campaign = Campaign.objects.filter(
        study=walk_data.study, purpose=Campaign.Purpose.TRAINING
    ).first()
    return campaign or training.create(walk_data.study, by=None)


def every_stop(*, every_state: bool) -> list[WalkPage]:
    """The pages of the walk, as the demo here has them; empty and busy ones, too.

    `make test-every` adds those of a large study.
    """
    walk_data = WalkData.of_demo()
    state_stops = [*sorted_list_stops(walk_data), *page_fixtures.stops()] if every_state else []
    large_stops = page_fixtures.large_stops() if EVERY_CASE else []
    return [*demo_stops(walk_data), *page_fixtures.many_stops(), *state_stops, *large_stops]


def print_stops(*, every_state: bool) -> None:
    """The walk of this installation, for a browser outside of it."""
    print(json.dumps([asdict(stop) for stop in every_stop(every_state=every_state)]))  # noqa: T201


class PageWatch:
    """Notes what a page says on the console, throws, and asks for; of other hosts, as a complaint.

    For one page of the context at a time.
    """

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.url = url
        self.complaints: list[str] = []
        self.under_way: set[Request] = set()
        context.on("console", self._console)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("request", self._request)
        context.on("requestfinished", self._ended)
        context.on("requestfailed", self._ended)

    def _console(self, message: ConsoleMessage) -> None:
        # The page of an address that is not there is a 404, and the console says so.
        if message.type in {"error", "warning"} and "/nowhere/" not in str(message.location):
            self.complaints.append(message.text)

    def _request(self, request: Request) -> None:
        self.under_way.add(request)
        if not request.url.startswith((self.url, "data:", "blob:")):
            self.complaints.append(f"asked another host: {request.url}")

    def _ended(self, request: Request) -> None:
        self.under_way.discard(request)

    def take_complaints(self) -> list[str]:
        complaints, self.complaints = self.complaints, []
        return complaints

    def settle(self, page: Page) -> None:
        """Wait until fonts, fragments and figures are there, and nothing more is asked for.

        Twice in a row: what is drawn when the page rests may ask for more.
        """
        deadline = time.monotonic() + PATIENCE
        rests = 0
        while rests < 2:
            if self.under_way:
                page.wait_for_timeout(LOOK_INTERVAL)
            page.evaluate(AWAIT_REST_SCRIPT)
            rests = 0 if self.under_way else rests + 1
            pending_urls = sorted(request.url for request in self.under_way)
            assert time.monotonic() < deadline, f"{page.url} still waits for {pending_urls}"


@cache
def _axe() -> str:
    return AXE.read_text(encoding="utf-8") + ";0"


def violations(page: Page, *, of_colours: bool = False) -> list[str]:
    """What axe-core finds: rule, what it is, and the first element that breaks it.

    of_colours: only what a theme can break, on a page on which axe-core has run.
    """
    if not of_colours:
        page.evaluate(_axe())  # a script element would be refused by the page's own policy
    page.evaluate(PLACE_BARS_SCRIPT, "static")
    rules = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
    options = json.dumps(
        {
            "runOnly": rules if of_colours else RULES,
            "resultTypes": ["violations"],
            # Not style sheets: no rule of these reads them, and axe-core parses them in a way
            # that the policy of a page refuses.
            "preload": {"assets": ["media"]},
        }
    )
    broken_rules: list[str] = page.evaluate(
        f"axe.run(document, {options}).then({BROKEN_RULES_SCRIPT})"
    )
    page.evaluate(PLACE_BARS_SCRIPT, "")
    return broken_rules


def sideways(page: Page) -> int:
    """By how many pixels the page itself scrolls sideways; a table in its own region may."""
    return int(
        page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    )
