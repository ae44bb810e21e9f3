"""Find the players and rosters that a file names."""

from __future__ import annotations

import difflib
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError

from league.models import FormerName, NameStart, Player, Roster, RosterMember
from league.models.lists import list_of
from league.models.names import fold, tidy, validate_name
from league.models.skeletons import skeleton, without_accents
from league.services.core.errors import Refused
from league.services.core.id_lists import any_of
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from league.models import Arena

MOST_PROPOSED = 50
"""Names for which similar ones are looked for."""
POOL = 300
NEAR = 3
AT_ONCE = 5_000


@dataclass
class Names:
    """The players whom a file names, by folded name."""

    ids: dict[str, int] = field(default_factory=dict)
    """Negative numbers for players who will be created."""
    new: dict[str, str] = field(default_factory=dict)
    """The names of players to create."""
    former: dict[str, str] = field(default_factory=dict)
    """Names that players had before, with the present ones."""
    problems: dict[str, str] = field(default_factory=dict)
    """The problems with names that cannot be used."""
    proposals: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """Players whose names are similar to those of new ones."""
    numbered: dict[str, str] = field(default_factory=dict)
    """The names of players whose numbers are written."""

    def name_for(self, written: str) -> str:
        """Return a name as people know it: that of player 12 for ``#12``."""
        return self.numbered.get(fold(written), written)


def find(written: Iterable[str], chosen: Mapping[str, int]) -> Names:
    """Find the players of these names, each as it is written first.

    ``chosen`` are the players whom staff chose for names. ``#12`` is player number 12.
    """
    found = Names()
    by_fold: dict[str, str] = {}
    for name in written:
        by_fold.setdefault(fold(name), name)
    find_numbered(by_fold, found)
    find_named(by_fold, found)
    for folded, player in chosen.items():
        if folded in by_fold and folded not in found.ids:
            found.ids[folded] = player
    formerly(by_fold, found)
    create(by_fold, found)
    propose(found)
    return found


def find_one(text: str, field: str = "player", *, add_player: bool = False) -> Player:
    """Return the player with a name, which may lack accents, or a number.

    With ``add_player``, a name that nobody has becomes a player without an account.

    Raises:
        Refused: at ``field`` if there is none, with similar names.
    """
    names = find([text.strip()], {})
    accept_bare(names)
    if add_player:
        add_unknown(names)
    number = next(iter(names.ids.values()), 0)
    if number <= 0:
        problem = next(iter(names.problems.values()), "")
        raise Refused("player", problem or describe_missing(text, names), field=field)
    return Player.objects.get(pk=number)


def describe_missing(text: str, names: Names) -> str:
    similar = [name for _player, name in next(iter(names.proposals.values()), ())]
    if not similar:
        return _("There is no player “%(name)s”.") % {"name": text[:80]}
    return _("There is no player “%(name)s”. Did you mean %(similar)s?") % {
        "name": text[:80],
        "similar": list_of(similar),
    }


def portions(texts: Iterable[str]) -> Iterator[list[str]]:
    """Yield texts in lists that a query can take."""
    remaining = iter(texts)
    while some := list(islice(remaining, AT_ONCE)):
        yield some


def find_numbered(by_fold: dict[str, str], found: Names) -> None:
    """Find the players whose numbers are written."""
    numbers = {
        folded: int(folded[1:])
        for folded in by_fold
        if folded.startswith("#") and folded[1:].isdecimal() and len(folded) < 18
    }
    rows = Player.ever.filter(pk__in=any_of(numbers.values())).select_related("merged_into")
    known = {player.pk: player.merged_into or player for player in rows}
    for folded, number in numbers.items():
        if number in known:
            found.ids[folded] = known[number].pk
            found.numbered[folded] = known[number].name
        else:
            found.problems[folded] = _("There is no player number %(number)d.") % {"number": number}


def find_named(by_fold: dict[str, str], found: Names) -> None:
    """Find the players who have these names."""
    for names in portions(by_fold):
        rows = Player.ever.filter(folded_name__in=names)
        for folded, player, merged in rows.values_list("folded_name", "pk", "merged_into"):
            found.ids.setdefault(folded, merged or player)


