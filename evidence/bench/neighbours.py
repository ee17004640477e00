"""Methods of neighbouring fields beside their packages: the same answer first, then time.

    python -m evidence.bench.neighbours --python PATH [--r PATH] [--stdout] [--vectors]

PATH is the Python of an environment of its own, in which pymbar 4.0.3, red-molsim 0.2.0,
kim-convergence 0.1.0, pymser 1.0.22, arviz 0.23.4 and indsl 8.9.0 are installed: they are no
requirements of development, for they bring PyTorch, Matplotlib and others along that nothing here
uses. What is not there is left out. `--r` is an R that has coda. Writes
docs/design/neighbours.md. `evidence.bench.neighbour_packages` and
`evidence/bench/coda.R` say how each is called. `--vectors` prints the packages' answers as the
cases of `tests/vectors/answers.json`, and R-hats of forks as `tests/vectors/rhat.json`. Exit status
1: an answer differs, or ours is not at least ten times as fast where that is asked.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from detectors.contract import Detector, Values
from detectors.methods.ssid import ratios
from detectors.methods.vma import variable_average
from detectors.registry import get
from detectors.rules.starts.best_start import BestStartDetector
from detectors.simulated.synthetic import KINDS, simulate
from evidence.bench.neighbour_packages import ROUNDS
from evidence.bench.timing import machine, median_ms, parser_of
from formats.markdown import head, row

N: Final = 3000
LEAST: Final = 10.0  # times as fast as the package
ANY: Final = 0.0  # where it is not asked
SEEDS: Final = 3  # of each kind, in the vectors
PUBLISHED: Final = {"latest": 1.0}  # the packages have no start that is too late
STARTS: Final = (0, 101, 200)  # of R-hats
TIMED: Final = ("flat", "late-step", "drift", "random-walk")
ONE_CORE: Final = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
CODA: Final = Path(__file__).with_name("coda.R")
PAGE: Final = Path(__file__).parents[2] / "docs" / "design" / "neighbours.md"
ABOUT: Final = """# Beside the packages of neighbouring fields

Milliseconds of one core for one answer: the package's / ours = how many times as long. The middle
of five rounds or more; simulated series of 3,000 values (`detectors.simulated.synthetic`, seed 0);
defaults but for what is named, and `latest` 1 where a package always answers. Ours includes the
looks at every value that any caller gets: finite, and in a range that can be squared.

Written by `python -m evidence.bench.neighbours --python PATH --r PATH` on {written}: PATH is the
Python of an environment in which the packages are installed, and an R that has coda. Machine:
{machine}.

{table}

- *Same answers*: the start, or *never*. `vma` and `ssid` give no start: where the average rests,
  and what is transient, value by value.
- `coda`'s tests judge one start. `geweke` is asked for those of `geweke.plot`, one after the other
  until one passes, as ours is; `arviz` likewise for the starts of
  [split R-hat](../detectors/split-rhat.md).
- `pymser`'s `equilibrate` also tests and averages what is left; what finds its start is timed.

## Where it is less than ten times

- **`mser_m`** of kim-convergence, and its first stage, which is the whole answer where that says
  never. The package makes batches and running sums of 600 means by calls of NumPy. More
  than half of ours is one division after another, each of which waits for the last. Looking whether
  3,000 values are finite and can be squared, and naming the answer, takes as long again. Without
  any of these looks it would be about nine times.
- **`search` binary** of max-ess. The package judges some forty starts, each by one Fourier
  transform: n log n, whatever the lags are. Ours adds up lag by lag what all starts share, and is
  faster where the sums end soon; in a drift they go on for hundreds of lags. A transform for each
  start would take ours as long as it takes the package. The default, `every`, is hundreds of times
  as fast as the package's.
