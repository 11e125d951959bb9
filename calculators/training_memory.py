"""What training holds in memory beside activations: the model's states, and its logits."""

from collections.abc import Iterator, Mapping

from calculators.conventions import gigabytes
from calculators.cost.exact import Real
from calculators.cost.memory import (
    PRECISIONS,
    STATE_BYTES,
    ZERO_STAGES,
    gradient_bytes_per_param,
    logits_bytes,
    model_states,
    optimizer_bytes_per_param,
    weight_bytes_per_param,
)
from calculators.presets import DTYPES
from calculators.spec import (
    Budget,
    Calculator,
    Input,
    Output,
    Source,
    Term,
    Values,
    amount,
    by_name,
    choice,
    convention,
    count,
    part,
)
from calculators.spec.hardware_inputs import dtype_input, element_size


def _degree(name: str, label: str, symbol: str, default: str, help_text: str) -> Input:
    return count(name, label, symbol, default=default, help=help_text)


def _share(size: str, sharded_from: int, v: Values) -> str:
    by_data = " * data_parallel" if v.zero_stage >= sharded_from else ""
    return f"params * {size} / (tensor_parallel * pipeline_parallel{by_data})"


def _states(v: Values) -> dict[str, object]:
    states = model_states(
        params=v.params,
        optimizer=v.optimizer,
        precision=v.precision,
        gradient_bytes=DTYPES[v.gradient_dtype],
        zero_stage=v.zero_stage,
        data_parallel=v.data_parallel,
        tensor_parallel=v.tensor_parallel,
        pipeline_parallel=v.pipeline_parallel,
    )
    return {**by_name(states), "total_bytes": states.total_bytes}


def _state_notes(v: Values, _: Mapping[str, Real]) -> Iterator[str]:
    shards = v.tensor_parallel * v.pipeline_parallel * (v.data_parallel if v.zero_stage else 1)
    if v.params % shards:
        yield (
            f"The parameters do not divide over {shards:,} shards: shares are counted as fractions here, "
            "real systems pad."
        )
    if v.zero_stage and v.data_parallel == 1:
        yield "ZeRO shards over data_parallel, which is 1 here: no stage changes anything."
    if v.precision == "fp32" and v.gradient_dtype != "fp32":
        yield "In fp32 gradients take 4 bytes; gradient_dtype plays no part."


TRAINING_MEMORY = Calculator(
    slug="training-memory",
    title="Training memory",
    topic="training-memory",
    summary="Weights, gradients and optimizer states on one device, with ZeRO's three stages of sharding and "
    "tensor and pipeline parallelism.",
    inputs=(
        amount("params", "Parameters", "N", default="7.5e9", help="All of the model, not the active ones."),
        choice(
            "optimizer",
            "Optimizer",
            STATE_BYTES,
            default="adam",
            help="Bytes of state a parameter: adam 8, momentum and muon 4, adam8bit 2, sgd and adafactor 0.",
        ),
        choice(
            "precision",
            "Precision",
            PRECISIONS,
            default="mixed",
            help="mixed has 2-byte weights and an fp32 master copy; fp32 has 4-byte weights and no copy.",
        ),
        choice(
            "gradient_dtype",
            "Gradient format",
            ("bf16", "fp16", "fp32"),
            default="bf16",
            help="Of the gradients that are kept in mixed precision. Many frameworks sum them in fp32.",
        ),
        count(
            "zero_stage",
            "ZeRO stage",
            "z",
            least=0,
            maximum=ZERO_STAGES,
            default="0",
            help="0 shards nothing, 1 the optimizer, 2 the gradients too, 3 the weights too (FSDP).",
        ),
        _degree("data_parallel", "Data parallel", "D", "64", "Replicas, over which ZeRO shards."),
        _degree("tensor_parallel", "Tensor parallel", "T", "1", "Devices that share each layer."),
        _degree("pipeline_parallel", "Pipeline parallel", "P", "1", "Stages that share the layers evenly."),
    ),
    terms=(
        Term(
            name="weight_size",
            label="bytes of one weight",
            family="bytes",
            symbol="e_w",
            derive=lambda v: weight_bytes_per_param(precision=v.precision),
        ),
        Term(
            name="gradient_size",
            label="bytes of one gradient",
            family="bytes",
            symbol="e_g",
            derive=lambda v: gradient_bytes_per_param(
                precision=v.precision, gradient_bytes=DTYPES[v.gradient_dtype]
            ),
        ),
        Term(
            name="optimizer_size",
            label="bytes of the optimizer a parameter, the fp32 master copy of mixed precision included",
            family="bytes",
            symbol="e_o",
            derive=lambda v: optimizer_bytes_per_param(optimizer=v.optimizer, precision=v.precision),
        ),
    ),
    outputs=(
        Output(
            name="weight_bytes",
            label="Weights",
            symbol="B_w",
            family="bytes",
            formula=lambda v: _share("weight_size", 3, v),
            meaning="Of one device, sharded over the replicas from stage 3.",
        ),
        Output(
            name="gradient_bytes",
            label="Gradients",
            symbol="B_g",
            family="bytes",
            formula=lambda v: _share("gradient_size", 2, v),
            meaning="Of one device, sharded over the replicas from stage 2.",
        ),
        Output(
            name="optimizer_bytes",
            label="Optimizer",
            symbol="B_o",
            family="bytes",
            formula=lambda v: _share("optimizer_size", 1, v),
            meaning="States and master weights of one device, sharded over the replicas from stage 1.",
        ),
        Output(
            name="total_bytes",
            label="Model states",
            symbol="B",
            family="bytes",
            formula="weight_bytes + gradient_bytes + optimizer_bytes",
            meaning="The three together on one device, before any activation.",
            source="Rajbhandari et al. 2020, figure 1",
        ),
    ),
    headline="total_bytes",
    compute=_states,
    budget=Budget(
        (
            part("Weights", "weight_bytes"),
            part("Gradients", "gradient_bytes"),
            part("Optimizer", "optimizer_bytes"),
        ),
        total="total_bytes",
    ),
    notes=_state_notes,
    plot=("data_parallel", "total_bytes", "zero_stage"),
    sources=(
        Source(
            "Rajbhandari et al. 2020: ZeRO, memory optimizations toward training trillion parameter models",
            "https://arxiv.org/abs/1910.02054",
            "3.1, figure 1 and table 1",
        ),
        Source(
            "Micikevicius et al. 2018: Mixed precision training", "https://arxiv.org/abs/1710.03740", "3.1"
        ),
    ),
    leaves_out=(
        "Activations, which grow with the batch; see the activation memory calculator.",
        "Communication buffers, fragmentation, and the layers that stage 3 gathers while it computes them.",
        "Adafactor's row and column sums, and the scales of 8-bit states.",
        "Stages of a pipeline that are not equal: the embedding and the head make the ends larger.",
    ),
    conventions=(
        convention(
            "The fp32 master weights of mixed precision belong to the optimizer, as in the ZeRO paper.",
            "optimizer_bytes",
        ),
        convention(
            "Gradients are bf16 unless said otherwise; fp32 main gradients take 2 bytes a parameter more. "
            "They are held once: an fp16 optimizer with fp32 copies beside takes 4 bytes a parameter on top.",
            "gradient_dtype",
        ),
        convention(
            "ZeRO shards over data_parallel; tensor and pipeline parallelism divide all three parts.",
            "zero_stage",
        ),
        convention(
            "Muon's momentum is 4 bytes for every parameter, though it leaves embeddings to Adam.",
            "optimizer",
        ),
        gigabytes("total_bytes"),
    ),
)


