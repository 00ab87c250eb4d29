"""Games without a board, strong bots, hints or chance at a table on the network."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ludotheque.template import write_game
from people import NewPerson, Person, Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    games = tmp_path_factory.mktemp("games")
    write_game("four_winds", games)
    drawless = write_game("drawless", games) / "terminal.py"
    drawless.write_text(drawless.read_text().replace("heap = ", "heap = 1 // 0 * "))
    running = Server(tmp_path_factory.mktemp("data"), games)
    yield running
    running.stop()


def test_a_client_is_told_the_board_as_text_if_it_asks(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("four_winds")
    ann.do(table, "start")
    client = ann.connect(table, plain="fr")
    assert client.update()["plain"] == {
        "drawing": f"Pierres\N{NO-BREAK SPACE}: 15\n\n{' '.join('●' * 15)}\n\nAu tour de Ann",
        "moves": [
            {"move": 0, "notation": "1", "key": "take_one", "values": {"count": 1}},
            {"move": 1, "notation": "2", "key": "take", "values": {"count": 2}},
            {"move": 2, "notation": "3", "key": "take", "values": {"count": 3}},
        ],
    }
    client.send({"type": "hello", "plain": "de"})
    assert client.update()["plain"]["drawing"].startswith("Steine: 15")


def test_a_name_from_right_to_left_does_not_turn_round_the_words_beside_it(
    person: NewPerson,
) -> None:
    dana = person("דנה 12")
    table = dana.open_table("four_winds")
    dana.do(table, "start")
    drawing = dana.connect(table, plain="en").update()["plain"]["drawing"]
    assert drawing.endswith("\n\u2068דנה 12\u2069’s turn")


@pytest.mark.parametrize("plain", ["", "it"])
def test_others_are_not(person: NewPerson, plain: str) -> None:
    ann = person("Ann")
    table = ann.open_table("four_winds")
    ann.do(table, "start")
    assert "plain" not in ann.connect(table, plain=plain).update()
    assert "plain" not in ann.look(table)


def test_the_text_is_of_the_view_of_its_viewer(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    bob.do(table, "sit")
    ann.do(table, "start")
    ann.do(table, "play", move=13)
    for watcher, seen in ((ann, "13"), (bob, "face down"), (person("Eve"), "face down")):
        drawing = watcher.connect(table, plain="en").update()["plain"]["drawing"]
        row = next(line for line in drawing.splitlines() if "Ann" in line)
        assert row.split("│")[-2].strip() == seen


def test_a_game_that_cannot_be_drawn_can_be_played(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("drawless")
    ann.do(table, "start")
    plain = ann.connect(table, plain="en").update()["plain"]
    assert (plain["drawing"], len(plain["moves"])) == ("", 3)


def test_a_game_is_listed_with_what_it_has(server: Server) -> None:
    games = {game["game"]: game for game in server.call("GET", "/api/games")[1]}
    found = [games["four_winds"][key] for key in ("bots", "has_chance", "has_hints")]
    assert found == [["regular", "chaotic"], False, False]
    ours = [games["ubongo"][key] for key in ("bots", "has_chance", "has_hints")]
    assert ours == [["novice", "regular", "expert", "master", "chaotic"], True, True]


def test_a_bot_of_a_level_that_the_game_has_not_is_the_nearest_one(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("stupide_vautour", seats=2)
    ann.do(table, "seat", seat=1, bot="master")
    ann.do(table, "set", game="four_winds")
    assert seat(ann, table, 1) == ("regular", None)
    status, reply = ann.do(table, "seat", seat=1, bot="master")
    assert (status, reply["error"]) == (
        409,
        "there is no bot 'master'; there are regular, chaotic",
    )
    ann.do(table, "set", game="stupide_vautour")
    assert seat(ann, table, 1)[0] == "master"


def seat(person: Person, table: str, number: int) -> tuple[str, str | None]:
    found = person.look(table)["table"]["seats"][number]
    return found["level"], found["stand_in"]


def test_a_game_without_hints_gives_none(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("four_winds", hints="on")
    ann.do(table, "start")
    assert not ann.look(table)["table"]["has_hints"]
    status, problem = ann.call("POST", f"/api/tables/{table}/hints")
    assert (status, problem["reason"]) == (400, "off")


def test_a_match_without_chance_has_a_proof_without_draws(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("four_winds", seats=2)
    ann.do(table, "sit", name="Bo")
    ann.do(table, "start")
    for turn in range(5):
        assert ann.do(table, "play", move="3", seat=turn % 2)[0] == 200
    assert ann.look(table)["match"]["winners"] == [0]
    assert ann.call("GET", f"/api/tables/{table}/proof")[1]["draws"] == []
    assert ann.do(table, "again", same_deal=True)[0] == 200
