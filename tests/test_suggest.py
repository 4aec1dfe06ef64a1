import pytest

from perftkit.suggest import closest, did_you_mean, unfilled

COMMANDS = ("run", "divide", "engine", "show", "suite", "bench")
OPTIONS = (
    "--depth",
    "--max-nodes",
    "--timeout",
    "--jobs",
    "--id",
    "--fen",
    "--format",
    "--chess960",
)


@pytest.mark.parametrize(
    ("name", "names", "meant"),
    [
        ("rnu", COMMANDS, "run"),
        ("RUN", COMMANDS, "run"),
        ("divid", COMMANDS, "divide"),
        ("--dept", OPTIONS, "--depth"),
        ("-depth", OPTIONS, "--depth"),
        ("--max_nodes", OPTIONS, "--max-nodes"),
        ("--nodes", OPTIONS, "--max-nodes"),
        ("--chess", OPTIONS, "--chess960"),
    ],
)
def test_what_was_meant(name, names, meant):
    assert closest(name, names) == meant
    assert did_you_mean(name, names) == f", did you mean {meant}?"


@pytest.mark.parametrize("name", ["zzz", "x", "", "--", "--verbose", "--foo", "--fix", "--in"])
def test_no_silly_suggestion(name):
    assert closest(name, OPTIONS) is None
    assert did_you_mean(name, OPTIONS, ": see the help") == ": see the help"


def test_what_there_is():
    assert did_you_mean("zzz", COMMANDS[:3]) == ": there are run, divide and engine"
    assert did_you_mean("zzz", ["run"]) == ": there is only run"
    assert did_you_mean("zzz", []) == ": there are none"
    many = did_you_mean("zzz", [f"a{number}" for number in range(20)])
    assert many.endswith("a12, a13 and 6 more")


@pytest.mark.parametrize(
    ("name", "end"),
    [("~/a b", "write '/home/me/a b'"), ("$HOME/x", "write /home/me/x"), ("~me-not/x", "")],
)
def test_what_the_shell_fills_in(monkeypatch, name, end):
    monkeypatch.setenv("HOME", "/home/me")
    assert unfilled(name).endswith(end)
    assert bool(unfilled(name)) == bool(end)
