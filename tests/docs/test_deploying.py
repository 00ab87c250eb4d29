"""What deploy/ holds names only commands, settings, users and files that exist."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import subprocess
from typing import Any

import pytest
import typer
import write_scale
import yaml  # type: ignore[import-untyped]

from ludotheque import cli
from ludotheque.server.api import service
from ludotheque.server.configuration import DEFAULTS, resolve
from ludotheque.server.nodes import credentials
from ludotheque.server.nodes.own_broker import program
from pages import ROOT, blocks, text_of

DEPLOY = ROOT / "deploy"
COMMANDS: dict[str, Any] = vars(typer.main.get_command(cli.app))["commands"]
STEPS = [
    line.split(maxsplit=1)
    for line in text_of(DEPLOY / "Containerfile").splitlines()
    if line and not line.startswith("#")
]
COMPOSE = yaml.safe_load(text_of(DEPLOY / "compose.yaml"))
NODES = {name: told for name, told in COMPOSE["services"].items() if name.startswith("node-")}
SECRETS = {"SITE": "play.example.org", "DATABASE_PASSWORD": "d", "NODE_A_PASSWORD": "a1"}
SECRETS["NODE_B_PASSWORD"] = "b1"


def steps(kind: str) -> list[str]:
    return [rest for step, rest in STEPS if step == kind]


def filled(text: str) -> str:
    return re.sub(r"\$\{(\w+):\?\}", lambda found: SECRETS[found[1]], text)


def expect_command(words: list[str]) -> None:
    command = COMMANDS[words[0]]
    context = command.context_class(command, info_name=words[0])
    assert command.make_parser(context).parse_args(words[1:])[1] == []


def unit(name: str) -> configparser.ConfigParser:
    found = configparser.ConfigParser(interpolation=None, strict=False)
    found.optionxform = str  # type: ignore[assignment, method-assign]
    found.read_string(text_of(DEPLOY / name))
    return found


def test_the_image_copies_files_that_exist_and_are_not_left_out() -> None:
    kept = {line[1:] for line in text_of(ROOT / ".dockerignore").splitlines() if line[0] == "!"}
    copied = {name for rest in steps("COPY") if "--from" not in rest for name in rest.split()[:-1]}
    assert copied == kept
    assert [name for name in copied if not (ROOT / name).exists()] == []


def test_the_image_runs_scripts_that_exist_with_the_uv_of_the_makefile() -> None:
    scripts = json.loads(text_of(ROOT / "package.json"))["scripts"]
    run = " ".join(steps("RUN"))
    assert [name for name in re.findall(r"npm run (\w+)", run) if name not in scripts] == []
    assert re.findall(r"uv==([\d.]+)", run) == re.findall(
        r"UV_VERSION := ([\d.]+)", text_of(ROOT / "Makefile")
    )


def test_the_image_serves_as_nobody_on_the_port_that_is_asked_for_its_health() -> None:
    assert steps("USER") == ["10001:10001"]
    assert steps("EXPOSE") == [str(DEFAULTS.port)]
    [health] = steps("HEALTHCHECK")
    [path] = re.findall(rf"http://127.0.0.1:{DEFAULTS.port}(/\w+)", health)
    assert path in [route.path for route in service.ROUTES]
    assert steps("ENTRYPOINT") == ['["ludotheque"]']
    [command] = steps("CMD")
    expect_command(json.loads(command))


def test_no_step_of_the_image_names_a_processor() -> None:
    assert re.findall(r"amd64|arm64|x86|aarch|--platform", " ".join(map(str, STEPS))) == []


@pytest.mark.parametrize("name", NODES)
def test_nodes_of_the_compose_file_have_settings_that_are_understood(name: str) -> None:
    given = {key: filled(value) for key, value in NODES[name]["environment"].items()}
    found = resolve({}, given).configuration
    letter = name.removeprefix("node-")
    assert found.database is not None
    assert found.broker is not None
    assert found.broker.full == f"nats://{letter}:{letter}1@nats:4222"
    assert found.trusted_proxy == (COMPOSE["networks"]["default"]["ipam"]["config"][0]["subnet"],)


def test_the_compose_file_names_files_volumes_and_variables_that_exist() -> None:
    services = COMPOSE["services"]
    mounted = [one.split(":")[0] for each in services.values() for one in each["volumes"]]
    assert [one for one in mounted if one[0] == "." and not (DEPLOY / one).exists()] == []
    assert {one for one in mounted if one[0] != "."} == set(COMPOSE["volumes"])
    example = text_of(DEPLOY / "example.env")
    named = set(re.findall(r"\$\{(\w+):\?\}", text_of(DEPLOY / "compose.yaml")))
    assert named == set(re.findall(r"^(\w+)=", example, re.MULTILINE)) == set(SECRETS)


def test_caddy_passes_on_to_every_node_that_is_ready_and_hides_the_metrics() -> None:
    text = text_of(DEPLOY / "Caddyfile")
    ports = " ".join(f"{name}:{DEFAULTS.port}" for name in NODES)
    assert f"reverse_proxy {ports} {{" in text
    assert "respond /metrics 404" in text
    [path] = re.findall(r"health_uri (\S+)", text)
    assert path in [route.path for route in service.ROUTES]
    # A node that has just stopped is left alone until it is known to be down, others are tried.
    times = dict(re.findall(r"(\w+) (\d+)s$", text, re.MULTILINE))
    assert int(times["fail_duration"]) >= int(times["health_interval"])
    assert "lb_try_interval" in text
    assert text.count("{") == text.count("}")


def test_the_broker_lets_each_node_do_what_the_code_says() -> None:
    passwords = {name[-1]: f"$NODE_{name[-1].upper()}_PASSWORD" for name in NODES}
    text = re.sub(r'"(\$\w+PASSWORD)"', r"\1", credentials.configuration(passwords))
    assert text_of(DEPLOY / "nats.conf") == text
    assert is_understood("a1")


@pytest.mark.parametrize("rest", ["123", "77m", "1e5", "0b1"])
def test_passwords_as_the_example_makes_them_are_no_numbers_for_the_broker(rest: str) -> None:
    text = text_of(DEPLOY / "example.env")
    [first] = re.findall(r": echo ([a-z])\$\(openssl rand -hex 24\)$", text, re.MULTILINE)
    assert is_understood(first + rest)


@pytest.mark.parametrize("password", ["123", "77m"])
def test_the_example_tells_of_passwords_that_the_broker_takes_for_numbers(password: str) -> None:
    assert not is_understood(password)
    assert password in text_of(DEPLOY / "example.env").partition("\nSITE=")[0]


def is_understood(password: str) -> bool:
    """Whether the broker understands its configuration with this password of node a."""
    command = [program(), "-t", "-c", str(DEPLOY / "nats.conf")]
    secrets = {**SECRETS, "NODE_A_PASSWORD": password}
    done = subprocess.run(command, env={**os.environ, **secrets}, check=False, capture_output=True)
    return done.returncode == 0


@pytest.mark.parametrize("name", ["ludotheque.service", "ludotheque@.service"])
def test_units_run_a_command_that_exists_with_settings_that_exist(name: str) -> None:
    expect_command(shlex.split(unit(name)["Service"]["ExecStart"])[1:])
    named = dict(re.findall(r"^Environment=(\w+)=(\S+)$", text_of(DEPLOY / name), re.MULTILINE))
    assert resolve({}, named).configuration.data is not None


def test_the_unit_of_one_server_is_that_of_the_manual() -> None:
    assert text_of(DEPLOY / "ludotheque.service") == blocks(ROOT / "docs" / "hosting.md", "ini")[0]


def test_the_unit_of_a_node_is_as_closed_as_that_of_one_server() -> None:
    one, node = (dict(unit(n)["Service"]) for n in ("ludotheque.service", "ludotheque@.service"))
    differ = {key for key in {*one, *node} if one.get(key) != node.get(key)}
    of_node = {"EnvironmentFile", "RestartSec", "TimeoutStopSec"}
    assert differ == {"ExecStart", "Environment", *of_node}


def test_a_node_starts_again_until_its_database_and_its_broker_are_there() -> None:
    """After a reboot they may come later; systemd would give up after five starts."""
    node = unit("ludotheque@.service")
    assert node["Unit"]["StartLimitIntervalSec"] == "0"
    assert int(node["Service"]["RestartSec"]) > 0
    after = node["Unit"]["After"].split()
    assert {"network-online.target", "postgresql.service", "nats-server.service"} <= {*after}
    assert node["Unit"]["Wants"] == "network-online.target"


def test_a_thousand_players_on_little_more_than_a_third_of_a_core_have_been_measured() -> None:
    text = " ".join(text_of(ROOT / "docs" / "deploying.md").split())
    assert "a thousand people at tables of four, each with a move every two seconds" in text
    rows = text_of(ROOT / "benchmarks" / "results.md").splitlines()
    ours = [row for row in rows if row.startswith("| 1,000 | a move each 2 s | Ludothèque |")]
    busy = [int(row.split(" | ")[7].removesuffix(" %")) for row in ours]
    assert 0 < max(busy) <= 36


def test_the_page_on_scale_is_computed_from_the_results() -> None:
    results = write_scale.Results(text_of(write_scale.RESULTS))
    assert text_of(write_scale.PAGE) == write_scale.page(results), (
        "run python scripts/write_scale.py"
    )


def test_the_page_on_scale_has_what_is_said_to_be_there() -> None:
    text, page = text_of(ROOT / "docs" / "deploying.md"), text_of(write_scale.PAGE)
    said = ("what a core carries", "when a node ends", "a million players")
    assert [each for each in said if each not in " ".join(text.split())] == []
    headings = re.findall(r"^## (.*)$", page, re.MULTILINE)
    assert {"What a core carries", "When a node ends", "One million players"} <= {*headings}


def test_a_core_is_full_long_before_the_file_is() -> None:
    results = write_scale.Results(text_of(write_scale.RESULTS))
    _, events = results.stored("SQLite")
    moves_of_a_core = 1e6 / results.row("1, SQLite").cpu
    assert events > 2 * moves_of_a_core


def test_several_nodes_need_more_processor_time_for_each_move() -> None:
    results = write_scale.Results(text_of(write_scale.RESULTS))
    one, two, four = (results.row(name).cpu for name in ("1, SQLite", "2, SQLite", "4, PostgreSQL"))
    assert one < min(two, four)
