"""What a reporter of runs writes, as a text."""

from __future__ import annotations

import io

from perftkit.verify.verdict import Tally

SECONDS = 2.0


def written_report(make, info, events, causes=None, stopped=None, **more):
    """Play events to a reporter and return what it wrote.

    Args:
        make: The class of the reporter, or a function with the same arguments.
        info: What the run was asked for.
        events: What happens.
        causes: Why rows fail; None where nobody asked.
        stopped: Why not everything was checked.
        more: Further arguments of the reporter.
    """
    stream, tally = io.StringIO(), Tally()
    reporter = make(stream, info, **more)
    reporter.begin()
    for event in events:
        tally.add(event)
        reporter.handle(event)
    if causes is not None:
        reporter.explain(causes)
    reporter.end(tally, SECONDS, stopped)
    return stream.getvalue()
