"""The text of a page's picture: a heading, a title, and a few lines or rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.utils.text import capfirst
from django.utils.timezone import localtime

from league.services.competitions.running import bracket_names
from league.services.core.isolation import gettext as _
from league.services.core.numbers import number, percent
from league.services.privacy.reading import unlisted_among
from league.services.site import frame
from league.services.standings import leaderboards
from league.templatetags.laurel import day_text, is_midnight, rated
from league.templatetags.ranks import in_percentile
from league.templatetags.records import describe_record
from league.web.results.scoresheets import sheet
from league.web.results.words import result_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from league.models import Entrant, Match, Player, Season, Team, TeamRating
    from league.services.competitions.pages import CompetitionPage, FixtureLine, RoundLines
    from league.services.results.records.profiles import SeasonPlayed
    from league.services.results.records.reviews import Review
    from league.services.standings.leaderboard_rows import LeaderboardRow
    from league.services.teams.pages import SeasonRecord
    from league.services.teams.reviews import Review as TeamReview
    from ratings.system import Shows

ROWS = 5


@dataclass(frozen=True)
class Card:
    heading: str
    title: str
    lines: tuple[str, ...] = ()
    rows: tuple[tuple[str, str, str], ...] = ()
    """Place, name and figure."""
    emblem: bytes = b""
    """An encoded square picture, if there is one."""


def of_player(player: Player, played: SeasonPlayed | None, now: datetime) -> Card:
    """Return the card of a player in the season that they played last."""
    if played is None:
        return Card("", player.name)
    season, record = played.season, played.record
    row = leaderboards.player_row(season, played.player, now=now)
    lines = []
    if row:
        lines.append(rating_of(row, season.shows))
    if row and row.rank:
        share = in_percentile(row.percentile) if row.percentile else ""
        rank = _("Rank %(rank)d") % {"rank": row.rank}
        lines.append(f"{rank} · {share}" if share else rank)
    lines.append(describe_record(record, season.arena))
    return Card(f"{season.arena} · {season.name}", player.name, tuple(lines))


def of_review(review: Review) -> Card:
    """Return the card of a player's season in review."""
    played = review.played
    season = played.season
    standing = []
    if review.rank:
        standing.append(_("Rank %(rank)d") % {"rank": review.rank})
    if review.rating is not None and not season.lowest_first:
        standing.append(rated(review.rating, season.shows))
    record = describe_record(played.record, season.arena)
    heading = f"{season.arena} · {season.name}"
    return Card(heading, played.player.name, review_lines(review, standing, record))


def of_team_review(team: Team, review: TeamReview, emblem: bytes) -> Card:
    """Return the card of a team's season in review."""
    played = review.played
    season = played.season
    standing = []
    if review.rank:
        standing.append(_("Rank %(rank)d") % {"rank": review.rank})
    if played.rating:
        standing.append(rated(played.rating.rating, season.shows))
    return Card(
        f"{season.arena} · {season.name}",
        f"{team.name} [{team.tag}]",
        review_lines(review, standing, describe_record(played, season.arena)),
        emblem=emblem,
    )


def review_lines(
    review: Review | TeamReview, standing: Sequence[str], record: str
) -> tuple[str, ...]:
    """Return the lines of a season in review."""
    lines = [" · ".join(standing), record]
    if review.winning:
        lines.append(_("Longest winning streak: %(count)d") % {"count": review.winning.count})
    if review.best_win and review.best_win.chance is not None:
        chance = percent(review.best_win.chance)
        lines.append(_("Best win: with a chance of %(chance)s") % {"chance": chance})
    return tuple(line for line in lines if line)


def of_team(team: Team, records: Sequence[SeasonRecord], emblem: bytes) -> Card:
    """Return the card of a team: its rating and record in the season that it played last."""
    title = f"{team.name} [{team.tag}]"
    if not records:
        return Card("", title, emblem=emblem)
    last = records[0]
    won = describe_record(last, last.season.arena)
    rating = [rating_of(last.rating, last.season.shows)] if last.rating else []
    heading = f"{last.season.arena} · {last.season.name}"
    return Card(heading, title, (*rating, won), emblem=emblem)


