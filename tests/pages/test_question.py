"""The question page as a browser without JavaScript sees it, and what htmx gets in its place."""

import html
import re

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

ATTENTION = "/questions/attention-matrix-memory"
FFN = "/questions/ffn-which-limit-binds"
PARTS = "/questions/sample-parts"
CARRIED = "/questions/sample-carried"
SEVERAL = "/questions/sample-several"
HTMX = {"HX-Request": "true"}


def words(page: str) -> str:
    """The text of a page, without tags and doubled spaces."""
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))


def verdict(page: str) -> str:
    [inside] = re.findall(r'<section class="verdict.*?</section>', page, re.DOTALL)
    return words(inside).replace(" ,", ",").replace(" .", ".")


def field_errors(page: str) -> list[str]:
    return [html.unescape(text) for text in re.findall(r'<p class="field-error"[^>]*>([^<]+)</p>', page)]


def param_errors(page: str) -> list[str]:
    return [html.unescape(text) for text in re.findall(r'<p[^>]* id="param-[^>]*>([^<]+)</p>', page)]


def panel_value(page: str, name: str) -> str:
    [text] = re.findall(rf'<input[^>]* id="param-{name}"[^>]* value="([^"]*)"', page)
    return html.unescape(text)


def answer(client: TestClient, text: str, path: str = ATTENTION, **more: str) -> str:
    response = client.post(f"{path}/answer", data={"answer": text, **more})
    assert response.status_code == 200
    return response.text


def reveal(client: TestClient, path: str = ATTENTION, query: str = "") -> str:
    response = client.post(f"{path}/reveal{query}")
    assert response.status_code == 200
    return response.text


def test_it_shows_what_is_known_of_the_question_and_hides_the_answer(client: TestClient) -> None:
    page = client.get(ATTENTION).text
    text = words(page)
    for shown in (
        "Memory of the full attention matrix",
        "numeric",
        "4 min",
        "✓ reviewed",
        "1,024",
        "Try another variant",
    ):
        assert shown in text
    for hidden in ("Model answer", "2.15 GB", "2 GiB", "one head", "536,870,912", "Key points", "Pro tip"):
        assert hidden not in text


def test_who_asked_it_is_told_with_source_and_confidence(client: TestClient) -> None:
    assert "Asked at Anthropic · interview write-up · unconfirmed" in words(client.get(FFN).text)
    page = client.get(SEVERAL).text
    assert "Asked at Example Labs (Engineer) · a write-up <script> · first-hand" in words(page)
    assert "a write-up <script>" not in page


@pytest.mark.parametrize(
    ("text", "outcome", "said"),
    [
        ("2 GiB", "✓ Right.", "read as 2 GiB"),
        ("2.15 GB", "✓ Right.", "read as 2.15 GB"),
        ("2 GB", "✗ Not right.", "GiB labelled as GB"),
        ("134 MB", "✗ Not right.", "That is one head."),
        ("2.1 GiB", "✓ Right.", "within 5%"),
        ("1.85 GiB", "≈ Near.", "Close"),
        ("7", "✗ Not right.", "read as 7 GiB"),
    ],
)
def test_an_answer_gets_its_verdict_with_the_reading(
    client: TestClient, text: str, outcome: str, said: str
) -> None:
    page = answer(client, text)
    told = verdict(page)
    assert told.startswith(outcome)
    assert f"You wrote {text}" in told
    assert said in told
    assert "Model answer" not in words(page), "a verdict does not reveal"
    assert f'value="{html.escape(text)}"' in page, "the answer may be mended and sent again"


def test_a_form_is_answered_with_the_address_of_the_page(client: TestClient) -> None:
    sent = client.post(f"{ATTENTION}/answer?v=1&seed=7", data={"answer": "1 GiB"}, follow_redirects=False)
    assert sent.status_code == 303
    assert sent.headers["location"] == f"{ATTENTION}?v=1&seed=7#verdict"


