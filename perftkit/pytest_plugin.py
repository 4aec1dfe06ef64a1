"""pytest's plugin: each row and depth of a perft suite is a test, once somebody asks for it.

pytest loads this module at every start, so it imports nothing of perftkit but what is asked for,
and nothing is opened while tests are collected.
"""

from __future__ import annotations

import glob
import inspect
import itertools
import os
import sys
import time
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from _pytest._code.code import (
    ReprEntryNative,
    ReprExceptionInfo,
    ReprFileLocation,
    ReprTraceback,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from perftkit.engines import PerftEngine
    from perftkit.report import EngineInfo
    from perftkit.report.failure import FailureInfo
    from perftkit.suite.model import SuiteProblem, SuiteRow
    from perftkit.suite.select import Case
    from perftkit.verify.events import Outcome
    from perftkit.verify.explain import Explained
    from perftkit.verify.runner import RunOptions

__all__ = ["perft_engine"]

DEFAULT_DEPTH = 4
SUFFIX = ".epd"
LONGEST_NAME = 100  # characters of an id that are part of a test's name
DEPTH_IS = "perft_depth = "
ENGINE_IS = "--perft-engine "
WALK_SECONDS = 60.0  # to find out why a row fails
ALL_WALKS_SECONDS = 300.0  # for all rows of a process
# What TOML has as a number, and pytest.ini as text; before, pytest took only text for text.
NUMBER: Any = int | str if pytest.version_tuple >= (9, 2) else "string"


# What is asked for.


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the command line and of the configuration."""
    group = parser.getgroup("perft", "perft suites (perftkit)")
    kind: Any
    for name, kind, metavar, text in (
        ("suites", "linelist", "SUITE", "check this suite: a glob, or a built-in suite's name"),
        ("engine", "string", "SPEC", "check this engine, rather than perftkit's own generator"),
        ("depth", NUMBER, "N", f"check counts up to this depth (default: {DEFAULT_DEPTH})"),
        ("max_nodes", NUMBER, "N", "skip counts that are expected to have more nodes"),
        ("ids", "linelist", "GLOB", "check only rows whose id matches"),
        ("timeout", "string", "TIME", "how long the engine may take for an answer (default: 60s)"),
    ):
        several = kind == "linelist"
        option = "--perft-" + (name.rstrip("s") if several else name).replace("_", "-")
        more = "; may be given several times" if several else ""
        group.addoption(
            option,
            action="append" if several else "store",
            dest=f"perft_{name}",
            metavar=metavar,
            help=text + more,
        )
        parser.addini(f"perft_{name}", text, type=kind, default=[] if several else None)
    text = "read castling rights by the rules of Chess960"
    group.addoption(
        "--perft-chess960", action="store_true", default=None, dest="perft_chess960", help=text
    )
    parser.addini("perft_chess960", text, type="bool", default=False)


@dataclass(frozen=True, slots=True)
class Settings:
    """What was asked for, on the command line or in the configuration.

    Attributes:
        depth: The deepest depth of a row that is checked.
        max_nodes: Counts that expect more leaves are skipped; None for no limit.
        ids: Shell patterns of which a row's id must match one; empty for every row.
        chess960: Whether all suites are of Chess960.
        engine: The text that names the engine; None for perftkit's own generator.
        timeout: Seconds for one answer; None where nothing was said.
        folder: Where the engine runs, and where its path begins.
    """

    depth: int
    max_nodes: int | None
    ids: tuple[str, ...]
    chess960: bool
    engine: str | None
    timeout: float | None
    folder: Path

    @property
    def run_options(self) -> RunOptions:
        """Return what is checked, in perftkit's own terms."""
        from perftkit.verify.runner import RunOptions

        return RunOptions(self.depth, self.max_nodes, self.ids)


SETTINGS = pytest.StashKey[Settings]()
SUITES = pytest.StashKey[set[Path]]()
SUBJECTS = pytest.StashKey["Subjects"]()


def settings_of(config: pytest.Config) -> Settings:
    """Return what was asked for; it is read once.

    Raises:
        pytest.UsageError: It can't be read.
    """
    if SETTINGS not in config.stash:
        config.stash[SETTINGS] = _read_settings(config)
    return config.stash[SETTINGS]


def _read_settings(config: pytest.Config) -> Settings:
    by_hand = config.getoption("perft_engine") is not None
    engine = _given(config, "engine")
    if engine is not None and not engine.strip():
        raise pytest.UsageError("perft_engine is empty; it is a command, or a kind and a command")
    timeout = _given(config, "timeout")
    return Settings(
        depth=_whole(config, "depth") or DEFAULT_DEPTH,
        max_nodes=_whole(config, "max_nodes"),
        ids=tuple(_given(config, "ids") or ()),
        chess960=bool(_given(config, "chess960")),
        engine=engine,
        timeout=None if timeout is None else _seconds(timeout),
        folder=config.invocation_params.dir if by_hand else config.rootpath,
    )


def _given(config: pytest.Config, name: str) -> Any:
    """Return what the command line says, else what the configuration says."""
    value = config.getoption(f"perft_{name}")
    return config.getini(f"perft_{name}") if value is None else value


def _whole(config: pytest.Config, name: str) -> int | None:
    """Return a number above 0; None where none is given."""
    try:
        value = _given(config, name)
    except TypeError as error:  # a number where this pytest wants text
        raise pytest.UsageError(str(error)) from None
    if value is None or value == "":
        return None
    try:
        number = int(value)
    except ValueError:
        number = 0
    if number < 1 or (name == "depth" and number > _deepest()):
        most = f"from 1 to {_deepest()}" if name == "depth" else "above 0"
        raise pytest.UsageError(f"perft_{name} is to be a whole number {most}")
    return number


def _deepest() -> int:
    from perftkit.core.perft import MAX_DEPTH

    return MAX_DEPTH


def _seconds(text: str) -> float:
    from perftkit.engines.settings import seconds_of
    from perftkit.errors import SpecError

    try:
        return seconds_of(text)
    except SpecError as error:
        raise pytest.UsageError(f"perft_timeout: {error}") from None


# Which suites are collected.


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line(
        "markers", "perft(depth): a row and depth of a perft suite, which perftkit collects"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Find the suites; a plain `pytest` in the root folder collects them, wherever they are."""
    config = session.config
    config.args[:] = [_with_builtin_path(arg) for arg in config.args]
    named = [_path_of(config, arg) for arg in config.args]
    suites = _configured_suites(config)
    known = {*(path for path in named if path.suffix == SUFFIX), *suites}
    config.stash[SUITES] = known
    if not known:
        return
    settings_of(config)  # so that what is wrong with them is said at once
    config.pluginmanager.register(_Ways(known), "perftkit-ways")
    if hasattr(config, "workerinput"):
        return  # a worker of xdist is told what the main process collects
    by_hand = config.getoption("perft_suites") is not None
    everything = config.args_source is not pytest.Config.ArgsSource.ARGS
    if by_hand or (everything and config.invocation_params.dir == config.rootpath):
        # What is in a folder that is collected anyway must not be named again: before version 9,
        # pytest leaves out the folder then, and collects a file twice that is named twice.
        apart = [path for path in suites if not _is_within(path, named)]
        more = [path for path in apart if not _is_left_out(path, config)]
        named += more
        config.args += map(str, more)
    _check_selection(config, [path for path in known if _is_within(path, named)])


def _is_within(path: Path, named: list[Path]) -> bool:
    return not {path, *path.parents}.isdisjoint(named)


def _path_of(config: pytest.Config, arg: str) -> Path:
    """Return the file or folder that an argument names."""
    return _absolute(config.invocation_params.dir / arg.partition("::")[0])


def _configured_suites(config: pytest.Config) -> list[Path]:
    """Return the suites that the configuration or --perft-suite asks for.

    Raises:
        pytest.UsageError: Something asks for suites and there are none.
    """
    by_hand = config.getoption("perft_suites") is not None
    folder = config.invocation_params.dir if by_hand else config.rootpath
    suites: dict[Path, None] = {}
    for pattern in _given(config, "suites"):
        found = sorted(glob.glob(pattern, root_dir=folder, recursive=True))  # noqa: PTH207
        paths = [path for name in found if (path := _absolute(folder / name)).is_file()]
        paths = paths or _builtin(pattern)
        what = "--perft-suite" if by_hand else "perft_suites"
        if not paths:
            raise pytest.UsageError(f"{what}: {_no_suite(pattern, folder, found)}")
        literal = itertools.takewhile(lambda part: not glob.has_magic(part), Path(pattern).parts)
        asked = _absolute(folder.joinpath(*literal))
        seen = [path for path in paths if not _is_passed_over(path, asked, config)]
        if not seen:
            raise pytest.UsageError(
                f"{what}: {pattern!r} matches only what is in folders that pytest does not look"
                f" into, as {_shown(paths[0], folder)}; name the folder instead of a wildcard"
            )
        suites.update(dict.fromkeys(seen))
    return list(suites)


def _no_suite(pattern: str, folder: Path, found: list[str]) -> str:
    from perftkit.suggest import did_you_mean

    if found:
        return (
            f"{pattern!r} is a folder; for its suites write '{found[0].rstrip(os.sep)}/*{SUFFIX}'"
        )
    return (
        f"no file matches {pattern!r} in {folder}, and no built-in suite is called"
        f" so{did_you_mean(pattern, _builtin_names())}"
    )


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100


def _is_passed_over(path: Path, asked: Path, config: pytest.Config) -> bool:
    """Whether pytest does not look into a folder between a suite and the one that is asked for."""
    return any(asked in folder.parents and _is_hidden(folder, config) for folder in path.parents)


def _builtin_names() -> Sequence[str]:
    from perftkit.suite.builtin import BUILTIN

    return tuple(BUILTIN)


def _builtin(name: str) -> list[Path]:
    from perftkit.suite.builtin import BUILTIN, builtin_path

    return [builtin_path(name)] if name in BUILTIN else []


def _with_builtin_path(arg: str) -> str:
    """Return an argument with the path of the built-in suite that it names, if it does."""
    name, colons, rest = arg.partition("::")
    is_name = name.replace("_", "").isalnum() and not Path(name).exists()
    path = _builtin(Path(name).name) if is_name else []
    return f"{path[0]}{colons}{rest}" if path else arg


class _Everywhere:
    """A configuration in which pytest looks into folders of any name, and of any kind."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def __getattr__(self, name: str) -> Any:
        return getattr(self._config, name)

    def getini(self, name: str) -> Any:
        return [] if name == "norecursedirs" else self._config.getini(name)

    def getoption(self, name: str) -> Any:
        return name == "collect_in_virtualenv" or self._config.getoption(name)


def _is_ignored(path: Path, config: Any) -> bool:
    from _pytest.main import pytest_ignore_collect

    return bool(pytest_ignore_collect(path, config))


def _is_hidden(path: Path, config: pytest.Config) -> bool:
    """Whether pytest does not look into a folder for its name, or as a virtual environment."""
    return _is_ignored(path, config) and not _is_ignored(path, _Everywhere(config))


def _is_left_out(path: Path, config: pytest.Config) -> bool:
    """Whether --ignore is about a suite, or about a folder that it is in."""
    everywhere = _Everywhere(config)
    folders = itertools.takewhile(lambda folder: folder != config.rootpath, path.parents)
    return any(_is_ignored(each, everywhere) for each in (path, *folders))


class _Ways:
    """Has pytest look into the folders of suites too that it does not look into, for these only."""

    def __init__(self, suites: set[Path]) -> None:
        self._suites = suites
        self._ways = {folder for path in suites for folder in path.parents}
        self._opened: set[Path] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_ignore_collect(
        self, collection_path: Path, config: pytest.Config
    ) -> Generator[None, bool | None, bool | None]:
        """Say what is ignored."""
        path = collection_path
        is_ignored = yield
        is_inside = path.parent in self._opened
        if path not in self._ways:
            return (is_inside and path not in self._suites) or is_ignored
        if is_ignored and not _is_hidden(path, config):
            return True
        if is_ignored or is_inside:
            self._opened.add(path)
        return None


def _check_selection(config: pytest.Config, suites: list[Path]) -> None:
    """Complain of options that leave nothing of the suites, so that a slip is no success.

    An id of the configuration may be for a suite that is not collected this time.

    Raises:
        pytest.UsageError: That is so.
    """
    from perftkit.errors import SuiteError
    from perftkit.suite.nothing import too_little, unknown_id

    settings = settings_of(config)
    by_hand = config.getoption("perft_ids") is not None
    known = suites if by_hand else config.stash[SUITES]
    what = "--perft-id" if by_hand else "perft_ids"
    try:
        if suites and settings.ids and (why := unknown_id(_rows(known, settings), settings.ids)):
            raise pytest.UsageError(f"{what}: {why}")
        limits = (settings.depth, DEPTH_IS), (settings.max_nodes, "perft_max_nodes = ")
        if why := too_little(_rows(suites, settings), settings.ids, *limits):
            raise pytest.UsageError(f"nothing of the suites is checked: {why}")
    except SuiteError:
        return  # which is said where the suite is collected


def _rows(suites: Iterable[Path], settings: Settings) -> Iterator[SuiteRow]:
    from perftkit.suite.model import SuiteRow
    from perftkit.suite.reader import read_suite

    for path in sorted(suites):
        for item in read_suite(path, chess960=settings.chess960):
            if isinstance(item, SuiteRow):
                yield item


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SuiteFile | None:
    """Collect the suites that the configuration or the command line names, and no other file."""
    if file_path not in parent.config.stash.get(SUITES, ()):
        return None
    more: Any = {}
    if not file_path.is_relative_to(parent.config.rootpath):
        more["nodeid"] = file_path.name  # pytest's own would be empty
    return SuiteFile.from_parent(parent, path=file_path, **more)


class SuiteFile(pytest.Module):
    """A suite. It is a module, as pytest's own text files are, so that fixtures can be of that."""

    obj = None

    def collect(self) -> Iterator[RowNode | UnreadableItem]:
        """Yield the rows that are selected, and those that can't be read."""
        from perftkit.errors import SuiteError
        from perftkit.suite.model import SuiteProblem
        from perftkit.suite.nothing import too_shallow
        from perftkit.suite.reader import read_suite
        from perftkit.suite.select import cases, matches

        settings = settings_of(self.config)
        shown = _shown(self.path, self.config.invocation_params.dir)
        names = _Names()
        is_empty = True
        selected: list[SuiteRow] = []
        try:
            for found in read_suite(self.path, chess960=settings.chess960):
                is_empty = False
                item = replace(found, file=shown)
                if isinstance(item, SuiteProblem):
                    name = names.unique(f"unreadable-line-{item.line}", item.line)
                    yield UnreadableItem.from_parent(self, name=name, problem=item)
                elif matches(item, settings.ids):
                    selected.append(item)
                    if any(cases(item, max_depth=settings.depth)):
                        yield RowNode.from_parent(self, name=names.of_row(item), row=item)
        except SuiteError as error:
            raise self.CollectError(str(error)) from None
        if is_empty:
            raise self.CollectError(f"{shown} has no position")
        if why := too_shallow(selected, settings.depth, DEPTH_IS):
            try:
                self.warn(pytest.PytestCollectionWarning(f"{shown}: {why}"))
            except pytest.PytestCollectionWarning as error:  # -W error
                raise self.CollectError(str(error)) from None

    @cached_property
    def _definition(self) -> Any:
        from _pytest.python import FunctionDefinition

        return FunctionDefinition.from_parent(self, name=self.name, callobj=_needs_the_engine)

    @property
    def fixture_info(self) -> Any:
        """Return which fixtures the rows need: the engine, and those that all tests use."""
        return self._definition._fixtureinfo

    @cached_property
    def variants(self) -> list[Any]:
        """Return what each depth is run with: values of fixtures that have several, or None."""
        from _pytest.python import Metafunc

        module = sys.modules[__name__]  # hooks of a project look for names in it
        metafunc = Metafunc(
            self._definition, self.fixture_info, self.config, None, module, _ispytest=True
        )
        self.ihook.pytest_generate_tests(metafunc=metafunc)
        return metafunc._calls or [None]


def _needs_the_engine(perft_engine: object) -> None:
    """Be the function whose parameters say which fixtures a row needs."""


def _shown(path: Path, folder: Path) -> str:
    """Return a path as a person in a folder writes it."""
    try:
        return str(path.relative_to(folder))
    except ValueError:
        return str(path)


class _Names:
    """Gives each row of a suite a name of its own, in ASCII and without what pytest reads."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def of_row(self, row: SuiteRow) -> str:
        """Return the name of a row: its id, or its line where it was given none."""
        return self.unique(row.id if row.has_given_id else f"line-{row.line}", row.line)

    def unique(self, text: str, line: int) -> str:
        """Return a name that was not given before."""
        name = _harmless(text) or f"line-{line}"
        if name in self._given:
            name = f"{name}-line-{line}"
        while name in self._given:
            name += "-again"
        self._given.add(name)
        return name


def _harmless(text: str) -> str:
    from perftkit.report.text import clean

    text = "-".join(clean(text).split()).translate(str.maketrans("[]", "()"))
    while "::" in text:
        text = text.replace("::", ":")
    return text.strip(":").encode("ascii", "backslashreplace").decode("ascii")[:LONGEST_NAME]


class RowNode(pytest.Collector):
    """A row: a test for each of its depths.

    Attributes:
        row: The row.
        failed_at: The depth at which an engine failed, by the name of the engine's variant.
        differs_at: The first depth at which a count was wrong, by the same.
    """

    parent: SuiteFile

    def __init__(self, *, row: SuiteRow, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.row = row
        self.failed_at: dict[str, int] = {}
        self.differs_at: dict[str, int] = {}

    def collect(self) -> Iterator[DepthItem]:
        """Yield a test for each depth."""
        from perftkit.suite.select import cases

        settings = settings_of(self.config)
        for variant in self.parent.variants:
            for case in cases(self.row, max_depth=settings.depth, max_nodes=settings.max_nodes):
                name = f"depth-{case.depth}"
                if variant is not None:
                    name += f"[{variant.id}]"
                yield DepthItem.from_parent(self, name=name, case=case, callspec=variant)


@cache
def _mark(depth: int) -> pytest.MarkDecorator:
    """Return the mark of a depth; making it takes longer than all else about an item."""
    return pytest.mark.perft(depth=depth)


class UnreadableItem(pytest.Item):
    """A row that can't be read, which is a test that fails."""

    def __init__(self, *, problem: SuiteProblem, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.problem = problem
        self.add_marker(pytest.mark.perft)

    def runtest(self) -> None:
        """Fail with what was expected, and where."""
        from perftkit.report.text import clean

        pytest.fail(clean(str(self.problem)), pytrace=False)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the message alone."""
        if isinstance(excinfo.value, pytest.fail.Exception):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the row is."""
        return self.path, self.problem.line - 1, f"line {self.problem.line}"


class DepthItem(pytest.Item):
    """One depth of a row.

    Attributes:
        case: The row and the depth.
        callspec: Which of several values fixtures have here, in pytest's words; there is none where
            no fixture has several.
        variant: What these are called; empty where there is none.
    """

    parent: RowNode
    obj = staticmethod(_needs_the_engine)  # conditions of marks are evaluated in its module
    cls = None

    def __init__(self, *, case: Case, callspec: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.case = case
        self.variant = ""
        self.add_marker(_mark(case.depth))
        self.extra_keyword_matches.add(f"depth{case.depth}")
        if callspec is not None:
            self.callspec = callspec
            self.variant = callspec.id
            self.extra_keyword_matches.add(callspec.id)
            for mark in callspec.marks:
                self.add_marker(pytest.MarkDecorator(mark, _ispytest=True))
        # pytest calls _initrequest before a test that has no request, and drops it afterwards.
        self._request: Any = None
        self.funcargs: dict[str, Any] = {}

    @property
    def _fixtureinfo(self) -> Any:
        return self.parent.parent.fixture_info

    @property
    def fixturenames(self) -> Any:
        """Return the fixtures that are set up before the test."""
        return self._fixtureinfo.names_closure

    def _initrequest(self) -> None:
        from _pytest.fixtures import TopRequest

        self.funcargs = {}
        self._request = TopRequest(self, _ispytest=True)  # type: ignore[arg-type]

    def setup(self) -> None:
        """Set up the fixtures, as pytest does for its own tests that are no functions."""
        self._request._fillfixtures()

    def runtest(self) -> None:
        """Count, and fail with all that can be found out about a difference."""
        subjects = self.config.stash.setdefault(SUBJECTS, Subjects(self.config))
        subject = subjects.of(self.funcargs["perft_engine"])
        outcome = self._outcome(subject)
        if outcome.status == "skipped":
            raise pytest.skip.Exception(outcome.reason or "", _use_item_location=True)
        if outcome.status != "ok":
            raise _FailedError(self._failure(outcome, subject, subjects))

    def _outcome(self, subject: Subject | None) -> Outcome:
        from perftkit.engines.text import without_options
        from perftkit.verify.check import CheckOptions, check_case, engine_failed
        from perftkit.verify.events import ERROR
        from perftkit.verify.runner import run_case, skipped

        case, row = self.case, self.parent
        options = settings_of(self.config).run_options
        if subject is None:
            if case.expected is None:
                return skipped(case, "the row has no counts, and there is no engine to compare")
            from perftkit.engines.builtin import BuiltinGenerator

            return run_case(case, options, BuiltinGenerator())
        failed_at = row.failed_at.get(self.variant, case.depth)
        if failed_at < case.depth:
            return skipped(case, engine_failed(failed_at))
        checked = CheckOptions(options, id_option="--perft-id")
        outcome = check_case(case, checked, subject.engine)
        if outcome.status != ERROR:
            return outcome
        row.failed_at[self.variant] = case.depth
        return replace(outcome, reason=without_options(outcome.reason or "", ENGINE_IS))

    def _failure(
        self, outcome: Outcome, subject: Subject | None, subjects: Subjects
    ) -> FailureInfo:
        """Return a failure with what a walk finds; the deeper ones of a row have the same cause."""
        from perftkit.report.failure import FailureInfo
        from perftkit.verify.events import MISMATCH

        if subject is None:
            return FailureInfo(outcome)
        if outcome.status != MISMATCH or outcome.healthy:
            return FailureInfo(outcome, subject.info)
        first = self.parent.differs_at.setdefault(self.variant, outcome.depth)
        if first < outcome.depth:
            note = f"see depth {first} of this row, where the engine is wrong already"
            return FailureInfo(outcome, subject.info, note=note)
        self.parent.differs_at[self.variant] = outcome.depth
        explained = subjects.explained(outcome, subject)
        if explained is None:
            note = "not looked into, since that took so long for the rows before; the command does"
            return FailureInfo(outcome, subject.info, note=note)
        return FailureInfo(outcome, subject.info, explained)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the explanation of a failure, without a traceback."""
        if isinstance(excinfo.value, _FailedError):
            is_short = self.config.getoption("tbstyle", "auto") == "line"
            return _Explanation(excinfo.value.info, self.path, is_short=is_short)
        return super().repr_failure(excinfo, style)

    def _traceback_filter(self, excinfo: pytest.ExceptionInfo[BaseException]) -> Any:
        """Return what a fixture that raises has to do with it, without pytest's own part."""
        from _pytest._code.code import filter_traceback

        entries = excinfo.traceback.filter(
            lambda entry: filter_traceback(entry) and str(entry.path) != __file__
        )
        return entries or excinfo.traceback

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the row is."""
        row = self.case.row
        name = self.name.replace("-", " ", 1)
        return self.path, row.line - 1, f"{self.parent.name} {name}"


class _FailedError(Exception):
    """A count is wrong, or the engine failed."""

    def __init__(self, info: FailureInfo) -> None:
        self.info = info
        super().__init__(f"{info.outcome.row.id}, depth {info.outcome.depth}")


class _Explanation(ReprExceptionInfo):
    """The text of a failure, with colours on a terminal that has them.

    Summaries, and the message in JUnit's XML, are its first line. Where a report goes through a
    pipe, pytest makes of it what it makes of its own: the text without the colours.
    """

    def __init__(self, info: FailureInfo, path: Path, *, is_short: bool) -> None:
        from perftkit.report.failure import failure_text

        text = failure_text(info)
        self.info = info
        entries = [] if is_short else [ReprEntryNative([f"{text}\n"])]
        first = text.partition("\n")[0]
        super().__init__(
            ReprTraceback(entries, None, "native"),
            ReprFileLocation(str(path), info.outcome.row.line, first),
        )

    def toterminal(self, tw: Any) -> None:
        """Write it, if it is not left to the summaries."""
        from perftkit.report.failure import failure_text

        if self.reprtraceback.reprentries:
            tw.line(failure_text(self.info, color=tw.hasmarkup))


# The engine under test.


@pytest.fixture(scope="session")
def perft_engine(request: pytest.FixtureRequest) -> Iterator[PerftEngine | None]:
    """The engine of --perft-engine or perft_engine; None, which is perftkit's own generator.

    A fixture of this name in a conftest.py goes before it. It may return any engine that perftkit
    knows: an object with the methods of `perftkit.engines.PerftEngine`, what
    `perftkit.engines.python.engine_of` takes (a function, a class of boards, a board), or a text
    that names one.
    """
    settings = settings_of(request.config)
    if settings.engine is None:
        yield None
        return
    with closing(_opened(settings.engine, settings)) as engine:
        yield engine


def _opened(spec: str, settings: Settings) -> PerftEngine:
    """Open an engine, or fail the test with its message alone."""
    from perftkit.engines.named import known_engines
    from perftkit.engines.settings import DEFAULT_TIMEOUT, EngineSettings
    from perftkit.engines.spec import open_engine
    from perftkit.engines.text import without_options
    from perftkit.errors import PerftkitError

    timeout = DEFAULT_TIMEOUT if settings.timeout is None else settings.timeout
    try:
        engines = known_engines(folder=settings.folder)
        # An engine that a file describes runs where the file says.
        folder = None if spec.strip() in engines else str(settings.folder)
        asked = EngineSettings(timeout=timeout, folder=folder)
        return open_engine(spec, asked, engines=engines)
    except PerftkitError as error:
        message = without_options(str(error), ENGINE_IS)
    pytest.fail(message, pytrace=False)


@dataclass(frozen=True, slots=True)
class Subject:
    """The engine under test.

    Attributes:
        engine: Who is asked.
        info: What reports say about it.
    """

    engine: PerftEngine
    info: EngineInfo


class Subjects:
    """The engines of a session, from what the fixtures return."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._settings = settings_of(config)
        self._opened: dict[str, PerftEngine] = {}
        self._last: tuple[object, Subject] | None = None
        self._seconds_left = ALL_WALKS_SECONDS

    def of(self, value: object) -> Subject | None:
        """Return the engine that a fixture's value stands for; None for the built-in generator."""
        if value is None:
            return None
        if self._last is None or self._last[0] is not value:
            self._last = value, self._subject(value)
        return self._last[1]

    def explained(self, outcome: Outcome, subject: Subject) -> Explained | None:
        """Return what a walk finds; None when walks took too long before."""
        from perftkit.verify.explain import explain
        from perftkit.verify.failures import Failure
        from perftkit.verify.walk import WalkLimits

        start = time.monotonic()
        seconds = min(self._seconds_left, WALK_SECONDS)
        if seconds <= 0:
            return None
        limits = WalkLimits(deadline=start + seconds)
        failure = Failure(outcome.row, outcome.depth)
        explained = next(explain([failure], subject.engine, limits))
        self._seconds_left -= time.monotonic() - start
        return explained

    def _subject(self, value: object) -> Subject:
        from perftkit.engines.python import engine_of, guarded
        from perftkit.errors import PerftkitError
        from perftkit.report import EngineInfo

        if inspect.iscoroutine(value) or inspect.isasyncgen(value):
            if inspect.iscoroutine(value):
                value.close()  # so that Python does not warn of it too
            message = "is async, and there is no plugin that awaits it, such as pytest-asyncio"
            pytest.fail(f"the fixture perft_engine {message}", pytrace=False)
        try:
            engine = self._named(value) if isinstance(value, str) else guarded(engine_of(value))
        except PerftkitError as error:
            message = f"the fixture perft_engine: {error}"
        else:
            words = self._words(engine)
            return Subject(engine, EngineInfo(engine.spec, engine.name, words, "--perft-timeout"))
        pytest.fail(message, pytrace=False)

    def _named(self, spec: str) -> PerftEngine:
        """Return the engine that a text names, which is opened once and closed at the end."""
        if spec not in self._opened:
            engine = _opened(spec, self._settings)
            self._config.add_cleanup(engine.close)
            self._opened[spec] = engine
        return self._opened[spec]

    def _words(self, engine: PerftEngine) -> tuple[str, ...]:
        """Return the words of a command line that name an engine again, if there are any."""
        from perftkit.engines.python import is_found_again

        spec = engine.spec
        if spec != self._settings.engine and spec not in self._opened:
            is_known = not spec.startswith("py:") or is_found_again(spec)
            return ("--engine", spec) if is_known else ()
        words = ["--engine", spec]
        if self._settings.folder != self._config.invocation_params.dir:
            words += ["--engine-dir", str(self._settings.folder)]
        if self._settings.timeout is not None:
            words += ["--timeout", f"{self._settings.timeout:g}"]
        return tuple(words)