def rating_of(row: LeaderboardRow | TeamRating, shows: Shows) -> str:
    """Return a rating and, if it has one, its deviation."""
    rating = rated(row.rating, shows)
    if row.deviation is None:
        return rating
    return f"{rating} ± {number(shows.spread(row.rating, row.deviation), shows.decimals)}"


def of_match(match: Match) -> Card:
    """Return the card of a match loaded by ``lines.in_lines``."""
    match_sheet = sheet(match)
    played = match.played_at
    if not is_midnight(played):
        played = localtime(played, ZoneInfo(frame.current().time_zone))
    places = (
        ()
        if match_sheet.is_two_sided
        else tuple((str(side.place or ""), side.name, "") for side in match_sheet.ranked[:ROWS])
    )
    return Card(
        f"{match.arena} · {match.season.name}",
        str(match.arena) if places else result_line(match_sheet),
        () if places else (capfirst(match.get_status_display()), day_text(played)),
        places,
    )


def of_board(season: Season, now: datetime) -> Card:
    """Return the card of a leaderboard: its first players."""
    leaders = leaderboards.leaders([season], now=now).get(season.pk, [])
    unlisted = unlisted_among(row.player_id for row in leaders[:ROWS])
    rows = tuple(
        (
            str(row.rank or ""),
            _("Unlisted player") if row.player_id in unlisted else row.name,
            rated(row.rating, season.shows),
        )
        for row in leaders[:ROWS]
    )
    lines = () if rows else (_("Nobody is ranked yet."),)
    return Card(season.name, str(season.arena), lines, rows)


def of_competition(page: CompetitionPage) -> Card:
    """Return the card of a competition: who won, the round of its bracket that is being played,
    or the top of its first table."""
    one = page.competition
    heading = f"{one.season.arena} · {one.season.name}"
    kind = capfirst(one.get_format_display())
    if page.winner:
        won = _("Won by %(name)s") % {"name": shown_name(page.winner)}
        return Card(heading, one.name, (kind, won))
    if current := round_of_bracket(page):
        name = bracket_names.names_of(one, page.rounds)[current.round.pk]
        return Card(f"{heading} · {name}", one.name, (), tuple(pairings(current)))
    if not page.tables:
        return Card(heading, one.name, (kind, capfirst(one.get_state_display())))
    rows = tuple(
        (str(line.row.place), shown_name(line.entrant), line.points)
        for line in page.tables[0].lines[:ROWS]
    )
    return Card(heading, one.name, (), rows)


def round_of_bracket(page: CompetitionPage) -> RoundLines | None:
    """Return the first round of a bracket with a pairing that is still to be played, or else the
    last with any."""
    drawn = [each for each in page.bracket if any(is_known(line) for line in each.fixtures)]
    playing = (
        each
        for each in drawn
        if any(is_known(line) and not line.outcome.is_decided for line in each.fixtures)
    )
    return next(playing, drawn[-1] if drawn else None)


def is_known(line: FixtureLine) -> bool:
    """Return whether both sides of a fixture are known."""
    return line.fixture.home is not None and line.fixture.away is not None


def pairings(shown: RoundLines) -> Iterator[tuple[str, str, str]]:
    """Yield the first pairings of a round with their scores, as rows."""
    for line in [line for line in shown.fixtures if is_known(line)][:ROWS]:
        home, away = line.fixture.home, line.fixture.away
        if home and away:
            names = {"one": shown_name(home), "other": shown_name(away)}
            yield "", _("%(one)s against %(other)s") % names, line.score


def shown_name(entrant: Entrant) -> str:
    """Return an entrant's name, unless they are an unlisted player."""
    is_unlisted = entrant.player is not None and entrant.player.is_unlisted
    return _("Unlisted player") if is_unlisted else entrant.name