def test_what_cannot_be_read_costs_nothing_and_stays_in_the_field(client: TestClient) -> None:
    sent = client.post(f"{ATTENTION}/answer", data={"answer": "12 bananas", "working": "b h n^2"})
    assert sent.status_code == 422
    [message] = field_errors(sent.text)
    assert "“bananas” is not a unit of memory" in message
    assert 'value="12 bananas"' in sent.text
    assert "b h n^2</textarea>" in sent.text
    assert 'class="verdict' not in sent.text
    assert "bananas" not in client.get("/progress").text
    assert 'value="12 bananas"' in client.get(ATTENTION).text, "it is kept as a draft"


def test_an_empty_answer_is_told_so(client: TestClient) -> None:
    sent = client.post(f"{ATTENTION}/answer", data={"answer": " ", "working": "some"})
    assert sent.status_code == 422
    assert field_errors(sent.text) == ["Give an answer first, or reveal the model answer."]


def test_the_same_form_sent_twice_stores_one_answer(client: TestClient) -> None:
    for _ in range(2):
        answer(client, "2 GB", key="one-render")
    page = answer(client, "2 GiB", key="one-render")
    assert "This was your answer number 2." in verdict(page)
    attempts = words(client.get("/progress").text)
    assert attempts.count("2 GB not right") == 1


def test_hints_come_one_by_one_and_keep_the_text(client: TestClient) -> None:
    first = client.post(f"{ATTENTION}/hint", data={"answer": "3 G", "number": "1"}).text
    assert "Write down the shape" in words(first)
    assert "Which dimensions" not in words(first)
    assert 'value="3 G"' in first
    again = client.post(f"{ATTENTION}/hint", data={"number": "1"}).text
    assert "Which dimensions" not in words(again), "a double click takes one hint"
    for number in ("2", "3", "99"):
        last = client.post(f"{ATTENTION}/hint", data={"number": number}).text
    assert "What does one element cost in fp32" in words(last)
    assert "/hint" not in last, "there is none left to ask for"


def test_reveal_belongs_to_the_browser_that_asked(client: TestClient, app: FastAPI) -> None:
    assert "2.15 GB" in words(reveal(client))
    assert "Model answer" in words(client.get(ATTENTION).text)
    with TestClient(app, base_url="http://127.0.0.1") as other:
        assert "Model answer" not in words(other.get(ATTENTION).text)


def test_a_link_can_ask_to_reveal_but_not_from_another_site(client: TestClient) -> None:
    from_outside = client.get(f"{ATTENTION}?reveal=1", headers={"Sec-Fetch-Site": "cross-site"})
    assert "Model answer" not in words(from_outside.text)
    asked = client.get(f"{ATTENTION}?v=1&seed=7&reveal=1", follow_redirects=False)
    assert asked.headers["location"] == f"{ATTENTION}?v=1&seed=7", "the address never says it"
    assert "Model answer" in words(client.get(asked.headers["location"]).text)


def test_every_number_follows_a_parameter(client: TestClient) -> None:
    reveal(client)
    page = client.get(f"{ATTENTION}?v=1&seq_len=8192").text
    text = words(page)
    assert "sequences of 8,192 tokens" in text
    assert "128 GiB , or 137 GB in powers of ten" in text
    assert "1.72× what one NVIDIA H100 SXM holds" in text
    assert panel_value(page, "seq_len") == "8192"
    without_plot = words(re.sub(r'<section id="plot".*?</section>', "", page, flags=re.DOTALL))
    assert "2 GiB" not in without_plot.replace("512 GiB", "")
    assert f'value="http://127.0.0.1{ATTENTION}?v=1&amp;seed=0&amp;seq_len=8192"' in page
    assert "/calculators/attention-scores?v=1&amp;batch=32&amp;heads=16&amp;seq_len=8192" in page


