"""A player's picture stands before their name wherever lists name them."""

from league.models import Arena, Player
from league.services.core.clock import database_now
from league.services.privacy import profile
from tests.support.cast import beats
from tests.support.competition_steps import begun
from tests.support.date_steps import agree_on_date
from tests.support.pictures import upload
from tests.support.web_steps import browser_of


def test_everywhere_at_once_and_nowhere_once_it_is_gone(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    league = begun(duel, olga, [alice, bob, charlie], "table")
    league.name = "League"
    league.save()
    cup = begun(duel, olga, [alice, bob, charlie], "single")
    match = beats(alice, charlie, duel)
    date = agree_on_date(duel, alice, charlie)
    addresses = [
        "/",
        "/schedule/",
        "/arenas/duel/dates/",
        f"/players/{bob.pk}/against/{alice.pk}/",
        date.get_absolute_url(),
        match.get_absolute_url(),
        league.get_absolute_url(),
        cup.get_absolute_url(),
    ]
    reader = browser_of(olga)

    def with_picture() -> list[str]:
        part = f'src="/players/{alice.pk}/avatar/'
        return [at for at in addresses if part in reader.get(at).content.decode()]

    assert with_picture() == []
    profile.upload(alice, upload(), database_now())
    assert with_picture() == addresses
    profile.take_down(alice)
    assert with_picture() == []
