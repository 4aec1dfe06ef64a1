"""A long suite takes no more memory than a short one, whatever is reported."""

import subprocess
import sys

import pytest
from processes import environment

from perftkit import KIWIPETE, STARTPOS
from perftkit.report.formats import RUN_FORMATS

MEASURE = """
import resource, runpy, sys
try:
    runpy.run_module("perftkit", run_name="__main__")
except SystemExit as end:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
    sys.exit(end.code)
"""
MOST_GROWTH = 20_000  # kB, for 19,000 rows more; 100,000 rows may then take 200 MB


@pytest.mark.skipif(sys.platform != "linux", reason="other systems measure in other units")
def test_rows_take_no_memory_in_any_format(tmp_path):
    short, long = (_memory(tmp_path, rows) for rows in (1_000, 20_000))
    assert long - short < MOST_GROWTH


def _memory(folder, rows):
    suite = folder / "suite.epd"
    suite.write_text("".join(f"{(STARTPOS, KIWIPETE)[row % 2]}\n" for row in range(rows)))
    reports = [f"--report={name}={folder / name}" for name in RUN_FORMATS if name != "table"]
    result = subprocess.run(
        [sys.executable, "-c", MEASURE, "run", suite, "--depth", "1", *reports],
        env=environment(),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert f"{rows:,} rows: {rows:,} ok" in result.stdout
    assert result.returncode == 0
    return int(result.stderr)
