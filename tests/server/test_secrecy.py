"""Nothing that is told to a viewer changes when only what it may not know does.

Every case draws all secrets of a state again for one viewer and compares one message, byte for
byte. `pytest --long` counts to 100,000 cases.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import pytest

from ludotheque.engine.game import load, slugs
from ludotheque.engine.match import Entry, Match
from ludotheque.engine.random_matches import states, walk
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.engine.story import Fact, Step, Story, history, story_module
from ludotheque.server import messages
from ludotheque.server.decision import Decision
from ludotheque.server.events import Changed, Opened, Sat
from ludotheque.server.match_info import Time, encode, line, plain_board, step_told
from ludotheque.server.player import Player
from ludotheque.server.snapshot import Connection, Presence, Snapshot
from ludotheque.server.table import Table, seeds_of
from ludotheque.server.table_info import table_info

CASES = [(slug, seats) for slug in slugs() for seats in load(slug).seats]
LONG_CASES = 100_000  # in all
SHORT_CASES = 2_000
SEED = "5e" * 32


def table_with(match: Match) -> Table:
    """A table at which a guest of its own holds each seat of this match."""
    table = Table("t")
    slug, seats = match.game.slug, match.seats
    table.apply(Opened(slug, seats, match.options, True, 0, "auto", host="host", server_seed=SEED))
    for seat in range(seats):
        table.apply(Sat(seat, f"guest {seat}", f"Guest {seat}", seat))
    table.matches, table.match, table.advised = 1, match, [0] * seats
    return table


def twin_of(match: Match, viewer: int, rng: Random) -> Match:
    """The match as it might also be, for all that this viewer knows."""
    twin = match.copy()
    match.game.module("checks").reseal(twin.state, viewer, rng)
    if not match.is_over:
        twin.log = other_moves(match, viewer, rng)
    return twin


def player_of(viewer: int) -> Player | None:
    return None if viewer == NOBODY else Player(f"guest {viewer}", f"Guest {viewer}", viewer)


def update(match: Match, viewer: int, known_lines: int) -> dict[str, object]:
    """What a client is sent that has had this many lines of the log, without the history.

    The log of a twin does not lead to its state, so the history is compared by itself.
    """
    table = table_with(match)
    connection = Connection(player_of(viewer), lambda _: None)
    connection.viewer, connection.match, connection.lines = viewer, 1, known_lines
    time = Time(match.now, -1)
    snapshot = Snapshot(table, 1, Presence(table, [connection]), {(viewer, "")}, time)
    told: dict[str, object] = json.loads(snapshot.update_for(connection))
    told.pop("history", None)
    return told


def history_told(match: Match, viewer: int) -> list[tuple[int, Fact]]:
    return list(history(match, viewer))


def history_retold(match: Match, viewer: int, rng: Random) -> list[tuple[int, Fact]]:
    """The history if every state had been another one that this viewer cannot tell apart."""
    game, story = match.game, story_module(match.game)
    reseal = game.module("checks").reseal
    retold = []
    for state, entry in match.steps():
        before, after = state.copy(), state.copy()
        game.play(after, entry.seat, entry.move)
        for secret in (before, after):
            if not match.is_over:
                reseal(secret, viewer, rng)
                game.hide(secret, viewer)
        move = entry.move if match.is_over or viewer in entry.seen_by else None
        facts = story.tell(before, entry.seat, move, after)
        kept = [f for f in facts if (f.kind != "note" if match.is_over else f.lasting)]
        retold += [(story.chapter(after), fact) for fact in kept]
    return retold


def steps_told(match: Match, viewer: int) -> bytes:
    """The match told from its beginning, to a viewer who has looked on all the time."""
    return encode_steps(match, viewer, Story(match).go_on(match, {viewer})[viewer])


def steps_retold(match: Match, viewer: int, rng: Random) -> bytes:
    """The same if every state had been another one that this viewer cannot tell apart."""
    game, story = match.game, story_module(match.game)
    reseal = game.module("checks").reseal
    retold = []
    for place, (state, entry) in enumerate(match.steps()):
        before, after = state.copy(), state.copy()
        game.play(after, entry.seat, entry.move)
        for secret in (before, after):
            reseal(secret, viewer, rng)
        scores = game.known_scores(after, viewer)
        for secret in (before, after):
            game.hide(secret, viewer)
        move = entry.move if viewer in entry.seen_by else None
        facts = story.tell(before, entry.seat, move, after)
        if facts:
            retold.append(Step(place, story.chapter(after), facts, after, scores))
    return encode_steps(match, viewer, retold)


def encode_steps(match: Match, viewer: int, steps: list[Step]) -> bytes:
    return encode([step_told(match, viewer, step) for step in steps])


def plain_told(match: Match, viewer: int) -> bytes:
    """The match as a client is told it that has no board for the game."""
    return encode(plain_board(table_with(match), viewer, "en"))


def table_told(match: Match, viewer: int) -> bytes:
    """The table as it is listed, with one looker."""
    player = player_of(viewer)
    guests = set() if player is None else {player.id}
    return encode(table_info(table_with(match), guests, int(player is None)))


def refusal(match: Match, viewer: int, move: int) -> str:
    """How a move is refused to a seat, and the game's word for it; "" if it is made."""
    match = match.copy()
    match.seeds = seeds_of(SEED, [])  # a match that ends at a table has some
    decision = Decision(table_with(match), match.now if match.game.timed else None)
    player = player_of(viewer)
    assert player is not None
    try:
        decision.carry_out(messages.Play(move, viewer), player)
    except Refused as error:
        return str(error)
    return ""


