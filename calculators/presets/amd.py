"""AMD accelerators.

Peaks are dense: fp32 of the vector units, all others of the matrix cores. Infinity Fabric is counted in one
direction.
"""

from datetime import date

from calculators.presets.hardware import GB, Hardware, device

_READ_ON = date(2026, 11, 30)

_MI300_PEAKS = {
    "bf16": "1307.4",
    "fp16": "1307.4",
    "fp8": "2614.9",
    "int8": "2614.9",
    "tf32": "653.7",
    "fp32": "163.4",
}

DEVICES: tuple[Hardware, ...] = (
    device(
        "mi250x",
        "AMD Instinct MI250X",
        tera={"bf16": "383", "fp16": "383", "int8": "383", "fp32": "47.9"},
        hbm_bytes=128 * GB,
        gb_per_second="3277",
        link_gb_per_second="350",
        watts=500,
        source="AMD Instinct MI250X product page; peaks from 220 compute units at 1.7 GHz",
        url="https://www.amd.com/en/products/accelerators/instinct/mi200/mi250x.html",
        read_on=_READ_ON,
        unconfirmed=("link_bandwidth",),
        notes=(
            "Both dies together, though software sees two devices of half of everything.",
            "The link is seven of the package's eight links of 50 GB/s.",
        ),
    ),
    device(
        "mi300x",
        "AMD Instinct MI300X",
        tera=_MI300_PEAKS,
        hbm_bytes=192 * GB,
        gb_per_second="5300",
        link_gb_per_second="448",
        watts=750,
        source="AMD Instinct MI300X product page; peaks from 304 compute units at 2.1 GHz",
        url="https://www.amd.com/en/products/accelerators/instinct/mi300/mi300x.html",
        read_on=_READ_ON,
        notes=(
            "The link is seven of 64 GB/s, one to each neighbour: a pair of devices has 64 GB/s.",
            "About 51 % of the bf16 peak was measured for a large matmul in public tests.",
        ),
    ),
    device(
        "mi325x",
        "AMD Instinct MI325X",
        tera=_MI300_PEAKS,
        hbm_bytes=256 * GB,
        gb_per_second="6000",
        link_gb_per_second="448",
        watts=1000,
        source="AMD Instinct MI325X product page",
        url="https://www.amd.com/en/products/accelerators/instinct/mi300/mi325x.html",
        read_on=_READ_ON,
        notes=("The link is seven of 64 GB/s, one to each neighbour: a pair of devices has 64 GB/s.",),
    ),
    device(
        "mi355x",
        "AMD Instinct MI355X",
        tera={
            "bf16": "2517",
            "fp16": "2517",
            "fp8": "5033",
            "fp4": "10066",
            "int8": "5033",
            "fp32": "157.3",
        },
        hbm_bytes=288 * GB,
        gb_per_second="8000",
        link_gb_per_second="535.5",
        watts=1400,
        source="AMD Instinct MI355X product page; peaks from 256 compute units at 2.4 GHz",
        url="https://www.amd.com/en/products/accelerators/instinct/mi350/mi355x.html",
        read_on=_READ_ON,
        notes=("The link is seven of 76.5 GB/s, one to each neighbour: a pair of devices has 76.5 GB/s.",),
    ),
)
