"""What is known of an accelerator, and how far each figure is trusted."""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import NamedTuple

GB = 10**9
GIB = 2**30
_TERA = 10**12
_GIGA = 10**9


class Hardware(NamedTuple):
    """One accelerator as its vendor prints it: dense peaks, nominal memory, links in one direction."""

    slug: str
    name: str
    peak_flops: Mapping[str, int]  # FLOP/s by dtype; a dtype without a figure is absent
    hbm_bytes: int
    hbm_bandwidth: int  # B/s
    link_bandwidth: int  # B/s of one device in one direction, all its scale-up links together
    watts: int | None
    source: str
    url: str
    read_on: date
    unconfirmed: frozenset[str]  # dtypes and field names whose figure no primary source has confirmed
    notes: tuple[str, ...]

    @property
    def verified(self) -> bool:
        """Whether every figure is confirmed."""
        return not self.unconfirmed


def device(
    slug: str,
    name: str,
    *,
    tera: Mapping[str, str],
    hbm_bytes: int,
    gb_per_second: str,
    link_gb_per_second: str,
    watts: int | None,
    source: str,
    url: str,
    read_on: date,
    unconfirmed: Iterable[str] = (),
    notes: tuple[str, ...] = (),
) -> Hardware:
    """A `Hardware` from figures as datasheets print them: TFLOP/s and GB/s, in decimals that stay exact."""

    def whole(figure: str, unit: int) -> int:
        return int(Decimal(figure) * unit)

    return Hardware(
        slug=slug,
        name=name,
        peak_flops=MappingProxyType({dtype: whole(figure, _TERA) for dtype, figure in tera.items()}),
        hbm_bytes=hbm_bytes,
        hbm_bandwidth=whole(gb_per_second, _GIGA),
        link_bandwidth=whole(link_gb_per_second, _GIGA),
        watts=watts,
        source=source,
        url=url,
        read_on=read_on,
        unconfirmed=frozenset(unconfirmed),
        notes=notes,
    )
