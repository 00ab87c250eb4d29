"""The API keeps to its own description, whatever it is sent."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings

from people import Person, Server


@pytest.fixture(scope="module")
def described(server: Server) -> schemathesis.BaseSchema:
    return schemathesis.openapi.from_url(f"http://{server.address}/api/openapi.json")


@pytest.fixture(scope="module")
def somebody(server: Server) -> Person:
    return Person(server, "Ann")


schema = schemathesis.pytest.from_fixture("described")


@schema.parametrize()
@settings(
    max_examples=12,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_as_described(case: schemathesis.Case[Any], somebody: Person) -> None:
    case.call_and_validate(
        headers={"Authorization": f"Bearer {somebody.token}"},
        # A body of the right shape may still ask for a game that is not there.
        excluded_checks=[schemathesis.checks.positive_data_acceptance],
    )
