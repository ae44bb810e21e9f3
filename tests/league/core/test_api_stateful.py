"""Chains of generated requests that follow the links of the description keep to it."""

from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case

from tests.support.api_cases import aim, left_out, schema
from tests.support.api_steps import a_token
from tests.support.effort import examples
from tests.support.permission_roles import Role, World

pytestmark = [pytest.mark.usefixtures("one_connection"), pytest.mark.slow]
STATES = [
    "report",
    "start_match",
    "finish_match",
    "match",
    "matches",
    "confirm",
    "dispute",
    "counter_report",
    "answer_counter_report",
    "object",
    "withdraw_objection",
    "decide",
    "withdraw",
    "change_report",
    "void_match",
    "match_messages",
    "write_message",
]
"""The operations about matches, which lead to each other."""


def test_reports_confirmations_and_disputes_in_any_order_keep_to_the_description(
    world: World,
) -> None:
    tokens = [a_token(world.user(role))[1] for role in (Role.REPORTER, Role.OPPONENT, Role.ADMIN)]
    machine: Any = schema.include(operation_id=STATES).as_state_machine()

    class Chain(machine):  # type: ignore[misc] # made from the description
        """A chain of requests by Alice, Charlie and Olga, which is rolled back."""

        turn = 0

        def setup(self) -> None:
            self.atomic = transaction.atomic()
            self.atomic.__enter__()

        def teardown(self) -> None:
            connection.set_rollback(True)
            self.atomic.__exit__(None, None, None)

        def before_call(self, case: Case[Any]) -> None:
            aim(case, world)

        def get_call_kwargs(self, case: Case[Any]) -> dict[str, Any]:
            del case
            self.turn += 1
            token = tokens[self.turn % len(tokens)]
            return {"headers": {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}}

        def validate_response(
            self, response: Any, case: Case[Any], *_args: Any, headers: Any, **_more: Any
        ) -> None:
            case.validate_response(response, excluded_checks=left_out(case), headers=headers)

    Chain.run(
        settings=settings(
            max_examples=examples(5, 500),
            stateful_step_count=6,
            derandomize=True,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
    )
