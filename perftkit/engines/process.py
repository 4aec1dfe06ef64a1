"""One program as a process: lines in, lines out, limits, and nothing left behind."""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import selectors
import shutil
import signal
import subprocess
import threading
import time
from collections import deque
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, Protocol

from perftkit.engines.starting import why_missing, why_not_started
from perftkit.engines.text import plain, quoted
from perftkit.errors import EngineError
from perftkit.suggest import unfilled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = [
    "EngineDiedError",
    "EngineProcess",
    "EngineTimeoutError",
    "Line",
    "find_program",
]

POSIX = os.name == "posix"
BLOCK = 65536  # bytes that are read at once
LONGEST_LINE = 4096  # bytes of a line that are kept
MOST_OUTPUT = 64 << 20  # bytes that a program may print for one question
MOST_LEFT_OVER = 1 << 20  # bytes of earlier output that are thrown away before a question
LAST_WORDS = 4  # lines
FAREWELL = 0.3  # seconds that a program has to end by itself
ATTENTION = 0.5  # seconds after which it is noticed, at the latest, that another thread closed it
GAMES = ("/usr/games", "/usr/local/games")  # where Debian puts engines; often not in PATH

# Ends what is left when perftkit is gone, however it went: its end of the pipe closes then.
GUARD = """groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) groups="${groups%% "$group" *} ${groups#* "$group" }" ;;
  esac
done
for group in $groups; do kill -KILL -"$group"; done
"""


class EngineDiedError(EngineError):
    """The program ended or closed its output before it had answered."""


class EngineTimeoutError(EngineError):
    """The program gave no answer in time."""


class Line(NamedTuple):
    """A line that a program printed, without its end, and whether to standard error."""

    text: str
    is_error: bool