def _logits(v: Values) -> dict[str, object]:
    one = logits_bytes(
        batch=v.batch, seq_len=v.seq_len, vocab_size=v.vocab_size, bytes_per_element=v.bytes_per_element
    )
    return {"logits_bytes": one, "peak_bytes": v.copies * one}


LOGITS = Calculator(
    slug="logits",
    title="Logits",
    topic="training-memory",
    summary="Memory of a training batch's logits: a number for each token and each word of the vocabulary, "
    "and as much again for the gradient.",
    inputs=(
        count("batch", "Batch", "b", default="8", help="Sequences that pass at once on one device."),
        count("seq_len", "Sequence length", "n", default="4096", help="Tokens of a sequence."),
        count("vocab_size", "Vocabulary", "V", default="128256", help="Tokens that the model knows."),
        dtype_input("fp32", help="Of the logits. The loss is usually computed in fp32."),
        count(
            "copies",
            "Copies at the peak",
            "c",
            default="2",
            help="Tensors of this size at once: the logits and their gradient. Unfused losses hold more.",
        ),
    ),
    terms=(element_size(),),
    outputs=(
        Output(
            name="logits_bytes",
            label="Logits",
            symbol="B_logits",
            family="bytes",
            formula="batch * seq_len * vocab_size * bytes_per_element",
            meaning="One tensor of them.",
        ),
        Output(
            name="peak_bytes",
            label="At the peak",
            symbol="B_peak",
            family="bytes",
            formula="copies * logits_bytes",
            meaning="All copies that stand at the same time.",
        ),
    ),
    compute=_logits,
    budget=Budget((part("Logits, all copies", "peak_bytes"),), total="peak_bytes"),
    plot=("seq_len", "peak_bytes"),
    sources=(
        Source(
            "Wijmans et al. 2024: Cut your losses in large-vocabulary language models",
            "https://arxiv.org/abs/2411.09009",
            "1 and figure 1",
        ),
    ),
    leaves_out=(
        "A fused or chunked loss, which never stores all logits at once.",
        "A vocabulary sharded by tensor parallelism: divide by its degree.",
        "Inference, which needs the logits of the last token of each sequence only.",
    ),
    conventions=(
        convention(
            "Two copies are the logits and their gradient; a 16-bit copy beside an fp32 one is not counted.",
            "copies",
        ),
        gigabytes("logits_bytes"),
    ),
)