"""


def published_answer(method: Detector, values: Values) -> Any:
    return method.answer(values).published_index


def rests(_: Detector, values: Values) -> list[int]:
    """Iterations where the average rests: of flags the package names no start."""
    return np.flatnonzero(np.diff(variable_average(values, 10)) == 0).tolist()


def transient_indices(_: Detector, values: Values) -> list[int]:
    value_ratios = ratios(values, 0.2, 0.1, 0.1)
    return np.flatnonzero(value_ratios[~np.isnan(value_ratios)] > 2.5).tolist()


class Asked(NamedTuple):
    """One call of a package, and the parameters of ours that mean the same.

    call: its name in `evidence.bench.neighbour_packages`, or in `evidence/bench/coda.R` with `r`.
    vectors: lengths of series of which the answers are kept as such. least: how many times as fast
    ours must be. said: ours, as the package says it.
    """

    method: str
    params: dict[str, Any]
    vectors: tuple[int, ...]
    call: str
    settings: dict[str, Any] = {}
    least: float = LEAST
    said: Callable[[Detector, Values], Any] = published_answer
    r: bool = False

    @property
    def ours(self) -> Detector:
        return get(self.method)(**self.params | self.fixed_params)

    @property
    def fixed_params(self) -> dict[str, float]:
        """Parameters without a start that is too late, where a package always has one."""
        return PUBLISHED if issubclass(get(self.method), BestStartDetector) else {}


PYMBAR: Final = "detect_equilibration"
SEQUENCE: Final = "detect_equilibration_init_seq"
KIM: Final = "estimate_equilibration_length"
RHAT: Final = "_rhat_rank, start by start"
FEW: Final = {"starts": 7, "most": 1.05}
CALLS: Final = (
    Asked("max-ess", {}, (1500,), PYMBAR),
    Asked("max-ess", {"nskip": 10}, (701,), PYMBAR, {"nskip": 10}),
    Asked("max-ess", {"fast": False}, (600,), PYMBAR, {"fast": False}),
    Asked("max-ess", {"search": "binary"}, (900,), PYMBAR, {"search": "binary"}, ANY),
    Asked(
        "max-ess",
        {"search": "binary", "nodes": 6},
        (400,),
        PYMBAR,
        {"search": "binary", "bs_nodes": 6},
        ANY,
    ),
    Asked("min-sse", {}, (1500,), "detect_equilibration_window"),
    Asked(
        "min-sse", {"padding": 0.3}, (601,), "detect_equilibration_window", {"frac_padding": 0.3}
    ),
    Asked("min-sse", {"window": "geyer"}, (700,), SEQUENCE),
    Asked("min-sse", {"window": "chodera"}, (700,), SEQUENCE, {"sequence_estimator": "positive"}),
    Asked("kim-convergence", {}, (1500,), f"mser_m + {KIM}", least=ANY),
    Asked("kim-convergence", {"stages": "length"}, (600,), KIM),
    Asked("kim-convergence", {"stages": "mser"}, (), "mser_m", least=ANY),
    Asked(
        "kim-convergence", {"stages": "mser", "batch": 7}, (701,), "mser_m", {"batch_size": 7}, ANY
    ),
    Asked("mser", {"least": 3, "latest": 1.0}, (), "calculate_MSEm + MSERm_index"),
    Asked("split-rhat", {}, (1500,), RHAT),
    Asked("split-rhat", FEW, (401,), RHAT, FEW),
    Asked("geweke", {}, (1500, 701), "geweke", r=True),
    Asked("heidelberger-welch", {}, (1500, 701), "heidel", r=True),
    Asked("vma", {}, (), "vma", said=rests),
    Asked("ssid", {}, (), "ssid", said=transient_indices),
)


def main() -> int:
    parser = parser_of("evidence.bench.neighbours", __doc__)
    parser.add_argument("--python", default=sys.executable, help="of the packages' environment")
    parser.add_argument("--r", default="", help="an R that has coda")
    parser.add_argument("--stdout", action="store_true", help="print the table, write no file")
    parser.add_argument("--vectors", action="store_true", help="print the packages' answers")
    options = parser.parse_args()
    peers = Peers(options.python, options.r)
    if options.vectors:
        print_vectors(peers)
        return 0
    rows = [compare_package(peers, call) for call in CALLS]
    if not options.stdout:
        table_head = head("method", "package", "its call", *TIMED, "same answers")
        lines = "\n".join(compared_row.line for compared_row in rows)
        date_written = f"{datetime.now(UTC):%Y-%m-%d}"
        PAGE.write_text(
            ABOUT.format(written=date_written, machine=machine(), table=f"{table_head}\n{lines}"),
            encoding="utf-8",
        )
    return int(not all(compared_row.passed for compared_row in rows))


class Peers:
    """The other programs: one Python that stays, and an R for each call."""

    def __init__(self, python: str, r: str) -> None:
        self._r = r
        self._python = subprocess.Popen(
            [python, "-m", "evidence.bench.neighbour_packages"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | ONE_CORE,
        )

    def answer(self, call: Asked, values: Values, rounds: int) -> dict[str, Any]:
        """`answer`, `package` and `ms`, or what is `missing`."""
        return self.answer_call(call.call, values, call.settings, rounds, r=call.r)

    def answer_call(
        self,
        call: str,
        values: Values,
        settings: Mapping[str, Any],
        rounds: int,
        *,
        r: bool = False,
    ) -> dict[str, Any]:
        if r:
            return self._r_answer(call, values, rounds) if self._r else {"missing": "coda"}
        message = {"call": call, "values": values.tolist(), "settings": settings, "rounds": rounds}
        if not self._python.stdin or not self._python.stdout:
            raise RuntimeError("the other Python has no pipes")
        self._python.stdin.write(json.dumps(message) + "\n")
        self._python.stdin.flush()
        return next(reply for reply in self._replies(self._python.stdout))

    @staticmethod
    def _replies(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
        """Parse replies; what packages print of their own is none."""
        for line in lines:
            if line.startswith("{"):
                yield json.loads(line)
        raise RuntimeError("the other Python ended; are NumPy and this repository there?")

    def _r_answer(self, call: str, values: Values, rounds: int) -> dict[str, Any]:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(" ".join([call, *map(repr, values.tolist())]) + "\n")
            file.flush()
            command = [self._r, "--no-echo", "--vanilla", "-f", str(CODA), "--args"]
            finished_process = subprocess.run(
                [*command, file.name, str(rounds)],
                check=True,
                capture_output=True,
                text=True,
                env=os.environ | ONE_CORE,
            )
        milliseconds, answer, version = finished_process.stdout.split()
        return {"package": f"coda {version}", "answer": int(answer), "ms": float(milliseconds)}


class Row(NamedTuple):
    """A line of the table, and whether the answers are the same and ours as fast as they should."""

    line: str
    passed: bool


def compare_package(peers: Peers, call: Asked) -> Row:
    """Milliseconds of theirs and of ours for each series, and how many times as long theirs is."""
    param_words = ", ".join(f"`{name}` {value}" for name, value in call.params.items())
    cells, failures, package, is_fast_enough = [], [], "", True
    for kind in TIMED:
        values = simulated_values(kind, N, 0)
        replies = peers.answer(call, values, ROUNDS)
        package = replies.get("package") or f"{replies['missing']} (not installed)"
        if "missing" in replies:
            cells.append("")
            continue
        slow_ms, quick_ms = replies["ms"], median_ms(partial(call.ours.answer, values))
        cells.append(f"{slow_ms:.3g} / {quick_ms:.2g} = **{slow_ms / quick_ms:,.0f}**")
        failures += [] if call.said(call.ours, values) == replies["answer"] else [kind]
        is_fast_enough &= slow_ms >= call.least * quick_ms
    equality_words = f"not for {', '.join(failures)}" if failures else "yes" * any(cells)
    names = (f"{call.method}{', ' * bool(param_words)}{param_words}", package, f"`{call.call}`")
    line = row(*names, *cells, equality_words)
    print(line, flush=True)
    return Row(line, is_fast_enough and not failures)


def print_vectors(peers: Peers) -> None:
    """The packages' answers by kind and seed, under our parameters; then R-hats of forks."""
    for call, n in ((c, n) for c in CALLS for n in c.vectors):
        answers = {
            kind: [
                peers.answer(call, simulated_values(kind, n, seed), 0).get("answer")
                for seed in range(SEEDS)
            ]
            for kind in KINDS
        }
        params = call.params | call.fixed_params
        case = {"method": call.method, "n": n, "params": params, "answers": answers}
        print(f"  {json.dumps(case, separators=(',', ':'))},", flush=True)
    forks = {
        kind: np.stack([simulated_values(kind, 400, seed) for seed in range(SEEDS)])
        for kind in KINDS
    }
    rhats = {
        kind: [peers.answer_call("rhat", chains[:, s:], {}, 0)["answer"] for s in STARTS]
        for kind, chains in forks.items()
    }
    source_words = "arviz.rhat of simulate(kind, n=400, seed=0, 1, 2).values from these starts on"
    print(json.dumps({"about": source_words, "n": 400, "starts": STARTS, "rhat": rhats}, indent=1))


def simulated_values(kind: str, n: int, seed: int) -> Values:
    return simulate(kind, n=n, seed=seed).values


if __name__ == "__main__":
    sys.exit(main())
