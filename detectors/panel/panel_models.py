"""A panel's habits as numbers: the models behind `plateau`, and where their files lie.

A training is `NAME.npz` (numbers of trees) with a card `NAME.json` that says what it was fitted on.
The one that ships is `shipped`; `manage.py train plateau` writes others, whose names end in the
first eight digits of their content's SHA-256, so that a name stands for one answer for ever.

A file holds the model of all series, and models that each lack some systems: what was trained on
is judged by the one that has not seen its system, or its answers would be its own echo.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast, overload

import numpy as np
from numpy.typing import NDArray

from detectors.contract import (
    NEVER,
    NotAvailable,
    ParameterError,
    Parameters,
    TooShort,
    Values,
    parameter,
)
from detectors.panel.copies import Sketch, SketchIndex, sketch
from detectors.panel.forests import Forest
from detectors.panel.panel_grid import GRID, grid_places, normalised
from detectors.panel.plain_rows import plain_row
from detectors.panel.series_features import SeriesFeatures
from detectors.stories.plain_story import Story

SHIPPED: Final = "shipped"
PACKAGED: Final = Path(__file__).parents[1] / "weights"
VARIABLE: Final = "PLATEAU_MODELS"
Arrays = Mapping[str, NDArray[Any]]
NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
BLIND: Final = "unseen"  # the flag of an answer by a model that has not seen the series' system
BY_PEOPLE: Final = "no plain story; people would say"
PLAIN: Final = "plain"  # the flag of an answer by the plain story
EVEN: Final = 0.5
MARKED_LENGTHS: Final = (1500, 6000)
"""Values between which what people would answer counts beside a plain story. They marked series of
3,000; elsewhere the forest of plain decides alone."""
CHANGING: Final = ("steps", "decay")
ODDS_OF_CHANGE, ODDS_AGAINST_NEVER, ODDS_PER_DOUBT = 2.2, 4.5, 0.35
"""Log odds of plain above which a story answers that becomes steady by steps or a decay; the same
where people would say never; and so much more for each log odds by which people who say the
contrary of any story are off the threshold. People call much noise never that is flat by
construction, so a story of one level needs no more than that. Chosen on systems that were held
out, with plain series that trained nothing beside (docs/detectors/plateau.md)."""
STEADY_FROM: Final = 0.45
"""Chance of steady above which a series is called steady by default. Chosen on systems that were
held out: a lower one misses more series that people call never, a higher one takes more of those
with a late start for never (docs/detectors/plateau.md)."""
TINY: Final = 1e-9
COPIED_FROM: Final = 20_000  # first values, among which a copy is looked for
RECOGNISED_BY: Final = 100  # first values: as few as the methods need
DIGITS: Final = 8  # of the digest, in a name
FORESTS: Final = ("starts", "steady", "near", "online", "online_steady", "plain")
OPTIONAL: Final = ("steady", "online_steady", "plain")
"""A panel that never said never has none of the first two; `plain` takes plain series to learn."""
FEATURES: Final = 4  # version of the features that forests are fitted to
PICKED: Final = [
    int(np.abs(GRID - at).argmin()) for at in (10, 50, 150, 500, 1000, 1500, 2000, 2500)
]
"""Positions from which the question "steady at all?" is answered."""
STEADY_COUNTS: Final = 1.28
"""How much the logarithm of the odds counts that forests give a series to be called steady: of few
trees, they say less than they know. Fitted on the series that people labelled, each judged by the
model that has not seen its system (`python -m evidence.replication.sureness`); even odds stay
even."""


def check_name(parameter: str, name: str) -> None:
    """Raise ParameterError, which names the parameter, for what is no name of a model."""
    if not NAME.fullmatch(name):
        raise ParameterError(
            f"{parameter} must be lower-case words and digits joined by -; got {name}"
        )


SHORTEST: Final = 10  # values, of which a story can be told
PEOPLE_FROM: Final = 300  # values: of fewer nobody has marked any, and the plain story answers


class ModelParams(Parameters):
    """Choice of model, for every method that reads a panel's habits."""

    model: str = parameter(
        SHIPPED,
        low=1,
        high=80,
        help="Whose answers were learned: the model that ships, or the name of one that "
        "`manage.py train plateau` has written.",
    )

    plain: float = parameter(
        0.5,
        low=0.0,
        high=1.0,
        help="The plain story answers if the series is plain with more than this probability; "
        f"1: never, of {PEOPLE_FROM} values or more.",
    )

    def check(self) -> None:
        check_name("model", self.model)

    def is_told(self, features: SeriesFeatures, model: PanelModel, chance: float) -> bool:
        """True where the plain story answers; with a `chance` of 0 not if it is never steady."""
        if chance == 0 and features.story.start == NEVER:
            return False
        return is_plain(features, model, self.plain, chance)

    def judge(self, values: Values, benchmark: str) -> PanelJudge:
        """The model that answers a whole series; NotAvailable without it, before TooShort."""
        models = models_named(self.model)
        if values.size < SHORTEST:
            raise TooShort(needed=SHORTEST, got=values.size)
        return models.judge(values, benchmark)


