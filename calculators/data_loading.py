"""Feeding a training run."""

from collections.abc import Iterator, Mapping

from calculators.conventions import gigabytes
from calculators.cost.data_loading import data_loading
from calculators.cost.exact import Real
from calculators.spec import Calculator, Output, Source, Values, amount, by_name, convention, count


def _notes(v: Values, computed: Mapping[str, Real]) -> Iterator[str]:
    if computed["bound"] == "device":
        yield "The input keeps up: the devices never wait for it."
    elif computed["worker_limit"] < v.samples_per_second and computed["storage_limit"] < v.samples_per_second:
        yield "Workers and storage are both too slow: lifting one of the two limits leaves the other."


DATA_LOADING = Calculator(
    slug="data-loading",
    title="Data loading",
    topic="hardware-and-data",
    summary="Whether workers and storage deliver samples as fast as a training run takes them, and which of "
    "the three sets the pace.",
    inputs=(
        amount(
            "samples_per_second",
            "Samples needed",
            "r",
            family="rate",
            default="3000",
            help="What the devices take when they never wait, all of them that these workers feed.",
        ),
        amount(
            "bytes_per_sample",
            "Size of a sample",
            "B_s",
            family="bytes",
            default="110e3",
            help="As it is stored, compressed; an ImageNet JPEG has some 110 kB.",
        ),
        count(
            "workers", "Workers", "w", default="8", help="Processes that read and decode at the same time."
        ),
        amount(
            "worker_samples_per_second",
            "Pace of a worker",
            "r_w",
            family="rate",
            default="400",
            help="Samples that one worker decodes and transforms in a second.",
        ),
        amount(
            "storage_bandwidth",
            "Storage bandwidth",
            "BW_s",
            family="byte/s",
            default="2e9",
            help="What storage delivers to these workers together, in this order of reading.",
        ),
    ),
    outputs=(
        Output(
            name="bytes_per_second",
            label="Bandwidth needed",
            symbol="BW_need",
            family="byte/s",
            formula="samples_per_second * bytes_per_sample",
            meaning="For the devices never to wait.",
        ),
        Output(
            name="worker_limit",
            label="Workers allow",
            symbol="r_workers",
            family="rate",
            formula="workers * worker_samples_per_second",
            meaning="Samples a second from all workers.",
        ),
        Output(
            name="storage_limit",
            label="Storage allows",
            symbol="r_storage",
            family="rate",
            formula="storage_bandwidth / bytes_per_sample",
            meaning="Samples a second at the full bandwidth.",
        ),
        Output(
            name="achieved_samples_per_second",
            label="Achieved",
            symbol="r_achieved",
            family="rate",
            formula="min(samples_per_second, worker_limit, storage_limit)",
            meaning="The pace of the slowest, everything prefetched.",
        ),
        Output(
            name="bound",
            label="What sets the pace",
            family=None,
            formula="smallest(device=samples_per_second, workers=worker_limit, storage=storage_limit)",
            meaning="The smallest of the three; on a tie device before workers before storage.",
        ),
    ),
    headline="achieved_samples_per_second",
    compute=lambda v: by_name(
        data_loading(
            samples_per_second=v.samples_per_second,
            bytes_per_sample=v.bytes_per_sample,
            workers=v.workers,
            worker_samples_per_second=v.worker_samples_per_second,
            storage_bandwidth=v.storage_bandwidth,
        )
    ),
    notes=_notes,
    limits={"device": "samples_per_second", "workers": "worker_limit", "storage": "storage_limit"},
    plot=("workers", "achieved_samples_per_second"),
    sources=(
        Source(
            "Mohan et al. 2021: Analyzing and mitigating data stalls in DNN training",
            "https://arxiv.org/abs/2007.06775",
            "3.2, fetch stalls and prep stalls",
        ),
        Source(
            "Murray et al. 2021: tf.data, a machine learning data processing framework",
            "https://arxiv.org/abs/2101.12127",
            "2 and 4",
        ),
    ),
    leaves_out=(
        "Cores that run short: more workers than cores do not add up.",
        "Random reads of small files, which storage serves below its bandwidth, and caches, which serve "
        "above it.",
        "The first batches, before the pipeline has filled, and the copy to the device.",
    ),
    conventions=(
        convention(
            "Sizes are as stored: decoded images are many times larger, but only the workers see those.",
            "bytes_per_sample",
        ),
        convention(
            "Everything overlaps: reading, decoding and training run at the same time.",
            "achieved_samples_per_second",
        ),
        gigabytes("bytes_per_second"),
    ),
)
