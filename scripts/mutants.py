"""Change the rules and the heart of the engine a little, again and again: do the tests notice?

python scripts/mutants.py [MODULE …] [--jobs N] [--quick] [--fresh]

MODULE is a part of a module's name. The modules are the rules of every game, with the siblings that
they are made of, and a few of the engine. Each change (scripts/mutations.py) is tried in a process
of its own, which imports the changed text in place of the file: nothing is written into the tree,
and compiled kernels, which would outlive the process, are not tested.

What no test notices is a survivor. scripts/mutants.toml lists those that cannot be noticed, with
the reason; if more than 2 % of all survive without one, the command fails.

Results are kept in .cache/mutants.json: after a stop or a new test only survivors, and modules that
have changed, are tried again. --fresh forgets them, for when a test was removed.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import importlib.util
import io
import json
import os
import re
import resource
import signal
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.machinery import ModuleSpec, SourceFileLoader
from multiprocessing import connection, get_context
from multiprocessing.context import ForkProcess
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import pytest
from mutations import Mutant, mutants

ROOT = Path(__file__).parent.parent
KNOWN = ROOT / ".cache" / "mutants.json"
EXPLAINED = ROOT / "scripts" / "mutants.toml"
ENGINE = ("chance", "record", "match", "match_file")
CONFORMANCE = "tests/test_conformance.py"
SEATS = 2  # at which the conformance suite is asked
MOST_UNEXPLAINED = 0.02
TEST_S = 4  # of processor time: a test that takes longer hangs …
CONFORMANCE_S = 30  # … and a check of the conformance suite
WAIT_S = 1200  # for a process that waits instead of computing
MEMORY_BYTES = 4 << 30
PLUGINS = ("-p", "_hypothesis_pytestplugin", "-p", "pytest_timeout")


class Target(NamedTuple):
    """A module that is changed, and the tests that should notice, the quickest first."""

    module: str
    path: Path
    tests: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.module.removeprefix("ludotheque.").removeprefix("games.")


class Result(NamedTuple):
    target: Target
    mutant: Mutant
    is_killed: bool


def main() -> int:
    asked = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that children are ended too
    chosen = [t for t in targets() if not asked.module or any(m in t.name for m in asked.module)]
    if asked.quick:
        chosen = [
            t._replace(tests=tuple(test for test in t.tests if "::" not in test)) for t in chosen
        ]
    if not chosen:
        print(f"no module is called {' or '.join(asked.module)}; there are:")
        print(*(t.name for t in targets()), sep="\n")
        return 2
    known = Known(asked.fresh)
    with private_folder():
        load_pytest()
        results = [r for target in chosen for r in tried(target, known, asked.jobs)]
    return report(chosen, results, explanations())


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Find changes to the rules that no test notices.")
    parser.add_argument("module", nargs="*", help="a part of the name of a module; all if none")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--fresh", action="store_true", help="forget what is known")
    parser.add_argument("--quick", action="store_true", help="leave out the conformance suite")
    return parser.parse_args()


# What is changed


def targets() -> list[Target]:
    """Found by looking."""
    from ludotheque.engine.game import load, slugs  # noqa: PLC0415
    from ludotheque.engine.scope import rule_modules  # noqa: PLC0415

    found = [engine_target(name) for name in ENGINE]
    for game in map(load, slugs()):
        cases = (
            f"{game.slug}-{min(SEATS, game.seats[-1])}-",
            f"{game.slug}-{game.seats[-1]}-fields",
        )
        tests = (*rule_tests(game.folder), *(f"{CONFORMANCE}::{case}" for case in cases))
        modules = rule_modules(game)
        found += [Target(m.__name__, Path(str(m.__file__)), tests) for m in modules]
    return found


def rule_tests(folder: Path) -> list[str]:
    """The files with tests that RULES.md names, test_rules.py first."""
    named = set(re.findall(r"`(test_\w+)`", (folder / "RULES.md").read_text("utf-8")))
    files = sorted((folder / "tests").glob("test_*.py"), key=lambda p: (p.stem != "test_rules", p))
    return [
        str(file.relative_to(ROOT)) for file in files if is_of_rules(file.read_text("utf-8"), named)
    ]


def is_of_rules(source: str, named: set[str]) -> bool:
    """Whether a file has such tests, and they are not of bots, solvers or tools."""
    is_named = not named.isdisjoint(re.findall(r"def (test_\w+)", source))
    return is_named and not re.search(r"ludotheque\.games\.\w+\.(bot|solver|tools)\b", source)


def engine_target(name: str) -> Target:
    spec = importlib.util.find_spec(f"ludotheque.engine.{name}")
    assert spec is not None
    assert spec.origin is not None
    tests = dict.fromkeys(f"tests/test_{n}.py" for n in (name, *ENGINE, "verify"))
    there = tuple(test for test in tests if (ROOT / test).exists())
    return Target(spec.name, Path(spec.origin), there)


# Trying


def tried(target: Target, known: Known, jobs: int) -> Iterator[Result]:
    """Every mutant of a module with its fate."""
    source = target.path.read_bytes()
    everything = mutants(source)
    todo = [m for m in everything if known.fate(target, m) is None]
    if todo:
        check_unchanged(target)
        for done, (mutant, is_killed) in enumerate(fates(target, todo, jobs), 1):
            known.note(target, mutant, is_killed)
            if done % 20 == 0:
                known.write()
            print(f"\r{target.name}: {done} of {len(todo)} ", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        known.write()
    for mutant in everything:
        yield Result(target, mutant, known.fate(target, mutant) is True)


def check_unchanged(target: Target) -> None:
    process = start(target, None)
    process.join()
    if process.exitcode != 0:
        sys.exit(f"{target.name}: its tests fail on the unchanged text: {' '.join(target.tests)}")


def fates(target: Target, todo: Iterable[Mutant], jobs: int) -> Iterator[tuple[Mutant, bool]]:
    """Each mutant as soon as it is known whether a test has noticed it."""
    waiting, running = list(reversed(list(todo))), dict[int, tuple[ForkProcess, Mutant, float]]()
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                mutant = waiting.pop()
                process = start(target, mutant.source)
                running[process.sentinel] = (process, mutant, time.monotonic() + WAIT_S)
            connection.wait(running, timeout=1)
            for sentinel, (process, mutant, deadline) in list(running.items()):
                if process.is_alive() and time.monotonic() < deadline:
                    continue
                del running[sentinel]
                yield mutant, end(process) != 0
    finally:
        for process, _, _ in running.values():
            end(process)


@contextmanager
def private_folder() -> Iterator[None]:
    """What children write, they write into a folder that is removed."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LUDOTHEQUE_CACHE"] = os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = folder
        yield