@dataclass(frozen=True, slots=True, eq=False)
class PanelModel:
    """Model of what a panel of people was seen to do.

    starts: share of the panel's answers at or before each position of the grid.
    steady: whether they call a series steady (log odds); None where all were.
    near: how near an iteration is to the panel's answer, 1 to 0.
    online, online_steady: `starts` and `steady` of a series that is still running
    (`detectors.panel.prefix_estimates`).
    levels: quantiles between which four of five answers lay.
    plain: whether a series is plain (log odds), so that its story answers and no person.
    """

    starts: Forest
    steady: Forest | None
    near: Forest
    online: Forest
    levels: tuple[float, float]
    online_steady: Forest | None = None
    plain: Forest | None = None

    def as_arrays(self, prefix: str = "") -> dict[str, NDArray[np.generic]]:
        """Arrays for a file: names begin with `prefix`."""
        arrays: dict[str, NDArray[np.generic]] = {f"{prefix}levels": np.array(self.levels)}
        for name in FORESTS:
            forest: Forest | None = getattr(self, name)
            if forest is not None:
                arrays |= forest.as_arrays(f"{prefix}{name}")
        return arrays

    @classmethod
    def of_arrays(cls, arrays: Arrays, prefix: str = "") -> PanelModel:
        """Restore the model that `as_arrays` wrote; a missing array is a KeyError."""
        low, high = arrays[f"{prefix}levels"].tolist()
        forests: dict[str, Any] = {
            name: Forest.of_arrays(f"{prefix}{name}", arrays)
            for name in FORESTS
            if name not in OPTIONAL or f"{prefix}{name}_roots" in arrays
        }
        return cls(**{**dict.fromkeys(OPTIONAL), **forests}, levels=(low, high))


@dataclass(frozen=True, slots=True, eq=False)
class PanelJudge:
    """The model that judges one series. blind: trained on it, but for the series' system.

    copied: known only as a copy of a series that was trained on.
    """

    model: PanelModel
    blind: bool
    copied: bool = False

    @property
    def flags(self) -> tuple[str, ...]:
        return (BLIND,) if self.blind else ()

    @property
    def words(self) -> str:
        """Name of the judge, for a reader of evidence."""
        if self.copied:
            return (
                "the model that has not seen this system; the values are a copy of a series that "
                "the others saw"
            )
        if self.blind:
            return "the model that has not seen this system, which the others were trained on"
        return "the model of all that was trained on; this series was not"


