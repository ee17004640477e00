"""Search for the stored data set to which the benchmarks of waiting files belong. Reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from people.models import Study
from series.importing.upload_files import list_path
from series.models import Benchmark, Dataset, Import
from series.reading import staged_series
from series.reading.staging import BenchmarkKey

LOOKED_AT = 500  # benchmarks, as many names as one query may hold


def matching_dataset(study: Study, waiting_imports: Iterable[Import]) -> Dataset | None:
    """The data set that holds at least half of the files' benchmarks, the most if several do.

    Of many benchmarks the first `LOOKED_AT` are asked for.
    """
    wanted_benchmarks = set(islice(_benchmarks(waiting_imports), LOOKED_AT))
    rows = Benchmark.objects.filter(
        dataset__in=study.datasets.all(),
        name__in={benchmark.name for benchmark in wanted_benchmarks},
    ).values_list("dataset", "system", "name", "params")
    match_counts = Counter(
        dataset for dataset, *key in rows if BenchmarkKey(*key) in wanted_benchmarks
    )
    for dataset, count in match_counts.most_common(1):
        if 2 * count >= len(wanted_benchmarks):
            return study.datasets.get(pk=dataset)
    return None


def _benchmarks(waiting_imports: Iterable[Import]) -> Iterator[BenchmarkKey]:
    """Each benchmark of the files, once."""
    yielded_keys: set[BenchmarkKey] = set()
    for upload in waiting_imports:
        for series in staged_series.read_staged(list_path(upload)):
            if series.benchmark not in yielded_keys:
                yielded_keys.add(series.benchmark)
                yield series.benchmark
