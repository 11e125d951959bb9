"""What attention moves between a device's memory and its cores, with the score matrix and without."""

from typing import NamedTuple

from calculators.cost.errors import require_positive
from calculators.cost.exact import Real, ceiling, greatest, quotient


class AttentionTraffic(NamedTuple):
    """The memory traffic of one forward pass."""

    block_columns: Real  # rows of K and V in one block, algorithm 1's B_c
    blocks: Real  # column blocks, its T_c
    standard_bytes: Real  # B
    flash_bytes: Real  # B
    ratio: Real


def attention_traffic(
    *, batch: Real, heads: Real, seq_len: Real, head_dim: Real, sram_bytes: Real, bytes_per_element: Real
) -> AttentionTraffic:
    """standard_bytes = batch * heads * (4*n*d + 4*n**2) * bytes_per_element: Q and K in, S out, S in, P out,
    P and V in, O out. flash_bytes = batch * heads * (2 + 3*blocks) * n * d * bytes_per_element: K and V in
    once, and for each of ceil(n / c) blocks of columns Q in, O in and O out; c = max(1, ceil(M / (4*d))) with
    M the elements that the SRAM holds.

    Leaves out the row statistics, masks and dropout. c may exceed n: then one block is all.
    Raises DomainError where an argument is not above 0.
    Source: Dao et al. 2022, FlashAttention, algorithms 0 and 1, theorem 2.
    """
    require_positive(
        batch=batch,
        heads=heads,
        seq_len=seq_len,
        head_dim=head_dim,
        sram_bytes=sram_bytes,
        bytes_per_element=bytes_per_element,
    )
    columns = greatest(1, ceiling(quotient(sram_bytes, 4 * head_dim * bytes_per_element)))
    blocks = ceiling(quotient(seq_len, columns))
    vectors = batch * heads * seq_len * bytes_per_element  # bytes of one number for each row
    standard = vectors * (4 * head_dim + 4 * seq_len)
    flash = vectors * head_dim * (2 + 3 * blocks)
    return AttentionTraffic(columns, blocks, standard, flash, quotient(standard, flash))