@dataclass(frozen=True, slots=True, eq=False)
class PanelModels:
    """All models of one training.

    blind: each lacks the systems whose number in `groups` is its place. groups: systems; of a
    panel with one system only, its benchmarks, as `detectors.learned.crossfit.benchmark_key` names
    them. series: the same of each series by its `fingerprint`, whatever somebody calls it.
    sketches, of the first of these in the same order, tell copies that were trimmed: simulated ones
    have none.
    """

    whole: PanelModel
    blind: Sequence[PanelModel] = ()
    groups: Mapping[str, int] = field(default_factory=dict)
    series: Mapping[int, int] = field(default_factory=dict)
    sketches: tuple[Sketch, ...] = ()
    index: SketchIndex = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", SketchIndex.from_sketches(self.sketches))

    def judge(self, values: Values, benchmark: str = "") -> PanelJudge:
        """Judge of a series, or of the beginning of one.

        benchmark: ``system#name#params``, or empty where nobody says.
        """
        is_long = values.size >= RECOGNISED_BY  # a shorter one is not recognised
        blind_index = self.series.get(fingerprint(values)) if self.series and is_long else None
        if blind_index is None and benchmark:
            system = benchmark.partition("#")[0]
            blind_index = self.groups.get(benchmark, self.groups.get(system))
        if blind_index is not None:
            return PanelJudge(self.blind[blind_index], blind=True)
        copied_index = self._copied_index(values) if is_long else None
        if copied_index is not None:
            return PanelJudge(self.blind[copied_index], blind=True, copied=True)
        return PanelJudge(self.whole, blind=False)

    def _copied_index(self, values: Values) -> int | None:
        """The place of the series that shares most with `values`, if that makes them copies."""
        if not self.sketches:
            return None
        copies = self.index.copies_of(sketch(values[:COPIED_FROM]))
        return list(self.series.values())[copies[0]] if copies.size else None

    def as_bytes(self) -> bytes:
        """The file: the same numbers are the same bytes."""
        arrays = {"features": np.array(FEATURES)} | self.whole.as_arrays()
        for blind_index, model in enumerate(self.blind):
            arrays |= model.as_arrays(_prefix(blind_index))
        arrays["groups"] = np.array(list(self.groups), dtype=np.str_)
        arrays["group_places"] = np.array(list(self.groups.values()), dtype=np.int16)
        arrays["series"] = np.array(list(self.series), dtype=np.uint64)
        arrays["series_places"] = np.array(list(self.series.values()), dtype=np.int16)
        arrays["sketches"] = np.concatenate([np.empty(0, np.uint32), *self.sketches])
        arrays["sketch_sizes"] = np.array(
            [series_sketch.size for series_sketch in self.sketches], dtype=np.int32
        )
        file = io.BytesIO()
        np.savez_compressed(file, allow_pickle=False, **arrays)
        return file.getvalue()

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> PanelModels:
        """Restore the models that `as_bytes` wrote; a missing array is a KeyError."""
        groups = dict(zip(arrays["groups"].tolist(), arrays["group_places"].tolist(), strict=True))
        series = dict(zip(arrays["series"].tolist(), arrays["series_places"].tolist(), strict=True))
        count = 1 + max((*groups.values(), *series.values()), default=-1)
        blind_models = StoredModels(arrays, count)
        return cls(PanelModel.of_arrays(arrays), blind_models, groups, series, _sketches(arrays))


class StoredModels(Sequence[PanelModel]):
    """Blind models of a file, each restored when it is first needed: most answers need none."""

    def __init__(self, arrays: Arrays, count: int) -> None:
        self.arrays, self.size = arrays, count
        self.restored: dict[int, PanelModel] = {}

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, index: int) -> PanelModel: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[PanelModel]: ...
    def __getitem__(self, index: int | slice) -> PanelModel | Sequence[PanelModel]:
        if isinstance(index, slice):
            return [self[place] for place in range(self.size)[index]]
        place = range(self.size)[index]
        if place not in self.restored:
            self.restored[place] = PanelModel.of_arrays(self.arrays, _prefix(place))
        return self.restored[place]


def _sketches(arrays: Arrays) -> tuple[Sketch, ...]:
    """Sketches of the training series; none in an older file: its series are known by their
    first values and their names.
    """
    if "sketches" not in arrays:
        return ()
    sketch_ends = np.cumsum(arrays["sketch_sizes"], dtype=np.int64)
    return tuple(np.split(arrays["sketches"], sketch_ends[:-1])) if sketch_ends.size else ()