def formerly(by_fold: dict[str, str], found: Names) -> None:
    """Find the players who had these names, where they were only one's."""
    open_names = [name for name in by_fold if name not in found.ids and name not in found.problems]
    bones = {skeleton(by_fold[name]) for name in open_names}
    had: dict[str, dict[int, str]] = defaultdict(dict)
    for some in portions(bones):
        rows = FormerName.objects.filter(skeleton__in=some).select_related("player__merged_into")
        for row in rows:
            player = row.player.merged_into or row.player
            had[fold(row.name)][player.pk] = player.name
    for folded in open_names:
        theirs = had.get(folded, {})
        if len(theirs) == 1:
            [(found.ids[folded], found.former[folded])] = theirs.items()
        elif theirs:
            candidates = list_of(f"{name} (#{pk})" for pk, name in theirs.items())
            found.problems[folded] = _(
                "Several players had the name “%(name)s”: %(players)s. Write the number, such as "
                "#%(one)d."
            ) % {"name": by_fold[folded], "players": candidates, "one": next(iter(theirs))}


def create(by_fold: dict[str, str], found: Names) -> None:
    """Plan to create the players whom nobody knows."""
    for folded, name in by_fold.items():
        if folded in found.ids or folded in found.problems:
            continue
        try:
            validate_name(name)
        except ValidationError as error:
            found.problems[folded] = f"“{name[:60]}”: {' '.join(error.messages)}"
            continue
        found.new[folded] = tidy(name)
        found.ids[folded] = -len(found.new)


def propose(found: Names) -> None:
    """Find players whose names are similar to those of new players."""
    bones = {skeleton(name): folded for folded, name in found.new.items()}
    for some in portions(bones):
        alike = Player.objects.filter(skeleton__in=some).values_list("skeleton", "pk", "name")
        for bone, player, name in alike:
            found.proposals.setdefault(bones[bone], []).append((player, name))
    for folded, name in list(found.new.items())[:MOST_PROPOSED]:
        if folded in found.proposals:
            continue
        starting = NameStart.objects.beginning(without_accents(name)[:3])
        pool = starting.values_list("player_id", flat=True)[:POOL]
        rows = Player.objects.filter(pk__in=list(pool)).values_list("pk", "name")
        near = {fold(known): (player, known) for player, known in rows}
        similar = difflib.get_close_matches(folded, near, n=NEAR, cutoff=0.75)
        if similar:
            found.proposals[folded] = [near[one] for one in similar]


def bare(name: str) -> str:
    """Return a name without accents, apostrophes and hyphens, as people type it in a hurry."""
    plain = without_accents(name).replace("'", "").replace("-", " ")
    return " ".join(plain.split())


def accept_bare(found: Names) -> None:
    """Take the only player whose name differs in accents, apostrophes and hyphens alone."""
    for folded, name in list(found.new.items()):
        near = found.proposals.get(folded, ())
        same = [player for player, known in near if bare(known) == bare(name)]
        if len(same) == 1:
            [found.ids[folded]] = same
            del found.new[folded]


def add_unknown(found: Names) -> None:
    """Create the players whose names nobody has, except for those like a known one."""
    found.new = {one: name for one, name in found.new.items() if one not in found.proposals}
    found.ids |= zip(found.new, make(found).values(), strict=True)


def make(found: Names) -> dict[int, int]:
    """Create the new players. Return their ids by the negative numbers."""
    taken: set[str] = set()
    for some in portions(skeleton(name) for name in found.new.values()):
        there = Player.ever.filter(skeleton__in=some)
        taken.update(there.values_list("skeleton", flat=True))
    rows = []
    for folded, name in found.new.items():
        bone = skeleton(name)
        rows.append(Player(name=name, folded_name=folded, may_resemble=bone in taken))
        taken.add(bone)
    made = Player.objects.bulk_create(rows, batch_size=AT_ONCE)
    return {-number: player.pk for number, player in enumerate(made, start=1)}


@dataclass(frozen=True)
class Rosters:
    """The rosters of an arena, by folded name, with the ids of their members."""

    members: dict[str, list[int]]

    @classmethod
    def of(cls, arena: Arena) -> Rosters:
        rosters = dict(Roster.objects.filter(arena=arena).values_list("pk", "folded_name"))
        members: dict[str, list[int]] = {name: [] for name in rosters.values()}
        rows = RosterMember.objects.filter(roster__arena=arena).order_by("pk")
        for roster, player in rows.values_list("roster", "player"):
            members[rosters[roster]].append(player)
        return cls(members)
