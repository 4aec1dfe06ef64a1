"""Pages to look at, made of events as a run has them, and a parser that is strict about nesting."""

from __future__ import annotations

import io
from html.parser import HTMLParser

from written_report import written_report

from perftkit import KIWIPETE, STARTPOS, Position, divide
from perftkit.engines import Answer
from perftkit.report import DivideInfo, EngineInfo, RunInfo, WalkInfo
from perftkit.report.html import HtmlRunReporter, write_divide, write_walk
from perftkit.suite.model import SuiteProblem, SuiteRow
from perftkit.verify.compare import Difference, compare_answer
from perftkit.verify.diagnosis import Diagnosis, Evidence
from perftkit.verify.events import ERROR, MISMATCH, OK, SKIPPED, Outcome, Unreadable
from perftkit.verify.explain import Cause, Explained
from perftkit.verify.failures import Failure
from perftkit.verify.walk import Disputed, FailedAt, WalkResult

VOID = {"meta", "link", "input", "br", "hr", "img", "col"}
HOSTILE = (
    "<script>document.title = 'hacked'</script><img src=x onerror=alert(1)></style></td>"
    '" onclick="alert(2)" \' & &lt; \x1b[31m \x00 \ud800 \u202e http://example.org/x.js'
)
SHOWN = (  # what a reader is to see of it: the same, and no character that does anything
    "<script>document.title = 'hacked'</script><img src=x onerror=alert(1)></style></td>"
    '" onclick="alert(2)" \' & &lt; \\x1b[31m \\x00 \\ud800 \\u202e http://example.org/x.js'
)
INFO = RunInfo("1.0", "suite.epd", 5, "fast", "perftkit")
ENGINE = EngineInfo(HOSTILE, HOSTILE, ("--engine", HOSTILE))
WITH_ENGINE = RunInfo("1.0", HOSTILE, 5, "fast", "perftkit", ENGINE)
FEN = "8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1"
ROW = SuiteRow("plain", FEN, file="suite.epd", line=3)
BAD = SuiteRow(HOSTILE, HOSTILE, file=HOSTILE, line=7)
OTHER = SuiteRow("other", FEN, file="suite.epd", line=8)
EVENTS = (
    Outcome(ROW, 1, OK, nodes=6, expected_nodes=6, counts={"checks": 1}, seconds=0.25),
    Outcome(ROW, 2, SKIPPED, expected_nodes=100, reason=HOSTILE),
    Outcome(
        *(BAD, 1, MISMATCH),
        nodes=7,
        expected_nodes=6,
        counts={"checks": 3, "captures": 1},
        expected_counts={"checks": 2, "captures": 1},
        seconds=0.001,
        differences=(Difference("nodes", 6, 7), Difference("checks", 2, 3)),
        hints=(HOSTILE,),
        remarks=(HOSTILE,),
    ),
    Outcome(BAD, 2, ERROR, reason=HOSTILE),
    Outcome(
        OTHER, 1, MISMATCH, nodes=7, expected_nodes=6, differences=(Difference("nodes", 6, 7),)
    ),
    Unreadable(SuiteProblem(HOSTILE, 9, 4, HOSTILE)),
)
CAUSE = Cause(
    Diagnosis("en-passant-pin", f"Both pawns leave the fifth rank. {HOSTILE}", "certain"),
    Evidence(FEN, root=FEN, path=(HOSTILE,), missing=("h5h6", HOSTILE), extra=("d5e6", "h5g5")),
    (Explained(Failure(OTHER, 1), WalkResult(MISMATCH), None),),
)


def run_page(events=EVENTS, info=INFO, causes=None, stopped=None):
    return written_report(HtmlRunReporter, info, events, causes, stopped)


def hostile_run():
    return run_page(EVENTS, WITH_ENGINE, [CAUSE], HOSTILE)


def hostile_walk():
    expected = {"d5d6": 1, "h5g4": 1, "h5g5": 1, "h5g6": 1, "h5h4": 1, "h5h6": 1}
    answer = Answer(nodes=7, children={**expected, HOSTILE: 1}, seconds=0.1)
    result = WalkResult(
        *(MISMATCH, 1, answer, expected, compare_answer(answer, expected, 1)),
        first_wrong=Evidence(FEN, root=FEN, extra=(HOSTILE, "d5e6"), engine_fen=HOSTILE),
        error=HOSTILE,
        failed_at=FailedAt(FEN, (HOSTILE,), 1, HOSTILE),
        stopped=HOSTILE,
        disputed=(Disputed(HOSTILE, 1, 5, 6),),
        remarks=(HOSTILE,),
    )
    stream = io.StringIO()
    diagnosis = Diagnosis("en-passant-pin", HOSTILE, "certain")
    info = WalkInfo("1.0", FEN, False, (), 1, ENGINE, result, {}, diagnosis, None, HOSTILE)
    write_walk(stream, info)
    return stream.getvalue()


def division(fen=KIWIPETE, depth=2, moves=()):
    position = Position(fen)
    for move in moves:
        position.push(move)
    children = divide(position, depth)
    stream = io.StringIO()
    nodes = sum(child.nodes for child in children.values())
    write_divide(stream, DivideInfo("1.0", fen, moves, depth, nodes, {}, children, 0.5, None))
    return stream.getvalue()


def ok_rows(number):
    for line in range(number):
        row = SuiteRow(f"row-{line}", STARTPOS, file="suite.epd", line=line + 1)
        yield Outcome(row, 1, OK, nodes=20, expected_nodes=20, seconds=(line % 7 + 1) / 1000)


def failing(number):
    for line in range(number):
        row = SuiteRow(f"bad-{line}", STARTPOS, file="suite.epd", line=line + 1)
        yield Outcome(
            *(row, 1, MISMATCH),
            nodes=21,
            expected_nodes=20,
            differences=(Difference("nodes", 20, 21),),
            seconds=0.001,
        )


class Node:
    """An element with its attributes, and what is in it in order."""

    def __init__(self, tag, attributes):
        self.tag = tag
        self.attributes = dict(attributes)
        self.content = []

    def __getitem__(self, name):
        return self.attributes[name]

    @property
    def classes(self):
        return set(self.attributes.get("class", "").split())

    @property
    def text(self):
        return "".join(x if isinstance(x, str) else x.text for x in self.content)

    def all(self, tag=None, *classes):
        """Return the elements below, in order."""
        found = []
        for each in self.content:
            if isinstance(each, Node):
                if tag in (None, each.tag) and each.classes.issuperset(classes):
                    found.append(each)
                found += each.all(tag, *classes)
        return found

    def one(self, tag=None, *classes):
        (found,) = self.all(tag, *classes)
        return found


class Parser(HTMLParser):
    """Builds a tree of `Node`; an end tag that closes another element is an error."""

    def __init__(self):
        super().__init__()
        self.root = Node("#root", ())
        self.open = [self.root]

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs), f"an attribute twice in {tag}"
        node = Node(tag, attrs)
        self.open[-1].content.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag):
        assert self.open[-1].tag == tag, f"</{tag}> in {self.open[-1].tag}"
        self.open.pop()

    def handle_data(self, data):
        self.open[-1].content.append(data)


def parsed(text):
    parser = Parser()
    parser.feed(text)
    parser.close()
    assert parser.open == [parser.root]
    return parser.root
