"""The expressions of a question file: arithmetic over named numbers, and nothing else.

An expression is numbers, names, one-level attributes (`scores.score_bytes`), + - * / // % **, comparisons,
and/or/not, text under == and != only, and calls to the functions of FUNCTIONS. Three gates keep it that
small: a token that is not listed does not reach Python's parser, a syntax node that is not listed does not
pass the checker, and only listed nodes have a function that computes them. Nothing is ever run as Python.

Numbers are exact: a literal is the decimal that was written, int / int is a Fraction, and a result that is
whole is an int. Only sqrt, logarithms, exp and fractional powers round, where the result is irrational.
"""

import ast
import functools
import keyword
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NoReturn

from app.bank.exact_math import FUNCTIONS, OPERATORS, UnusableError, bounded, read_value
from app.bank.problems import BankError, BrokenQuestionError, did_you_mean

MAX_LENGTH = 300
MAX_DEPTH = 50
MAX_EXPONENT_OF_LITERAL = 400

Result = int | Fraction | bool | str
Value = Result | float | None
Names = Mapping[str, Value | Mapping[str, Value]]
Evaluate = Callable[[Names], Result]


class ExpressionError(BankError, ValueError):
    """An expression that cannot be read or has no value; `column` counts from 1."""

    def __init__(self, message: str, source: str, column: int = 1, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.column = column
        self.hint = hint

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        return self._placed + hint

    @property
    def _placed(self) -> str:
        return f"{self.message} at column {self.column} of `{self.source}`"

    def broken(self, line: int) -> BrokenQuestionError:
        """The same as an error of the question that the expression stands in."""
        return BrokenQuestionError(self._placed, line=line, hint=self.hint)


@dataclass(frozen=True, slots=True)
class Reference:
    """One use of a name: `seq_len`, or `scores.score_bytes` with its attribute."""

    name: str
    attribute: str | None
    column: int

    def __str__(self) -> str:
        return self.name if self.attribute is None else f"{self.name}.{self.attribute}"


@dataclass(frozen=True, slots=True)
class Expression:
    """A compiled expression: parsed and checked once, evaluated for every variant."""

    source: str
    references: tuple[Reference, ...]
    tree: ast.expr = field(repr=False, compare=False)
    evaluate: Evaluate = field(repr=False, compare=False)  # an int where whole, else a Fraction, bool or text

    @property
    def names(self) -> frozenset[str]:
        """Every name that it reads, calculators included."""
        return frozenset(reference.name for reference in self.references)

    @property
    def attributes(self) -> frozenset[tuple[str, str]]:
        """Every (calculator, output) that it reads."""
        return frozenset((r.name, r.attribute) for r in self.references if r.attribute is not None)

    @property
    def bare(self) -> Reference | None:
        """The one reference that is the whole expression, else None."""
        return self.references[0] if isinstance(self.tree, ast.Name | ast.Attribute) else None


@functools.lru_cache(maxsize=8192)
def compile(text: str) -> Expression:
    """Parse and check an expression; an ExpressionError says what is wrong, where, and what to write."""
    if len(text) > MAX_LENGTH:
        message = f"An expression has at most {MAX_LENGTH} characters; this has {len(text)}"
        raise ExpressionError(message, text[:40] + "...", MAX_LENGTH + 1, "put parts of it under let")
    tree = _parse(text)
    checker = _Checker(text)
    checker.check(tree, depth=1)
    source = text.strip()
    return Expression(source, tuple(checker.references), tree, _Compiler(source).function(tree))


# ---------------------------------------------------------------- reading

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+)
      | (?P<number>(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<text>"[^"\\\x00-\x1f]*"|'[^'\\\x00-\x1f]*')
      | (?P<operator>\*\*|//|==|!=|<=|>=|[-+*/%<>().,])""",
    re.VERBOSE | re.ASCII,
)
_PARTS = "numbers, names, arithmetic, comparisons, and, or, not, and the listed functions"
_INSTEAD = {
    "=": "== compares",
    "^": "a power is **",
    "&": "write and",
    "|": "write or",
    "!": "write not, or != to compare",
    "×": "a product is *",
    "·": "a product is *",
    "÷": "a quotient is /",
    "−": "minus is -",
    "≤": "write <=",
    "≥": "write >=",
    "≠": "write !=",
    "[": "an output of a calculator is name.output",
    "\\": "a text holds no backslash",
    '"': "a text ends on the line where it began",
    "'": "a text ends on the line where it began",
}
_WORD_INSTEAD = {
    "True": "write the condition itself",
    "False": "write not and the condition",
    "None": "an output without a value cannot be used",
    "if": "choose(condition, text, text) in prose, min or max in numbers",
}


def _refuse(message: str, source: str, at: int, hint: str = "") -> NoReturn:
    raise ExpressionError(message, source, at + 1, hint)


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    at: int


def tokens(source: str) -> Iterator[Token]:
    """The tokens of an expression or substitution; refuses every character and word that none has."""
    at = 0
    previous = ""
    while at < len(source):
        match = _TOKEN.match(source, at)
        if match is None:
            _refuse(f"{source[at]!r} has no meaning here", source, at, _INSTEAD.get(source[at], _PARTS))
        kind, word = match.lastgroup or "", match.group()
        if previous in ("number", "name") and kind in ("number", "name", "text"):
            hint = "an operator or a comma stands between two values"
            if previous == "number":
                hint = "numbers carry no unit: bytes, FLOP and seconds, as in 80e9"
            _refuse(f"{word!r} runs into what stands before it", source, at, hint)
        if kind == "name" and word not in ("and", "or", "not"):
            if keyword.iskeyword(word):
                _refuse(f"{word!r} is not a word of expressions", source, at, _WORD_INSTEAD.get(word, _PARTS))
            if word.startswith("_"):
                _refuse(f"{word!r} is refused", source, at, "a name begins with a letter")
        if kind != "space":
            yield Token(kind, word, at)
        previous = kind
        at = match.end()


def _parse(text: str) -> ast.expr:
    if not list(tokens(text)):
        _refuse("The expression is empty", text, 0, "a number, a name or arithmetic")
    # Leading and inner line breaks mean nothing here, but would to Python's parser.
    flat = re.sub(r"[\t\r\n]", " ", text)
    indent = len(flat) - len(flat.lstrip())
    flat = flat.strip()
    try:
        tree = ast.parse(flat, mode="eval").body
    except SyntaxError as error:
        offset = min(error.offset or len(flat), len(flat))
        hint = "brackets and operators in pairs, as in (a + b) / c"
        _refuse(f"This cannot be read: {error.msg}", text, indent + offset - 1, hint)
    except (ValueError, MemoryError, RecursionError):
        _refuse("This cannot be read: nested too deep", text, 0, "put parts of it under let")
    return tree


class _Checker:
    """Walks a syntax tree: refuses what is not listed, makes literals exact, collects the references."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.references: list[Reference] = []
        self._indent = len(source) - len(source.lstrip())
        self._bytes = source.strip().encode()

    def check(self, node: ast.expr, depth: int, *, text_allowed: bool = False) -> None:
        if depth > MAX_DEPTH:
            self._refuse(f"More than {MAX_DEPTH} levels deep", node, "put parts of it under let")
        below = depth + 1
        match node:
            case ast.Constant():
                self._constant(node, text_allowed)
            case ast.Name():
                self._name(node)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                self.references.append(Reference(name, attribute, self._at(node) + 1))
            case ast.Attribute():
                self._refuse("An attribute of an attribute", node, "an output is name.output, one level deep")
            case ast.UnaryOp():
                self.check(node.operand, below)
            case ast.BinOp() if type(node.op) in OPERATORS:
                self.check(node.left, below)
                self.check(node.right, below)
            case ast.BoolOp():
                for value in node.values:
                    self.check(value, below)
            case ast.Compare():
                same_or_not = all(isinstance(operator, ast.Eq | ast.NotEq) for operator in node.ops)
                for side in (node.left, *node.comparators):
                    self.check(side, below, text_allowed=same_or_not)
            case ast.Call(func=ast.Name(id=name)):
                self._call(node, name)
                for argument in node.args:
                    self.check(argument, below)
            case _:
                self._refuse(f"{type(node).__name__.lower()} is not part of expressions", node, _PARTS)

    def _constant(self, node: ast.Constant, text_allowed: bool) -> None:
        if isinstance(node.value, str):
            if not text_allowed:
                self._refuse("A text stands only beside == or !=", node, 'as in read.bound == "memory"')
            return
        if not isinstance(node.value, int | float):
            self._refuse("This cannot be read", node, "write a number")
        literal = self._bytes[node.col_offset : node.end_col_offset].decode()
        exponent = re.search(r"[eE]([+-]?\d+)$", literal)
        if exponent and abs(int(exponent.group(1))) > MAX_EXPONENT_OF_LITERAL:
            self._refuse("The exponent is too large", node, f"it is within ±{MAX_EXPONENT_OF_LITERAL}")
        exact = Fraction(literal.replace("_", ""))
        # The tree is only ours from here on, and a Fraction keeps the decimal that was written.
        node.value = exact.numerator if exact.denominator == 1 else exact  # type: ignore[assignment]

    def _name(self, node: ast.Name) -> None:
        if node.id in FUNCTIONS:
            self._refuse(f"{node.id} is a function", node, f"call it: {node.id}(...)")
        self.references.append(Reference(node.id, None, self._at(node) + 1))

    def _call(self, node: ast.Call, name: str) -> None:
        function = FUNCTIONS.get(name)
        if function is None:
            self._refuse(f"There is no function {name}", node, did_you_mean(name, FUNCTIONS.keys()))
        if not function.least <= len(node.args) <= function.most:
            self._refuse(f"{name} has another number of values", node, function.usage)

    def _at(self, node: ast.expr) -> int:
        """The offset in the source, in characters: ast counts UTF-8 bytes."""
        return self._indent + len(self._bytes[: node.col_offset].decode(errors="ignore"))

    def _refuse(self, message: str, node: ast.expr, hint: str = "") -> NoReturn:
        _refuse(message, self.source, self._at(node), hint)


# ---------------------------------------------------------------- evaluating


class _Compiler:
    """Turns a checked tree into a function of the names, node by node; only listed nodes have a form here."""

    def __init__(self, source: str) -> None:
        self.source = source

    def function(self, node: ast.expr) -> Evaluate:
        match node:
            case ast.Constant():
                constant: Any = node.value  # by now any exact number, or a text
                return lambda names: constant
            case ast.Name():
                evaluate = self._name(node)
            case ast.Attribute(value=ast.Name(id=name)):
                evaluate = self._attribute(node, name)
            case ast.UnaryOp(op=operator, operand=operand):
                evaluate = _applied(OPERATORS[type(operator)], [self.function(operand)])
            case ast.BinOp(left=left, op=operator, right=right):
                evaluate = _applied(OPERATORS[type(operator)], [self.function(left), self.function(right)])
            case ast.Compare():
                evaluate = self._compare(node)
            case ast.BoolOp():
                evaluate = self._bool_op(node)
            case ast.Call(func=ast.Name(id=name), args=arguments):
                evaluate = _applied(FUNCTIONS[name].call, [self.function(each) for each in arguments])
            case _:
                raise AssertionError(f"the checker let {type(node).__name__} pass")
        return self._placed(evaluate, node)

    def _placed(self, evaluate: Evaluate, node: ast.expr) -> Evaluate:
        """The function, its failures turned into ExpressionErrors that know their column."""

        def placed(names: Names) -> Result:
            try:
                return evaluate(names)
            except ExpressionError:
                raise
            except UnusableError as error:
                self._refuse(str(error), node, "use require to keep such values out")
            except ZeroDivisionError:
                self._refuse("This divides by zero", node, "use require to keep such values out")
            except (ArithmeticError, ValueError):
                self._refuse(
                    "This has no value that is a number", node, "use require to keep such values out"
                )

        return placed

    def _name(self, node: ast.Name) -> Evaluate:
        name = node.id

        def evaluate(names: Names) -> Result:
            if name not in names:
                self._refuse(f"{name} is not known here", node, did_you_mean(name, names.keys()))
            value = names[name]
            # Nearly always; asking for a Mapping takes long.
            if type(value) is int or type(value) is Fraction:
                return bounded(value)
            if isinstance(value, Mapping):
                some = next(iter(value), "output")
                self._refuse(f"{name} is a calculator", node, f"name an output of it, as in {name}.{some}")
            return read_value(value, name)

        return evaluate

    def _attribute(self, node: ast.Attribute, name: str) -> Evaluate:
        attribute, label = node.attr, f"{name}.{node.attr}"

        def evaluate(names: Names) -> Result:
            if name not in names:
                self._refuse(f"{name} is not known here", node, did_you_mean(name, names.keys()))
            outputs: Any = names[name]
            try:
                value = outputs[attribute]
            except TypeError:
                self._refuse(f"{name} is not a calculator and has no outputs", node, f"write {name} alone")
            except KeyError:
                hint = did_you_mean(attribute, outputs.keys())
                self._refuse(f"{name} has no output {attribute}", node, hint)
            return read_value(value, label)

        return evaluate

    def _compare(self, node: ast.Compare) -> Evaluate:
        """As in Python: 1 < a < 10 compares neighbours, and stops at the first that does not hold."""
        sides = [self.function(side) for side in (node.left, *node.comparators)]
        operations = [OPERATORS[type(operator)] for operator in node.ops]

        def evaluate(names: Names) -> Result:
            left = sides[0](names)
            for operation, side in zip(operations, sides[1:], strict=True):
                right = side(names)
                if not operation(left, right):
                    return False
                left = right
            return True

        return evaluate

    def _bool_op(self, node: ast.BoolOp) -> Evaluate:
        stops = isinstance(node.op, ast.Or)
        parts = [(part, self.function(part)) for part in node.values]

        def evaluate(names: Names) -> Result:
            for part, function in parts:
                value = function(names)
                if not isinstance(value, bool):
                    self._refuse(
                        f"{'or' if stops else 'and'} joins conditions", part, "write > 0 or == after it"
                    )
                if value is stops:
                    return stops
            return not stops

        return evaluate

    def _refuse(self, message: str, node: ast.expr, hint: str = "") -> NoReturn:
        prefix = self.source.encode()[: node.col_offset]
        _refuse(message, self.source, len(prefix.decode(errors="ignore")), hint)


def _applied(operation: Callable[..., Result], operands: list[Evaluate]) -> Evaluate:
    if len(operands) == 2:  # nearly always; this is where a variant spends its time
        left, right = operands
        return lambda names: operation(left(names), right(names))
    return lambda names: operation(*(operand(names) for operand in operands))
