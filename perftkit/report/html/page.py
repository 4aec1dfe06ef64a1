"""The page around the sections of a report: head, style, script and foot."""

from __future__ import annotations

import base64
import hashlib
import shutil
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from perftkit.report.html.elements import element, parts_around, text_of
from perftkit.report.html.pieces import symbols

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO
    from xml.etree.ElementTree import Element

__all__ = ["Filled", "codes", "copyable", "facts", "section", "write_page"]


@dataclass(frozen=True, slots=True)
class Filled:
    """A section with a table whose rows wait in a file.

    Attributes:
        section: The section, with an empty ``tbody`` in it.
        rows: The rows as HTML, from the place where the file stands.
    """

    section: Element
    rows: TextIO


def write_page(
    stream: TextIO, title: str, version: str, sections: Iterable[Element | Filled]
) -> None:
    """Write a whole page.

    Args:
        stream: Where to.
        title: Of the page.
        version: Of perftkit, for the foot.
        sections: What stands in it.
    """
    document = element(
        "html",
        _head(title),
        element("body", symbols(), element("main"), _foot(version), _own_element("script", SCRIPT)),
        lang="en",
    )
    before, after = parts_around(document, "main")
    stream.write(f"<!DOCTYPE html>\n{before}\n")
    for each in sections:
        _write_section(stream, each)
    stream.write(f"{after}\n")


def _write_section(stream: TextIO, made: Element | Filled) -> None:
    if not isinstance(made, Filled):
        stream.write(f"{text_of(made)}\n")
        return
    before, after = parts_around(made.section, "tbody")
    stream.write(f"{before}\n")
    shutil.copyfileobj(made.rows, stream)
    stream.write(f"{after}\n")


STYLE = "page.css"
SCRIPT = "page.js"


def _head(title: str) -> Element:
    # Nothing is loaded, and nothing runs or styles the page but our own two files.
    policy = (
        f"default-src 'none'; style-src '{_digest(STYLE)}'; script-src '{_digest(SCRIPT)}';"
        " img-src data:; base-uri 'none'; form-action 'none'"
    )
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("link", rel="icon", href="data:,"),
        _own_element("style", STYLE),
    )


def _foot(version: str) -> Element:
    return element("footer", element("p", f"Written by perftkit {version}."))


def _own_element(tag: str, name: str) -> Element:
    made = element(tag)
    made.text = _own(name)  # with its line ends, and as it is: HTML escapes nothing in here
    return made


@cache
def _own(name: str) -> str:
    """Return one of our own files, of ASCII characters and without an end tag."""
    return files(__package__).joinpath(name).read_text(encoding="ascii")


def _digest(name: str) -> str:
    digest = hashlib.sha256(_own(name).encode("ascii")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def section(title: str, *content: Element | str | None, id: str) -> Element:
    """Return a section with a heading."""
    heading = element("h2", title, id=f"{id}-title")
    return element("section", heading, *content, id=id, aria_labelledby=f"{id}-title")


def facts(pairs: Iterable[tuple[str, Element | str | None]]) -> Element:
    """Return a list of names and what is known under each; None is left out."""
    made = element("dl", class_="facts")
    for name, what in pairs:
        if what is not None:
            made.append(element("div", element("dt", name), element("dd", what)))
    return made


def copyable(text: str) -> Element:
    """Return a FEN or a command that one click selects whole."""
    return element("code", text, class_="copy")


def codes(moves: Iterable[str]) -> Element:
    """Return moves in one line."""
    return element("code", " ".join(moves))
