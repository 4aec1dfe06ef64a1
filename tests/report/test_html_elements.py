"""What pages are made of."""

from html_pages import HOSTILE, SHOWN, parsed

from perftkit.report.html.elements import add, element, parts_around, text_of


def test_texts_are_escaped_wherever_they_stand():
    made = element("p", HOSTILE, element("b", HOSTILE), HOSTILE, None, HOSTILE, title=HOSTILE)
    node = parsed(text_of(made)).one("p")
    assert [x if isinstance(x, str) else x.text for x in node.content] == [SHOWN, SHOWN, SHOWN * 2]
    assert node["title"] == SHOWN


def test_texts_follow_each_other():
    made = element("p", "a", "b")
    add(made, element("br"), "c", "d", element("i"), "e")
    assert text_of(made) == "<p>ab<br>cd<i></i>e</p>"


def test_attributes_have_the_names_of_html():
    made = element("a", class_="x", data_value=3, hidden=True, open=False, id=None)
    assert text_of(made) == '<a class="x" data-value="3" hidden=""></a>'


def test_a_hole_is_found_whatever_the_texts_say():
    made = element("div", "</tbody>", element("table", element("tbody")), "</tbody>")
    before, after = parts_around(made, "tbody")
    assert before.endswith("<table><tbody>")
    assert after == "</tbody></table>&lt;/tbody&gt;</div>"