def load_pytest() -> None:
    """Import here what otherwise every child would import."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    with redirect_stdout(io.StringIO()):
        pytest.main(["--version", *PLUGINS])
    for name in ("hypothesis", "numpy"):
        importlib.import_module(name)
    gc.freeze()


def start(target: Target, source: bytes | None) -> ForkProcess:
    process = get_context("fork").Process(target=run_tests, args=(target, source))
    process.start()
    return process


def end(process: ForkProcess) -> int:
    """The exit code of a process, which is killed with all that it started."""
    if process.is_alive():
        assert process.pid is not None
        os.killpg(process.pid, signal.SIGKILL)
    process.join()
    return process.exitcode or 0


# In a process of its own


def run_tests(target: Target, source: bytes | None) -> None:
    """Exit with 0 if all tests pass with this text in place of the module."""
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.setitimer(signal.ITIMER_PROF, TEST_S)
    forget_package()
    if source is not None:
        sys.meta_path.insert(0, Impostor(target, source))
    codes = (pytest.main(pytest_arguments(test), [Selection(test)]) for test in target.tests)
    os._exit(next((int(code) for code in codes if code != 0), 0))


def forget_package() -> None:
    """Have everything of ours imported again."""
    for name in [name for name in sys.modules if name.split(".")[0] == "ludotheque"]:
        del sys.modules[name]


def pytest_arguments(test: str) -> list[str]:
    options = ["-x", *PLUGINS, "-p", "no:cacheprovider", "--hypothesis-seed=0"]
    options += ["--assert=plain", "--tb=no", "--rootdir", str(ROOT)]
    return [*options, str(ROOT / test.partition("::")[0])]


class Selection:
    """Leave out tests of compiled rules, and of the conformance suite what is not asked for."""

    def __init__(self, test: str) -> None:
        file, _, self.case = test.partition("::")
        self.limit = CONFORMANCE_S if file == CONFORMANCE else TEST_S

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self.wants(item)]

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """A test that takes too long ends the process."""
        signal.setitimer(signal.ITIMER_PROF, self.limit)

    def wants(self, item: pytest.Item) -> bool:
        return "compiled" not in item.name and (not self.case or f"[{self.case}" in item.name)


class Impostor(SourceFileLoader):
    """Finds and loads one module with another text than its file holds."""

    def __init__(self, target: Target, source: bytes) -> None:
        super().__init__(target.module, str(target.path))
        self.source = source

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, self.path, loader=self)

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.source, self.path, "exec", dont_inherit=True)


# What is known


class Known:
    """The fates of earlier runs: a killed mutant stays killed, a survivor until a test changes."""

    def __init__(self, is_fresh: bool) -> None:
        told = not is_fresh and KNOWN.exists()
        self.fates: dict[str, Any] = json.loads(KNOWN.read_text()) if told else {}

    def fate(self, target: Target, mutant: Mutant) -> bool | None:
        """Whether it is killed; None if it has to be tried."""
        told = self.fates.get(digest(mutant.source))
        return True if told == "killed" else False if told == tests_digest(target) else None

    def note(self, target: Target, mutant: Mutant, is_killed: bool) -> None:
        self.fates[digest(mutant.source)] = "killed" if is_killed else tests_digest(target)

    def write(self) -> None:
        KNOWN.parent.mkdir(parents=True, exist_ok=True)
        beside = KNOWN.with_suffix(".new")
        beside.write_text(json.dumps(self.fates))
        beside.replace(KNOWN)


def digest(*texts: bytes) -> str:
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]


def tests_digest(target: Target) -> str:
    files = [ROOT / test.partition("::")[0] for test in target.tests]
    return digest(*(file.read_bytes() for file in files))


# The report


class Explanation(NamedTuple):
    """Why changes in one function cannot be noticed."""

    module: str
    function: str
    reason: str
    changes: list[list[str]]

    def covers(self, result: Result) -> bool:
        mutant = result.mutant
        return ((self.module, self.function) == (result.target.name, mutant.function)) and [
            mutant.before,
            mutant.after,
        ] in self.changes


def explanations() -> list[Explanation]:
    told = tomllib.loads(EXPLAINED.read_text("utf-8")) if EXPLAINED.exists() else {}
    return [Explanation(**entry) for entry in told.get("equivalent", [])]


def report(chosen: list[Target], results: list[Result], told: list[Explanation]) -> int:
    """Print what survived and the figures; 1 if too much did or an explanation is stale."""
    survivors = [r for r in results if not r.is_killed]
    unexplained = [r for r in survivors if not any(e.covers(r) for e in told)]
    for result in unexplained:
        mutant = result.mutant
        place = f"{result.target.path.relative_to(ROOT)}:{mutant.line}"
        print(f"{place} {mutant.function}\n  - {mutant.before}\n  + {mutant.after}")
    stale = list(stale_changes(chosen, survivors, told))
    for line in stale:
        print(line)
    print_figures(chosen, results, unexplained)
    return 1 if stale or len(unexplained) > MOST_UNEXPLAINED * len(results) else 0


def stale_changes(
    chosen: list[Target], survivors: list[Result], told: list[Explanation]
) -> Iterator[str]:
    for entry in told:
        if entry.module in [target.name for target in chosen]:
            for change in entry.changes:
                if not any(entry._replace(changes=[change]).covers(r) for r in survivors):
                    yield f"{EXPLAINED.name}: this is not among the survivors: {change}"


def print_figures(chosen: list[Target], results: list[Result], open_: list[Result]) -> None:
    print(f"{'':28}{'mutants':>9}{'killed':>9}{'explained':>11}{'unexplained':>13}")
    for name in [*(target.name for target in chosen), "all"]:
        own = [r for r in results if name in (r.target.name, "all")]
        killed = sum(r.is_killed for r in own)
        left = sum(name in (r.target.name, "all") for r in open_)
        explained = len(own) - killed - left
        share = f"{left / len(own):7.1%}" if name == "all" else ""
        print(f"{name:28}{len(own):>9}{killed:>9}{explained:>11}{left:>13}{share}")


if __name__ == "__main__":
    sys.exit(main())