class EngineProcess:
    """A running program.

    Attributes:
        name: What messages call it.
        limit: Seconds that it has for it, for messages.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        name: str,
        folder: str | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start a program.

        Raises:
            EngineError: It can't be started.
        """
        self.name = name
        self._asked = "the start"
        self._was_asked = False
        self.limit: float | None = None
        self._lines: deque[Line] = deque()
        self._partial = (_Partial(), _Partial())
        self._words: tuple[deque[str], deque[str]] = (
            deque(maxlen=LAST_WORDS),
            deque(maxlen=LAST_WORDS),
        )
        self._received = 0
        self._open = [True, True]
        self._process = _start(argv, name, folder, environment or {})
        self._pipes: _Pipes = _pipes(self._process)
        _remember(self)

    @property
    def asked(self) -> str:
        """What it was last told to do; what it printed before that are not its last words."""
        return self._asked

    @asked.setter
    def asked(self, text: str) -> None:
        self._asked = text
        self._was_asked = True
        for words in self._words:
            words.clear()

    @property
    def ended(self) -> bool:
        """Whether its standard output is closed, which is taken for its end."""
        return not self._open[0]

    def send(self, *lines: str) -> None:
        """Write lines.

        Raises:
            EngineDiedError: Nobody reads them.
        """
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
        try:
            self._pipes.write(data, time.monotonic() + FAREWELL * 10)
        except TimeoutError:
            raise EngineTimeoutError(
                f"{self.name} does not read its input ({self.asked}){self._said()}"
            ) from None
        except OSError:
            self._take(0.0)
            raise self._death() from None

    def end_input(self) -> None:
        """Close its standard input."""
        self._pipes.close_input()

    def next_line(self, deadline: float | None, idle: float | None = None) -> Line | None:
        """Return the next line that is not empty.

        Args:
            deadline: On the clock of `time.monotonic`; None for none.
            idle: Seconds of silence after which None is returned.

        Raises:
            EngineTimeoutError: The deadline passed.
            EngineDiedError: Its standard output is closed and everything was read.
            EngineError: It printed more than anybody prints for one question.
        """
        silent_until = None if idle is None else time.monotonic() + idle
        while not self._lines:
            if not self._open[0]:
                if not self._take(0.0):
                    raise self._death()
                continue
            now = time.monotonic()
            if deadline is not None and now >= deadline:
                raise self._late()
            if silent_until is not None and now >= silent_until:
                return None
            ends = [end - now for end in (deadline, silent_until) if end is not None]
            self._take(min(*ends, ATTENTION) if ends else ATTENTION)
        if deadline is not None and time.monotonic() >= deadline:
            raise self._late()
        return self._lines.popleft()

    def pending(self) -> Iterator[Line]:
        """Yield what is there already, without waiting."""
        self._take(0.0)
        while self._lines:
            yield self._lines.popleft()

    def unfinished(self) -> Iterator[Line]:
        """Yield the last lines although their ends were not printed."""
        for stream, partial in enumerate(self._partial):
            if text := partial.take():
                yield self._line(stream, text)

    def discard(self) -> None:
        """Throw away what was printed unasked, and begin to count anew."""
        self._lines.clear()
        self._received = 0
        while self._received < MOST_LEFT_OVER and self._take(0.0):
            self._lines.clear()
        self._received = 0

    def death(self) -> EngineDiedError:
        """Return what there is to say about its end, once it `ended`."""
        return self._death()

    def last_words(self) -> tuple[str, ...]:
        """Return the last lines of standard error, else of standard output."""
        return tuple(self._words[1] or self._words[0])

    def exit_status(self) -> int | None:
        """Return its exit status, negative for a signal; None if it does not end."""
        try:
            return self._process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            return None

    def close(self, farewell: str | None = None) -> None:
        """End it and all that it started. Closing twice is allowed.

        Args:
            farewell: A line that makes it end by itself, if it has time to.
        """
        if not _forget(self):
            return
        with contextlib.suppress(OSError):
            if farewell is not None and self._open[0]:
                self._pipes.write(f"{farewell}\n".encode(), time.monotonic())
                self._pipes.close_input()
                self._wait_for_end(time.monotonic() + FAREWELL)
        _kill(self._process)
        self._open = [False, False]
        self._pipes.close()
        _GUARD.tell("-", self._process.pid)

    def _take_all(self, deadline: float) -> None:
        """Read what is on its way, for the last words."""
        while any(self._open) and (left := deadline - time.monotonic()) > 0:
            self._take(left, limited=False)
            self._lines.clear()

    def _wait_for_end(self, deadline: float) -> None:
        while self._open[0] and (left := deadline - time.monotonic()) > 0:
            self._take(left, limited=False)
            self._lines.clear()

    def _take(self, timeout: float | None, *, limited: bool = True) -> bool:
        """Read what comes within a time, and say whether anything did."""
        blocks = self._pipes.read(timeout)
        for stream, block in blocks:
            if not block:
                self._open[stream] = False
                if text := self._partial[stream].take():
                    self._lines.append(self._line(stream, text))
                continue
            self._received += len(block)
            self._lines.extend(self._line(stream, t) for t in self._partial[stream].feed(block))
        if limited and self._received > MOST_OUTPUT:
            raise EngineError(
                f"{self.name} printed more than {MOST_OUTPUT >> 20} MB at {self.asked}"
                f" without an end{self._said()}"
            )
        return bool(blocks)

    def _line(self, stream: int, raw: bytes) -> Line:
        text = plain(raw.decode("utf-8", "replace"))
        self._words[stream].append(text[:LONGEST_LINE])
        return Line(text, stream == 1)

    def _death(self) -> EngineDiedError:
        status = self.exit_status()
        if status is None:
            how = "closed its output"
        elif status < 0:
            how = f"was ended by {_signal_name(-status)}"
        else:
            how = f"ended with exit status {status}"
        self._take_all(time.monotonic() + FAREWELL)
        return EngineDiedError(f"{self.name} {how} at {self.asked}{self._said()}")

    def _late(self) -> EngineTimeoutError:
        limit = "in time" if self.limit is None else f"within {self.limit:g} s"
        return EngineTimeoutError(
            f"{self.name} gave no answer {limit} to {self.asked}{self._said()}"
        )

    def _said(self) -> str:
        words = self.last_words()
        if not words:
            return "; it printed nothing" + (" since the question" if self._was_asked else "")
        return "; its last words: " + ", ".join(quoted(text) for text in words)


