"""What flips a verdict, as JSON."""

from fastapi.testclient import TestClient

import calculators

API = "/api/v1/calculators"
EVEN = "flops=1e12&bytes=1e10&hardware=custom&peak_flops=200e12&hbm_bandwidth=1e12"


def test_the_shape_of_the_answer(client: TestClient) -> None:
    answer = client.get(f"{API}/roofline/flips?{EVEN}").json()
    assert (answer["calculator"], answer["output"], answer["now"]) == ("roofline", "bound", "memory")
    assert answer["limits"] == [
        {"limit": "compute", "value": 0.005, "unit": "s", "share": 0.5, "factor": 2},
        {"limit": "memory", "value": 0.01, "unit": "s", "share": 1, "factor": 1},
    ]
    assert {
        "input": "hbm_bandwidth",
        "unit": "B/s",
        "now": 10**12,
        "value": 2 * 10**12,
        "ratio": 2,
        "becomes": "compute",
    } in answer["numbers"]
    assert {each["input"] for each in answer["numbers"]} == {"flops", "bytes", "peak_flops", "hbm_bandwidth"}
    assert answer["steady"] == ["dtype", "hardware"], "the figures given hold, whatever the device"


def test_each_flip_holds_when_it_is_evaluated(client: TestClient) -> None:
    for slug, output in (("kv-transfer", "faster"), ("serving-capacity", "fits"), ("data-loading", "bound")):
        flips = client.get(f"{API}/{slug}/flips").json()
        assert flips["output"] == output
        assert flips["choices"] or flips["numbers"]
        for flip in [*flips["numbers"], *flips["choices"][:4]]:
            query = {flip["input"]: str(flip["value"])}
            evaluated = client.get(f"{API}/{slug}", params=query).json()["outputs"][output]["value"]
            assert evaluated == flip["becomes"] != flips["now"], flip


def test_a_calculator_of_numbers_alone_says_so(client: TestClient) -> None:
    answer = client.get(f"{API}/kv-cache/flips?seq_len=8k").json()
    assert answer["output"] is None
    assert answer["numbers"] == []
    assert answer["notes"] == ["Every output of kv-cache is a number: nothing here can flip."]


def test_every_calculator_answers_and_a_bad_input_is_refused(client: TestClient) -> None:
    for calculator in calculators.all():
        assert client.get(f"{API}/{calculator.slug}/flips").status_code == 200
        refused = client.get(f"{API}/{calculator.slug}/flips?{calculator.inputs[0].name}=x&foo=1")
        assert refused.status_code == 422
        fields = {error["field"] for error in refused.json()["errors"]}
        assert fields == {calculator.inputs[0].name, "foo"}