def cases(slug: str, seats: int, rng: Random) -> Iterator[tuple[str, object, object]]:
    """The kind of a message, and the message in two states that one viewer cannot tell apart."""
    game = load(slug)
    for match in states(game, seats, rng):
        for viewer in (NOBODY, *range(seats)):
            twin = twin_of(match, viewer, rng)
            lines = len(match.log)
            for known in {0, lines, max(0, lines - 1)}:
                yield "update", update(match, viewer, known), update(twin, viewer, known)
            yield "history", history_told(match, viewer), history_retold(match, viewer, rng)
            yield "steps", steps_told(match, viewer), steps_retold(match, viewer, rng)
            yield "plain", plain_told(match, viewer), plain_told(twin, viewer)
            yield "table", table_told(match, viewer), table_told(twin, viewer)
            if viewer != NOBODY and not match.is_over:
                move = rng.randrange(game.moves)
                yield "refusal", refusal(match, viewer, move), refusal(twin, viewer, move)


def other_moves(match: Match, viewer: int, rng: Random) -> list[Entry]:
    """The log of a match in which other moves were made where this viewer saw none."""
    return [
        entry if viewer in entry.seen_by else entry._replace(move=other_move(match, entry, rng))
        for entry in match.log
    ]


def other_move(match: Match, entry: Entry, rng: Random) -> int:
    limit = match.game.outcomes if entry.seat == CHANCE else match.game.moves
    return (entry.move + rng.randrange(1, limit)) % limit


@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_no_message_depends_on_what_its_viewer_may_not_know(
    slug: str, seats: int, is_long: bool
) -> None:
    wanted = (LONG_CASES if is_long else SHORT_CASES) // len(CASES) + 1
    rng, count, kinds = Random(f"{slug} {seats}"), 0, set()
    while count < wanted:
        for kind, told, retold in cases(slug, seats, rng):
            assert told == retold, kind
            kinds.add(kind)
            count += 1
            if count == wanted:
                break
    assert kinds == {"update", "history", "steps", "plain", "table", "refusal"}


@pytest.mark.parametrize("slug", slugs())
def test_a_hidden_move_is_told_without_any_trace_of_it(slug: str) -> None:
    game, rng = load(slug), Random(slug)
    seats = game.seats[-1]
    match = Match(game, seats, game.playout_options)
    for _ in walk(match, rng):
        pass
    for entry in match.log:
        for viewer in (NOBODY, *range(seats)):
            told = line(game, entry, viewer in entry.seen_by)
            if viewer not in entry.seen_by:
                assert (told.move, told.key, told.values) == (None, "", {})


def test_a_visitor_without_a_name_has_no_seats_even_where_bots_sit() -> None:
    match = Match(load("stupide_vautour"), 3)
    table = table_with(match)
    table.match = None
    decision = Decision(table, None)
    host = Player("host", "Host", 0)
    for seat in range(3):
        decision.carry_out(messages.Seat(seat, "novice"), host)
    assert decision.table.seats_of(None) == []
    assert decision.table.seats_of(Player("", "", 0)) == []


def test_the_table_tells_no_seed() -> None:
    match = Match(load("stupide_vautour"), 2)
    table = table_with(match)
    table.apply(Changed("stupide_vautour", 2, match.options, True, 0, "on"))
    told = encode(update(match, NOBODY, 0))
    assert SEED.encode() not in told
    assert encode(table.commitment) in told
