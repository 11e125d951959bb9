"""What a number was read as stands beside its field, and so does what is counted."""

import html
import re

import pytest
from fastapi.testclient import TestClient

import calculators
from app.pages.readings import reading

HTMX = {"HX-Request": "true"}


def read_as(slug: str, name: str, text: str) -> str:
    calculator = calculators.get(slug)
    value = calculator.evaluate({name: text}).exact_inputs[name]
    assert not isinstance(value, str | bool | None)
    return reading(calculator.input_names[name], text, value)


@pytest.mark.parametrize(
    ("slug", "name", "text", "said"),
    [
        ("attention-scores", "seq_len", "8k", "8k read as 8,000"),
        ("attention-scores", "seq_len", "2^20", "2^20 read as 1,048,576"),
        ("attention-scores", "seq_len", " 4Ki ", "4Ki read as 4,096"),
        ("roofline", "bytes", "1GiB", "1GiB read as 1,073,741,824 B"),
        ("roofline", "bytes", "1 GB", "1 GB read as 1,000,000,000 B"),
        ("roofline", "flops", "1e12", "1e12 read as 1 TFLOP, 1,000,000,000,000 FLOP"),
        ("roofline", "peak_flops", "312e12", "312e12 read as 312 TFLOP/s, 312,000,000,000,000 FLOP/s"),
        ("launch-overhead", "kernel_time", "5us", "5us read as 0.000005 s"),
        ("collective", "bandwidth", "400 Gb/s", "400 Gb/s read as 50 GB/s, 50,000,000,000 B/s"),
        ("mfu", "params", "7B", "7B read as 7,000,000,000"),
        ("prefill", "mfu", "45%", "45% read as 0.45"),
        ("prefill", "mfu", "2/3", "2/3 read as ≈0.66666666666666667"),
        ("roofline", "flops", "1e200", "1e200 read as 1×10²⁰⁰ FLOP"),
    ],
)
def test_what_was_read_is_said_where_it_differs(slug: str, name: str, text: str, said: str) -> None:
    assert read_as(slug, name, text) == said


@pytest.mark.parametrize(
    ("slug", "name", "text"),
    [
        ("attention-scores", "seq_len", "4096"),
        ("attention-scores", "seq_len", "4,096"),
        ("attention-scores", "seq_len", "4 096"),
        ("roofline", "bytes", "1000 B"),
        ("prefill", "mfu", "0.45"),
        ("launch-overhead", "kernel_time", "0.5 s"),
    ],
)
def test_nothing_is_said_where_it_stands_there(slug: str, name: str, text: str) -> None:
    assert read_as(slug, name, text) == ""


def test_the_reading_follows_the_field(client: TestClient) -> None:
    scores = "/calculators/attention-scores"
    for path, headers in ((f"{scores}?seq_len=8k", {}), (f"{scores}/rest?seq_len=8k", HTMX)):
        hint = re.findall(
            r'<p class="hint" id="hint-seq_len"[^>]*>(.*?)</p>', client.get(path, headers=headers).text
        )
        assert hint == ['<span class="reading">8k read as 8,000.</span> Tokens that ask: rows of the matrix.']
    assert "read as" not in client.get("/calculators/attention-scores").text
    assert "1e12 read as 1 TFLOP" in client.get("/calculators/roofline").text, "a default is read too"


def test_every_convention_stands_beside_what_it_concerns(client: TestClient) -> None:
    for calculator in calculators.all():
        page = html.unescape(client.get(f"/calculators/{calculator.slug}").text)
        for convention in calculator.conventions:
            for name in convention.beside:
                if name in calculator.input_names:
                    [beside] = re.findall(rf'<p class="convention" id="counts-{name}">(.*?)</p>', page)
                else:
                    [figure] = re.findall(rf'data-key="out:{name}".*?</div>', page, re.DOTALL)
                    [beside] = re.findall(r'<dd class="convention">(.*?)</dd>', figure)
                assert convention.text in beside
            assert f"<li>{convention.text}</li>" in page
