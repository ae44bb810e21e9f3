"""XML as a tree of elements with their lines, read safely (no entities)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, Locator

import defusedxml.sax
from defusedxml.common import DefusedXmlException

from ratings.tunables.sentences import Sentence

ROOT = "Configuration"
"""The element around several blocks. It is optional: the published page has none."""

_DECLARATION = re.compile(r"^\ufeff?\s*<\?xml\b[^>]*\?>")


class XmlError(ValueError):
    """XML that cannot be used: ``problems`` has a message for each mistake."""

    def __init__(self, problems: list[Sentence]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


@dataclass
class Element:
    """An element: its tag, attributes, line (from 1) and children."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""


class _Builder(ContentHandler):
    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {}, 0)
        self._open = [self.root]
        self._locator: Locator

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802 - SAX's name
        self._locator = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - SAX's name
        line = self._locator.getLineNumber() or 0
        element = Element(name, dict(attrs.items()), line)
        self._open[-1].children.append(element)
        self._open.append(element)

    def endElement(self, name: str) -> None:  # noqa: ARG002, N802 - SAX's name
        self._open.pop()

    def characters(self, content: str) -> None:
        if content.strip():
            self._open[-1].text += content


def parse(text: str) -> list[Element]:
    """Return the top elements of a file, without the root around them.

    Raises:
        XmlError: The text is not XML, or is unsafe.
    """
    body = _DECLARATION.sub(lambda match: "\n" * match[0].count("\n"), text).lstrip("\ufeff")
    builder = _Builder()
    try:
        wrapped = f"<{ROOT}>{body}</{ROOT}>".encode()
        defusedxml.sax.parseString(  # type: ignore[no-untyped-call] # it has no types
            wrapped, builder, forbid_dtd=True
        )
    except SAXParseException as error:
        line = error.getLineNumber()
        raise XmlError(
            [Sentence("line %(line)d: this is not XML: %(why)s", line=line, why=error.getMessage())]
        ) from None
    except (DefusedXmlException, SAXException, UnicodeError) as error:
        raise XmlError(
            [Sentence("this XML cannot be read safely: %(why)s", why=str(error))]
        ) from None
    top = builder.root.children[0]
    if len(top.children) == 1 and top.children[0].tag == ROOT:
        top = top.children[0]
    if top.text:
        raise XmlError(
            [
                Sentence(
                    "line %(line)d: there is text outside the elements: %(text)s",
                    line=top.line,
                    text=_quote(top.text),
                )
            ]
        )
    return top.children


def _quote(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line[:39]}…”" if len(line) > 40 else f"“{line}”"
