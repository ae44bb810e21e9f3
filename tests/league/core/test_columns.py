"""Columns are compared as Django compares them, only faster."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models.expressions import Col, Expression

from league.models import Match, Player
from league.postgresql.columns import identity

SEASON, NAME = Match._meta.get_field("season"), Player._meta.get_field("name")
BY_DJANGO: Any = Expression.__dict__["identity"]


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (("league_match", SEASON), {}),
        (("league_match", SEASON, SEASON), {}),
        (("T3", NAME, SEASON), {}),
        ((None, NAME), {}),
        (("league_player", NAME), {"output_field": NAME}),
    ],
)
def test_the_identity_of_a_column_is_that_of_django(
    given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    column = Col(*given, **named)
    assert column.identity == identity(column) == BY_DJANGO.func(column)


def test_columns_of_other_tables_and_fields_differ() -> None:
    columns = [Col("a", NAME), Col("b", NAME), Col("a", SEASON), Col("a", NAME, SEASON)]
    assert len(set(columns)) == 4
    assert Col("a", NAME) == columns[0]
