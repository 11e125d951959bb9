"""/calculators/{slug}/plot: what a calculator's plot shows, asked for once the results are on the page."""

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from app.pages import calculator_address
from app.pages.calculators import CalculatorDep, evaluate
from app.pages.htmx import VARY, wants_fragment
from app.pages.plot_view import chosen, plot_view
from app.rendering import render

router = APIRouter()


@router.get("/calculators/{slug}/plot")
def plot(request: Request, calculator: CalculatorDep) -> Response:
    address = calculator_address.read(request.query_params.multi_items())
    raw, _ = calculator.lenient_query(address.inputs)
    if not wants_fragment(request):  # an address that was copied or reloaded leads to the page with its plot
        here = calculator_address.path(calculator.slug, list(raw.items()), address.kept)
        return RedirectResponse(here, status_code=303)
    result, _ = evaluate(calculator, raw)
    if result is None:  # the page says what is wrong, and keeps the plot of before
        return Response(status_code=422, headers={"HX-Reswap": "none", **VARY})
    choice, _, _ = chosen(calculator, address.kept.plot)
    drawn = plot_view(result, choice, field="input-")
    return render(request, "calculators/_plot_drawn.html", headers=VARY, plot=drawn, swap=True)
