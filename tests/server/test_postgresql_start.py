"""A database that cannot be used ends the server with one sentence that says what to do."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from threading import Thread

import pytest

from ludotheque.engine.refused import Refused
from ludotheque.server import postgresql
from ludotheque.server.configuration import Configuration, resolve
from ludotheque.server.database import url_of
from ludotheque.server.setting_kinds import Address
from ludotheque.server.upgrade import upgrade
from postgres import postgres

PASSWORD = "geheimnisvoll"


def refused(address: str) -> str:
    with pytest.raises(Refused) as refusal:
        upgrade(url_of(Configuration(database=Address(address))))
    said = str(refusal.value)
    assert "\n" not in said
    assert PASSWORD not in said
    return said


@pytest.fixture
def no_postgresql() -> Iterator[int]:
    """The port of a server that speaks something else."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(100)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = Thread(target=answer, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        thread.join(60)


def test_nobody_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    said = refused(f"postgresql://ann:{PASSWORD}@127.0.0.1:{port}/games")
    assert said.startswith(f"the database postgresql://ann@127.0.0.1:{port}/games cannot be used: ")
    assert said.endswith("; check the address, and that PostgreSQL runs there")


def test_something_else_answers(no_postgresql: int) -> None:
    said = refused(f"postgresql://ann:{PASSWORD}@127.0.0.1:{no_postgresql}/games")
    assert said.endswith("; what answers there is not PostgreSQL")


def test_there_is_no_such_database() -> None:
    said = refused(postgres().address("nowhere"))
    assert said.endswith('database "nowhere" does not exist; create it, for example with createdb')


def test_the_password_is_wrong() -> None:
    server = postgres()
    server.execute("CREATE ROLE ann LOGIN PASSWORD 'another'")
    rules = server.folder / "pg_hba.conf"
    rules.write_text("local all ann scram-sha-256\n" + rules.read_text())
    server.execute("SELECT pg_reload_conf()")
    address = server.address("postgres", f"ann:{PASSWORD}")
    for _ in range(100):  # until the rules are read
        try:
            said = refused(address)
        except pytest.fail.Exception:
            continue
        if "password" in said:
            break
    assert said.endswith("check the user and the password, which PGPASSWORD or ~/.pgpass may hold")


def test_the_user_may_not_create_tables() -> None:
    server = postgres()
    server.execute("CREATE ROLE bob LOGIN")
    name = server.new_database().partition("@/")[2].partition("?")[0]
    said = refused(server.address(name, "bob"))
    assert said.endswith('let the user create tables: GRANT CREATE ON SCHEMA public TO "bob"')


def test_the_database_keeps_other_letters_only() -> None:
    options = "ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
    assert "has the encoding LATIN1; create one with UTF8" in refused(
        postgres().new_database(options)
    )


def test_another_program_uses_the_database() -> None:
    server = postgres()
    address = server.new_database()
    name = address.partition("@/")[2].partition("?")[0]
    server.execute("CREATE TABLE players (id int)", name)
    assert refused(address).endswith(
        "another program uses this database; create one for Ludothèque"
    )


def test_the_driver_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql, "find_spec", lambda name: None)
    assert refused("postgresql://h/n").endswith("not installed: pip install 'ludotheque[nodes]'")


@pytest.mark.parametrize(
    "address",
    [
        f"mysql://ann:{PASSWORD}@h/n",
        f"ann:{PASSWORD}@h/n",
        f"postgresql:ann:{PASSWORD}@h",
        f"http://h/?password={PASSWORD}",
    ],
)
def test_a_wrong_address_is_refused_without_its_password(address: str) -> None:
    with pytest.raises(Refused) as refusal:
        resolve({"database": address}, {})
    assert "(from --database), expected an address such as postgresql://" in str(refusal.value)
    assert PASSWORD not in str(refusal.value)


@pytest.mark.parametrize(
    ("full", "told"),
    [
        (f"postgresql://ann:{PASSWORD}@h:5/n", "postgresql://ann@h:5/n"),
        (f"postgresql://h/n?password={PASSWORD}", "postgresql://h/n"),
        (f"postgresql://ann:a/{PASSWORD}@h/n", "postgresql://…"),
        (f"postgresql://ann@h/n?password=a@{PASSWORD}", "postgresql://ann@h/n"),
    ],
)
def test_an_address_is_told_without_its_password(full: str, told: str) -> None:
    configuration = resolve({"database": full}, {}).configuration
    assert str(configuration.database) == told
    assert PASSWORD not in repr(configuration)