def test_a_shared_link_shows_the_same_numbers_with_the_answer_hidden(client: TestClient) -> None:
    page = client.get(f"{ATTENTION}?v=1&seed=0&seq_len=8192").text
    assert "sequences of 8,192 tokens" in words(page)
    assert "Model answer" not in words(page)
    assert verdict(answer_at(client, "128 GiB", "?v=1&seed=0&seq_len=8192")).startswith("✓ Right.")
    assert 'class="verdict' not in client.get(ATTENTION).text, "it was given to other numbers"


def answer_at(client: TestClient, text: str, query: str) -> str:
    return client.post(f"{ATTENTION}/answer{query}", data={"answer": text}).text


def test_the_verdict_stays_with_the_numbers_that_were_answered(client: TestClient) -> None:
    answer(client, "2 GiB")
    reveal(client)
    told = verdict(client.get(f"{ATTENTION}?v=1&seq_len=8192").text)
    assert told.startswith("✓ Right.")
    assert "on the numbers that you answered: batch 32, heads 16, sequence length 1,024, fp32" in told


def test_a_seed_is_a_variant_with_its_own_truth(client: TestClient) -> None:
    page = client.get(f"{ATTENTION}?seed=7").text
    assert "Variant 7" in words(page)
    assert f'href="{ATTENTION}?v=1&amp;seed=8"' in page
    reveal(client, query="?v=1&seed=7")
    answered = words(client.get(f"{ATTENTION}?seed=7").text)
    [right] = re.findall(r"Model answer ([\d.,]+ [KMGT]iB)", answered)
    client.post(f"{ATTENTION}/restart?v=1&seed=7")
    assert verdict(answer_at(client, right, "?v=1&seed=7")).startswith("✓ Right.")


def test_a_refused_parameter_is_told_at_its_field_and_the_others_stay(client: TestClient) -> None:
    reveal(client)
    page = client.get(f"{ATTENTION}?v=1&seq_len=lots&batch=8").text
    [message] = param_errors(page)
    assert message.startswith("seq_len is “lots”")
    assert panel_value(page, "seq_len") == "lots"
    assert panel_value(page, "batch") == "8"
    assert "batch of 8" in words(page)


@pytest.mark.parametrize("act", ["answer", "hint", "reveal", "rating", "restart"])
def test_the_address_of_an_act_leads_back_and_does_nothing(client: TestClient, act: str) -> None:
    refused = client.post(f"{ATTENTION}/answer?v=1&seed=7", data={"answer": "lots"})
    assert refused.status_code == 422
    answer = client.get(f"{ATTENTION}/{act}?v=1&seed=7")
    assert answer.status_code == 200
    assert answer.url.path == ATTENTION
    assert answer.url.query == b"v=1&seed=7"
    assert "Model answer" not in answer.text
    assert "lots" in answer.text


def test_a_bad_link_is_told_and_does_no_harm(client: TestClient) -> None:
    page = client.get(f"{ATTENTION}?v=9&seed=x&colour=blue&batch=8&batch=9&seq_len=%00").text
    for told in (
        "version 9",
        "seed is “x”",
        "“colour” is no input here and was left out.",
        "batch was given more",
    ):
        assert told in words(page)
    assert client.get("/questions/no-such-question").status_code == 404
    assert client.get(f"/questions/{'x' * 400}").status_code == 404
    assert client.get(f"{ATTENTION}?seed=99999999999999999999999").status_code == 200


def test_htmx_gets_the_pieces_that_change_and_the_address(client: TestClient) -> None:
    reveal(client)
    headers = {**HTMX, "HX-Current-URL": f"http://127.0.0.1{ATTENTION}"}
    live = client.get(f"{ATTENTION}?v=1&seed=0&seq_len=8192&batch=32", headers=headers)
    assert live.headers["HX-Push-Url"] == f"{ATTENTION}?v=1&seed=0&seq_len=8192"
    assert live.headers["Vary"].startswith("HX-Request")
    assert "<html" not in live.text
    for piece in ("live-prompt", "live-results", "live-approach", "live-pro-tip", "param-seq_len-error"):
        assert f'id="{piece}"' in live.text
    dragging = client.get(f"{ATTENTION}?seq_len=4096", headers={**headers, "Ridgeway-History": "replace"})
    assert "HX-Replace-Url" in dragging.headers
    refused = client.get(f"{ATTENTION}?seq_len=lots", headers=headers)
    assert refused.headers["HX-Reswap"] == "none"
    assert param_errors(refused.text)
    restored = client.get(ATTENTION, headers={**HTMX, "HX-History-Restore-Request": "true"})
    assert "<html" in restored.text


