"""A new database is made by plain ``migrate``."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from league.models import Arena, ReservedWord, Trial, User
from league.models.earlier import EARLIER_DEFAULTS
from tests.support import databases
from tests.support.cast import arena

pytestmark = [
    pytest.mark.django_db(transaction=True),  # databases are changed beneath
    pytest.mark.slow,
]


def test_a_new_database_is_up_to_date_and_has_its_triggers_and_first_rows() -> None:
    with databases.empty():
        call_command("migrate", verbosity=0)
        call_command("migrate", check_unapplied=True, verbosity=0)
        assert ReservedWord.objects.filter(name="admin", skeleton="adrnln").exists()
        with (
            pytest.raises(IntegrityError, match="is a ledger"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute("TRUNCATE league_staffaction CASCADE")


def test_a_database_that_does_not_know_letters_is_refused_before_it_has_tables() -> None:
    with databases.of_bytes() as name:
        with pytest.raises(CommandError, match=f"{name} stores text as SQL_ASCII.* needs UTF8"):
            call_command("migrate", verbosity=0)
        assert "league_user" not in connection.introspection.table_names()


def test_orders_of_ladders_become_starting_ratings_and_back() -> None:
    ranks = {"ladder": {"12": [1, None], "3": [2, None], "20": [3, None]}}
    with databases.empty():
        call_command("migrate", verbosity=0)
        season = arena("ladder", rating_system="ladder").seasons.get()
        other = arena("duel").seasons.get()
        season.starting_ratings = ranks
        season.save()
        call_command("migrate", "league", "0018", verbosity=0)
        with connection.cursor() as cursor:
            cursor.execute("SELECT id, starting_order FROM league_season")
            assert dict(cursor.fetchall()) == {season.pk: [12, 3, 20], other.pk: []}
        call_command("migrate", verbosity=0)
        season.refresh_from_db()
        other.refresh_from_db()
        assert (season.starting_ratings, other.starting_ratings) == (ranks, {})


def test_whatever_was_rated_by_the_first_laurel_keeps_it() -> None:
    with databases.empty():
        call_command("migrate", verbosity=0)
        old, other = arena("old", rating_system="laurel"), arena("other", rating_system="elo")
        season = old.seasons.get()
        season.starting_ratings = {"laurel": {"3": [1600.0, 90.0]}, "elo": {"3": [1500.0, None]}}
        season.save()
        season.versions.create(
            number=1,
            since=0,
            at=season.starts_at,
            rating_system="laurel",
            rating_parameters={},
            rules={},
        )
        candidates = [{"key": "typed", "system": name} for name in ("elo", "laurel")]
        trial = Trial.objects.create(
            season=season,
            by=User.objects.create(username="olga"),
            version=1,
            at=season.starts_at,
            split=season.starts_at,
            candidates=candidates,
        )
        call_command("migrate", "league", "0019", verbosity=0)
        call_command("migrate", verbosity=0)
        for row in (old, season, other, trial):
            row.refresh_from_db()
        assert (old.rating_system, other.rating_system) == ("laurel-1", "elo")
        assert season.rating_system == season.versions.get().rating_system == "laurel-1"
        assert season.starting_ratings["laurel-1"] == {"3": [1600.0, 90.0]}
        assert season.starting_ratings.keys() == {"laurel-1", "elo"}
        assert [one["system"] for one in trial.candidates] == ["elo", "laurel-1"]
        with pytest.raises(IntegrityError, match="is a ledger"), transaction.atomic():
            season.versions.update(reason="x")


def test_arenas_keep_the_defaults_that_they_were_set_up_with() -> None:
    """Those written down with differences only, and those with all parameters."""
    with databases.empty():
        call_command("migrate", verbosity=0)
        rows = {name: arena(name, rating_system=name) for name in ("elo", *EARLIER_DEFAULTS)}
        whole, changed = arena("whole", rating_system="glicko-2"), arena("changed")
        Arena.objects.filter(pk__in=[row.pk for row in rows.values()]).update(rating_parameters={})
        own = {"deviation_period": "9d", "first_side": 50.0}
        Arena.objects.filter(pk=changed.pk).update(rating_system="glicko-2", rating_parameters=own)
        complete = Arena.objects.get(pk=whole.pk).rating_parameters
        call_command("migrate", "league", "0020", verbosity=0)
        call_command("migrate", verbosity=0)
        for name, row in rows.items():
            row.refresh_from_db()
            assert row.rating_parameters == EARLIER_DEFAULTS.get(name, {})
        whole.refresh_from_db()
        changed.refresh_from_db()
        assert whole.rating_parameters == {**EARLIER_DEFAULTS["glicko-2"], **complete}
        assert changed.rating_parameters == {**own, "deviation_max_periods": 20}


def test_a_plan_for_an_empty_database_creates_nothing() -> None:
    with databases.empty():
        call_command("migrate", plan=True, stdout=StringIO())
        assert not connection.introspection.table_names()
