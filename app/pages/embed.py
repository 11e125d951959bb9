"""/calculators/{slug}/embed: a calculator for a frame in somebody else's page.

It reads no session, sets no cookie and changes nothing, so the settings' `embed_origins` may frame it, by
default anybody; every other page forbids it.
"""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.dependencies import SettingsDep
from app.pages import calculator_address, calculator_view
from app.pages.calculators import CalculatorDep, evaluate
from app.pages.htmx import VARY, wants_fragment
from app.rendering import render
from app.security import content_security_policy

router = APIRouter()


@router.get("/calculators/{slug}/embed")
def embed(request: Request, calculator: CalculatorDep, settings: SettingsDep) -> HTMLResponse:
    address = calculator_address.read(request.query_params.multi_items())
    raw, notices = calculator.lenient_query(address.inputs)
    result, errors = evaluate(calculator, raw)
    fragment = wants_fragment(request)
    headers = VARY | {"Content-Security-Policy": content_security_policy(settings.frame_ancestors)}
    if fragment and errors:
        headers["HX-Reswap"] = "none"  # the last results stay; what is wrong comes beside, out of band
    return render(
        request,
        "calculators/_embedded.html" if fragment else "calculators/embed.html",
        status=422 if errors else 200,
        headers=headers,
        calculator=calculator,
        groups=calculator_view.groups(calculator, raw, result, errors),
        errors=errors,
        notices=notices,
        shown=calculator_view.ResultView(result) if result else None,
        swap=fragment,
    )