def test_htmx_learns_that_the_sitting_is_over(client: TestClient) -> None:
    assert client.get(f"{ATTENTION}?seq_len=4096", headers=HTMX).headers["HX-Refresh"] == "true"


def test_rating_follows_the_reveal_and_is_stored_once(client: TestClient) -> None:
    assert client.post(f"{ATTENTION}/rating", data={"rating": "3"}).status_code == 409
    answer(client, "2 GiB")
    page = reveal(client)
    assert "Good is suggested: right at once." in words(page)
    assert len(re.findall(r'name="rating" value="[1-4]"', page)) == 4
    for _ in range(2):
        rated = client.post(
            f"{ATTENTION}/rating", data={"rating": "3", "key": "k", "point": ["shape", "nonsense"]}
        )
    assert "Rated Good. It comes back on" in words(rated.text)
    assert "/practice/next?after=attention-matrix-memory" in rated.text
    assert re.search(r'id="point-shape" checked', rated.text)
    stored = client.get("/account/export/archive.json").json()["tables"]["ratings"]
    assert [row["rating"] for row in stored] == [3]
    for bad in ("0", "5", "x", ""):
        assert client.post(f"{ATTENTION}/rating", data={"rating": bad}).status_code == 422


def test_ticks_that_a_rating_has_overtaken_do_not_come_back(client: TestClient) -> None:
    client.post(f"{FFN}/reveal", headers=HTMX)
    later = {"point": ["three-times", "all-reduce"], "stamp-points": "0 w.p 2", "rating": "3"}
    client.post(f"{FFN}/rating", data=later, headers=HTMX)
    client.post(f"{FFN}/ticks", data={"point": "three-times", "stamp-points": "0 w.p 1"}, headers=HTMX)
    ticked = re.findall(r'value="([a-z-]+)" id="point-[a-z-]+" checked', client.get(FFN).text)
    assert ticked == ["three-times", "all-reduce"]


def test_ticked_key_points_suggest_the_rating_of_an_answer_in_words(client: TestClient) -> None:
    answer(client, "Three times, the largest binds.", FFN)
    page = reveal(client, FFN)
    assert "Three times, the largest binds." in words(page)
    assert "Again is suggested" in words(page)
    points = ["three-times", "tokens-decide", "all-reduce", "sharded-hidden"]
    ticked = client.post(f"{FFN}/ticks", data={"point": points}, headers=HTMX)
    assert "Good is suggested" in words(ticked.text)
    assert 'id="point-all-reduce" checked' in client.get(FFN).text, "ticks survive a reload"
    assert client.post(f"{PARTS}/ticks", data={"point": "fuse"}, headers=HTMX).headers["HX-Refresh"] == "true"


def test_start_again_hides_everything_once_more(client: TestClient) -> None:
    answer(client, "2 GB", working="my way")
    reveal(client)
    page = client.post(f"{ATTENTION}/restart").text
    assert "Model answer" not in words(page)
    assert "my way" not in page
    assert 'class="verdict' not in page


def test_one_of_several_choices(client: TestClient) -> None:
    page = client.get(SEVERAL).text
    assert "Choose every right one" in page
    assert "The first is right." not in page
    assert re.findall(r'type="checkbox" name="answer" value="(\w+)"', page)[-1] == "none"
    half = client.post(f"{SEVERAL}/answer", data={"answer": ["first", "third"]}).text
    assert "The third is wrong because of X." in verdict(half)
    assert "None of these Not right" not in words(half), "nothing is told of what was not chosen"
    assert 'value="first" id="answer-first" checked' in half
    nothing = client.post(f"{SEVERAL}/answer", data={})
    assert nothing.status_code == 422
    whole = client.post(f"{SEVERAL}/answer", data={"answer": ["second", "first", "unknown"]}).text
    assert verdict(whole).startswith("✓ Right.")
    shown = words(reveal(client, SEVERAL))
    assert "The first Right, and your choice. The first is right." in shown
    assert "The third Not right. The third is wrong because of X." in shown
    assert "Choosing all." in shown


