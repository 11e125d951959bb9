"""A batch of dense matrix products, (m, k) times (k, n)."""

from calculators.cost.exact import Real


def matmul_flops(*, m: Real, k: Real, n: Real, batch: Real = 1) -> Real:
    """2 * batch * m * k * n [FLOP]: k multiply-adds, 2 FLOP each, for each of m * n results."""
    return 2 * batch * m * k * n


def matmul_bytes(*, m: Real, k: Real, n: Real, batch: Real = 1, bytes_per_element: Real) -> Real:
    """batch * (m*k + k*n + m*n) * bytes_per_element [B]: both operands read once, the result written once.

    Leaves out what tiling reads again when an operand does not fit the cache. An operand shared over the
    batch is still counted once per batch entry.
    """
    return batch * (m * k + k * n + m * n) * bytes_per_element
