"""The calculators as JSON: shapes, exactness, refusals, sweeps and solving."""

import math
from typing import Any

import pytest
from fastapi.testclient import TestClient

import calculators

SLUGS = [calculator.slug for calculator in calculators.all()]
SCORES = "/api/v1/calculators/attention-scores"


def refusal(client: TestClient, path: str) -> dict[str, str]:
    """The messages of a 422 by field."""
    answer = client.get(path)
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == 422
    assert problem["detail"]
    return {error["field"]: error["message"] for error in problem["errors"]}


def test_the_shape_of_an_evaluation(client: TestClient) -> None:
    assert client.get(f"{SCORES}?batch=32&heads=16").json() == {
        "calculator": "attention-scores",
        "version": 1,
        "inputs": {
            "batch": 32,
            "heads": 16,
            "seq_len": 1024,
            "kv_len": 1024,
            "layers": 1,
            "dtype": "fp32",
        },
        "outputs": {
            "score_elements": {"value": 536870912, "unit": "1"},
            "score_bytes": {"value": 2147483648, "unit": "B"},
            "flash_bytes": {"value": 2097152, "unit": "B"},
            "ratio": {"value": 1024, "unit": "1"},
        },
        "notes": [],
    }


@pytest.mark.parametrize("slug", SLUGS)
def test_every_calculator_answers_with_its_defaults(client: TestClient, slug: str) -> None:
    answer = client.get(f"/api/v1/calculators/{slug}").json()
    declared = calculators.get(slug)
    assert list(answer["inputs"]) == [each.name for each in declared.inputs]
    assert list(answer["outputs"]) == [each.name for each in declared.outputs]
    for name, output in answer["outputs"].items():
        assert output["unit"] == (declared.output_names[name].unit or None)
        explained = any(note.startswith(f"{name}: ") for note in answer["notes"])
        assert output["value"] is not None or explained


def test_a_value_may_carry_a_unit_and_a_count_a_suffix(client: TestClient) -> None:
    answer = client.get("/api/v1/calculators/roofline?bytes=1GiB&flops=1TFLOP&dtype=BF16").json()
    assert answer["inputs"]["bytes"] == 2**30
    assert answer["inputs"]["flops"] == 10**12
    assert answer["inputs"]["dtype"] == "bf16"


def test_an_integer_above_2_to_the_53_also_travels_as_text(client: TestClient) -> None:
    outputs = client.get(f"{SCORES}?seq_len=2^30&batch=7").json()["outputs"]
    exact = 7 * 16 * 2**60
    assert outputs["score_elements"] == {"value": exact, "unit": "1", "exact": str(exact)}
    assert "exact" not in outputs["ratio"]


def test_an_integer_beyond_any_float_has_its_digits_and_no_value(client: TestClient) -> None:
    answer = client.get(f"{SCORES}?batch=1e200&heads=1e200").json()
    assert answer["outputs"]["score_elements"]["value"] is None
    assert answer["outputs"]["score_elements"]["exact"] == str(10**400 * 1024 * 1024)
    assert any("score_elements" in note for note in answer["notes"])


def test_blank_counts_as_not_given(client: TestClient) -> None:
    assert client.get(f"{SCORES}?batch=&kv_len=%20&v=").json() == client.get(SCORES).json()


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("foo=1", {"foo"}),
        ("batch=0", {"batch"}),
        ("batch=1.5", {"batch"}),
        ("batch=nan", {"batch"}),
        ("batch=1e999", {"batch"}),
        ("batch=9**9**9", {"batch"}),
        ("batch=" + "9" * 65, {"batch"}),
        ("batch=" + "9" * 10_000, {"batch"}),
        ("dtype=" + "x" * 10_000, {"dtype"}),
        ("batch=1&batch=2", {"batch"}),
        ("v=2", {"v"}),
        ("dtype=fp33", {"dtype"}),
        ("batch=x&heads=y&foo=z", {"batch", "heads", "foo"}),
        ("batch=%00", {"batch"}),
        ("batch=%F0%9F%98%80", {"batch"}),
    ],
)
def test_what_is_refused_has_a_message_for_each_field(
    client: TestClient, query: str, fields: set[str]
) -> None:
    messages = refusal(client, f"{SCORES}?{query}")
    assert set(messages) == fields
    for field, message in messages.items():
        assert field in message


def test_a_device_without_the_peak_names_those_it_has(client: TestClient) -> None:
    message = refusal(client, "/api/v1/calculators/roofline?hardware=tpu-v4&dtype=fp8")["dtype"]
    assert "bf16" in message
    assert "peak_flops" in message
    peak = client.get("/api/v1/calculators/roofline?hardware=tpu-v4&dtype=fp8&peak_flops=1TFLOP/s")
    assert peak.status_code == 200


