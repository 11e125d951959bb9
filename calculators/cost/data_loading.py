"""Whether a training run's input keeps up with its devices."""

from typing import NamedTuple

from calculators.cost.errors import require_positive
from calculators.cost.exact import Real, least, limit, quotient


class DataLoading(NamedTuple):
    """What the devices need, what workers and storage allow, and what comes of it."""

    bytes_per_second: Real  # B/s that the devices need
    worker_limit: Real  # samples a second
    storage_limit: Real  # samples a second
    achieved_samples_per_second: Real
    bound: Real  # "device", "workers" or "storage"


def data_loading(
    *,
    samples_per_second: Real,
    bytes_per_sample: Real,
    workers: Real,
    worker_samples_per_second: Real,
    storage_bandwidth: Real,
) -> DataLoading:
    """bytes_per_second = samples_per_second * bytes_per_sample, what the devices take when nothing waits.

    worker_limit = workers * worker_samples_per_second; storage_limit = storage_bandwidth / bytes_per_sample.
    The smallest of need and limits is achieved: a pipeline that prefetches runs at the pace of its slowest
    stage. On a tie device comes before workers before storage.

    Leaves out what workers take from one another, start-up, and caches.
    Raises DomainError where bytes_per_sample is not above 0.
    """
    require_positive(bytes_per_sample=bytes_per_sample)
    worker_limit = workers * worker_samples_per_second
    storage_limit = quotient(storage_bandwidth, bytes_per_sample)
    return DataLoading(
        bytes_per_second=samples_per_second * bytes_per_sample,
        worker_limit=worker_limit,
        storage_limit=storage_limit,
        achieved_samples_per_second=least(samples_per_second, worker_limit, storage_limit),
        bound=limit(device=-samples_per_second, workers=-worker_limit, storage=-storage_limit),
    )
