"""A count in a process of its own that is sent Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import sys
import time


def interrupt(script: str, after: float) -> tuple[float, list[str]]:
    """Run a script that counts, and send it Ctrl-C.

    Args:
        script: Prints ``counting`` when it begins, and at the end what `time.monotonic` gave when
            it felt Ctrl-C, then more words. It writes no errors and ends with status 0.
        after: Seconds from its begin to Ctrl-C.

    Returns:
        How long it took to feel that, on the clock that all processes share, and the other words.
    """
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "counting\n"
        time.sleep(after)
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=60)
    assert (child.returncode, errors) == (0, "")
    stopped, *words = output.split()
    return float(stopped) - sent, words
