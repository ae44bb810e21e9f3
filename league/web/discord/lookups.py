"""/rank, /odds and /fixtures: answers that change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import QueryDict
from django.urls import reverse

from league.models import Season
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.dates import lists
from league.services.discord import words
from league.services.privacy.reading import unlisted_among
from league.services.results.forecasts.words import own_odds
from league.services.results.rules.formats import plays_in_rosters
from league.services.standings import leaderboards
from league.templatetags.laurel import moved_by, rated, signed
from league.web.discord import answers
from league.web.discord.asking import arena_meant, arena_named
from league.web.results.lineups import lineup_against, players_named
from league.web.results.stakes import stakes_of

if TYPE_CHECKING:
    from league.models import Arena, Arrangement, Player, Roster
    from league.services.results.forecasts.outcomes import Change
    from league.services.standings.leaderboard_rows import LeaderboardRow
    from league.web.discord.answers import Answer
    from league.web.discord.asking import Asked
    from ratings.system import Shows

MOST_LINES = 15


def rank(asked: Asked) -> Answer:
    """Show a player's rank and rating, in one arena or in all with a current season."""
    named = asked.argument("player")
    player = players_named([named])[0] if named else asked.me
    running = Season.objects.running(asked.now).filter(arena__is_draft=False)
    if text := asked.argument("arena"):
        running = running.filter(arena=arena_named(text))
    seasons = list(running.select_related("arena").order_by("arena__sort_name"))
    rows = leaderboards.player_rows(player, seasons, now=asked.now)
    lines = [
        f"{words.link(season.arena.name, reverse('leaderboard', args=[season.arena.slug]))}: "
        f"{words.plain(standing(rows[season.pk], season.shows))}"
        for season in seasons
        if season.pk in rows
    ]
    return answers.message(
        words.join_lines(lines) or words.plain(_("No rated matches in a running season.")),
        title=player.name,
        page=player.get_absolute_url(),
        is_private=player.is_unlisted,
    )


def standing(row: LeaderboardRow, shows: Shows) -> str:
    rating = rated(row.rating, shows)
    if row.rank is None:
        text = _("not ranked yet, %(rating)s") if row.provisional else _("inactive, %(rating)s")
        return text % {"rating": rating}
    values = {"rank": row.rank, "rating": rating, "division": row.division}
    if row.division is None:
        return _("rank %(rank)d, %(rating)s") % values
    return _("rank %(rank)d, %(rating)s, %(division)s") % values


def odds(asked: Asked) -> Answer:
    """Show the player's chance of winning against an opponent, and what is at stake."""
    me, arena = asked.me, arena_meant(asked)
    lineup = lineup_against(arena, me, question(asked, arena, me))
    found = stakes_of(lineup, me, asked.now)
    if found is None:
        text = _("There are currently no odds for this match in %(arena)s.")
        raise Refused("no_odds", text % {"arena": arena})
    lines = []
    if found.chance is not None:
        lines.append(words.plain(own_odds(found)))
    ends = [(_("If you win"), found.win), (_("If you draw"), found.draw)]
    lines += [
        words.plain(f"{label}: {describe_move(one, found.shows)}")
        for label, one in [*ends, (_("If you lose"), found.loss)]
        if one is not None
    ]
    names = {"one": lineup.sides[0].name, "other": lineup.sides[1].name, "arena": arena}
    return answers.message(
        "\n".join(lines),
        title=_("%(one)s against %(other)s, %(arena)s") % names,
        page=reverse("what_if", args=[arena.slug]),
    )


def question(asked: Asked, arena: Arena, me: Player) -> QueryDict:
    """Return the line-up of the request in the format of the report form."""
    sent = QueryDict(mutable=True)
    sent["opponent"] = asked.argument("opponent")
    mine = arena.rosters.led_by(me).first() if plays_in_rosters(arena) else None
    if mine:
        sent["roster"] = str(mine.pk)
    return sent


def describe_move(change: Change, shows: Shows) -> str:
    if shows.lowest_first:  # ranks: lower is better
        return signed(-change.change, 0)
    return signed(moved_by(change, shows, shows.decimals), shows.decimals)


def fixtures(asked: Asked) -> Answer:
    """List the next dates of an arena, or of the player."""
    if text := asked.argument("arena"):
        arena = arena_named(text)
        dates = list(lists.upcoming(arena)[:MOST_LINES])
        for one in dates:
            one.arena = arena
        return answers.message(
            lines_of(dates, hide_unlisted=True),
            title=_("Next matches in %(arena)s") % {"arena": arena},
            page=reverse("dates", args=[arena.slug]),
            is_private=False,
        )
    mine = list(lists.to_play(asked.me).with_people()[:MOST_LINES])
    return answers.message(lines_of(mine), title=_("Your next matches"), page=reverse("home"))


def lines_of(dates: list[Arrangement], *, hide_unlisted: bool = False) -> str:
    people = [person for one in dates for person in (one.proposer_id, one.opponent_id)]
    hidden = unlisted_among(people) if hide_unlisted else set()
    return words.join_lines([line_of(one, hidden) for one in dates]) or words.plain(
        _("No matches are scheduled.")
    )


def line_of(one: Arrangement, hidden: set[int]) -> str:
    """Return a line about a date, without the names of hidden players."""
    nobody = _("Unlisted player")
    first = nobody if is_hidden(one.proposer_roster, one.proposer_id, hidden) else one.proposer_name
    second = (
        nobody if is_hidden(one.opponent_roster, one.opponent_id, hidden) else one.opponent_name
    )
    text = _("%(one)s against %(other)s") % {"one": first, "other": second}
    return f"{words.time(one.play_at)} {words.link(text, one.get_absolute_url())}"


def is_hidden(roster: Roster | None, player: int, hidden: set[int]) -> bool:
    return roster is None and player in hidden
