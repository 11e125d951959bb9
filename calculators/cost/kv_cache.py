"""The key and value cache of a sequence."""

from calculators.cost.attention import tokens_over_layers, value_width
from calculators.cost.dimensions import Dimensions
from calculators.cost.errors import require_positive
from calculators.cost.exact import Real, choose, quotient


def kv_elements_per_token(*, dims: Dimensions) -> Real:
    """What one layer caches of one token: 2 * kv_heads * head_dim elements, a key and a value a head.

    A latent model caches kv_lora_rank + rope_head_dim instead, one latent that serves both.
    """
    shared = 2 * dims.kv_heads * dims.head_dim
    return choose(dims.kv_lora_rank > 0, dims.kv_lora_rank + dims.rope_head_dim, shared)


def kv_bytes_per_token(*, dims: Dimensions, bytes_per_element: Real) -> Real:
    """layers * kv_elements_per_token * bytes_per_element [B], while no window is full."""
    return dims.layers * kv_elements_per_token(dims=dims) * bytes_per_element


def kv_bytes_per_sequence(*, dims: Dimensions, seq_len: Real, bytes_per_element: Real) -> Real:
    """The cache of a sequence of seq_len tokens [B], summed over layers.

    A window layer holds min(seq_len, window) tokens, the others all of them.

    Leaves out pages that are not full and, for windows, servers that keep the whole sequence all the same.
    """
    tokens = tokens_over_layers(dims=dims, seq_len=seq_len)
    return tokens * kv_elements_per_token(dims=dims) * bytes_per_element


def mha_ratio(*, dims: Dimensions, seq_len: Real) -> Real:
    """How many times larger the cache would be with full attention and K, V for every head.

    2 * layers * heads * head_dim * seq_len elements (v_head_dim in a latent model) over those cached.
    Raises DomainError where seq_len is not above 0.
    """
    require_positive(seq_len=seq_len)
    multi_head = 2 * dims.layers * dims.heads * value_width(dims=dims) * seq_len
    cached = tokens_over_layers(dims=dims, seq_len=seq_len) * kv_elements_per_token(dims=dims)
    return quotient(multi_head, cached)
