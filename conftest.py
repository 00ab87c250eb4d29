"""What holds for every test."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes says nothing about what it shows.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")
# A worker takes a whole file, and these keep it busy for longest, as they compile the most: begun
# last, they would leave the other cores with nothing to do.
LONGEST = ("tests/test_conformance.py", "tests/test_batch.py", "tests/test_new_game.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run long versions of sampled tests")
    parser.addoption(
        "--write-transcripts", action="store_true", help="write tests/browser/transcripts again"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first, and everything else in its order."""
    items.sort(key=lambda item: item.nodeid.partition("::")[0] not in LONGEST)


@pytest.fixture(scope="session")
def is_long(request: pytest.FixtureRequest) -> bool:
    """Whether a test that takes a sample should look at everything it can."""
    return bool(request.config.getoption("--long"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have counted: record_property("counted", …)."""
    for outcome in ("passed", "failed"):
        for report in terminalreporter.getreports(outcome):
            for name, counted in report.user_properties:
                if name == "counted" and report.when == "call":
                    terminalreporter.write_line(f"{report.nodeid}: {counted}")
