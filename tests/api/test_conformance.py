"""Everything that the API's description promises, tried with what a machine makes up (schemathesis)."""

from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

HERE = {"Host": "127.0.0.1"}
PROMISES = [
    not_a_server_error,
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
]


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_no_request_fails_the_server_or_breaks_the_description(
    client: TestClient, mode: GenerationMode
) -> None:
    schema = schemathesis.openapi.from_asgi("/openapi.json", client.app, headers=HERE)
    operations = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    assert len(operations) == sum(len(methods) for methods in schema.raw_schema["paths"].values())
    for operation in operations:
        if mode is GenerationMode.NEGATIVE and not list(operation.iter_parameters()) and not operation.body:
            continue  # nothing that could be given wrongly

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(max_examples=25, suppress_health_check=list(HealthCheck))
        def keeps_its_promises(case: Case[Any]) -> None:
            case.call_and_validate(checks=PROMISES, headers=HERE)

        keeps_its_promises()
