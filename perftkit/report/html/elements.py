"""Elements of HTML and SVG, made so that no text in them can mean anything but itself."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from perftkit.report.text import clean

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = ["add", "element", "parts_around", "text_of"]


def element(
    tag: str, *content: Element | str | None, **attributes: str | float | bool | None
) -> Element:
    """Return an element.

    Args:
        tag: Its name.
        content: Texts, which become visible where a terminal would obey them, and elements; None
            is left out.
        attributes: By name, with ``_`` for ``-`` and a trailing ``_`` where Python has a word of
            that name. True stands for an attribute without a value; None and False are left out.
    """
    made = ElementTree.Element(tag)
    for name, value in attributes.items():
        if value is not None and value is not False:
            text = "" if value is True else clean(str(value))
            made.set(name.rstrip("_").replace("_", "-"), text)
    add(made, *content)
    return made


def add(parent: Element, *content: Element | str | None) -> None:
    """Add texts and elements at the end of an element."""
    for part in content:
        if part is None:
            continue
        if not isinstance(part, str):
            parent.append(part)
        elif len(parent):
            parent[-1].tail = (parent[-1].tail or "") + clean(part)
        else:
            parent.text = (parent.text or "") + clean(part)


def text_of(made: Element) -> str:
    """Return an element as HTML of ASCII characters, so that it can be written anywhere."""
    text: bytes = ElementTree.tostring(made, encoding="us-ascii", method="html")
    return text.decode("ascii")


def parts_around(made: Element, hole: str) -> tuple[str, str]:
    """Return what stands before and after the end of the first `hole` inside an element.

    No text can pretend to be that place, since all of it is escaped.
    """
    before, end, after = text_of(made).partition(f"</{hole}>")
    return before, end + after
