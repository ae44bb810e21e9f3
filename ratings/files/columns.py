"""The possible meanings of the columns of a table of results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Column:
    """A possible meaning of a column."""

    name: str
    label: Sentence
    help: Sentence
    guesses: tuple[str, ...]
    """Names of columns, without case, spaces and signs."""


COLUMNS = [
    Column(
        "match",
        Sentence("Match number"),
        Sentence("Of a result that is here already, as an export writes it."),
        ("match", "matchnumber"),
    ),
    Column(
        "played_at",
        Sentence("Date"),
        Sentence("2024-05-31, 2024-05-31 19:30, 31.05.2024, 31/5/24, 31 May 2024, or with an "
                 "offset such as Z."),
        ("playedat", "date", "datetime", "day", "when", "datum", "played", "matchdate",
         "gamedate", "tourneydate", "utcdate", "dateutc", "datetimeutc", "timestamp",
         "unixtime", "starttime", "startedat", "starttimestamp", "completedat",
         "createdat", "fecha", "data", "dato", "termin"),
    ),
    Column(
        "time",
        Sentence("Time of day"),
        Sentence("If it has a column of its own."),
        ("time", "timeofday", "hour", "uhrzeit", "kickoff", "kickofftime", "zeit",
         "heure", "hora", "ora"),
    ),
    Column(
        "side_1",
        Sentence("First side"),
        Sentence("A player, a roster, or players with commas or signs between them."),
        ("side1", "first", "home", "hometeam", "hometeamname", "homename", "player1",
         "player1name", "team1", "team1name", "white", "whiteplayer", "whitename",
         "playera", "teama", "homeplayer", "homeneutral", "heim", "heimmannschaft",
         "heimteam", "participant1", "competitor1", "p1", "t1", "local", "equipolocal",
         "domicile", "casa", "thuis"),
    ),
    Column(
        "side_2",
        Sentence("Second side"),
        Sentence("As the first side."),
        ("side2", "second", "away", "awayteam", "awayteamname", "awayname", "player2",
         "player2name", "team2", "team2name", "black", "blackplayer", "blackname",
         "playerb", "teamb", "opponent", "awayplayer", "guest", "visitor",
         "visitorneutral", "gast", "gastmannschaft", "gastteam", "participant2",
         "competitor2", "p2", "t2", "visitante", "equipovisitante", "exterieur", "ospite",
         "trasferta", "uit"),
    ),
    Column(
        "score_1",
        Sentence("Score of the first side"),
        Sentence("A number."),
        ("score1", "homescore", "firstscore", "homegoals", "pointsa", "scorea",
         "winnerscore", "winningscore", "wsets", "wscore", "ptsw", "winnersets",
         "winnergames", "fthg", "hg", "goals1", "points1", "sets1", "games1",
         "homepoints", "hometeamscore", "hometeamgoal", "hometeamgoals", "team1score",
         "player1score", "whitescore", "homeruns"),
    ),
    Column(
        "score_2",
        Sentence("Score of the second side"),
        Sentence("A number."),
        ("score2", "awayscore", "secondscore", "awaygoals", "pointsb", "scoreb",
         "loserscore", "losingscore", "lsets", "lscore", "ptsl", "losersets",
         "losergames", "ftag", "ag", "goals2", "points2", "sets2", "games2", "awaypoints",
         "awayteamscore", "awayteamgoal", "awayteamgoals", "team2score", "player2score",
         "blackscore", "awayruns"),
    ),
    Column(
        "result",
        Sentence("Result"),
        Sentence("3:1, ½-½, 7-6(4) 6-3 or w.o.; for a free-for-all, the scores in order of "
                 "finish."),
        ("result", "score", "scores", "ergebnis", "outcome", "ft", "finalscore",
         "endstand", "resultat", "resultado", "risultato", "uitslag"),
    ),
    Column(
        "ending",
        Sentence("How it ended"),
        Sentence("“walkover”, “retired” or “not played”. Other texts say nothing."),
        ("ending", "comment", "comments", "remark", "remarks", "status", "matchstatus",
         "gamestatus", "gamestatustext", "resulttype", "wintype", "endtype", "note", "notes",
         "bemerkung", "bemerkungen", "estado", "statut", "stato"),
    ),
    Column(
        "winner",
        Sentence("Winner"),
        Sentence("A name; with columns of both sides, also 1, 2 or draw. Not needed where scores "
                 "say it."),
        ("winner", "won", "winningside", "winnerside", "winnername", "winnerplayer",
         "wteamname", "wteamid", "winningteam", "winnertie", "gewinner", "sieger",
         "winnerid", "ftr", "res", "win", "whowon"),
    ),
    Column(
        "loser",
        Sentence("Loser"),
        Sentence("With the winner, instead of columns of both sides."),
        ("loser", "losername", "loserplayer", "lteamname", "lteamid", "losingteam", "losertie",
         "verlierer", "loserid"),
    ),
    Column(
        "order",
        Sentence("Order of finish"),
        Sentence("All sides of a match, the best first: Alice > Bob = Charlie > Dora."),
        ("order", "orderoffinish", "finish", "standings", "places"),
    ),
    Column(
        "first",
        Sentence("Side at home"),
        Sentence("1, 2, none, or the name of the side at home, with White or with the serve."),
        ("atvenue", "serving", "server", "homeside", "firstside", "wloc"),
    ),
    Column(
        "neutral",
        Sentence("Neutral ground"),
        Sentence("“yes” if no side is at home. Otherwise the first one is."),
        ("neutral", "neutralground", "neutralsite"),
    ),
    Column(
        "mode", Sentence("Game mode"), Sentence("One of the arena’s."), ("mode", "gamemode")
    ),
    Column(
        "round",
        Sentence("Round"),
        Sentence("Of the competition, if a result counts for one of several fixtures."),
        ("round", "roundnumber", "rnd", "matchday", "spieltag", "runde", "week",
         "gameweek"),
    ),
    Column(
        "weight",
        Sentence("Weight"),
        Sentence("2 for a result that says as much as two others."),
        ("weight", "contestweight"),
    ),
    Column(
        "void",
        Sentence("Void"),
        Sentence("“yes” makes the result with this match number void."),
        ("void", "delete", "remove"),
    ),
]  # fmt: skip


def more_of(side: str, number: int) -> str:
    """Return the meaning of the column of a further player of a side, counted from 2."""
    return f"{side}_player_{number}"


def players_of(side: str, columns: Mapping[str, int]) -> list[int]:
    """Return the columns of the players of a side."""
    found = [columns[side]] if side in columns else []
    while (name := more_of(side, len(found) + 1)) in columns and found:
        found.append(columns[name])
    return found


def find_missing(columns: Mapping[str, int]) -> Sentence | None:
    """Return what the columns do not say, None if they say enough."""
    if "order" in columns or {"winner", "loser"} <= set(columns):
        return None
    if not {"side_1", "side_2"} <= set(columns):
        return Sentence(
            "Choose the columns of both sides, of the winner and the loser, or one with the order "
            "of finish."
        )
    if {"score_1", "score_2"} <= set(columns) or {"result", "winner"} & set(columns):
        return None
    return Sentence("Choose the columns of both scores, or of the result or the winner.")
