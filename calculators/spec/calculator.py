"""A calculator: one declaration that validates, evaluates, sweeps, solves, explains and links."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from calculators.spec import explaining, linking, reading, resolving, solving, sweeping
from calculators.spec.budgets import Budget
from calculators.spec.declare import (
    Check,
    Compute,
    Convention,
    Input,
    Needs,
    Notes,
    Output,
    Source,
    Term,
)
from calculators.spec.errors import FieldError, Unavailable
from calculators.spec.evaluating import evaluate, whole
from calculators.spec.results import Array, Exact, Resolved, Result, Solution, Step
from calculators.spec.values import Values

if TYPE_CHECKING:
    from calculators.spec.flipping import Flips


class Change(NamedTuple):
    """What a version of the calculator corrected, for a reader whose link is older."""

    version: int
    what: str


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Calculator:
    """Inputs and outputs over cost functions.

    `compute` maps the inputs to outputs and terms by name, scalars or arrays alike. `needs` names the inputs
    that the outputs cannot do without, so that custom hardware or a custom model is asked for these and no
    others. `limits` names the time or rate behind each word of `bound`, `budget` the parts that fill a
    device's memory. `notes` are remarks on one result.

    `plot` is what the page draws at first: over which input, which output, and the choice that tells its
    lines apart, if any. `traces` has outputs that one input alone moves, so that others are drawn over them.
    """

    slug: str
    title: str
    topic: str
    summary: str
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    compute: Compute
    needs: Needs = ()
    terms: tuple[Term, ...] = ()
    checks: tuple[Check, ...] = ()
    limits: Mapping[str, str] | None = None
    budget: Budget | None = None
    notes: Notes | None = None
    plot: tuple[str, ...] = ()
    traces: Mapping[str, str] | None = None
    sources: tuple[Source, ...]
    leaves_out: tuple[str, ...]
    conventions: tuple[Convention, ...]
    headline: str = ""  # the output that one line about a result gives; the first where none is named
    version: int = 1
    changes: tuple[Change, ...] = ()

    def __repr__(self) -> str:
        return f"<Calculator {self.slug}>"

    @cached_property
    def input_names(self) -> dict[str, Input]:
        """The inputs by name, in order."""
        return {declared.name: declared for declared in self.inputs}

    @cached_property
    def output_names(self) -> dict[str, Output]:
        """The outputs by name, in order."""
        return {declared.name: declared for declared in self.outputs}

    @cached_property
    def term_names(self) -> dict[str, Term]:
        """The terms by name, in order."""
        return {declared.name: declared for declared in self.terms}

    @cached_property
    def verdict(self) -> Output | None:
        """The output that is a word or a yes or no: what binds, what is faster, whether it fits or hides."""
        return next((declared for declared in self.outputs if declared.family is None), None)

    @cached_property
    def derived(self) -> Mapping[str, Callable[[Values], Any]]:
        """How each input that was not given, and each looked-up term, comes about."""
        parts: tuple[Input | Term, ...] = (*self.inputs, *self.terms)
        return {part.name: part.derive for part in parts if part.derive is not None}

    @cached_property
    def noted(self) -> Mapping[str, Callable[[Values], str]]:
        """The inputs that may call for a remark."""
        return {declared.name: declared.note for declared in self.inputs if declared.note is not None}

    @cached_property
    def defaulted(self) -> tuple[Input, ...]:
        """The inputs with a default, those whose default hangs on another's value last."""
        with_default = (declared for declared in self.inputs if declared.default is not None)
        return tuple(sorted(with_default, key=lambda declared: declared.default_with is not None))

    @cached_property
    def defaults(self) -> Mapping[str, tuple[Any, str]]:
        """Each default as its value and its text."""
        read: dict[str, tuple[Any, str]] = {}
        for declared in self.defaulted:
            outcome = reading.read(declared, declared.default)
            if isinstance(outcome, FieldError):
                raise TypeError(f"{self.slug}: the default of {outcome.message}")
            read[declared.name] = outcome.value, outcome.text
        return read

    def needed(self, values: Values) -> tuple[str, ...]:
        """The inputs that the outputs cannot do without, given these values."""
        if not callable(self.needs):
            return self.needs
        try:
            return tuple(self.needs(values))
        except Unavailable:  # a choice that decides it was itself refused
            return ()

    def validate(self, raw: Mapping[str, Any] | None = None, /, **inputs: Any) -> Resolved:
        """The inputs resolved, or InvalidInputs with every error at once. Blank values count as not given."""
        return resolving.resolve(self, {**(raw or {}), **inputs})

    def evaluate(self, raw: Mapping[str, Any] | Resolved | None = None, /, **inputs: Any) -> Result:
        """All outputs, exactly: evaluate({"seq_len": "8k"}) or evaluate(seq_len=8000)."""
        resolved = raw if isinstance(raw, Resolved) else self.validate(raw, **inputs)
        return evaluate(self, resolved)

    def sweep(
        self, name: str, array: object, raw: Mapping[str, Any] | None = None, /, **inputs: Any
    ) -> dict[str, Array]:
        """Every output over an array of values of one numeric input, in one call.

        Points that the input or a check does not allow are nan (None where an output is a word).
        """
        return sweeping.sweep(self, name, array, {**(raw or {}), **inputs})

    def beside(self, name: str, raw: Mapping[str, Any] | None = None, /, **inputs: Any) -> Resolved:
        """The inputs that a sweep or a solve over `name` holds fast, checked as far as they go without it."""
        return sweeping.base(self, name, {**(raw or {}), **inputs})

    def solve(
        self, name: str, output: str, target: object, raw: Mapping[str, Any] | None = None, /, **inputs: Any
    ) -> Solution:
        """The values of one numeric input at which an output reaches the target ("80 GB", or a number)."""
        return solving.solve(self, name, output, target, {**(raw or {}), **inputs})

    def flips(self, raw: Mapping[str, Any] | None = None, /, **inputs: Any) -> "Flips | None":
        """Which single change of an input flips the verdict; None for a calculator without one."""
        from calculators.spec import flipping  # asked for seldom, so that the import stays light

        return flipping.flips(self, {**(raw or {}), **inputs})

    def explain(self, result: Result, only: Collection[str] | None = None) -> list[Step]:
        """The derivation of each output, or of `only` these: formula, numbers put in, result."""
        return explaining.explain(self, result, only)

    def link_query(self, resolved: Resolved) -> list[tuple[str, str]]:
        """The query that restores this state: the version as v, and every input given or with a default."""
        return linking.link_query(self, resolved)

    def parse_query(self, pairs: Iterable[tuple[str, str]], beside: str | None = None) -> dict[str, str]:
        """The inputs of a strict query: refuses repeated and unknown names and a version that never was.

        `beside` names an input that is swept or solved for, so that nothing is expected of it.
        """
        return linking.parse_query(self, pairs, beside)

    def lenient_query(self, pairs: Iterable[tuple[str, str]]) -> tuple[dict[str, str], list[str]]:
        """The inputs of a query as a page takes them, and a notice for each thing that was passed over."""
        return linking.lenient_query(self, pairs)

    def news(self, pairs: Iterable[tuple[str, str]]) -> list[str]:
        """What was corrected since a link with this query was made, in sentences."""
        return linking.news(self, pairs)

    def unknown_names(self, raw: Iterable[str]) -> list[str]:
        """The names among these that are no inputs."""
        return [name for name in raw if name not in self.input_names]

    def resolved_inputs(self, resolved: Resolved) -> dict[str, Exact]:
        """Every input's value, followers and preset figures included; None where nothing supplies one."""
        return {name: whole(value) for name, value in resolved.values.look_up(self.input_names).items()}
