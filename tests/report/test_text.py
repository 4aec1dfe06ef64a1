import pytest

from perftkit.report.text import clean, duration, fine_duration, grouped, shortened, signed, speed


@pytest.mark.parametrize("text", ["", "plain [red]text[/red]", "é♔→", "C:\\suite.epd"])
def test_harmless_text_stays(text):
    assert clean(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nb\tc\r\x00", "a\\nb\\tc\\r\\x00"),
        ("\x9b31m", "\\x9b31m"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}abc", "\\u202eabc"),
        ("\N{LINE SEPARATOR}", "\\u2028"),
        ("\udc80", "\\udc80"),
        ("\U000e0041", "\\U000e0041"),
    ],
    ids=ascii,
)
def test_what_a_terminal_could_obey_becomes_visible(text, shown):
    assert clean(text) == shown


def test_shortened():
    assert shortened("abcdef", 6) == "abcdef"
    assert shortened("abcdefg", 6) == "abcde…"
    assert shortened("abcdefg", 6, "...") == "abc..."


def test_numbers():
    assert grouped(2**64) == "18,446,744,073,709,551,616"
    assert (signed(-1234), signed(5)) == ("-1,234", "+5")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0.000 s"),
        (9.9994, "9.999 s"),
        (9.9996, "10.0 s"),
        (59.94, "59.9 s"),
        (59.96, "1:00"),
        (125, "2:05"),
        (3725, "1:02:05"),
    ],
)
def test_duration(seconds, text):
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("nps", "text"),
    [(0, "0 n/s"), (999, "999 n/s"), (1_030_000, "1.03 Mn/s"), (2_500_000_000, "2.5 Gn/s")],
)
def test_speed(nps, text):
    assert speed(nps) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0.000 s"),
        (2e-10, "0.000 s"),
        (4.2e-8, "42 ns"),
        (1.234e-5, "12.3 µs"),
        (0.00099951, "1 ms"),
        (0.5, "500 ms"),
        (9.9994, "10 s"),
        (12.34, "12.3 s"),
        (75, "1:15"),
    ],
)
def test_fine_duration(seconds, text):
    assert fine_duration(seconds) == text
