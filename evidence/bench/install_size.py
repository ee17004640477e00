"""Size and first answer of an installation of the library and of packages of other fields.

    python -m evidence.bench.install_size [PACKAGE ...] [--folder FOLDER]

Each is installed by pip in an environment of its own and asked about one series of 3,000 values
with a step: megabytes that the installation adds, CPU milliseconds of a process that imports it and
answers once, and of the fifth answer in that process. Status 1: an installation or an answer
failed. `--folder` keeps the environments.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from detectors.simulated.synthetic import simulate
from evidence.bench.processes import ROOT
from evidence.bench.timing import machine, parser_of
from formats.markdown import head, row

OURS: Final = "plateau-perf"
METHODS: Final = ("plateau", "kb-kssd", "mser", "max-ess", "r-test")
CALLS: Final = {
    **{
        f"{OURS}, `{slug}`": f"import plateau_perf as p; f = lambda: p.detect(x, '{slug}')"
        for slug in METHODS
    },
    "pymbar": "from pymbar import timeseries as p; f = lambda: p.detect_equilibration(x)",
    "ruptures": "import ruptures as p; f = lambda: p.KernelCPD('rbf').fit(x).predict(pen=10)",
    "kim-convergence": (
        "import kim_convergence as p; f = lambda: p.estimate_equilibration_length(x)"
    ),
    "red-molsim": "import red as p; f = lambda: p.detect_equilibration_window(x)",
    "pymser": "import pymser as p; f = lambda: p.equilibrate(x, print_results=False)",
}
"""Of each row the statement that imports a package and defines `f`, one answer for `x`."""
NOT_BUILT: Final = shutil.ignore_patterns(".*", "build", "tests", "node_modules")
PROGRAM: Final = """
import sys, time, warnings; warnings.simplefilter("ignore")
begin = time.process_time(); import numpy; x = numpy.load(sys.argv[1]); {call}; f()
first = time.process_time() - begin
for _ in range(4): begin = time.process_time(); f(); later = time.process_time() - begin
print(1e3 * first, 1e3 * later)
"""


def installed_python(package: str, folder: Path) -> Path:
    """The interpreter of an environment with `package`, made unless `folder` has it."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    with TemporaryDirectory() as copied_folder:  # building leaves files in the folder that is built
        if package == OURS:
            shutil.copytree(ROOT, copied_folder, ignore=NOT_BUILT, dirs_exist_ok=True)
        source = copied_folder if package == OURS else package
        command = [str(python), "-m", "pip", "install", "-q", source]
        subprocess.run(command, check=True, capture_output=True)
    return python


def megabytes(folder: Path) -> float:
    """Size of all packages of an environment but pip and setuptools."""
    (site_packages,) = folder.glob("lib/python*/site-packages")
    tool_names = ("pip", "setuptools", "_distutils_hack", "pkg_resources")
    packages = [path for path in site_packages.iterdir() if not path.name.startswith(tool_names)]
    files = (file for package in packages for file in (package, *package.rglob("*")))
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


def answer_milliseconds(python: Path, call: str, series: Path) -> tuple[float, float]:
    """CPU milliseconds of the first answer, with imports, and of a later one."""
    command = [str(python), "-c", PROGRAM.format(call=call), str(series)]
    with TemporaryDirectory() as empty_folder:  # a copy of the project would shadow the package
        printed_text = subprocess.run(
            command, check=True, capture_output=True, text=True, cwd=empty_folder
        ).stdout
    first, later_milliseconds = printed_text.splitlines()[-1].split()
    return float(first), float(later_milliseconds)


def main() -> int:
    parser = parser_of("evidence.bench.install_size", __doc__)
    parser.add_argument("packages", metavar="PACKAGE", nargs="*")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    has_failed = False
    with TemporaryDirectory() as built_folder:
        folder = options.folder or Path(built_folder)
        series = folder / "series.npy"
        folder.mkdir(parents=True, exist_ok=True)
        np.save(series, simulate("step", n=3000).values)
        print(f"Machine: {machine()}\n")
        print(head("package", "installed, MB", "first answer, ms", "fifth, ms"))
        for title, call in CALLS.items():
            package = title.partition(",")[0]
            if options.packages and package not in options.packages:
                continue
            try:
                python = installed_python(package, folder / package)
                first, later_milliseconds = answer_milliseconds(python, call, series)
            except subprocess.CalledProcessError as error:
                has_failed = True
                lines = str(error.stderr or error).strip().splitlines()
                print(row(title, f"failed: {lines[-1]}", "", ""))
                continue
            size = f"{megabytes(folder / package):,.0f}"
            print(row(title, size, f"{first:,.0f}", f"{later_milliseconds:,.1f}"), flush=True)
    return int(has_failed)


if __name__ == "__main__":
    sys.exit(main())
