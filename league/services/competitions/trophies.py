"""The places that entrants have won, kept when a competition ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F, Q

from league.models import Competition, Entrant, Fixture, Status

if TYPE_CHECKING:
    from league.models import Player, Team
    from league.services.competitions.pages import CompetitionPage, RoundLines

LAST = 3
"""The last place that is a trophy."""
MOST = 30
PLAYED = {Fixture.DecidedBy.GAMES, Fixture.DecidedBy.STAFF}


def write_places(page: CompetitionPage) -> None:
    """Store the final places of a competition that is over, and which may be trophies.

    The last of all, those who have withdrawn and those who never played get no trophy.
    """
    found = in_bracket(page) if page.competition.has_bracket else in_table(page)
    drawn = sum(one.seed is not None and not one.annulled for one in page.entrants)
    last = max(found.values(), default=0) if len(found) == drawn else 0
    playing = who_played(page)
    for entrant in page.entrants:
        entrant.place = found.get(entrant.pk)
        entrant.trophy = entrant.pk in playing and (entrant.place == 1 or entrant.place != last)
    Entrant.objects.bulk_update(page.entrants, ["place", "trophy"])


def who_played(page: CompetitionPage) -> set[int]:
    """Return the ids of those who did not withdraw and had a fixture that was played."""
    played = {
        side
        for fixture in page.fixtures
        if page.ended[fixture.pk].by in PLAYED
        for side in (fixture.home_id, fixture.away_id)
    }
    return {
        one.pk for one in page.entrants if one.pk in played and one.state != Entrant.State.WITHDRAWN
    }


def in_table(page: CompetitionPage) -> dict[int, int]:
    """Return the places of a table by entrant id, none if there are several."""
    if len(page.tables) != 1:
        return {}
    return {line.entrant.pk: line.row.place for line in page.tables[0].lines}


def in_bracket(page: CompetitionPage) -> dict[int, int]:
    """Return the places of everybody in a bracket, by entrant id.

    The last fixture of each counts, and whether they won it. Those who lost in the same round share
    a place. Nobody is first without a winner of the final.
    """
    rounds = sorted(page.bracket, key=lambda each: min(_numbers(each), default=0))
    ends: dict[int, tuple[int, bool]] = {}
    for at, each in enumerate(rounds):
        for line in each.fixtures:
            for side, won in (
                (line.fixture.home_id, line.home_won),
                (line.fixture.away_id, line.away_won),
            ):
                if side is not None:
                    ends[side] = at, won
    champions = sum(won and rounds[at].round.is_final for at, won in ends.values())
    missing = 0 if champions else 1
    order = sorted(ends.values(), reverse=True)
    return {pk: 1 + missing + order.index(end) for pk, end in ends.items()}


def _numbers(round_: RoundLines) -> list[int]:
    return [line.fixture.number for line in round_.fixtures]


def trophies_of(player: Player) -> list[Entrant]:
    """Return the entries of a player that won a place, the latest first.

    Those of rosters are theirs if they played in one of its fixtures.
    """
    date = "competition__fixtures__games__arrangement"
    captain = F(f"{date}__match__participants__side__captain")
    sides = [
        Q(**{f"{date}__{side}": captain, "roster": F(f"{date}__{side}_roster")})
        for side in ("proposer", "opponent")
    ]
    played = Entrant.objects.filter(
        sides[0] | sides[1],
        **{
            f"{date}__match__participants__player": player,
            f"{date}__match__status": Status.RATED,
        },
    )
    return list_winners(Q(player=player, roster=None) | Q(pk__in=played.values("pk")))


def trophies_of_team(team: Team) -> list[Entrant]:
    """Return the entries of a team's rosters that won a place, the latest first."""
    return list_winners(Q(roster__team=team))


def list_winners(entries: Q) -> list[Entrant]:
    """Return those of these entries that won a place, the latest first."""
    won = Entrant.objects.filter(entries, place__lte=LAST, trophy=True)
    over = won.filter(
        competition__state=Competition.State.OVER, competition__season__arena__is_draft=False
    )
    rows = over.select_related("competition__season__arena")
    return list(rows.order_by("-competition__over_at", "-pk")[:MOST])
