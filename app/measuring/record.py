"""What was measured, as a file keeps it: read strictly, so that a bad file is noticed and never believed."""

from datetime import datetime
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints

from calculators.presets import Hardware

FORMAT: Final = 1
MAX_NAME: Final = 80
_MOST: Final = 10**30

Count: TypeAlias = Annotated[int, Field(ge=1, lt=_MOST)]
Seconds: TypeAlias = Annotated[float, Field(gt=0, lt=1e6, allow_inf_nan=False)]
Line: TypeAlias = Annotated[
    str, StringConstraints(min_length=1, max_length=300, pattern=r"^[^\x00-\x1f\x7f]+$")
]
Name: TypeAlias = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=MAX_NAME, pattern=r"^[^\x00-\x1f\x7f]+$"
    ),
]
Slug: TypeAlias = Annotated[str, StringConstraints(pattern=r"^measured-[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$")]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Streamed(_Record):
    """A stream over memory, by its best run."""

    name: Literal["copy", "triad", "read"]
    bytes: Count
    seconds: Seconds

    @property
    def bandwidth(self) -> float:
        """B/s."""
        return self.bytes / self.seconds


class Product(_Record):
    """A product of two square matrices in fp32, by its best run."""

    size: Count
    flops: Count
    seconds: Seconds

    @property
    def speed(self) -> float:
        """FLOP/s."""
        return self.flops / self.seconds


class Pass(_Record):
    """A forward pass, by its best run, beside what the cost library predicts from the measured peaks."""

    name: Line
    batch: Count
    tokens: Count = Field(description="That it computes: one a sequence in a decode step")
    flops: Count
    bytes: Count
    time_compute: Seconds = Field(description="flops at the measured peak")
    time_memory: Seconds = Field(description="bytes at the measured bandwidth")
    limit: Literal["compute", "memory"] = Field(description="The larger of the two")
    seconds: Seconds = Field(description="Measured")

    @property
    def predicted(self) -> float:
        """s, the least that there can be under these peaks."""
        return max(self.time_compute, self.time_memory)


class MeasuredMachine(_Record):
    """A machine and what it reached."""

    format: Literal[1] = FORMAT
    slug: Slug
    name: Name
    measured_at: AwareDatetime
    cpu: Line
    blas: Line
    threads: Count
    cache_bytes: Count
    memory_bytes: Count
    peak_flops: dict[Literal["fp32"], Count]
    hbm_bandwidth: Count = Field(description="Of the best stream, B/s")
    array_bytes: Count = Field(description="Of each array that was streamed over")
    streams: tuple[Streamed, ...] = Field(min_length=1, max_length=8)
    product: Product
    weight_bytes: int = Field(ge=0, lt=_MOST, description="Of the passes' model, 0 where none was run")
    passes: tuple[Pass, ...] = Field(max_length=8)
    remarks: tuple[Line, ...] = Field(max_length=16)

    @property
    def hardware(self) -> Hardware:
        """The machine as the calculators know a device."""
        return Hardware(
            slug=self.slug,
            name=f"{self.name}, measured {day(self.measured_at)}",
            peak_flops={str(dtype): figure for dtype, figure in self.peak_flops.items()},
            hbm_bytes=self.memory_bytes,
            hbm_bandwidth=self.hbm_bandwidth,
            link_bandwidth=None,
            watts=None,
            source="Measured with ridgeway measure",
            url="",
            read_on=self.measured_at.date(),
            unconfirmed=frozenset(),
            notes=(
                f"fp32 is what a product of matrices of {self.product.size} rows reached with {self.threads} "
                f"{'thread' if self.threads == 1 else 'threads'}; bandwidth is that of the best stream.",
            ),
            measured=True,
        )


def day(moment: datetime) -> str:
    """A date as a page writes it: 30 Nov 2026."""
    return f"{moment.day} {moment:%b %Y}"
