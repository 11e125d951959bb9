"""Pinned states of a calculator: in the address, through its buttons, in its table."""

import html
import re
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

import calculators
from app.pages import calculator_address, comparing

SCORES = "/calculators/attention-scores"
CALCULATOR = calculators.get("attention-scores")
HTMX = {"HX-Request": "true", "HX-Current-URL": f"http://127.0.0.1{SCORES}"}
STATE = [
    ("v", "1"),
    ("batch", "32"),
    ("heads", "16"),
    ("seq_len", "1024"),
    ("layers", "1"),
    ("dtype", "fp32"),
]
LONG, SHORT = "seq_len=8k&as=long", "seq_len=512"


def ask(client: TestClient, *pairs: tuple[str, str], **headers: str) -> Response:
    return client.get(f"{SCORES}?{urlencode(pairs)}", headers=headers, follow_redirects=False)


def pins(address: str) -> list[str]:
    return [
        text for name, text in parse_qsl(urlsplit(address).query, keep_blank_values=True) if name == "pin"
    ]


def cells(page: str, label: str) -> list[str]:
    """The texts of one row of the comparison."""
    [row] = re.findall(rf'<tr>\s*<th scope="row">{re.escape(label)}</th>(.*?)</tr>', page, re.DOTALL)
    found = re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)
    return [html.unescape(" ".join(re.sub(r"<[^>]+>", " ", cell).split())) for cell in found]


def heads(page: str) -> list[str]:
    """The names of the columns."""
    named = r'<input type="text" class="pin-label"[^>]* value="([^"]*)" placeholder="([^"]*)"'
    return [html.unescape(name or other) for name, other in re.findall(named, page)]


def test_no_input_has_a_name_that_the_page_keeps_for_itself() -> None:
    reserved = {
        *calculator_address.KEPT_NAMES,
        calculator_address.DO,
        calculator_address.NAME,
        comparing.NAME,
    }
    for calculator in calculators.all():
        assert reserved.isdisjoint(calculator.input_names)


def test_pinning_without_javascript_leads_to_an_address_with_the_pin(client: TestClient) -> None:
    answer = ask(client, ("seq_len", "8k"), ("dtype", "fp32"), ("kv_len", ""), ("pin-do", "add"))
    assert answer.status_code == 303
    address = answer.headers["location"]
    assert pins(address) == ["seq_len=8k"]  # what is at its default does not travel
    page = client.get(address).text
    assert cells(page, "Score matrix") == ["122 GiB", "122 GiB same"]


def test_the_present_state_follows_and_the_pins_stay(client: TestClient) -> None:
    figures = ask(client, ("seq_len", "2048"), ("pin", LONG), ("pin", SHORT), **HTMX)
    answer = client.get(figures.headers["ridgeway-rest"], headers=HTMX)
    assert pins(answer.headers["hx-push-url"]) == [LONG, SHORT]
    assert heads(answer.text) == ["long", "Pin 2"]
    assert cells(answer.text, "Sequence length") == ["8,000", "512", "2,048"]
    assert cells(answer.text, "Score matrix") == ["122 GiB", "512 MiB 0.0041×", "8 GiB 0.0655×"]


def test_pins_and_plot_travel_in_the_copied_link_and_not_to_the_api(client: TestClient) -> None:
    page = ask(client, ("seq_len", "2048"), ("pin", LONG), ("plot", "heads:score_bytes")).text
    link, command = (
        html.unescape(re.findall(rf'id="{id}"[^>]* value="([^"]*)"', page)[0]) for id in ("link", "command")
    )
    assert pins(link) == [LONG]
    assert dict(parse_qsl(urlsplit(link).query))["plot"] == "heads:score_bytes"
    assert "pin" not in command
    assert "is no input here" not in page
    [json_path] = re.findall(r'href="(/api/[^"]*attention-scores[^"]*)"', page)
    answer = client.get(html.unescape(json_path)).json()
    assert answer["inputs"]["seq_len"] == 2048
    assert client.get(f"/api/v1{SCORES}?pin=").status_code == 422


@pytest.mark.parametrize(
    ("act", "left"),
    [
        ("drop.1", ["b", "c"]),
        ("first.3", ["c", "a", "b"]),
        ("left.2", ["b", "a", "c"]),
        ("left.1", ["a", "b", "c"]),
        ("right.1", ["b", "a", "c"]),
        ("right.3", ["a", "b", "c"]),
        ("drop.4", ["a", "b", "c"]),
        ("drop.0", ["a", "b", "c"]),
        ("drop.-1", ["a", "b", "c"]),
        (f"drop.{'9' * 5000}", ["a", "b", "c"]),
        ("nothing.1", ["a", "b", "c"]),
    ],
)
def test_pins_are_unpinned_and_reordered(act: str, left: list[str]) -> None:
    address = calculator_address.read([*(("pin", f"as={name}") for name in "abc"), ("pin-do", act)])
    kept, notices = comparing.acted(CALCULATOR, address, CALCULATOR.evaluate())
    assert kept.pins == tuple(f"as={name}" for name in left)
    assert notices == []


