"""A configuration as XML in the published form, which ``xmlfile.read`` reads back unchanged."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from matchmaking.dishonor import DishonorRules
from matchmaking.io.blocks import LadderSeason, PointRules, RatingsBlock, Settings
from matchmaking.io.xmltree import ROOT
from matchmaking.prediction import PredictionRules
from matchmaking.rules.arena import Rules
from ratings.tunables.declarations import declarations
from ratings.tunables.durations import format_duration

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matchmaking.io.blocks import Block, Document
    from ratings.tunables.declarations import Declaration
    from ratings.tunables.parameters import Parameters

Lines = list[str]


def write(document: Document) -> str:
    """Return the XML text of a document.

    Arenas and dishonor rules are written whole. Other blocks are written with the fields they have:
    a ``<Ratings>`` with a type has only what differs.
    """
    lines = [f"<{ROOT}>"]
    for block in document.blocks:
        lines += (f"  {line}" for line in _block(block))
    return "\n".join([*lines, f"</{ROOT}>"]) + "\n"


def _block(block: Block) -> Lines:
    if isinstance(block, Rules):
        return _arena(block)
    if isinstance(block, DishonorRules):
        penalties = [_element("Penalty", penalty, whole=True) for penalty in block.penalties]
        return _element("Dishonor", block, penalties, whole=True)
    if isinstance(block, PointRules):
        rules = [
            _element(
                "PointRule",
                rule,
                [_element("Checkpoint", point, whole=True) for point in rule.checkpoints],
                whole=True,
            )
            for rule in block.rules
        ]
        return _element("PointRules", block, rules, whole=True)
    if isinstance(block, Settings):
        settings = [_element("Setting", setting, whole=True) for setting in block.settings]
        return _element("Settings", block, settings, whole=True)
    tags: dict[type[Parameters], str] = {
        RatingsBlock: "Ratings",
        LadderSeason: "Ladder",
        PredictionRules: "Prediction",
    }
    return _element(tags[type(block)], block, whole=False)


def _arena(arena: Rules) -> Lines:
    ladder = arena.queue.ladder
    filters = [] if ladder is None else [_element("Ladder", ladder, whole=True)]
    return _tag(
        "Arena",
        {"name": arena.name},
        [
            _element("Queue", arena.queue, filters, whole=True),
            _element("Matcher", arena.matcher, whole=True),
        ],
    )


def _element(tag: str, model: Parameters, children: Iterable[Lines] = (), *, whole: bool) -> Lines:
    """Return a model as an element: its attributes, an element for each nested place, and children.

    ``whole`` includes fields that were not set.
    """
    own: dict[str, str] = {}
    places: dict[str, dict[str, str]] = {}
    for declaration in declarations(type(model)):
        if whole or declaration.name in model.model_fields_set:
            child, _, attribute = declaration.xml.rpartition("@")
            at = places.setdefault(child.rstrip("/"), {}) if child else own
            at[attribute] = _text(declaration, getattr(model, declaration.name))
    inner = [_tag(child, attributes, []) for child, attributes in places.items()]
    return _tag(tag, own, [*inner, *children])


def _tag(tag: str, attributes: dict[str, str], children: list[Lines]) -> Lines:
    attribute_text = "".join(f" {name}={quoteattr(text)}" for name, text in attributes.items())
    if not children:
        return [f"<{tag}{attribute_text}/>"]
    inner = [f"  {line}" for child in children for line in child]
    return [f"<{tag}{attribute_text}>", *inner, f"</{tag}>"]


def _text(declaration: Declaration, value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        return value.isoformat()
    if declaration.kind == "duration" and isinstance(value, float):
        return format_duration(value)
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return str(value)
