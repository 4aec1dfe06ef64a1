from perftkit import KIWIPETE, STARTPOS


def test_lint_says_where_and_what(invoke, mixed):
    result = invoke("suite", "lint", mixed)
    assert result.exit_code == 2
    assert "mixed.epd:2:1: error: " in result.stdout
    assert "[malformed]" in result.stdout


def test_lint_of_a_good_suite(invoke, good):
    result = invoke("suite", "lint", good, "--verify", 100_000)
    assert result.exit_code == 0
    assert result.stdout == "0 errors, 0 warnings\n"


def test_lint_recounts(invoke, tmp_path):
    (tmp_path / "wrong.epd").write_text(f"{STARTPOS} ;D1 20 ;D2 401\n")
    assert invoke("suite", "lint", "wrong.epd").exit_code == 0
    result = invoke("suite", "lint", "wrong.epd", "--verify", 1000)
    assert result.exit_code == 1
    assert "401 nodes, counted 400" in result.stdout


def test_lint_warnings_are_no_failure(invoke, tmp_path):
    (tmp_path / "twice.epd").write_text(f"{STARTPOS} ;D1 20\n{STARTPOS} ;D1 20\n")
    result = invoke("suite", "lint", "twice.epd")
    assert result.exit_code == 0
    assert "0 errors, 1 warning\n" in result.stdout


def test_lint_of_a_builtin_suite(invoke):
    assert invoke("suite", "lint", "wiki_convention").exit_code == 0


def test_stats(invoke, good):
    result = invoke("suite", "stats", good)
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["positions", "2"] in lines
    assert ["3", "2", "106,764", "97,862", "2"] in lines  # 8902 + 97862
    assert ["captures", "2"] in lines


def test_stats_of_the_builtin_suite(invoke):
    result = invoke("suite", "stats")
    assert result.exit_code == 0
    assert max(len(line) for line in result.stdout.splitlines()) <= 80


def test_stats_of_a_suite_with_bad_rows(invoke, mixed):
    result = invoke("suite", "stats", mixed)
    assert result.exit_code == 2
    assert ["unreadable", "rows", "1"] in [line.split() for line in result.stdout.splitlines()]


def test_convert(invoke, tmp_path):
    (tmp_path / "other.txt").write_text(f"{STARTPOS},20,400\n")
    result = invoke("suite", "convert", "other.txt", "--to", "community")
    assert result.exit_code == 0
    assert result.stdout == f"{STARTPOS} ;D1 20 ;D2 400\n"


def test_convert_tells_bad_rows_and_writes_the_others(invoke, mixed):
    result = invoke("suite", "convert", mixed)
    assert result.exit_code == 2
    assert "mixed.epd:2:" in result.stderr
    assert len(result.stdout.splitlines()) == 2


def test_fill_adds_depths_and_counters(invoke, tmp_path):
    (tmp_path / "fens.txt").write_text(f"{KIWIPETE} ;D1 48\n")
    result = invoke("suite", "fill", "fens.txt", "--depth", 3)
    assert result.exit_code == 0
    # Published: Chess Programming Wiki, "Perft Results".
    assert ";D2 2039 cap=351 ep=1 " in result.stdout
    assert ";D3 97862 cap=17102 ep=45 " in result.stdout


def test_fill_keeps_a_row_that_is_wrong(invoke, tmp_path):
    (tmp_path / "wrong.epd").write_text(f"{STARTPOS} ;D1 21\n{KIWIPETE} ;D1 48\n")
    result = invoke("suite", "fill", "wrong.epd")
    assert result.exit_code == 1
    assert "21 nodes, counted 20" in result.stderr
    first, second = result.stdout.splitlines()
    assert ";D1 21" in first
    assert "cap=8" in second
