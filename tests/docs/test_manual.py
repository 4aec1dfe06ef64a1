"""Everything that the manual shows is run, and what it prints compared.

`UPDATE_MANUAL=1 python -m pytest tests/docs` writes the outputs anew; look at the difference
before you commit it.
"""

from __future__ import annotations

import os
import re
import shutil

import pytest
from manual import PAGES, ROOT, read_page
from manual_run import Scratch, parse, rewritten

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the commands are bash's")

IDS = [str(page.relative_to(ROOT)) for page in PAGES]
ELSEWHERE = ("docs/mistakes.md",)  # tests/cli/test_mistakes.py runs it, in a folder of its own
INLINE = re.compile(r"(?<!`)`(perftkit [a-z][^`\n]*)`(?!`)")


def absent_engines():
    """Return the engines that pages use and that are not installed."""
    path = os.environ["PATH"] + os.pathsep + "/usr/games"
    return frozenset(name for name in ("stockfish",) if shutil.which(name, path=path) is None)


@pytest.mark.parametrize("name", [name for name in IDS if name not in ELSEWHERE])
def test_page(name, tmp_path):
    page = ROOT / name
    text = page.read_text(encoding="utf-8")
    blocks = read_page(text)
    scratch = Scratch(tmp_path, absent=absent_engines())
    problems = [problem for block in blocks for problem in scratch.run(block)]
    if os.environ.get("UPDATE_MANUAL") and problems:
        page.write_text(rewritten(text, problems, blocks), encoding="utf-8")
    if problems:
        shown = [f"{name}:{each.line}: {each.message}" for each in problems]
        pytest.fail("\n\n".join(shown), pytrace=False)
    if scratch.skipped:
        pytest.skip(f"all ran but the commands that need {', '.join(sorted(scratch.skipped))}")


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_commands_in_sentences_exist(page):
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        for command in INLINE.findall(line):
            problem = parse(re.sub(r"…|\.\.\.|[\[\]]", "", command))
            assert not problem, f"{page.relative_to(ROOT)}:{number}: {problem}"