@pytest.mark.parametrize("path", ["", "/sweep?over=batch&from=1&to=2", "/solve?for=batch&output=x&equals=1"])
def test_an_unknown_calculator_is_a_404(client: TestClient, path: str) -> None:
    answer = client.get(f"/api/v1/calculators/attention-score{path}")
    assert answer.status_code == 404
    assert answer.json()["title"] == "Not Found"
    assert "attention-scores" in answer.json()["detail"]


def test_the_list_has_every_calculator_with_its_inputs_and_outputs(client: TestClient) -> None:
    listed = client.get("/api/v1/calculators").json()["calculators"]
    assert [each["slug"] for each in listed] == SLUGS
    scores = next(each for each in listed if each["slug"] == "attention-scores")
    assert [(each["name"], each["default"]) for each in scores["inputs"]][:3] == [
        ("batch", "32"),
        ("heads", "16"),
        ("seq_len", "1024"),
    ]
    kv_len = next(each for each in scores["inputs"] if each["name"] == "kv_len")
    assert (kv_len["default"], kv_len["follows"]) == (None, "seq_len")
    assert [each["unit"] for each in scores["outputs"]] == ["1", "B", "B", "1"]


def sweep(client: TestClient, query: str) -> dict[str, Any]:
    answer = client.get(f"{SCORES}/sweep?{query}")
    assert answer.status_code == 200, answer.text
    swept: dict[str, Any] = answer.json()
    return swept


def test_a_sweep_gives_arrays(client: TestClient) -> None:
    swept = sweep(client, "over=seq_len&from=1024&to=131072&points=8&scale=log&batch=1&heads=1")
    lengths = swept["over"]["values"]
    assert lengths == [2**power for power in range(10, 18)]
    assert swept["over"] == {"name": "seq_len", "unit": "1", "values": lengths}
    assert swept["inputs"] == {"batch": 1, "heads": 1, "layers": 1, "dtype": "fp32"}
    assert swept["outputs"]["score_bytes"] == {"values": [4 * n * n for n in lengths], "unit": "B"}


@pytest.mark.parametrize("slug", SLUGS)
def test_a_sweep_agrees_with_single_evaluations(client: TestClient, slug: str) -> None:
    swept_input = next(each for each in calculators.get(slug).inputs if each.numeric)
    base = f"/api/v1/calculators/{slug}"
    least, most = ("0.1", "0.9") if swept_input.maximum == 1 else ("3", "1000")
    swept = client.get(f"{base}/sweep?over={swept_input.name}&from={least}&to={most}&points=4").json()
    for position, value in enumerate(swept["over"]["values"]):
        single = client.get(f"{base}?{swept_input.name}={value}").json()["outputs"]
        for name, column in swept["outputs"].items():
            expected, got = single[name]["value"], column["values"][position]
            if isinstance(expected, int | float) and not isinstance(expected, bool):
                assert math.isclose(got, expected, rel_tol=1e-12), name
            else:
                assert got == expected, name


def test_a_sweep_over_a_word_gives_words(client: TestClient) -> None:
    path = "/api/v1/calculators/matmul/sweep?over=m&from=1&to=1e6&points=2"
    assert client.get(path).json()["outputs"]["bound"] == {"values": ["memory", "compute"], "unit": None}


def test_a_sweep_of_a_count_is_rounded_and_drops_doubles(client: TestClient) -> None:
    assert sweep(client, "over=batch&from=1&to=4&points=50")["over"]["values"] == [1, 2, 3, 4]
    assert sweep(client, "over=batch&from=5&to=5&points=10")["over"]["values"] == [5]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("over=foo&from=1&to=2", "over"),
        ("over=dtype&from=1&to=2", "over"),
        ("over=batch&from=0&to=2", "from"),
        ("over=batch&from=3&to=2", "from"),
        ("over=batch&from=x&to=2", "from"),
        ("over=batch&from=1&to=1e999", "to"),
        ("over=batch&to=2", "from"),
        ("over=batch&from=1&to=2&points=1", "points"),
        ("over=batch&from=1&to=2&points=10001", "points"),
        ("over=batch&from=1&to=2&points=1.5", "points"),
        ("over=batch&from=1&to=2&scale=cubic", "scale"),
        ("over=batch&from=1&to=2&heads=0", "heads"),
        ("over=batch&from=1&to=2&foo=0", "foo"),
        ("over=batch&over=heads&from=1&to=2", "over"),
    ],
)
def test_a_sweep_that_makes_no_sense_names_the_field(client: TestClient, query: str, field: str) -> None:
    assert field in refusal(client, f"{SCORES}/sweep?{query}")


def test_all_that_is_wrong_with_a_sweep_is_said_at_once(client: TestClient) -> None:
    found = refusal(client, f"{SCORES}/sweep?over=seq_len&from=x&points=1&scale=cubic&heads=0&foo=1")
    assert list(found) == ["from", "to", "points", "scale", "heads", "foo"]
    assert found["from"].startswith("from is “x”, but must be a number, 1 or more.")
    assert found["to"] == "to is needed: a number, 1 or more."
    assert found["points"] == "points is “1”, but must be a whole number, from 2 to 10000."
    assert found["scale"] == "scale is “cubic”, but must be one of linear, log."
    assert list(refusal(client, f"{SCORES}/sweep?foo=1")) == ["over", "foo"]


