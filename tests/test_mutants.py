"""The changes that `make mutants` tries, and how it tries them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from mutants import Result, explanations, targets
from mutations import mutants

SCRIPT = Path(__file__).parent.parent / "scripts" / "mutants.py"


def changed(source: str) -> list[str]:
    """The lines that the mutants of this source have in place of others."""
    return [mutant.after for mutant in mutants(source.encode())]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a < b", ["a <= b", "a >= b"]),
        ("a == b", ["a != b"]),
        ("a not in b", ["a in b"]),
        ("a is not b", ["a is b"]),
        ("a + b", ["a - b"]),
        ("a // b", ["a * b"]),
        ("a | b", ["a & b"]),
        ("(a) << (b)", ["(a) >> (b)"]),
        ("a and b", ["a or b", "(not a) and b", "a and (not b)"]),
        ("not a", ["a"]),
        ("a[3]", ["a[2]", "a[4]"]),
        ("a[-1]", ["a[-2]", "a[0]"]),
        ("a if b else c", ["a if (not b) else c"]),
        ("[a for a in b if a]", ["[a for a in b if (not a)]"]),
        ("min(a, b)", ["max(a, b)"]),
        ("True", ["False"]),
    ],
)
def test_an_expression_is_changed_in_each_of_its_parts(line: str, expected: list[str]) -> None:
    assert sorted(changed(f"x = {line}\n")) == sorted(f"x = {after}" for after in expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("s.a = b", ["pass"]),
        ("s.a += b", ["pass", "s.a -= b"]),
        ("do(b)", ["pass"]),
        ("raise b", ["pass"]),
        ("break", ["continue"]),
        ("if a: do(b)", ["if (not a): do(b)", "if a: pass"]),
        ("a = b", []),
    ],
)
def test_a_statement_is_left_out_or_turned_round(line: str, expected: list[str]) -> None:
    source = f"def f():\n    while True:\n        {line}\n"
    assert sorted(changed(source)) == sorted([*expected, "while False:"])


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("int", "return f(a) + 1"), ("bool", "return (not f(a))"), ("str", "return None")],
)
def test_a_returned_value_is_changed_by_its_type(kind: str, expected: str) -> None:
    assert changed(f"def f(a) -> {kind}:\n    return f(a)\n") == [expected]


def test_types_fields_and_sentences_stay() -> None:
    source = '''"""Some 3 words."""
from a import b  # 4
class State(Record):
    stake: int = number(-15, 55)
def f(a: Literal[1] = c) -> Literal[2]:
    """Some 3 words."""
    x: Literal[5] = f"{a + 1}" "6"
'''
    assert changed(source) == []


def test_a_mutant_names_its_function_and_its_line_without_comment() -> None:
    source = "class A:\n    def f(self):\n        return a(\n            1,  # one\n        )\n"
    assert [(m.function, m.before, m.after, m.line) for m in mutants(source.encode())] == [
        ("A.f", "return a( 1, )", "return None", 3),
        ("A.f", "1,", "0,", 4),
        ("A.f", "1,", "2,", 4),
    ]


def test_every_explanation_is_of_a_mutant_that_there_is() -> None:
    found = [Result(t, m, is_killed=False) for t in targets() for m in mutants(t.path.read_bytes())]
    for told in explanations():
        for change in told.changes:
            one = told._replace(changes=[change])
            assert any(one.covers(result) for result in found), f"{told.module}: {change}"


TOY = """
STEP = 1
def descend(n):
    while n:
        n -= STEP
    return n * n
"""
TEST_OF_TOY = """
from toy import descend
def test_four_descends_to_nothing(): assert descend(4) == 0
"""
TRIAL = """
from pathlib import Path
import mutants
mutants.TEST_S = 1
target = mutants.Target("toy", Path("toy.py").resolve(), (str(Path("test_toy.py").resolve()),))
mutants.load_pytest()
mutants.check_unchanged(target)
for mutant, is_killed in mutants.fates(target, mutants.mutants(target.path.read_bytes()), 2):
    print(mutant.after, is_killed)
"""


def test_a_mutant_is_killed_by_a_failing_or_a_hanging_test_and_else_survives(
    tmp_path: Path,
) -> None:
    (tmp_path / "toy.py").write_text(TOY)
    (tmp_path / "test_toy.py").write_text(TEST_OF_TOY)
    path = os.pathsep.join([str(SCRIPT.parent), str(tmp_path)])
    run = subprocess.run(
        [sys.executable, "-c", TRIAL],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert sorted(run.stdout.splitlines()) == [
        "STEP = 0 True",  # for ever
        "STEP = 2 False",
        "n += STEP True",  # for ever
        "pass True",  # for ever
        "return n + n False",
        "while (not n): True",
    ]
    assert (tmp_path / "toy.py").read_text() == TOY


def test_a_module_that_is_not_there_is_answered_with_those_that_are() -> None:
    run = subprocess.run(
        [sys.executable, SCRIPT, "chess"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert "no module is called chess; there are:\nengine.chance\n" in run.stdout
