"""Convert an arena's ratings, decay and season starts from and to ``<Ratings>``.

``use-season`` and ``<Placement>`` together say how a season starts. Without either, a rating is
account-wide: it is carried over. With ``use-season`` alone, everyone starts a season as a newcomer.
With ``<Placement>``, ratings move towards the centre, unless ``use-season`` is off.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError

from matchmaking.io.blocks import RatingsBlock
from ratings.seasons.rules import ArenaDecay
from ratings.seasons.start import Start
from ratings.systems.glicko2.system import Glicko2
from ratings.tunables.declarations import declarations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from league.models import Arena

    Placement = Literal["fresh", "carry-over", "linear-scale"]

Values = dict[str, Any]
"""Values of a ``<Ratings>`` by name. ``None`` stands for a missing attribute."""

PUBLISHED = Glicko2.published["gw2"].parameters
"""The parameters that attributes of ``<Ratings>`` stand for if they are missing."""

EVERYBODY = "All"
"""The type of a ``<Ratings>`` for all arenas."""

PLACES = {one.name: one.xml for one in declarations(RatingsBlock) if one.name != "type"}
"""The attributes of ``<Ratings>``, by name."""

RATING_PLACES = {
    one.name: PLACES[one.name] for one in declarations(Glicko2.Parameters) if one.name in PLACES
}
"""The attributes of ``<Ratings>`` that are parameters of Glicko-2, by parameter name."""

DECAY = {
    "decay_points": "points",
    "decay_grace_period": "grace_period",
    "decay_period": "decay_period",
    "decay_recover_per_game": "recover_per_game",
}
RESETS = {"reset": "full_reset_before", "partial_reset": "partial_reset_before"}
CENTRE = {"placement_param1": "center", "placement_param2": "ratio"}
RULES = {
    **{name: ("decay", rule) for name, rule in DECAY.items()},
    **{name: ("start", rule) for name, rule in {**CENTRE, **RESETS}.items()},
}
"""The group and name of the season rule that a value of ``<Ratings>`` sets."""

PLACED: Values = {
    "placement_type": "LinearScale",
    **{name: Start.model_fields[rule].default for name, rule in CENTRE.items()},
}
"""The defaults of ``<Placement>``."""


class Conflict(ValueError):
    """Arenas whose ratings one file cannot describe. The message says which."""


def ratings_for(blocks: Iterable[RatingsBlock], arena: str) -> list[RatingsBlock]:
    """Return the blocks that apply to an arena, later ones overriding earlier ones.

    Blocks for all arenas come first, then those whose type its name begins with, shortest first.
    """
    fitting = [
        block
        for block in blocks
        if block.type == EVERYBODY or f"{arena} ".startswith(f"{block.type} ")
    ]
    return sorted(fitting, key=lambda block: (block.type != EVERYBODY, len(block.type)))


def values_in(blocks: Iterable[RatingsBlock]) -> Values:
    """Return the values set in blocks, later blocks overriding earlier ones."""
    return {
        name: getattr(block, name)
        for block in blocks
        for name in PLACES
        if name in block.model_fields_set
    }


def glicko_values(blocks: Iterable[RatingsBlock]) -> Values:
    """Return the Glicko-2 parameters set in blocks."""
    return {name: value for name, value in values_in(blocks).items() if name in RATING_PLACES}


def placement_in(values: Mapping[str, Any]) -> Placement:
    """Return how a season starts by these values."""
    if values.get("use_season") is False:
        return "carry-over"
    if any(values.get(name) is not None for name in PLACED):
        return "linear-scale"
    return "fresh" if values.get("use_season") else "carry-over"


def season_rules_in(
    blocks: Sequence[RatingsBlock], held: Mapping[str, Any], *, created: bool
) -> dict[str, dict[str, Any]]:
    """Return the season rules that blocks set: the groups ``decay`` and ``start``.

    What the blocks leave out stays as ``held``, except that ratings of a new arena are account-wide
    unless the blocks say otherwise.
    """
    given = values_in(blocks)
    rules = {group: dict(held[group]) for group in ("decay", "start")}
    for name, (group, rule) in RULES.items():
        if name in given:
            value = given[name]
            rules[group][rule] = value.isoformat() if isinstance(value, datetime) else value
    if blocks and (created or given.keys() & {"use_season", *PLACED}):
        rules["start"]["placement"] = placement_in(given)
    return rules


def describe_arenas(arenas: Sequence[Arena], blocks: Sequence[RatingsBlock]) -> list[RatingsBlock]:
    """Return ``blocks`` changed so that they describe the arenas as they are now.

    A block changes where all arenas that it decides for agree. Otherwise they get blocks of their
    own.

    Raises:
        Conflict: one file cannot describe these arenas.
    """
    found = {block.type: block for block in blocks}
    for block in sorted(blocks, key=lambda each: (each.type == EVERYBODY, -len(each.type))):
        found[block.type] = agree_values(block, arenas, lambda: list(found.values()))
    # Blocks of a longer name override those of its beginning, so longer names come later.
    for arena in sorted(arenas, key=lambda each: len(each.name)):
        if own := own_block(arena, list(found.values())):
            found[own.type] = own
    return list(found.values())


def agree_values(
    block: RatingsBlock, arenas: Iterable[Arena], blocks: Callable[[], list[RatingsBlock]]
) -> RatingsBlock:
    """Return a block with the values that all arenas it decides for have now.

    Values that one of them must not have are left out.
    """
    held = {name: getattr(block, name) for name in block.model_fields_set}
    values = dict(held)
    for name in held.keys() - {"type"}:
        wanted = []
        for arena in arenas:
            fitting = ratings_for(blocks(), arena.name)
            deciding = [one for one in fitting if name in one.model_fields_set]
            if deciding and deciding[-1].type == block.type:
                wanted.append(values_of(arena, fitting).get(name, held[name]))
        if None in wanted:
            del values[name]
        elif wanted and wanted.count(wanted[0]) == len(wanted) and wanted[0] != held[name]:
            values[name] = wanted[0]
    try:
        return RatingsBlock.model_validate(values)
    except ValidationError:  # They agree on a minimum, but not on its maximum.
        return RatingsBlock.model_validate({name: held[name] for name in values})


def own_block(arena: Arena, blocks: Sequence[RatingsBlock]) -> RatingsBlock | None:
    """Return a block for the arena's values that ``blocks`` do not give it, if there are any."""
    fitting = ratings_for(blocks, arena.name)
    given = in_new_arena(fitting)
    changes = {
        name: value
        for name, value in values_of(arena, fitting).items()
        if value != given[name] or (not fitting and name in RATING_PLACES)
    }
    if not changes:
        return None
    if None in changes.values():
        places = ", ".join(PLACES[name] for name, value in changes.items() if value is None)
        raise Conflict(f"{arena} has no {places}, unlike another arena that its name begins with.")
    own = next((block for block in blocks if block.type == arena.name), None)
    held = {name: getattr(own, name) for name in own.model_fields_set} if own else {}
    return RatingsBlock.model_validate({**held, "type": arena.name, **changes})


