"""The permission table of what other sites read: pictures, feeds, embedded parts, maps."""

from tests.support.permission_matrix_competitions import a_competition, in_the_competition
from tests.support.permission_matrix_teams import of_the_team
from tests.support.permission_objects import Fields, in_arena
from tests.support.permission_roles import OPEN, Row, World


def of_alice(world: World) -> Fields:
    return {"pk": world.alice.pk}


def a_season_of_alice(world: World) -> Fields:
    return {"pk": world.alice.pk, "season_id": world.rated.season_id}


SHARING = [
    Row("manifest", "GET", OPEN),
    Row("app_icon", "GET", OPEN, where={"digest": "0", "look": "192"}),
    Row("apple_icon", "GET", OPEN),
    Row("service_worker", "GET", OPEN),
    Row("offline", "GET", OPEN),
    Row("sitemaps", "GET", OPEN),
    Row("sitemap", "GET", OPEN, where={"section": "arenas"}),
    Row("oembed", "GET", "missing missing missing missing missing missing"),
    Row("embed_board", "GET", OPEN, where=in_arena),
    Row("embed_player", "GET", OPEN, where=of_alice),
    Row("arena_feed", "GET", OPEN, where=in_arena),
    Row("player_feed", "GET", OPEN, where=of_alice),
    Row("league_picture", "GET", "missing missing missing missing missing missing"),
    Row("board_picture", "GET", OPEN, where=in_arena),
    Row("player_picture", "GET", OPEN, where=of_alice),
    Row("player_review", "GET", OPEN, where=a_season_of_alice),
    Row("review_picture", "GET", OPEN, where=a_season_of_alice),
    Row("team_card", "GET", OPEN, where=of_the_team),
    Row("match_picture", "GET", OPEN, where=lambda world: {"pk": world.rated.pk}),
    Row("join", "GET", OPEN),
    Row("join_competition", "GET", OPEN, where=lambda world: {"pk": a_competition(world).pk}),
    Row("poster", "GET", OPEN),
    Row("competition_poster", "GET", OPEN, where=in_the_competition),
    Row("competition_picture", "GET", OPEN, where=lambda world: {"pk": a_competition(world).pk}),
]