class _Partial:
    """A line whose end did not come yet; what is too long of it is dropped."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def feed(self, block: bytes) -> list[bytes]:
        """Return the lines that end in a block, without the empty ones."""
        *ended, rest = block.replace(b"\r", b"\n").split(b"\n")
        lines = []
        for part in ended:
            if part or self._kept:
                self._keep(part)
                lines.append(self.take())
        self._keep(rest)
        return lines

    def take(self) -> bytes:
        """Return what there is and forget it."""
        text = bytes(self._kept)
        self._kept.clear()
        return text

    def _keep(self, part: bytes) -> None:
        self._kept += part[: LONGEST_LINE - len(self._kept)]


class _Pipes(Protocol):
    """The three pipes of a process."""

    def read(self, timeout: float | None) -> list[tuple[int, bytes]]:
        """Return what came: 0 for standard output or 1 and a block, which is empty at the end."""
        ...

    def write(self, data: bytes, deadline: float) -> None:
        """Write all; `TimeoutError` after the deadline, another `OSError` if nobody reads."""
        ...

    def close_input(self) -> None:
        """Close the standard input."""
        ...

    def close(self) -> None:
        """Close all."""
        ...


class _SelectorPipes:
    """Pipes that are waited for together; nothing runs beside it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._in, self._out, self._error = _streams(process)
        self._selector = selectors.DefaultSelector()
        for number, stream in enumerate((self._out, self._error)):
            os.set_blocking(stream.fileno(), False)
            self._selector.register(stream, selectors.EVENT_READ, number)
        os.set_blocking(self._in.fileno(), False)

    def read(self, timeout: float | None) -> list[tuple[int, bytes]]:
        if not self._selector.get_map():
            return []
        blocks = []
        # Another thread may close everything meanwhile.
        with contextlib.suppress(OSError, ValueError, KeyError):
            for key, _ in self._selector.select(timeout):
                try:
                    block = os.read(key.fd, BLOCK)
                except BlockingIOError:
                    continue
                if not block:
                    self._selector.unregister(key.fileobj)
                blocks.append((key.data, block))
        return blocks

    def write(self, data: bytes, deadline: float) -> None:
        if self._in.closed:
            raise BrokenPipeError
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._in.fileno(), rest) :]
            except BlockingIOError:
                self._wait_until_writable(deadline)

    def _wait_until_writable(self, deadline: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._in, selectors.EVENT_WRITE)
            if not selector.select(max(deadline - time.monotonic(), 0)):
                raise TimeoutError

    def close_input(self) -> None:
        self._in.close()

    def close(self) -> None:
        self._selector.close()
        for stream in (self._in, self._out, self._error):
            stream.close()


