"""/questions/{slug}/plot: the plot beside a model answer, asked for once its numbers are on the page."""

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from app.pages.htmx import VARY, wants_fragment
from app.pages.panel_plot import panel_plot
from app.pages.visit import VisitDep
from app.rendering import render

router = APIRouter(prefix="/questions/{slug}")


@router.get("/plot")
def plot(visit: VisitDep) -> Response:
    if not wants_fragment(visit.request):
        return RedirectResponse(visit.links.here, status_code=303)
    drawn = panel_plot(visit.asked.variant) if visit.state().revealed and not visit.asked.errors else None
    if drawn is None:  # the page says why, and keeps the plot of before
        return Response(status_code=422, headers={"HX-Reswap": "none", **VARY})
    return render(visit.request, "calculators/_plot_drawn.html", headers=VARY, plot=drawn, swap=False)