def test_a_name_is_given_changed_and_taken_away(client: TestClient) -> None:
    answer = ask(client, *STATE, ("pin", SHORT), ("pin", LONG), ("pin-name", " a  & b "), ("pin-name", ""))
    assert pins(answer.headers["location"]) == ["seq_len=512&as=a+%26+b", "seq_len=8k"]
    assert heads(client.get(answer.headers["location"]).text) == ["a & b", "Pin 2"]


def test_names_that_do_not_belong_to_the_pins_change_nothing(client: TestClient) -> None:
    answer = ask(client, *STATE, ("pin", SHORT), ("pin", LONG), ("pin-name", "x"))
    assert pins(answer.headers["location"]) == [SHORT, LONG]


def test_a_pin_can_be_made_the_present_state(client: TestClient) -> None:
    page = ask(client, *STATE, ("pin", LONG), ("pin", SHORT)).text
    [address] = re.findall(r'<a href="([^"]*)" aria-label="Open long', page)
    opened = client.get(html.unescape(address))
    assert pins(html.unescape(address)) == [LONG, SHORT]
    assert cells(opened.text, "Sequence length") == ["8,000", "512", "8,000"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("seq_len=-1&as=bad", "must be a whole number"),
        ("foo=1", "foo is not an input"),
        ("seq_len=1&seq_len=2", "more than once"),
        ("&".join(["a="] * 101), "more than 100 inputs"),
        (f"seq_len={'9' * 1000}", "longer than 1,000"),
        ("%ff%00<b>=é", "is not an input"),
        ("v=7", "v is “7”"),
    ],
)
def test_a_pin_that_cannot_be_read_says_why(text: str, says: str) -> None:
    pin = comparing.read(CALCULATOR, text)
    assert pin.result is None
    assert says in pin.problem


def test_a_pin_that_cannot_be_read_is_kept(client: TestClient) -> None:
    text = "seq_len=<b>&as=%ff"
    page = ask(client, *STATE, ("pin", text), ("pin", SHORT))
    assert page.status_code == 200
    [reason] = re.findall(r'<p class="problem">(.*?)</p>', page.text, re.DOTALL)
    assert "seq_len is “<b>”, but must be a whole number" in html.unescape(reason)
    assert "<b>" not in page.text
    assert cells(page.text, "Sequence length") == ["–", "512", "1,024"]
    assert cells(page.text, "Score matrix") == ["–", "512 MiB", "2 GiB 4×"]
    moved = ask(client, *STATE, ("pin", text), ("pin", SHORT), ("pin-do", "right.1"))
    assert pins(moved.headers["location"]) == [SHORT, text]


def test_a_state_that_cannot_be_computed_keeps_the_pins_on_the_page(client: TestClient) -> None:
    page = ask(client, ("seq_len", "x"), ("pin", LONG), ("pin-do", "add"))
    assert page.status_code == 422
    assert "Nothing was pinned" in page.text
    assert page.text.count(f'name="pin" value="{html.escape(LONG)}" form="calculator"') == 1
    assert cells(page.text, "Score matrix") == ["122 GiB", "–"]


def test_no_more_than_four_are_pinned(client: TestClient) -> None:
    four = [("pin", f"seq_len={number}") for number in range(1, 5)]
    answer = ask(client, *STATE, *four, ("pin-do", "add"), **HTMX)
    assert "4 states are pinned already" in answer.text
    page = ask(client, *STATE, *four, ("pin", "seq_len=5"), ("pin", "seq_len=6"))
    assert "This link pins 6 states; the first 4 are kept." in page.text
    assert heads(page.text) == ["Pin 1", "Pin 2", "Pin 3", "Pin 4"]


def test_pins_leave_an_address_room_enough() -> None:
    long = [("pin", "%" * comparing.MAX_PIN_LENGTH)] * 2  # each takes three characters in an address
    kept, notices = comparing.acted(
        CALCULATOR, calculator_address.read([*long[:1], ("pin-do", "add")]), CALCULATOR.evaluate(seq_len=9)
    )
    assert len(kept.pins) == 2
    assert notices == []
    address = calculator_address.read([*long, ("pin-do", "add")])
    kept, notices = comparing.acted(CALCULATOR, address, CALCULATOR.evaluate(seq_len=9))
    assert len(kept.pins) == 2
    assert notices == ["This state cannot be pinned: the link would become too long."]


def test_solving_keeps_the_pins(client: TestClient) -> None:
    question = [
        ("for", "seq_len"),
        ("output", "score_bytes"),
        ("equals", "80GB"),
        ("batch", "1"),
        ("heads", "2"),
    ]
    page = client.get(f"{SCORES}/solve?{urlencode([*question, ('pin', LONG)])}")
    [use] = re.findall(r'href="([^"]*seq_len=100000[^"]*)"', page.text)
    assert pins(html.unescape(use)) == [LONG]
    assert page.text.count(f'name="pin" value="{html.escape(LONG)}" form="solve"') == 1