def _prefix(blind_index: int) -> str:
    return f"blind{blind_index}_"


def fingerprint(values: Values) -> int:
    """A number that names a series by its first 100 values, whatever their unit."""
    rounded_values = np.rint(1e6 * normalised(values[:RECOGNISED_BY])) + 0.0  # of -0, too
    return int.from_bytes(hashlib.sha256(rounded_values.tobytes()).digest()[:8], "little")


def summary_row(rows: Values) -> Values:
    """One row for a whole series, from its rows of 78 or more: says whether it is steady."""
    return np.append(rows[0, 50:], rows[PICKED, 2:50])


def summary_of(features: SeriesFeatures) -> Values:
    """`summary_row` of the rows of a series, of which no other than the picked are computed."""
    picked_rows = features.seen.rows(grid_places(GRID[PICKED], features.seen.y.size))
    return np.append(picked_rows[0, 50:], picked_rows[:, 2:50])


def steady_chance(forest: Forest | None, summary: Values, counts: float = 1.0) -> float:
    """Probability that the panel calls a series steady, by a forest of log odds.

    summary: as by `summary_row`. counts: how much these odds count; even ones stay even. 1 without
    a forest: nobody ever said never.
    """
    if forest is None:
        return 1.0
    return float(1 / (1 + np.exp(-counts * forest.sums(summary[None])[0])))


def plain_chance(features: SeriesFeatures, model: PanelModel) -> float:
    """Probability that a series is plain; 0 by a model that has not learned it."""
    if model.plain is None:
        return 0.0
    return float(1 / (1 + np.exp(-model.plain.sums(plain_row(features)[None])[0])))


def is_plain(
    features: SeriesFeatures, model: PanelModel, least_chance: float, threshold: float
) -> bool:
    """True where the plain story of a series answers: always where nobody has marked any so short.

    threshold: chance of steady above which people's answer is an iteration.
    """
    if features.n < PEOPLE_FROM:
        return True
    if least_chance >= 1:
        return False
    chance = plain_chance(features, model)
    if chance <= least_chance:
        return False
    if not is_marked_length(features.n):
        return True
    chance_steady = steady_chance(model.steady, summary_of(features), STEADY_COUNTS)
    return outweighs(chance, features.story, chance_steady, threshold)


def is_marked_length(n: int) -> bool:
    """True where people's answer counts beside the story of n values."""
    shortest, longest = MARKED_LENGTHS
    return shortest < n < longest


def outweighs(chance: float, story: Story, chance_steady: float, threshold: float) -> bool:
    """True where a story that is plain with this chance may answer beside people.

    chance_steady: by people, who say never at `threshold` or below.
    """
    is_steady = story.start != NEVER
    is_contrary = (chance_steady > threshold) != is_steady
    least_odds = -math.inf
    if is_steady and story.kind in CHANGING:
        least_odds = ODDS_AGAINST_NEVER if is_contrary else ODDS_OF_CHANGE
    elif is_contrary:
        least_odds = 0.0
    doubt = abs(log_odds(chance_steady) - log_odds(threshold)) if is_contrary else 0.0
    return log_odds(chance) > least_odds + ODDS_PER_DOUBT * doubt


def log_odds(chance: float) -> float:
    return math.log(max(chance, TINY) / max(1 - chance, TINY))


def people_words(chance: float, threshold: float) -> str:
    """Answer as people would give it, for a series without a plain story."""
    words = f"steady, probability {chance:.2f}"
    if threshold < chance < EVEN:  # likelier never: say why it is steady nevertheless
        words = f"steady: with a probability of {chance:.2f}, which is above {threshold:g}"
    if chance <= threshold:
        words = f"never, probability {1 - chance:.2f}"
        if chance > EVEN:  # the odds of never are even or less: say why it is never nevertheless
            words = (
                f"never: steady with a probability of {chance:.2f} only, not above {threshold:g}"
            )
    return f"{BY_PEOPLE} {words}"


