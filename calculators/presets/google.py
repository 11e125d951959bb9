"""Google TPUs, per chip. The documentation prints the interconnect in both directions; it is halved here."""

from datetime import date

from calculators.presets.hardware import GB, GIB, Hardware, device

_READ_ON = date(2026, 11, 30)
_NO_WATTS = "No power is published, so energy and CO2 need device_watts."
_TORUS = "The link is all of the chip's torus links together; a ring along one axis uses two of them."

DEVICES: tuple[Hardware, ...] = (
    device(
        "tpu-v4",
        "Google TPU v4",
        tera={"bf16": "275", "int8": "275"},
        hbm_bytes=32 * GIB,
        gb_per_second="1200",
        link_gb_per_second="300",
        watts=192,
        source="Cloud TPU documentation, TPU v4",
        url="https://cloud.google.com/tpu/docs/v4",
        read_on=_READ_ON,
        notes=("192 W is the largest power measured; the mean is 170 W.", _TORUS),
    ),
    device(
        "tpu-v5e",
        "Google TPU v5e",
        tera={"bf16": "197", "int8": "394"},
        hbm_bytes=16 * GB,
        gb_per_second="819",
        link_gb_per_second="200",
        watts=None,
        source="Cloud TPU documentation, TPU v5e",
        url="https://cloud.google.com/tpu/docs/v5e",
        read_on=_READ_ON,
        notes=(
            "Later editions of the page print 393 TOP/s for int8 and 800 GiB/s (859 GB/s) for the memory.",
            _TORUS,
            _NO_WATTS,
        ),
    ),
    device(
        "tpu-v5p",
        "Google TPU v5p",
        tera={"bf16": "459", "int8": "918"},
        hbm_bytes=95 * GIB,
        gb_per_second="2765",
        link_gb_per_second="600",
        watts=None,
        source="Cloud TPU documentation, TPU v5p",
        url="https://cloud.google.com/tpu/docs/v5p",
        read_on=_READ_ON,
        notes=(_TORUS, _NO_WATTS),
    ),
    device(
        "tpu-v6e",
        "Google TPU v6e (Trillium)",
        tera={"bf16": "918", "int8": "1836"},
        hbm_bytes=32 * GB,
        gb_per_second="1638",
        link_gb_per_second="400",
        watts=None,
        source="Cloud TPU documentation, TPU v6e",
        url="https://cloud.google.com/tpu/docs/v6e",
        read_on=_READ_ON,
        notes=("Later editions of the documentation print the memory as 32 GiB.", _TORUS, _NO_WATTS),
    ),
    device(
        "tpu7x",
        "Google TPU7x (Ironwood)",
        tera={"bf16": "2307", "fp8": "4614"},
        hbm_bytes=192 * GIB,
        gb_per_second="7380",
        link_gb_per_second="600",
        watts=None,
        source="Cloud TPU documentation, TPU7x",
        url="https://docs.cloud.google.com/tpu/docs/tpu7x",
        read_on=_READ_ON,
        unconfirmed=("hbm_bandwidth",),
        notes=(_TORUS, _NO_WATTS),
    ),
)
