"""Arenas and the rest of a configuration from XML in the published form.

``read`` accepts the blocks that the GW2 page prints: ``<Ratings>``, ``<Arena>``, ``<Dishonor>``,
``<PointRules>``, ``<Ladder>`` and ``<Prediction>``, and our ``<Settings>``, with or without one
``<Configuration>`` around them. It refuses anything unknown, with line and attribute.
``xmlwriter.write`` gives text that reads back as the same document, without comments.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from matchmaking.dishonor import DishonorRules, Penalty
from matchmaking.io.blocks import (
    Block,
    Checkpoint,
    Document,
    LadderSeason,
    PointRule,
    PointRules,
    RatingsBlock,
    Setting,
    Settings,
)
from matchmaking.io.xmltree import XmlError, parse
from matchmaking.prediction import PredictionRules
from matchmaking.rules.arena import LadderFilter, MatcherRules, QueueRules, Rules
from ratings.tunables.declarations import declarations
from ratings.tunables.parameters import Parameters
from ratings.tunables.sentences import Sentence, mark

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from matchmaking.io.xmltree import Element
    from ratings.tunables.declarations import Declaration

Model = TypeVar("Model", bound=Parameters)

_LONGEST_QUOTE = 40
ALREADY = mark("is already in line %(first)d")


def read(text: str) -> Document:
    """Return the document of an XML text.

    Raises:
        XmlError: The text has mistakes.
    """
    return _Reader().document(parse(text))


class _Reader:
    """Reads elements and collects their mistakes."""

    def __init__(self) -> None:
        self.problems: list[Sentence] = []

    def document(self, elements: list[Element]) -> Document:
        kinds: dict[str, Callable[[Element], Block | None]] = {
            "Ratings": self._ratings,
            "Arena": self._arena,
            "Dishonor": self._dishonor,
            "PointRules": self._point_rules,
            "Ladder": lambda element: self._model(LadderSeason, element),
            "Prediction": lambda element: self._model(PredictionRules, element),
            "Settings": self._settings,
        }
        blocks = []
        for element in elements:
            if element.tag in kinds:
                blocks.append(kinds[element.tag](element))
            else:
                self._unknown_element(element, kinds, "is unknown in a configuration; %(hint)s")
        self._refuse_repeated(elements)
        if not elements:
            self.problems.append(
                Sentence(
                    "there are no elements; a configuration can have %(names)s",
                    names=", ".join(kinds),
                )
            )
        if self.problems:
            raise XmlError(self.problems)
        return Document(tuple(block for block in blocks if block is not None))

    def _refuse_repeated(self, elements: list[Element]) -> None:
        """Refuse blocks of a kind with the same identifying attribute."""
        identified_by = {
            "Ratings": "type",
            "Arena": "name",
            "PointRules": "Mode",
            "Settings": "arena",
        }
        seen: dict[tuple[str, str], Element] = {}
        for element in elements:
            name = element.attributes.get(identified_by.get(element.tag, ""), "")
            first = seen.setdefault((element.tag, name), element)
            if first is not element:
                message = mark("%(name)s is already in line %(first)d") if name else ALREADY
                self._problem(element, message, first=first.line, name=_quote(name))

    def _ratings(self, element: Element) -> RatingsBlock | None:
        return self._model(RatingsBlock, element)

    def _arena(self, element: Element) -> Rules | None:
        self._refuse_unknown(element, {"name"}, {"Queue", "Matcher"})
        queue = self._only(element, "Queue")
        matcher = self._only(element, "Matcher")
        name = element.attributes.get("name", "").strip()
        if not 0 < len(name) <= 100:
            self._problem(element, "@name must be text of 1 to 100 characters")
        if queue is None or matcher is None:
            return None
        ladder = self._children(LadderFilter, queue, "Ladder")
        if len(ladder) > 1:
            self._problem(queue, "must have at most one <Ladder>, not %(count)d", count=len(ladder))
        filters = self._model(QueueRules, queue, {"Ladder"}, ladder=ladder[0] if ladder else None)
        scores = self._model(MatcherRules, matcher)
        if filters is None or scores is None:
            return None
        return Rules(name=name[:100], queue=filters, matcher=scores)

    def _dishonor(self, element: Element) -> DishonorRules | None:
        penalties = self._children(Penalty, element, "Penalty")
        return self._model(DishonorRules, element, {"Penalty"}, penalties=tuple(penalties))

    def _point_rules(self, element: Element) -> PointRules | None:
        rules = []
        self._require_all(PointRules, element)
        for child in element.children:
            if child.tag == "PointRule":
                self._require_all(PointRule, child)
                checkpoints = self._children(Checkpoint, child, "Checkpoint")
                rules.append(
                    self._model(PointRule, child, {"Checkpoint"}, checkpoints=tuple(checkpoints))
                )
        found = tuple(rule for rule in rules if rule is not None)
        return self._model(PointRules, element, {"PointRule"}, rules=found)

    def _settings(self, element: Element) -> Settings | None:
        self._require_all(Settings, element)
        lines: dict[str, int] = {}
        for child in element.children:
            name = child.attributes.get("name", "").strip()
            first = lines.setdefault(name, child.line)
            if name and first != child.line:
                self._problem(
                    child, "%(name)s is already in line %(first)d", name=_quote(name), first=first
                )
        found = self._children(Setting, element, "Setting")
        return self._model(Settings, element, {"Setting"}, settings=tuple(found))

    def _only(self, element: Element, tag: str) -> Element | None:
        """Return the one child with this tag."""
        children = [child for child in element.children if child.tag == tag]
        if len(children) != 1:
            self._problem(
                element, "must have one <%(child)s>, not %(count)d", child=tag, count=len(children)
            )
            return None
        return children[0]

    def _children(self, model: type[Model], element: Element, tag: str) -> list[Model]:
        """Return the children with this tag as models. They must have every attribute."""
        models = []
        for child in element.children:
            if child.tag == tag:
                self._require_all(model, child)
                models.append(self._model(model, child))
        return [found for found in models if found is not None]

    def _require_all(self, model: type[Parameters], element: Element) -> None:
        for declaration in declarations(model):
            if declaration.xml[1:] not in element.attributes:
                self._problem(
                    element,
                    "must have %(place)s: %(expected)s",
                    place=declaration.xml,
                    expected=declaration.expected,
                )

    def _model(
        self,
        model: type[Model],
        element: Element,
        child_tags: Collection[str] = (),
        **child_models: Any,
    ) -> Model | None:
        """Return the model of an element's attributes and those of its children.

        The caller reads children with a tag in ``child_tags`` and passes their models.
        """
        places = {declaration.xml: declaration for declaration in declarations(model)}
        tags = {place.split("/")[0] for place in places if "/" in place}
        own = {place[1:] for place in places if place.startswith("@")}
        self._refuse_unknown(element, own, {*tags, *child_tags})
        written: dict[str, tuple[Element, str]] = {}
        for name in own & element.attributes.keys():
            written[places[f"@{name}"].name] = element, name
        for tag in sorted(tags):
            children = [child for child in element.children if child.tag == tag]
            for further in children[1:]:
                self._problem(further, ALREADY, first=children[0].line)
            for child in children[:1]:
                known = {place.split("@")[1] for place in places if place.startswith(f"{tag}/@")}
                self._refuse_unknown(child, known, set())
                for name in known & child.attributes.keys():
                    written[places[f"{tag}/@{name}"].name] = child, name
        values = {
            name: at.attributes[attribute].strip() for name, (at, attribute) in written.items()
        }
        try:
            return model.model_validate({**values, **child_models})
        except ValidationError as error:
            by_name = {declaration.name: declaration for declaration in declarations(model)}
            self._refuse_values(error, element, written, by_name)
            return None

    def _refuse_values(
        self,
        error: ValidationError,
        element: Element,
        written: dict[str, tuple[Element, str]],
        declared: dict[str, Declaration],
    ) -> None:
        for item in error.errors():
            if item["type"] == "clash":
                for name, sentence in item["ctx"]["clashes"].items():
                    at, attribute = written.get(name, (element, ""))
                    self._problem(
                        at,
                        "%(where)s %(problem)s",
                        where=f"@{attribute}" if attribute else name,
                        problem=sentence.naming(lambda name: declared[name].xml),
                    )
                continue
            name = str(item["loc"][0])
            at, attribute = written[name]
            self._problem(
                at,
                "@%(name)s must be %(expected)s; you gave %(given)s",
                name=attribute,
                expected=declared[name].expected,
                given=_quote(at.attributes[attribute]),
            )

    def _refuse_unknown(
        self, element: Element, attributes: Collection[str], tags: Collection[str]
    ) -> None:
        for name in element.attributes:
            if name not in attributes:
                hint = _suggestion(name, attributes, "@")
                self._problem(element, "@%(name)s is unknown; %(hint)s", name=name, hint=hint)
        for child in element.children:
            if child.tag not in tags:
                self._unknown_element(
                    child, tags, "is unknown in <%(parent)s>; %(hint)s", element.tag
                )
        if element.text:
            self._problem(
                element,
                "has text between its tags: %(text)s; remove it",
                text=_quote(element.text),
            )

    def _unknown_element(
        self, element: Element, known: Collection[str], message: str, parent: str = ""
    ) -> None:
        self._problem(element, message, parent=parent, hint=_suggestion(element.tag, known))

    def _problem(self, element: Element, message: str, /, **values: object) -> None:
        problem = Sentence(message, **values)
        self.problems.append(
            Sentence(
                "line %(line)d: <%(tag)s> %(problem)s",
                line=element.line,
                tag=element.tag,
                problem=problem,
            )
        )


def _suggestion(name: str, known: Collection[str], sign: str = "") -> Sentence:
    """Suggest the nearest known name, or list them all."""
    by_lower = {word.lower(): word for word in known}
    near = difflib.get_close_matches(name.lower(), by_lower, n=1)
    if near:
        return Sentence("did you mean %(name)s?", name=f"{sign}{by_lower[near[0]]}")
    if not known:
        return Sentence("none is allowed here")
    names = ", ".join(f"{sign}{word}" for word in sorted(known))
    return Sentence("choose from %(names)s", names=names)


def _quote(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= _LONGEST_QUOTE else f"“{line[: _LONGEST_QUOTE - 1]}…”"