def in_new_arena(blocks: Sequence[RatingsBlock]) -> Values:
    """Return the values that a new arena gets from blocks, defaults for those left out."""
    given = values_in(blocks)
    has_centre = placement_in(given) == "linear-scale" or given.get("use_season") is False
    parameters, decay = Glicko2.Parameters.model_validate(PUBLISHED), ArenaDecay()
    return {
        **{name: getattr(parameters, name) for name in RATING_PLACES},
        **{name: getattr(decay, rule) for name, rule in DECAY.items()},
        **dict.fromkeys((*RESETS, *PLACED, "use_season")),
        **(PLACED if has_centre else {}),
        **given,
    }


def values_of(arena: Arena, blocks: Sequence[RatingsBlock]) -> Values:
    """Return the values that describe an arena, beside the blocks that apply to it.

    Where several values mean the same, it is the blocks' own.
    """
    parameters, rules = arena.system().parameters, arena.rules()
    start, given = rules.start, in_new_arena(blocks)
    values = {name: getattr(parameters, name) for name in RATING_PLACES}
    values |= {name: getattr(rules.decay, rule) for name, rule in DECAY.items()}
    values |= {"reset": start.full_reset_at, "partial_reset": start.partial_reset_at}
    centre = {name: getattr(start, rule) for name, rule in CENTRE.items()}
    if start.placement == "linear-scale":
        values |= {"placement_type": "LinearScale", **centre}
    elif start.placement == "fresh":
        values |= dict.fromkeys(PLACED)
    else:
        values |= {name: value for name, value in centre.items() if given[name] is not None}
    same = placement_in(given) == start.placement
    values["use_season"] = given["use_season"] if same else start.placement != "carry-over"
    return values
