"""The permission table of following, blocking, searching and the theme."""

from typing import Any

from django.core import signing
from django.utils import timezone

from league.models import Profile
from league.services.privacy import deleting, profile
from tests.support.permission_matrix_teams import of_the_team
from tests.support.permission_roles import LOGGED_IN, OPEN, Role, Row, World, form
from tests.support.pictures import upload

MODERATING = "login forbidden forbidden forbidden forbidden ok"
ALL_BUT_ALICE = "login ok refused ok ok ok"
"""Nobody follows or blocks themselves."""
OF_THE_LEAGUE = ("schedule", "league_results", "league_competitions", "play", "badges")


def an_avatar(world: World) -> dict[str, Any]:
    """The picture of Alice."""
    if not profile.profile_of(world.alice).picture:
        profile.upload(world.alice, upload(), timezone.now())
    shown = Profile.objects.get(player=world.alice)
    return {"pk": world.alice.pk, "digest": shown.picture}


def eves_deletion(world: World) -> dict[str, str]:
    """The link that was mailed to Eve."""
    user = world.user(Role.PLAYER)
    assert user
    return {"token": signing.dumps([user.pk, user.password], salt=deleting.SALT)}


EVERY_DAY = [
    Row("following", "GET", LOGGED_IN),
    *(
        row
        for name in ("player_follow", "player_block")
        for row in (
            Row(name, "GET", LOGGED_IN, where=lambda world: {"pk": world.alice.pk}),
            Row(name, "POST", ALL_BUT_ALICE, where=lambda world: {"pk": world.alice.pk}),
        )
    ),
    Row("api:following", "GET", LOGGED_IN),
    Row("api:blocks", "GET", LOGGED_IN),
    *(
        row
        for name in ("api:player-follow", "api:player-block")
        for row in (
            Row(name, "PUT", ALL_BUT_ALICE, where=lambda world: {"pk": world.alice.pk}),
            Row(name, "DELETE", LOGGED_IN, where=lambda world: {"pk": world.alice.pk}),
        )
    ),
    *(Row(name, "GET", OPEN) for name in OF_THE_LEAGUE),
    Row("latest_week", "GET", OPEN),
    Row("week", "GET", OPEN, where=lambda _world: {"year": "2026", "number": "10"}),
    Row("search", "GET", OPEN, query={"q": "al"}),
    Row("api:search", "GET", OPEN, query={"q": "al"}),
    Row("guesses", "GET", OPEN),
    Row("own_guesses", "GET", LOGGED_IN),
    Row("welcome", "GET", LOGGED_IN),
    Row("unsent", "GET", LOGGED_IN),
    *form("profile", LOGGED_IN, LOGGED_IN, data={"country": "FR", "links": ""}),
    Row("api:profile", "GET", LOGGED_IN),
    Row("api:profile", "PATCH", LOGGED_IN, data={"country": "FR"}),
    Row("api:profile-picture", "PUT", LOGGED_IN.replace("ok", "refused")),  # JSON is no picture
    Row("api:profile-picture", "DELETE", LOGGED_IN),
    Row(
        "api:profile-removal",
        "POST",
        MODERATING,
        where=lambda world: {"pk": an_avatar(world)["pk"]},
        data={"reason": "It is an advertisement."},
    ),
    *form("avatar_upload", LOGGED_IN, LOGGED_IN, data={"action": "remove"}),
    Row("avatar", "GET", OPEN, where=an_avatar),
    Row("profile_remove", "GET", MODERATING, where=lambda world: {"pk": world.alice.pk}),
    Row(
        "profile_remove",
        "POST",
        MODERATING,
        where=lambda world: {"pk": an_avatar(world)["pk"]},
        data={"reason": "It is an advertisement."},
    ),
    *form("privacy", LOGGED_IN, LOGGED_IN, data={"is_unlisted": "on"}),
    *form(
        "account_delete",
        LOGGED_IN,
        "login refused refused refused refused refused",  # a wrong password
        data={"password": "wrong"},
    ),
    *form(
        "account_delete_mail",
        LOGGED_IN,
        "login refused refused ok refused refused",  # only Charlie has a confirmed address
    ),
    *form(
        "account_keep", LOGGED_IN, "login refused refused refused refused refused"
    ),  # not asked for
    *(
        Row("account_delete_by_mail", method, OPEN, where=eves_deletion)
        for method in ("GET", "POST")
    ),
    *form("my_data", LOGGED_IN, LOGGED_IN),
    Row("my_data_file", "GET", "login missing missing missing missing missing"),  # not asked for
    *form("theme", OPEN, OPEN, data={"theme": "dark"}),
    *form("language", OPEN, OPEN, data={"language": ""}),
    *form("team_follow", LOGGED_IN, LOGGED_IN, where=of_the_team),
]
