from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse
from fastapi.testclient import TestClient

from app.accounts.cookie import NEW_TOKEN, SessionCookie


def client(*, secure: bool, address: str = "http://testserver") -> TestClient:
    app = FastAPI()

    @app.get("/opens")
    def opens(request: Request) -> RedirectResponse:
        setattr(request.state, NEW_TOKEN, "token-1")
        return RedirectResponse("/elsewhere", status_code=303)

    @app.get("/reads")
    def reads() -> str:
        return "nothing to remember"

    app.add_middleware(SessionCookie, secure=secure)
    return TestClient(app, base_url=address, follow_redirects=False)


def test_a_new_token_goes_out_even_with_a_response_of_the_routes_own() -> None:
    cookie = client(secure=False).get("/opens").headers["set-cookie"]
    assert cookie == "ridgeway_session=token-1; HttpOnly; Max-Age=7776000; Path=/; SameSite=lax"


def test_over_https_it_is_limited_to_it() -> None:
    assert client(secure=True).get("/opens").headers["set-cookie"].endswith("; Secure")


def test_so_it_is_where_the_request_came_over_https() -> None:
    opened = client(secure=False, address="https://testserver").get("/opens")
    assert opened.headers["set-cookie"].endswith("; Secure")


def test_where_nothing_was_opened_nothing_is_sent() -> None:
    assert "set-cookie" not in client(secure=False).get("/reads").headers