def test_each_field_of_a_sweep_has_one_message(client: TestClient) -> None:
    path = f"{SCORES}/sweep?over=seq_len&from=0&to=4&scale=log"
    assert len(client.get(path).json()["errors"]) == 1


def test_nothing_is_expected_of_the_input_that_is_swept(client: TestClient) -> None:
    path = "/api/v1/calculators/kv-cache/{}&model=custom&heads=4&d_model=64&foo=1"
    assert list(refusal(client, path.format("sweep?over=layers&from=1&to=8"))) == ["foo"]
    assert list(refusal(client, path.format("solve?for=layers&output=total_bytes&equals=1GB"))) == ["foo"]


def test_a_sweep_says_why_values_are_null(client: TestClient) -> None:
    answer = client.get("/api/v1/calculators/kv-cache/sweep?over=kv_heads&from=1&to=4").json()
    assert answer["outputs"]["total_bytes"]["values"][2] is None
    assert answer["notes"] == [
        "At kv_heads = 3, every number is null: kv_heads is 3, but must be a divisor of heads (32)."
    ]
    nothing = "launch_time=0&graph_launch_time=0&graph_node_time=0"
    path = f"/api/v1/calculators/launch-overhead/sweep?over=kernel_time&from=0&to=10us&points=3&{nothing}"
    [note] = client.get(path).json()["notes"]
    assert note == (
        "At kernel_time = 0.0, gpu_idle_eager, speedup is null: "
        "gpu_idle_eager: nothing takes any time; speedup: the graph takes no time"
    )
    path = "/api/v1/calculators/roofline/sweep?over=flops&from=1e300&to=1e301&points=2&bytes=1e-300"
    [note] = client.get(path).json()["notes"]
    assert note == "At flops = 1e+300 and 1 more, intensity is null: beyond what a float holds"


def test_a_log_sweep_begins_above_0(client: TestClient) -> None:
    path = "/api/v1/calculators/serving-capacity/sweep?over=reserve_bytes&from=0&to=1GB&scale=log"
    assert "above 0" in refusal(client, path)["from"]


def test_the_largest_sweep_is_answered(client: TestClient) -> None:
    assert len(sweep(client, "over=seq_len&from=1&to=1e6&points=10000")["over"]["values"]) == 10_000


def test_a_solution_has_the_whole_values_beside_it(client: TestClient) -> None:
    answer = client.get(f"{SCORES}/solve?for=seq_len&output=score_bytes&equals=80GB&batch=1&heads=2").json()
    assert answer["for"] == "seq_len"
    assert answer["target"] == {"output": "score_bytes", "equals": 80 * 10**9, "unit": "B"}
    [root] = answer["solutions"]
    assert root["value"] == pytest.approx(10**5)
    [whole] = root["whole"]
    assert whole["value"] == 10**5
    assert whole["outputs"]["score_bytes"] == {"value": 80 * 10**9, "unit": "B"}


def test_a_solution_between_two_whole_values(client: TestClient) -> None:
    [root] = client.get(f"{SCORES}/solve?for=seq_len&output=score_bytes&equals=1GB").json()["solutions"]
    exact = math.sqrt(10**9 / (4 * 32 * 16))
    assert root["value"] == pytest.approx(exact)
    assert [each["value"] for each in root["whole"]] == [math.floor(exact), math.ceil(exact)]


def test_no_solution_says_why(client: TestClient) -> None:
    answer = client.get(f"{SCORES}/solve?for=layers&output=ratio&equals=3").json()
    assert answer["solutions"] == []
    assert answer["notes"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("for=foo&output=score_bytes&equals=1GB", "for"),
        ("for=dtype&output=score_bytes&equals=1GB", "for"),
        ("for=seq_len&output=foo&equals=1GB", "output"),
        ("for=seq_len&output=score_bytes&equals=1s", "equals"),
        ("for=seq_len&output=score_bytes", "equals"),
        ("for=seq_len&output=score_bytes&equals=1GB&heads=0", "heads"),
        ("for=seq_len&output=score_bytes&equals=1GB&foo=0", "foo"),
    ],
)
def test_a_solve_that_makes_no_sense_names_the_field(client: TestClient, query: str, field: str) -> None:
    assert field in refusal(client, f"{SCORES}/solve?{query}")


def test_all_that_is_wrong_with_a_solve_is_said_at_once(client: TestClient) -> None:
    found = refusal(client, f"{SCORES}/solve?for=dtype&output=ratio&equals=1GB&heads=0&foo=1")
    assert list(found) == ["for", "equals", "heads", "foo"]
    assert refusal(client, f"{SCORES}/solve?output=ratio") == {
        "for": "for is needed: one of batch, heads, seq_len, kv_len, layers.",
        "equals": "equals is needed: a number.",
    }
