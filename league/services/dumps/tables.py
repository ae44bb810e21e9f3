"""The tables of a dump: what the site shows everybody, without what players hide.

Everything here can be read on a page by anybody. Two kinds of players are left out, because a file
is copied to places that no setting reaches: the unlisted are not named, and the rating changes of
those who hide their match history are missing. What a person hides (``q``) is hidden for the
players (``p``) that were merged into theirs as well, of whom archives still speak. Rosters that are
named after an unlisted captain have no name. See docs/dumps.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Kind(Enum):
    """What the values of a column are. Any of them may be missing."""

    INTEGER = "integer"
    NUMBER = "number"
    TEXT = "text"
    TIME = "time"
    TRUTH = "boolean"


INTEGER, NUMBER, TEXT, TIME, TRUTH = Kind


@dataclass(frozen=True)
class Table:
    """A table of a dump, which becomes a file in each format."""

    name: str
    about: str | Promise
    columns: dict[str, Kind]
    """In the order of the query."""
    query: str


TABLES = (
    Table(
        "arenas",
        _("Arenas and their rating systems."),
        {"id": INTEGER, "slug": TEXT, "name": TEXT, "format": TEXT, "rating_system": TEXT},
        """
        SELECT a.id, a.slug, a.name, a.format, a.rating_system
        FROM league_arena AS a WHERE NOT a.is_draft ORDER BY a.id
        """,
    ),
    Table(
        "seasons",
        _("Seasons, running, over and planned."),
        {
            "id": INTEGER,
            "arena_id": INTEGER,
            "name": TEXT,
            "rating_system": TEXT,
            "starts_at": TIME,
            "ends_at": TIME,
            "archived_at": TIME,
        },
        """
        SELECT s.id, s.arena_id, s.name, s.rating_system, s.starts_at, s.ends_at, s.archived_at
        FROM league_season AS s JOIN league_arena AS a ON a.id = s.arena_id
        WHERE NOT a.is_draft ORDER BY s.id
        """,
    ),
    Table(
        "players",
        _("Players who can be found by their name."),
        {"id": INTEGER, "name": TEXT, "country": TEXT},
        """
        SELECT p.id, p.name, nullif(f.country, '')
        FROM league_player AS p LEFT JOIN league_profile AS f ON f.player_id = p.id
        WHERE NOT p.is_unlisted AND p.merged_into_id IS NULL ORDER BY p.id
        """,
    ),
    Table(
        "teams",
        _("Teams, also those that are disbanded."),
        {"id": INTEGER, "name": TEXT, "tag": TEXT, "created_at": TIME, "disbanded_at": TIME},
        "SELECT id, name, tag, created_at, disbanded_at FROM league_team ORDER BY id",
    ),
    Table(
        "matches",
        _("Rated matches, in the order in which they were rated."),
        {
            "id": INTEGER,
            "arena_id": INTEGER,
            "season_id": INTEGER,
            "kind": TEXT,
            "settlement": TEXT,
            "mode": TEXT,
            "region": TEXT,
            "first_side": INTEGER,
            "played_at": TIME,
            "settled_at": TIME,
            "rated_order": INTEGER,
        },
        """
        SELECT m.id, m.arena_id, m.season_id, m.kind, nullif(m.settlement, ''),
            nullif(m.mode, ''), nullif(m.region, ''), m.first_side, m.played_at, m.settled_at,
            m.rated_order
        FROM league_match AS m JOIN league_arena AS a ON a.id = m.arena_id
        WHERE m.status = 'rated' AND NOT a.is_draft ORDER BY m.rated_order, m.id
        """,
    ),
    Table(
        "sides",
        _("The sides of rated matches. The best place is 0, and equal places are a draw."),
        {
            "match_id": INTEGER,
            "side": INTEGER,
            "place": INTEGER,
            "score": NUMBER,
            "roster": TEXT,
            "team_id": INTEGER,
        },
        """
        SELECT s.match_id, s.index, s.place, s.score,
            CASE
                WHEN NOT (leader.is_unlisted AND strpos(r.folded_name, leader.folded_name) > 0)
                THEN r.name
            END,
            r.team_id
        FROM league_side AS s
        JOIN league_match AS m ON m.id = s.match_id
        JOIN league_arena AS a ON a.id = m.arena_id
        LEFT JOIN league_roster AS r ON r.id = s.roster_id
        LEFT JOIN league_player AS leader ON leader.id = r.captain_id
        WHERE m.status = 'rated' AND NOT a.is_draft ORDER BY s.match_id, s.index
        """,
    ),
    Table(
        "participants",
        _("Who played on the sides of rated matches. Unlisted players have no id and no name."),
        {
            "match_id": INTEGER,
            "side": INTEGER,
            "player_id": INTEGER,
            "player": TEXT,
            "profession": TEXT,
            "stand_in": TRUTH,
            "quit": TRUTH,
            "seconds": NUMBER,
        },
        """
        SELECT o.match_id, s.index,
            CASE WHEN NOT (p.is_unlisted OR coalesce(q.is_unlisted, false)) THEN p.id END,
            CASE WHEN NOT (p.is_unlisted OR coalesce(q.is_unlisted, false)) THEN p.name END,
            nullif(o.profession, ''), o.stand_in, o.quit,
            o.seconds
        FROM league_participant AS o
        JOIN league_side AS s ON s.id = o.side_id
        JOIN league_match AS m ON m.id = o.match_id
        JOIN league_arena AS a ON a.id = m.arena_id
        JOIN league_player AS p ON p.id = o.player_id
        LEFT JOIN league_player AS q ON q.id = p.merged_into_id
        WHERE m.status = 'rated' AND NOT a.is_draft ORDER BY o.match_id, s.index, o.position
        """,
    ),
    Table(
        "rating_changes",
        _(
            "What matches did to ratings, without players who are unlisted or hide their match "
            "history."
        ),
        {
            "season_id": INTEGER,
            "match_id": INTEGER,
            "player_id": INTEGER,
            "games": INTEGER,
            "rated_at": TIME,
            "rating_before": NUMBER,
            "rating_after": NUMBER,
            "deviation_before": NUMBER,
            "deviation_after": NUMBER,
        },
        """
        SELECT e.season_id, e.match_id, e.player_id, e.games, e.rated_at, e.rating_before,
            e.rating_after, e.deviation_before, e.deviation_after
        FROM league_ratingevent AS e
        JOIN league_season AS s ON s.id = e.season_id
        JOIN league_arena AS a ON a.id = s.arena_id
        JOIN league_player AS p ON p.id = e.player_id
        LEFT JOIN league_player AS q ON q.id = p.merged_into_id
        WHERE e.superseded_by_id IS NULL AND NOT a.is_draft
            AND NOT (p.hides_history OR p.is_unlisted)
            AND NOT coalesce(q.hides_history OR q.is_unlisted, false)
        ORDER BY e.id
        """,
    ),
    Table(
        "ratings",
        _("Ratings in seasons that are not archived yet."),
        {
            "season_id": INTEGER,
            "player_id": INTEGER,
            "player": TEXT,
            "rating": NUMBER,
            "deviation": NUMBER,
            "games": INTEGER,
            "last_played_at": TIME,
        },
        """
        SELECT r.season_id,
            CASE WHEN NOT (p.is_unlisted OR coalesce(q.is_unlisted, false)) THEN p.id END,
            CASE WHEN NOT (p.is_unlisted OR coalesce(q.is_unlisted, false)) THEN p.name END,
            r.rating, r.deviation, r.games, r.last_played_at
        FROM league_rating AS r
        JOIN league_season AS s ON s.id = r.season_id
        JOIN league_arena AS a ON a.id = s.arena_id
        JOIN league_player AS p ON p.id = r.player_id
        LEFT JOIN league_player AS q ON q.id = p.merged_into_id
        WHERE s.archived_at IS NULL AND NOT a.is_draft ORDER BY r.season_id, r.rating DESC, r.id
        """,
    ),
    Table(
        "final_standings",
        _("Final standings of archived seasons."),
        {
            "season_id": INTEGER,
            "position": INTEGER,
            "rank": INTEGER,
            "player_id": INTEGER,
            "player": TEXT,
            "division": TEXT,
            "rating": NUMBER,
            "deviation": NUMBER,
            "games": INTEGER,
            "wins": INTEGER,
            "draws": INTEGER,
            "losses": INTEGER,
        },
        """
        SELECT f.season_id, f.position, f.rank,
            CASE WHEN NOT (p.is_unlisted OR coalesce(q.is_unlisted, false)) THEN p.id END,
            CASE WHEN NOT (p.is_unlisted OR coalesce(q.is_unlisted, false)) THEN f.name END,
            nullif(f.division, ''), f.rating, f.deviation, f.games, f.wins, f.draws, f.losses
        FROM league_finalstanding AS f
        JOIN league_season AS s ON s.id = f.season_id
        JOIN league_arena AS a ON a.id = s.arena_id
        JOIN league_player AS p ON p.id = f.player_id
        LEFT JOIN league_player AS q ON q.id = p.merged_into_id
        WHERE NOT a.is_draft ORDER BY f.season_id, f.position
        """,
    ),
    Table(
        "competitions",
        _("Competitions that players can see."),
        {
            "id": INTEGER,
            "season_id": INTEGER,
            "name": TEXT,
            "format": TEXT,
            "state": TEXT,
            "starts_at": TIME,
            "over_at": TIME,
        },
        """
        SELECT c.id, c.season_id, c.name, c.format, c.state, c.starts_at, c.over_at
        FROM league_competition AS c
        JOIN league_season AS s ON s.id = c.season_id
        JOIN league_arena AS a ON a.id = s.arena_id
        WHERE c.opened_at IS NOT NULL AND NOT a.is_draft ORDER BY c.id
        """,
    ),
    Table(
        "entrants",
        _("The entrants of competitions: a player or a roster. Unlisted players are not named."),
        {
            "id": INTEGER,
            "competition_id": INTEGER,
            "name": TEXT,
            "player_id": INTEGER,
            "team_id": INTEGER,
            "state": TEXT,
            "seed": INTEGER,
            "place": INTEGER,
        },
        """
        SELECT n.id, n.competition_id,
            CASE
                WHEN r.id IS NULL AND NOT (p.is_unlisted OR coalesce(q.is_unlisted, false))
                THEN n.name
                WHEN NOT (leader.is_unlisted AND strpos(lower(n.name), lower(leader.name)) > 0)
                THEN n.name
            END,
            CASE WHEN NOT (p.is_unlisted OR coalesce(q.is_unlisted, false)) THEN p.id END,
            r.team_id, n.state, n.seed, n.place
        FROM league_entrant AS n
        JOIN league_competition AS c ON c.id = n.competition_id
        JOIN league_season AS s ON s.id = c.season_id
        JOIN league_arena AS a ON a.id = s.arena_id
        LEFT JOIN league_player AS p ON p.id = n.player_id
        LEFT JOIN league_player AS q ON q.id = p.merged_into_id
        LEFT JOIN league_roster AS r ON r.id = n.roster_id
        LEFT JOIN league_player AS leader ON leader.id = r.captain_id
        WHERE c.opened_at IS NOT NULL AND NOT a.is_draft ORDER BY n.id
        """,
    ),
    Table(
        "fixtures",
        _("The fixtures of competitions, and the matches that count for them."),
        {
            "id": INTEGER,
            "competition_id": INTEGER,
            "round": INTEGER,
            "number": INTEGER,
            "home_id": INTEGER,
            "away_id": INTEGER,
            "best_of": INTEGER,
            "result": TEXT,
            "match_ids": TEXT,
        },
        """
        SELECT x.id, x.competition_id, o.number, x.number, x.home_id, x.away_id, x.best_of,
            nullif(x.result, ''),
            (
                SELECT string_agg(d.match_id::text, ' ' ORDER BY g.id)
                FROM league_fixturegame AS g
                JOIN league_arrangement AS d ON d.id = g.arrangement_id
                WHERE g.fixture_id = x.id AND d.match_id IS NOT NULL
            )
        FROM league_fixture AS x
        JOIN league_round AS o ON o.id = x.round_id
        JOIN league_competition AS c ON c.id = x.competition_id
        JOIN league_season AS s ON s.id = c.season_id
        JOIN league_arena AS a ON a.id = s.arena_id
        WHERE c.opened_at IS NOT NULL AND NOT a.is_draft ORDER BY x.id
        """,
    ),
)