def content_digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def name_for(words: str, content: bytes) -> str:
    """``WORDS-1a2b3c4d``: what a model with this content is called."""
    return f"{words}-{content_digest(content)[:DIGITS]}"


def makes(slug: str) -> str:
    """Remedy for a method without weights: training needs a checkout, a wheel has none."""
    command = f"`python manage.py train {slug} STUDY/CAMPAIGN`"
    if (PACKAGED.parents[1] / "manage.py").is_file():
        return f"{command} makes them"
    return (
        f"{command} in a checkout of Plateau makes them; "
        f"set {VARIABLE} to the folder that they were written to"
    )


def folders() -> Iterator[Path]:
    """Folders of models, in order of precedence."""
    if configured_folder := os.environ.get(VARIABLE):
        yield Path(configured_folder)
    if data := os.environ.get("PLATEAU_DATA"):
        yield Path(data, "models")
    yield PACKAGED.parents[1] / "data" / "models"  # of `make run`
    yield PACKAGED


def model_path(name: str) -> Path | None:
    """The file of a model; None if there is none."""
    searched_folders = (PACKAGED,) if name == SHIPPED else folders()
    paths = (folder / f"plateau-{name}.npz" for folder in searched_folders)
    return next((path for path in paths if path.is_file()), None)


def models_named(name: str) -> PanelModels:
    """The models; raises `NotAvailable` where they are not installed or not what the name says."""
    path = model_path(name)
    if path is None:
        raise NotAvailable(f"weights {name!r} not installed; {makes('plateau')}")
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _read(path: Path, changed_at: int) -> PanelModels:  # noqa: ARG001  # a new file is read anew
    content = path.read_bytes()
    expected = path.stem.rpartition("-")[2]
    if expected not in {SHIPPED, content_digest(content)[:DIGITS]}:
        raise NotAvailable(
            f"weights {path.name}: found the digest {content_digest(content)[:DIGITS]}, expected "
            f"{expected}; the file was changed or renamed; {makes('plateau')}"
        )
    arrays = WeightsFile(path.name, content)
    if "features" not in arrays or int(arrays["features"]) != FEATURES:
        raise NotAvailable(
            f"weights {path.stem.removeprefix('plateau-')!r} are of another version, "
            f"which was fitted to other features; {makes('plateau')}"
        )
    return PanelModels.of_arrays(arrays)


class WeightsFile(Mapping[str, NDArray[Any]]):
    """Arrays of a file of weights by name; raises `NotAvailable` where one cannot be read."""

    def __init__(self, name: str, content: bytes) -> None:
        self.name = name
        with self._refuse_unreadable():
            self.stored = np.load(io.BytesIO(content), allow_pickle=False)

    def __getitem__(self, key: str) -> NDArray[Any]:
        with self._refuse_unreadable():
            return cast("NDArray[Any]", self.stored[key])

    def __contains__(self, key: object) -> bool:
        return key in self.stored

    def __iter__(self) -> Iterator[str]:
        return iter(self.stored)

    def __len__(self) -> int:
        return len(self.stored)

    @contextmanager
    def _refuse_unreadable(self) -> Iterator[None]:
        try:
            yield
        except (KeyError, ValueError, OSError, zipfile.BadZipFile) as error:
            message = f"weights {self.name} cannot be read: {error}; {makes('plateau')}"
            raise NotAvailable(message) from error


def card_of(name: str) -> dict[str, Any]:
    """Card of a model: what it was fitted on, and its figures; empty without a card."""
    path = model_path(name)
    if path is None or not path.with_suffix(".json").is_file():
        return {}
    card: dict[str, Any] = json.loads(path.with_suffix(".json").read_text("utf-8"))
    return card


def shipped_missing() -> str:
    """Why a method cannot work here without the model that ships, or nothing."""
    return "" if model_path(SHIPPED) else f"weights not installed; {makes('plateau')}"
