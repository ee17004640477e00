"""The folder of the corpus: what was published, byte for byte, and readable by Plateau."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import numpy as np
import pytest

from detectors.panel.panel_models import SHIPPED, card_of
from detectors.training.labels import known_answers
from detectors.training.labels.published import NoPanel
from detectors.training.plateau import digest_of_known
from evidence.corpus import folder
from evidence.corpus.__main__ import main
from evidence.corpus.series import CorpusSeries, corpus_of
from evidence.corpus.versions import CURRENT, FIRST
from formats import answers, read_series_of_file
from formats.options import ReadOptions


@pytest.fixture(scope="module")
def corpus_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder_path = tmp_path_factory.mktemp("corpus") / CURRENT.name
    assert main([str(folder_path)]) == 0
    return folder_path


def test_the_corpus_is_the_one_that_was_published(corpus_path: Path) -> None:
    """Whoever changes what a seed draws, or records the workloads anew, makes another corpus."""
    assert (corpus_path / folder.SUMS).read_text() == CURRENT.published_sums.read_text()
    checked = subprocess.run(
        ["sha256sum", "--check", "--quiet", folder.SUMS], cwd=corpus_path, check=False
    )
    assert checked.returncode == 0


def test_it_says_its_licence_how_to_cite_it_and_every_column(corpus_path: Path) -> None:
    readme = (corpus_path / "README.md").read_text()

    assert (corpus_path / "LICENSE").read_text().startswith("Attribution 4.0 International")
    assert "license: CC-BY-4.0" in (corpus_path / "CITATION.cff").read_text()
    assert all(f"| `{name}` |" in readme for name in folder.COLUMNS[CURRENT.number])
    assert "{" not in readme
    assert len(list((corpus_path / folder.RECORDED).glob("*.json.gz"))) == 22


def test_arrays_and_manifest_are_of_the_same_series(
    corpus_path: Path, corpus: list[CorpusSeries]
) -> None:
    with (
        np.load(corpus_path / folder.VALUES) as arrays,
        (corpus_path / folder.MANIFEST).open("rb") as rows,
    ):
        answer_by_name = {
            row.benchmark: row for row in answers.read_answers(rows, folder.MANIFEST).rows
        }

        assert list(arrays) == list(answer_by_name) == [s.plan.name for s in corpus]
        for series in corpus[::97]:
            assert np.array_equal(arrays[series.plan.name], series.nanoseconds)
            assert answer_by_name[series.plan.name].steady_start == series.known.middle
            assert answer_by_name[series.plan.name].series_digest == series.digest


def test_the_readers_of_plateau_give_the_values_that_the_manifest_has_digests_of(
    corpus: list[CorpusSeries],
) -> None:
    planned_series = corpus[::400]
    file = io.BytesIO(folder.archive(planned_series))

    measurements = list(read_series_of_file(file, folder.VALUES, options=ReadOptions(unit="ns/op")))

    assert [m.benchmark for m in measurements] == [s.plan.name for s in planned_series]
    assert {m.unit for m in measurements} == {"s/op"}
    for measurement, series in zip(measurements, planned_series, strict=True):
        assert np.array_equal(measurement.values, series.values)


def test_nothing_is_written_beside_other_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.txt").write_text("kept")

    assert main([str(tmp_path)]) == 2

    assert "expected a new or an empty folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_plateau_was_fitted_on_the_first_corpus_which_is_made_to_the_byte(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus_series = corpus_of(FIRST)

    assert main([str(tmp_path), "--version", "1"]) == 0
    assert "Every file is that of plateau-corpus-1." in capsys.readouterr().out
    known_series = known_answers.known_series_of_folder(tmp_path)
    assert [s.group for s in known_series] == [s.plan.workload for s in corpus_series]
    assert [s.steady for s in known_series] == [s.is_steady for s in corpus_series]
    card = card_of(SHIPPED)
    assert (card["known_series"], card["known_answers_sha256"]) == (
        2420,
        digest_of_known(known_series),
    )


def test_a_folder_that_is_no_corpus_is_not_learned_from(
    tmp_path: Path, corpus: list[CorpusSeries]
) -> None:
    with pytest.raises(NoPanel, match=r"found no manifest\.csv, series\.npz; `make corpus`"):
        known_answers.known_series_of_folder(tmp_path)
    folder.write_corpus(tmp_path, corpus[:1])
    text = (tmp_path / folder.MANIFEST).read_text()
    (tmp_path / folder.MANIFEST).write_text(text.replace(corpus[0].digest, "0" * 64))
    with pytest.raises(NoPanel, match=f"{corpus[0].plan.name}: found values with the digest"):
        known_answers.known_series_of_folder(tmp_path)