class _ThreadPipes:
    """Pipes that threads read, where pipes can't be waited for (Windows)."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._in, *outputs = _streams(process)
        # Bounded, so that a program that prints for ever has to wait for us.
        self._blocks: queue.Queue[tuple[int, bytes]] = queue.Queue(16)
        self._closed = threading.Event()
        self._threads = [
            threading.Thread(target=self._copy, args=(number, stream), daemon=True)
            for number, stream in enumerate(outputs)
        ]
        for thread in self._threads:
            thread.start()

    def read(self, timeout: float | None) -> list[tuple[int, bytes]]:
        if self._blocks.empty() and not any(thread.is_alive() for thread in self._threads):
            return []
        blocks: list[tuple[int, bytes]] = []
        with contextlib.suppress(queue.Empty):
            blocks.append(self._blocks.get(timeout != 0.0, timeout))
            while True:
                blocks.append(self._blocks.get_nowait())
        return blocks

    def write(self, data: bytes, deadline: float) -> None:
        if self._in.closed:
            raise BrokenPipeError
        self._in.write(data)
        self._in.flush()

    def close_input(self) -> None:
        self._in.close()

    def close(self) -> None:
        self._closed.set()
        with contextlib.suppress(OSError):
            self._in.close()
        for thread in self._threads:
            thread.join(FAREWELL)

    def _copy(self, number: int, stream: IO[bytes]) -> None:
        block = b"-"
        with stream:
            while block and not self._closed.is_set():
                try:
                    block = os.read(stream.fileno(), BLOCK)
                except OSError:
                    block = b""
                self._put((number, block))

    def _put(self, entry: tuple[int, bytes]) -> None:
        while not self._closed.is_set():
            with contextlib.suppress(queue.Full):
                self._blocks.put(entry, timeout=0.1)
                return


def _pipes(process: subprocess.Popen[bytes]) -> _Pipes:
    return _SelectorPipes(process) if POSIX else _ThreadPipes(process)


def _streams(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdin, process.stdout, process.stderr


def find_program(program: str, folder: str | None = None) -> str | None:
    """Return the path of a program: as given, in PATH, or where Debian puts games."""
    if Path(program).name != program:
        for path in (Path(folder or ".") / program, Path(program)):
            if path.is_file():
                return str(path.absolute())  # not resolved: a link's name may mean something
        return None
    search = os.pathsep.join((os.environ.get("PATH", os.defpath), *GAMES))
    return shutil.which(program, path=search)


def _start(
    argv: Sequence[str], name: str, folder: str | None, environment: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    path = find_program(argv[0], folder)
    if path is None:
        raise EngineError(why_missing(argv, folder, find_program))
    if folder is not None and not Path(folder).is_dir():
        raise EngineError(
            f"{name} can't run in {quoted(folder)}: there is no such folder{unfilled(folder)}"
        )
    # A program in Python would keep its answers in a buffer.
    variables = {"PYTHONUNBUFFERED": "1", **os.environ, **environment}
    flags = 0 if POSIX else getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    try:
        return subprocess.Popen(
            [path, *argv[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            env=variables,
            start_new_session=POSIX,
            creationflags=flags,
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        advice = why_not_started(path, error)
        raise EngineError(f"{name} can't be started: {reason} ({quoted(path)}){advice}") from None


def _kill(process: subprocess.Popen[bytes]) -> None:
    if POSIX:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        process.kill()
    process.wait()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


_running: set[EngineProcess] = set()
_lock = threading.RLock()


def _remember(process: EngineProcess) -> None:
    with _lock:
        _running.add(process)
    _GUARD.tell("+", process._process.pid)


def _forget(process: EngineProcess) -> bool:
    with _lock:
        known = process in _running
        _running.discard(process)
    return known


class _Guard:
    """A shell that kills the process groups that are left when this process is gone."""

    def __init__(self) -> None:
        self._shell: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def tell(self, sign: str, group: int) -> None:
        """Say that a group is there (+) or gone (-)."""
        if not POSIX:
            return
        with _lock, contextlib.suppress(OSError):
            if sign == "+" and self._owner != os.getpid():
                self._owner = os.getpid()
                self._shell = self._start()
            if self._shell is not None and self._shell.stdin is not None:
                self._shell.stdin.write(f"{sign} {group}\n".encode())

    def close(self) -> None:
        """Let it do its work and end."""
        shell, self._shell = self._shell, None
        if shell is None or self._owner != os.getpid():
            return
        self._owner = 0
        assert shell.stdin is not None
        shell.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            shell.wait(FAREWELL)

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ["/bin/sh", "-c", GUARD],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd="/",
            start_new_session=True,
        )


_GUARD = _Guard()


def _close_all() -> None:
    for process in list(_running):
        process.close()
    _GUARD.close()


def _forget_all() -> None:
    """What a fork of this process inherits is not its own."""
    _running.clear()


atexit.register(_close_all)
if POSIX:
    os.register_at_fork(after_in_child=_forget_all)
