"""Commands of the guide's pages of harnesses, each run as it stands.

The harness is the program itself where it is installed. Three are in no package of Debian or npm:
a program of their name writes a file of their form in their place.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from evidence.bench.processes import ROOT
from tests.every_case import EVERY_CASE
from tests.formats.test_registry import file_content
from tests.programs import PLATEAU, write_program

GUIDE = ROOT / "docs/guide"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FAILURES = """trap 'echo "$? $BASH_COMMAND" >> failures' ERR\n"""
# Noise decides whether ±1 % is in reach, and whether the newest night has a result.
DECIDED_BY_NOISE = ("1 plateau plan", "4 plateau trend")

CPP = """#include <benchmark/benchmark.h>
static void Sum(benchmark::State& state) {
  for (auto _ : state) {
    double sum = 0;
    for (int i = 0; i < 100; i++) benchmark::DoNotOptimize(sum += i);
  }
}
BENCHMARK(Sum);
BENCHMARK_MAIN();
"""
GO = """package sum
import "testing"
func BenchmarkSum(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sum := 0
		for j := 0; j < 1000; j++ {
			sum += j
		}
	}
}
"""


def run_page(page: str, folder: Path) -> str:
    """Run every block of shell of a page in `folder`; return its output.

    Fails for each command that fails, but for a plan whose target is out of reach.
    """
    blocks = BLOCK.findall((GUIDE / f"{page}.md").read_text("utf-8"))
    assert len(blocks) > 1
    write_program(folder, "plateau", PLATEAU)
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "BUILD": "1"}
    process = subprocess.run(
        ["bash", "-c", FAILURES + "\n".join(blocks)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    failures = folder / "failures"
    failed = failures.read_text().splitlines() if failures.exists() else []
    assert [line for line in failed if not line.startswith(DECIDED_BY_NOISE)] == [], process.stderr
    assert (folder / "nights").is_dir()
    return process.stdout


@pytest.mark.skipif(not shutil.which("hyperfine"), reason="no hyperfine: apt install hyperfine")
def test_hyperfine(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("b\na\n")

    assert "sort words (3 forks" in run_page("with-hyperfine", tmp_path)


@pytest.mark.skipif(not EVERY_CASE, reason="compiles a program: make test-every")
def test_google_benchmark(tmp_path: Path) -> None:
    (tmp_path / "sum.cc").write_text(CPP)
    compiler = ["g++", "-O1", "sum.cc", "-lbenchmark", "-lpthread", "-o", "benchmarks"]
    if subprocess.run(compiler, cwd=tmp_path, capture_output=True, check=False).returncode:
        pytest.skip("no Google Benchmark: apt install g++ libbenchmark-dev")

    assert "Sum (3 forks" in run_page("with-google-benchmark", tmp_path)


@pytest.mark.skipif(not EVERY_CASE, reason="compiles a program: make test-every")
@pytest.mark.skipif(not shutil.which("go"), reason="no go: apt install golang-go")
def test_go(tmp_path: Path) -> None:
    (tmp_path / "sum_test.go").write_text(GO)
    (tmp_path / "go.mod").write_text("module sum\ngo 1.19\n")

    assert "sum/Sum (3 forks" in run_page("with-go", tmp_path)


STAND_INS = {
    "with-criterion": ("cargo", 'cat "$SAMPLE"'),
    "with-benchmark-dotnet": (
        "dotnet",
        (
            "mkdir -p BenchmarkDotNet.Artifacts/results\n"
            'cp "$SAMPLE" BenchmarkDotNet.Artifacts/results/Sum-report-full.json'
        ),
    ),
    "with-k6": ("k6", 'cp "$SAMPLE" requests.json'),
}
"""Of each page the program, and what it does in place of measuring."""


@pytest.mark.parametrize("page", STAND_INS)
def test_files_of_harnesses_that_are_in_no_package(page: str, tmp_path: Path) -> None:
    program, action = STAND_INS[page]
    sample = tmp_path / "sample"
    noise = np.random.default_rng(1).normal(5, 0.1, (3, 200))
    sample.write_bytes(file_content(page.removeprefix("with-"), list(noise)))
    write_program(tmp_path, program, f"#!/bin/sh\nSAMPLE={sample}\n{action}\n")

    output = run_page(page, tmp_path)

    assert "plateau" in output
    assert "one recording" in output  # the trend of the one night
