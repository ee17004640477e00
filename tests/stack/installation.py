"""An installation under test: its settings, its commands, its workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from evidence.bench.processes import ROOT, kill, processes_with

LEASE = 3  # seconds, so that a dead worker's chunks come back within a test
STEPS = (sys.executable, "-m", "tests.stack.scenario")


class StackInstallation:
    """Commands and workers on one database and one broker, wherever those are."""

    def __init__(self, data: Path, **settings: str) -> None:
        self.data = data
        environment = {
            name: os.environ[name]
            for name in ("PATH", "HOME", "NUMBA_CACHE_DIR")
            if name in os.environ
        }
        self.environment = {
            **environment,
            "PLATEAU_DATA": str(data),
            "PLATEAU_MODE": "development",
            "PLATEAU_LEASE_SECONDS": str(LEASE),
            "PYTHONWARNINGS": "ignore",
            **settings,
        }
        self.workers: list[subprocess.Popen[bytes]] = []
        self.steps: subprocess.Popen[str] | None = None

    def do(self, step: str, *arguments: Any) -> Any:
        """A step of the scenario, in a process beside ours; what it found.

        A step that fails ends the process, and the next one begins another.
        """
        if self.steps is None:
            self.steps = subprocess.Popen(
                STEPS,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self.steps.stdin
        assert self.steps.stdout
        self.steps.stdin.write(json.dumps([step, *arguments]) + "\n")
        self.steps.stdin.flush()
        answer_line = self.steps.stdout.readline()
        if not answer_line:
            self.steps.communicate(timeout=20)
            self.steps = None
        assert answer_line, f"{step} failed; what it said stands above"
        return json.loads(answer_line)

    def start_worker(self, name: str, *, processes: int = 1) -> subprocess.Popen[bytes]:
        """`celery -A config worker`, leader of a group of its own."""
        command = [sys.executable, "-m", "celery", "--quiet", "-A", "config", "worker"]
        log = (self.data / f"{name}.log").open("ab")
        worker = subprocess.Popen(
            [*command, "-n", f"{name}@%h", "-c", str(processes), "--loglevel", "WARNING"],
            cwd=ROOT,
            env=self.environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        log.close()
        self.workers.append(worker)
        return worker

    def worker(self) -> subprocess.Popen[bytes]:
        """One that runs: to start another takes seconds."""
        living_workers = [worker for worker in self.workers if worker.poll() is None]
        return living_workers[-1] if living_workers else self.start_worker("one", processes=2)

    def end_workers(self) -> None:
        """In good order: each ends what it has begun, and signs off."""
        for worker in self.workers:
            worker.terminate()
        for worker in self.workers:
            worker.wait(timeout=20)

    def close(self) -> None:
        if self.steps:
            self.steps.communicate(timeout=20)  # its input ends, and so does it
        for worker in self.workers:
            if worker.poll() is None:
                worker.send_signal(signal.SIGTERM)
        for worker in self.workers:
            try:
                worker.wait(timeout=20)
            except subprocess.TimeoutExpired:
                os.killpg(worker.pid, signal.SIGKILL)
                worker.wait(timeout=20)
        kill(list(processes_with(f"PLATEAU_DATA={self.data}")))