def test_parts_are_graded_each_on_its_own(client: TestClient) -> None:
    page = client.get(PARTS).text
    assert "How many scores are there for a batch of 4" in words(page)
    sent = client.post(
        f"{PARTS}/answer", data={"answer-a": "8388608", "answer-b": "8 MiB", "answer-c": "Fuse it"}
    ).text
    told = verdict(sent)
    assert told.startswith("≈ Partly right.")
    assert "a ✓ Right. You wrote 8388608, read as 8,388,608. Exact." in told
    assert "b ✗ Not right. You wrote 8 MiB, read as 8 MiB. That counts each score as <b>one</b> byte." in told
    revealed = words(reveal(client, PARTS))
    assert "Part a Count them: 8,388,608 ." in revealed
    assert "Fuses the kernel" in revealed


def test_an_error_is_carried_forward(client: TestClient) -> None:
    """K or V alone in a: half the bytes, so twice the conversations, and half a gigabyte fits."""
    given = {"answer-a": "0.839 GB", "answer-b": "59", "answer-c": str(59 * 2048), "answer-d": "fits"}
    told = verdict(client.post(f"{CARRIED}/answer", data=given).text)
    assert "a ✗ Not right." in told
    assert "b ✓ Right from your own part a. You wrote 59, read as 59. It follows from what you had" in told
    assert "c ✓ Right from your own part b." in told
    assert "d ✓ Right from your own part a." in told
    again = verdict(client.post(f"{CARRIED}/answer", data={"answer-b": "60"}).text)
    assert "b ✗ Not right. You wrote 60, read as 60. From your own part a: Half a conversation" in again
    mended = verdict(client.post(f"{CARRIED}/answer", data={"answer-a": "1.68 GB", "answer-b": "59"}).text)
    assert "a ✓ Right." in mended
    assert "b ✗ Not right. You wrote 59, read as 59. Too high" in mended
    page = reveal(client, CARRIED)
    assert "Again is suggested: 0% of the key points" in words(page)
    assert "The choices of part d, marked" in page
    assert "b How many of them fit in 50 GB?" in words(page), "the fields are gone, and what they asked stays"


def test_a_text_too_long_to_keep_is_refused_at_its_field(client: TestClient) -> None:
    sent = client.post(f"{FFN}/answer", data={"answer": "x" * 20_001})
    assert sent.status_code == 422
    assert "at most 20,000 are kept" in field_errors(sent.text)[0]


def test_what_is_typed_is_shown_as_text(client: TestClient) -> None:
    page = answer(client, "<img src=x onerror=alert(1)>", FFN)
    assert "<img" not in page
    assert "<img" not in reveal(client, FFN)
    assert "<img" not in client.get("/progress").text


def test_the_browsers_zone_is_remembered(client: TestClient) -> None:
    answer(client, "2 GiB", zone="Pacific/Auckland")
    assert "Times are in Pacific/Auckland." in client.get("/progress").text
    answer(client, "2 GB", zone="Nowhere/Else")
    assert "Times are in Pacific/Auckland." in client.get("/progress").text


def test_a_form_of_another_site_changes_nothing(client: TestClient) -> None:
    headers = {"Sec-Fetch-Site": "cross-site"}
    for act in ("answer", "hint", "reveal", "rating", "ticks", "restart"):
        assert client.post(f"{ATTENTION}/{act}", headers=headers).status_code == 403
    assert client.put(f"{ATTENTION}/draft", headers=headers, json={}).status_code == 403
