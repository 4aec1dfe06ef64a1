from __future__ import annotations

from perftkit import KIWIPETE, STARTPOS
from perftkit.suite.stats import DepthStats, statistics


def test_statistics(read):
    stats = statistics(
        read(
            f"{STARTPOS} ;D1 20 cap=0 ;D3 8902\n"
            f"{KIWIPETE} ;D3 97862 ep=45 cap=17102 ;conv=wiki\n"
            "hello\n"
            "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1\n"
            "4k3/8/8/8/4r3/8/8/R3K1R1 w GA - 0 1\n"
        )
    )
    assert (stats.rows, stats.problems, stats.bare, stats.wiki) == (4, 1, 2, 1)
    assert (stats.white_to_move, stats.castling, stats.en_passant) == (3, 3, 1)
    assert (stats.in_check, stats.chess960) == (1, 1)
    assert stats.depths == {1: DepthStats(1, 20, 20, 1), 3: DepthStats(2, 106764, 97862, 1)}
    assert stats.counters == {"captures": 2, "en_passant": 1}
