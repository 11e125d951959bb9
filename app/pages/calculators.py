"""/calculators: the index, one calculator in any state, solving it, and what flips its verdict."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

import calculators
from app.bank.topics import TOPICS
from app.pages import calculator_address, comparing, flips_view, plot_view, sharing, solving
from app.pages import calculator_view as view
from app.pages.calculator_address import Address, Kept
from app.pages.flips_view import FlipsView
from app.pages.htmx import VARY, address_headers, wants_fragment
from app.rendering import render
from calculators.spec import Calculator, Input, InvalidInputs, Output, Result, SolveError

router = APIRouter()

REST = "Ridgeway-Rest"  # the header with the address of what else a page says of the figures that came


async def _calculator(slug: str) -> Calculator:
    try:
        return calculators.get(slug)
    except calculators.UnknownCalculator as error:
        raise HTTPException(404, str(error)) from error


CalculatorDep = Annotated[Calculator, Depends(_calculator)]


@router.get("/calculators")
def index(request: Request, q: str = "") -> HTMLResponse:
    words = q.lower().split()
    found = [each for each in calculators.all() if all(word in _searched(each) for word in words)]
    topics: dict[str, list[Calculator]] = {}
    for each in found:
        topics.setdefault(TOPICS[each.topic].name, []).append(each)
    template = "calculators/_list.html" if wants_fragment(request) else "calculators/index.html"
    return render(request, template, nav="calculators", headers=VARY, q=q, topics=topics)


def _searched(calculator: Calculator) -> str:
    declared: list[Input | Output] = [*calculator.inputs, *calculator.outputs]
    names = (part for each in declared for part in (each.name, each.label))
    return " ".join((calculator.slug, calculator.title, calculator.summary, calculator.topic, *names)).lower()


@router.get("/calculators/{slug}")
async def show(request: Request, calculator: CalculatorDep) -> Response:
    address = calculator_address.read(request.query_params.multi_items())
    return _page(request, calculator, address, *calculator.lenient_query(address.inputs))


@router.get("/calculators/{slug}/solve")
def solve(request: Request, calculator: CalculatorDep) -> Response:
    address = calculator_address.read(request.query_params.multi_items())
    asked = {name: text for name, text in address.inputs if name in solving.FIELDS}
    inputs = ((name, text) for name, text in address.inputs if name not in solving.FIELDS)
    return _page(request, calculator, address, *calculator.lenient_query(inputs), asked)


@router.get("/calculators/{slug}/flips")
def flips(request: Request, calculator: CalculatorDep) -> Response:
    address = calculator_address.read(request.query_params.multi_items())
    raw, notices = calculator.lenient_query(address.inputs)
    found = flips_view.view(calculator, raw, address.kept)
    if wants_fragment(request):
        return render(request, "calculators/_flips_found.html", headers=VARY, flips=found)
    return _page(request, calculator, address, raw, notices, flips=found)


@router.get("/calculators/{slug}/rest")
def rest(request: Request, calculator: CalculatorDep) -> Response:
    """What the page says of a state beside its figures, and its address: to set it takes a browser as long as
    to show the figures."""
    address = calculator_address.read(request.query_params.multi_items())
    raw, _ = calculator.lenient_query(address.inputs)
    if not wants_fragment(request):  # an address that was copied or reloaded leads to the page
        here = calculator_address.path(calculator.slug, list(raw.items()), address.kept)
        return RedirectResponse(here, status_code=303)
    result, errors = evaluate(calculator, raw)
    if result is None:  # no state that was shown
        return Response(status_code=422, headers=VARY)
    shown = view.ResultView(result, address.kept)
    origin = _origin(request)
    return render(
        request,
        "calculators/_rest.html",
        headers=VARY | address_headers(request, shown.path),
        calculator=calculator,
        groups=view.groups(calculator, raw, result, errors),
        shown=shown,
        compared=comparing.view(calculator, address.kept, result),
        pinned=False,
        origin=origin,
        frame=sharing.frame(calculator, origin, shown.state),
    )


def _origin(request: Request) -> str:
    return request.app.state.settings.base_url or str(request.base_url).rstrip("/")


def _page(
    request: Request,
    calculator: Calculator,
    address: Address,
    raw: Mapping[str, str],
    notices: list[str],
    asked: Mapping[str, str] | None = None,
    flips: FlipsView | None = None,
) -> Response:
    """The whole page, or what changed of it. asked is the question to `solve`, where there is one."""
    result, errors = evaluate(calculator, raw)
    kept, about_pins = comparing.acted(calculator, address, result)
    choice, plot_text, about_plot = plot_view.chosen(calculator, kept.plot)
    kept = replace(kept, plot=plot_text)
    notices += [*about_pins, *about_plot]
    shown = view.ResultView(result, kept) if result else None
    if address.passing and shown and not (notices or shown.link_problem or wants_fragment(request)):
        return RedirectResponse(shown.path + ("#compared" if address.act else ""), status_code=303)
    fragment = wants_fragment(request)
    if fragment and shown and _figures_alone(address, kept, notices, shown) and asked is None:
        given = [(name, text) for name, text in raw.items() if text.strip()]  # a link may say less of them
        headers = {**VARY, REST: calculator_address.path(f"{calculator.slug}/rest", given, kept)}
        return render(request, "calculators/_results.html", headers=headers, shown=shown, flips=flips)
    question = solving.SolveForm.of(calculator, asked or {})
    solution = None
    if result and asked:
        question, solution = _solve(calculator, raw, question, kept)
    origin = _origin(request)
    headers = dict(VARY)
    if fragment and errors:
        headers["HX-Reswap"] = "none"  # the last results stay; what is wrong comes beside, out of band
    elif fragment and shown:
        here = f"{request.url.path}?{request.url.query}" if asked else shown.path
        headers |= address_headers(request, here)
    template = "calculators/show.html"
    if fragment:
        template = "calculators/_solution.html" if asked is not None else "calculators/_update.html"
    return render(
        request,
        template,
        nav="calculators",
        status=422 if errors or question.errors else 200,
        headers=headers,
        calculator=calculator,
        topic=TOPICS[calculator.topic].name,
        groups=view.groups(calculator, raw, result, errors),
        errors=errors,
        notices=notices,
        shown=shown,
        kept=kept,
        compared=comparing.view(calculator, kept, result),
        pinned=address.act == comparing.ADD and not about_pins,
        origin=origin,
        card=sharing.calculator_card(result, origin + shown.path)
        if result and shown and not fragment
        else None,
        frame=sharing.frame(calculator, origin, shown.state) if shown else "",
        plot_form=plot_view.form(calculator, choice),
        plot=plot_view.plot_view(result, choice, field="input-") if result and not fragment else None,
        question=question,
        solution=solution,
        flips=flips,
        swap=fragment,
    )


def _figures_alone(address: Address, kept: Kept, notices: list[str], shown: view.ResultView) -> bool:
    """Whether the figures say all that has changed but for what follows from them, which may come a moment
    later: nothing is wrong or passed over, the pins stay, and a link can ask for the rest."""
    return not (address.act or notices or shown.link_problem) and kept.pins == address.kept.pins


def evaluate(calculator: Calculator, raw: Mapping[str, str]) -> tuple[Result | None, dict[str, str]]:
    """The result, or what is wrong with each input."""
    try:
        return calculator.evaluate(raw), {}
    except InvalidInputs as invalid:
        return None, {error.field: error.message for error in invalid.errors}


def _solve(
    calculator: Calculator, raw: Mapping[str, str], question: solving.SolveForm, kept: Kept
) -> tuple[solving.SolveForm, solving.SolutionView | None]:
    try:
        solution = calculator.solve(question.solved_for, question.output, question.equals, raw)
    except SolveError as error:
        return question.with_errors({error.field: str(error)}), None
    except InvalidInputs as invalid:
        return question.with_errors({"name": str(invalid)}), None
    return question, solving.solution_view(calculator, solution, kept)
