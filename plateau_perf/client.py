"""A Plateau installation over HTTP: measurements in, runs, results out."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self, TypeAlias
from urllib.parse import quote, urlencode

from plateau_perf.extras import import_extra

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse

Row: TypeAlias = dict[str, Any]
"""One row of a table, by the name of its column."""
Settings: TypeAlias = Mapping[str, str | Sequence[str]]

TRIES: Final = 7  # of a request, each twice as long after the one before: about a minute
FIRST_PAUSE: Final = 0.5  # seconds
A_PAGE: Final = 1000  # series
ASK_AGAIN: Final = 2.0  # seconds between two looks at an import or a run
BUSY: Final = (429, 502, 503, 504)  # nothing was done: the same may be asked again
ENDED: Final = ("done", "failed", "discarded", "stopped")


class ClientError(Exception):
    """The server refused, or gave no answer: `status` is that of HTTP, 0 without one."""

    def __init__(self, sentence: str, status: int = 0) -> None:
        super().__init__(sentence)
        self.status = status


class PushedFile(NamedTuple):
    """An import. `new` and `known` count series: stored now, and there before."""

    id: str
    state: str
    file: str
    dataset: str
    new: int
    known: int
    error: str


class StartedRun(NamedTuple):
    """A run: counts of detections."""

    id: str
    state: str
    total: int
    done: int
    failed: int


class StudyNames(NamedTuple):
    """The study of a token, with what can be named in it."""

    slug: str
    name: str
    datasets: list[str]
    campaigns: list[str]


class Client:
    """Asks one installation with one token, which belongs to one study.

    `url` is the address of its home page; needs `plateau-perf[client]`. A request that finds the
    server busy or gone is made again for about a minute. Every method raises `ClientError` with
    the server's sentence.

        >>> plateau = Client("https://plateau.example.org", "plateau_...")  # doctest: +SKIP
        >>> plateau.push("results.json", dataset="nightly").new  # doctest: +SKIP
        40
    """

    def __init__(self, url: str, token: str, *, timeout: float = 120.0) -> None:
        urllib3 = import_extra("urllib3", "client")
        self._base = url.rstrip("/") + "/api/v1/"
        self._headers = {"Authorization": f"Bearer {token}"}
        self._pool = urllib3.PoolManager(timeout=timeout)
        self._no_answer = urllib3.exceptions.HTTPError
        self._again = urllib3.Retry(
            TRIES,
            redirect=0,  # a redirected POST would arrive as a GET
            status_forcelist=BUSY,
            allowed_methods=None,
            backoff_factor=FIRST_PAUSE,
            raise_on_status=False,
            raise_on_redirect=False,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.clear()

    # --- in -----------------------------------------------------------------------------------
    def push(
        self, path: str | PathLike[str], *, dataset: str, wait: bool = True, **recording: str
    ) -> PushedFile:
        """Import a file of any format that Plateau reads; what is known already stays as it is.

        recording: label, build, measured_at (ISO 8601), machine, instance, duet, runtime and
        benchmark, where the file does not say them. With `wait` until the import has ended, however
        it ended: see `state`.
        """
        file = Path(path)
        query = {"file": file.name, **recording}
        with file.open("rb") as body:
            size = str(file.stat().st_size)  # with a length the server reads it piece by piece
            headers = {"Content-Type": "application/octet-stream", "Content-Length": size}
            address = f"datasets/{quote(dataset, safe='')}/measurements"
            pushed_file = PushedFile(
                **self._asked("POST", address, query, body=body, headers=headers)
            )
        while wait and pushed_file.state not in ENDED:
            time.sleep(ASK_AGAIN)
            pushed_file = PushedFile(**self._asked("GET", f"imports/{pushed_file.id}"))
        return pushed_file

    def run(
        self, dataset: str, methods: Sequence[str], *, wait: bool = False, **selection: str
    ) -> StartedRun:
        """Let methods (slugs or keys) answer a data set; nothing stored is computed again.

        selection: recording, system, text, campaign narrow the data set; name names the run.
        """
        document = json.dumps({"methods": list(methods), **selection}).encode()
        address = f"datasets/{quote(dataset, safe='')}/runs"
        headers = {"Content-Type": "application/json"}
        fields = self._asked("POST", address, body=document, headers=headers, once=True)
        started_run = StartedRun(**fields)
        while wait and started_run.state not in ENDED:
            time.sleep(ASK_AGAIN)
            started_run = self.run_state(started_run.id)
        return started_run

    # --- out ----------------------------------------------------------------------------------
    def study(self) -> StudyNames:
        """The study of the token, its data sets and campaigns."""
        return StudyNames(**self._asked("GET", "study"))

    def run_state(self, run: str) -> StartedRun:
        """State of a run, with the counts of its detections."""
        return StartedRun(**self._asked("GET", f"runs/{quote(run, safe='')}"))

    def series(self, dataset: str) -> Iterator[Row]:
        """Every series of a data set without its values, page after page."""
        address, after_key = f"datasets/{quote(dataset, safe='')}/series", ""
        while True:
            page = self._asked("GET", address, {"limit": str(A_PAGE), "after": after_key})
            yield from page["series"]
            if not (after_key := page["next"]):
                return

    def values(self, series: str) -> list[float]:
        """The values of a series in its unit, in the order of its iterations."""
        values: list[float] = self._asked("GET", f"series/{quote(series, safe='')}")["values"]
        return values

    def detections(self, dataset: str, methods: Sequence[str] = ()) -> list[Row]:
        """Stored answers, a row for each series and method; of all methods without a name."""
        return self._rows(f"datasets/{quote(dataset, safe='')}/detections", {"method": methods})

    def trend(self, dataset: str, **settings: str) -> list[Row]:
        """Trend of results over recordings, a row for each benchmark."""
        return self._rows(f"datasets/{quote(dataset, safe='')}/trend", settings)

    def comparison(self, what: str = "leaderboard", **settings: str) -> list[Row]:
        """Methods against a yardstick; settings are those of the address of the page Compare."""
        return self._rows("comparison", {"what": what, **settings})

    def ground_truth(self, campaign: str) -> str:
        """The ground truth of a campaign as CSV."""
        address = f"campaigns/{quote(campaign, safe='')}/ground-truth.csv"
        return self._answer("GET", address).data.decode()

    # --- asking -------------------------------------------------------------------------------
    def _rows(self, address: str, query: Settings) -> list[Row]:
        rows: list[Row] = self._asked("GET", address, query)["rows"]
        return rows

    def _asked(self, method: str, address: str, query: Settings | None = None, **how: Any) -> Any:
        return self._answer(method, address, query, **how).json()

    def _answer(
        self,
        method: str,
        address: str,
        query: Settings | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        body: Any = None,
        once: bool = False,
    ) -> BaseHTTPResponse:
        """`once`: not again where the connection broke after the request was sent."""
        url = f"{self._base}{address}?{urlencode(query or {}, doseq=True)}"
        all_headers = self._headers | dict(headers or {})
        retries = self._again.new(read=0) if once else self._again
        try:
            answer: BaseHTTPResponse = self._pool.request(
                method, url, body=body, headers=all_headers, retries=retries
            )
        except self._no_answer as error:
            raise ClientError(f"{self._base}: no answer ({error})") from error
        if not 200 <= answer.status < 300:
            raise ClientError(_sentence(self._base, answer), answer.status)
        return answer


def _sentence(base: str, answer: BaseHTTPResponse) -> str:
    """Sentence of the server; of a server that is no Plateau, its status and what to look at."""
    new_address = answer.headers.get("Location")
    if new_address:
        return f"{base}: moved to {new_address}; use that address"
    try:
        problem = answer.json()
        return str(problem["detail"] if "detail" in problem else problem["sentence"])
    except (ValueError, KeyError, TypeError):
        return f"{base}: {answer.status} {answer.reason or ''}; is this the address of a Plateau?"
