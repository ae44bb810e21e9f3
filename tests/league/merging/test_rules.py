"""Every relation to a player has a rule for merging."""

from typing import cast

from django.db.models import ManyToOneRel, Model

from league.models import Player
from league.services.merging.fates import RULES, Fate
from league.services.merging.moving import models_with_rules


def relations() -> set[str]:
    """Return all foreign keys to players, as the models have them."""
    return {
        f"{cast('type[Model]', relation.related_model).__name__}.{relation.field.name}"
        for relation in Player._meta.get_fields(include_hidden=True)
        if isinstance(relation, ManyToOneRel)
    }


def test_every_foreign_key_to_a_player_has_a_rule_and_every_rule_a_key() -> None:
    assert relations() == set(RULES)


def test_fields_of_a_model_that_move_share_one_rule() -> None:
    for model, fields in models_with_rules():
        assert len(set(fields.values())) == 1, model


def test_a_new_relation_without_a_rule_would_be_noticed() -> None:
    assert relations() - (set(RULES) - {"Notice.actor"}) == {"Notice.actor"}


def test_archives_and_records_of_what_was_decided_stay() -> None:
    staying = {name for name, rule in RULES.items() if rule.fate is Fate.STAYS}
    assert staying == {
        "Anchor.player",
        "FinalStanding.player",
        "FinalPoints.player",
        "Award.player",
        "TrialMove.player",
        "DivisionChange.player",
        "MergeRequest.kept",
        "MergeRequest.merged",
    }
