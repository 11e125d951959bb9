"""What is known of an accelerator, and how far each figure is trusted."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import NamedTuple

GB = 10**9
GIB = 2**30
_TERA = 10**12
_GIGA = 10**9


class Hardware(NamedTuple):
    """One accelerator as its vendor prints it: dense peaks, nominal memory, links in one direction.

    Or a machine as it was measured, whose peaks are what programs reached.
    """

    slug: str
    name: str
    peak_flops: Mapping[str, int]  # FLOP/s by dtype; a dtype without a figure is absent
    hbm_bytes: int
    hbm_bandwidth: int  # B/s
    link_bandwidth: int | None  # B/s of one device in one direction, all its scale-up links together
    watts: int | None
    source: str
    url: str
    read_on: date
    unconfirmed: frozenset[str]  # dtypes and field names whose figure no primary source has confirmed
    notes: tuple[str, ...]
    measured: bool = False  # here: nobody else knows it by its slug

    @property
    def verified(self) -> bool:
        """Whether every figure is confirmed."""
        return not self.unconfirmed


class Devices(Mapping[str, Hardware]):
    """The published devices by slug, and after them the machines measured here, if any are offered.

    Without an offer the library knows the same devices everywhere. One process has one offer: the last.
    """

    def __init__(self, published: Iterable[Hardware]) -> None:
        self._published = {row.slug: row for row in published}
        self._all: Mapping[str, Hardware] = self._published

    def offer(self, measured: Iterable[Hardware]) -> None:
        """Have these machines beside the published devices, in place of those offered before."""
        offered = {row.slug: row for row in measured}
        if taken := offered.keys() & self._published.keys():
            raise ValueError(f"published devices have these names: {', '.join(sorted(taken))}")
        self._all = self._published | offered

    def __getitem__(self, slug: str) -> Hardware:
        return self._all[slug]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


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
