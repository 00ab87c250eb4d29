"""The suite that every game must pass, at every seat count and with random options.

Each check plays random matches and raises AssertionError with what it found. `checks.py` in the
game's folder says what must stay true of every state and what each viewer may not know.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from ludotheque.engine.bits import numbers
from ludotheque.engine.chance import Seeds
from ludotheque.engine.drawing import drawn
from ludotheque.engine.game import LANGUAGES, Game
from ludotheque.engine.inspection import blanks
from ludotheque.engine.layout import Layout
from ludotheque.engine.match import Entry, Match
from ludotheque.engine.match_file import read, replay
from ludotheque.engine.random_matches import (
    MATCHES,
    SAMPLES,
    random_matches,
    random_options,
    some_moves,
    states,
    walk,
)
from ludotheque.engine.refused import Refused
from ludotheque.engine.rulebook import MAX_LEGAL_BITS
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.engine.story import KINDS, Fact, story_module
from ludotheque.engine.words import Words

DRAWN_SHARE = 0.2  # of the states that are told in words: drawing is slow
LONGEST_NOTATION = 24
COUNTS = "if the rules have changed, write counts.json again with scripts/count_states.py"

Check = Callable[[Game, int, Random], None]


def run(game: Game, seats: int, name: str, seed: int = 0) -> None:
    """Run one check of CHECKS; it plays the same matches for the same seed."""
    CHECKS[name](game, seats, Random(f"{game.slug} {seats} {name} {seed}"))


# Who acts and who looks on


def everyone(match: Match) -> list[int]:
    return [CHANCE, *range(match.seats)]


def viewers(match: Match) -> list[int]:
    return [NOBODY, *range(match.seats)]


# Checks


def legal_moves_are_those_accepted(game: Game, seats: int, rng: Random) -> None:
    for match in states(game, seats, rng):
        for seat in everyone(match):
            listed = set(match.legal_moves(seat))
            for move in some_moves(game, seat, rng):
                accepted = game.is_legal(match.state, seat, move)
                assert (move in listed) == accepted, f"{move} of seat {seat} in {match.state}"
                objected = game.objection(match.state, seat, move) == 0
                assert objected == accepted, f"{move} of seat {seat} in {match.state}"


def the_rules_list_what_the_match_lists(game: Game, seats: int, rng: Random) -> None:
    """A match asks for bits where it can; compiled code asks for the list."""
    list_moves = game.rule("legal_moves")
    for match in states(game, seats, rng):
        for seat in everyone(match):
            moves = [-1] * (game.outcomes if seat == CHANCE else game.moves)
            if len(moves) <= MAX_LEGAL_BITS:
                count = list_moves(match.state, seat, moves)
                assert moves[:count] == match.legal_moves(seat), f"seat {seat} in {match.state}"


def sets_tell_what_the_match_lists(game: Game, seats: int, rng: Random) -> None:
    """Where a game tells its many moves as sets, batches ask for them."""
    if not game.rule("HAS_SETS"):
        return
    write_sets, count, size = (game.rule(n) for n in ("legal_sets", "set_count", "SET_MOVES"))
    for match in states(game, seats, rng):
        for seat in range(match.seats):
            sets = [-1] * count()
            write_sets(match.state, seat, sets)
            told = [n * size + i for n, bits in enumerate(sets) for i in numbers(bits)]
            assert told == match.legal_moves(seat), f"seat {seat} in {match.state}"


def refused_moves_change_nothing(game: Game, seats: int, rng: Random) -> None:
    for match in states(game, seats, rng):
        before, log = match.state.copy(), list(match.log)
        for seat in (*everyone(match), match.seats, -7):
            count = game.outcomes if seat == CHANCE else game.moves
            for move in (-1, count, *rng.choices(range(count), k=5 if count else 0)):
                if match.refusal(seat, move) is not None:
                    _assert_refused(match, seat, move)
        assert match.state == before
        assert match.log == log


def _assert_refused(match: Match, seat: int, move: int) -> None:
    try:
        match.play(seat, move)
    except Refused:
        return
    raise AssertionError(f"seat {seat} played {move}, which is not legal")


def over_means_nobody_can_move(game: Game, seats: int, rng: Random) -> None:
    for match in states(game, seats, rng):
        state = match.state.copy()
        awaited = [seat for seat in everyone(match) if game.awaits(state, seat)]
        if game.timed and not match.is_over and not awaited:
            assert game.alarm(state) >= 0, f"nobody is awaited, and no alarm is set, in {state}"
            game.wait(state, game.alarm(state))
            awaited = [seat for seat in everyone(match) if game.awaits(state, seat)]
        movable = [seat for seat in everyone(match) if game.legal_moves(state, seat)]
        assert match.is_over == (not movable), f"seats {movable} can move in {state}"
        assert match.is_over == (not awaited), f"seats {awaited} are awaited in {state}"
        assert set(awaited) <= set(movable), f"seats {awaited} are awaited but stuck in {state}"


def matches_are_bounded(game: Game, seats: int, rng: Random) -> None:
    for match in random_matches(game, seats, rng):
        for _ in walk(match, rng):
            assert len(match.log) < game.max_match_moves, f"more than {game.max_match_moves} moves"


def draws_have_names_of_their_own(game: Game, seats: int, rng: Random) -> None:
    """No name comes twice in a match, except where there is nothing to choose."""
    for match in random_matches(game, seats, rng):
        names = []
        for seat, _, _ in walk(match, rng):
            if seat == CHANCE:
                name, _, weights = game.chance_outcomes(match.state)
                assert name >= 0, f"a draw has the name {name} in {match.state}"
                names += [name] if sum(weights) > 1 else []
        twice = {name for name in names if names.count(name) > 1}
        assert not twice, f"several draws have one of the names {sorted(twice)}"


def the_same_seeds_give_the_same_draws(game: Game, seats: int, rng: Random) -> None:
    """Whatever people do, a name stands for the same draw: the third card is the third card.

    Where what people did changed the cases (a reroll must differ from the last roll) the outcome
    may differ too, but that is the exception.
    """
    for _ in range(MATCHES // 2):
        options, seeds = random_options(game, seats, rng), Seeds(rng.randbytes(32))
        one, other = (_named_draws(game, seats, options, seeds, rng) for _ in range(2))
        alike = [name for name in one if name in other and one[name][:2] == other[name][:2]]
        count = min(len(one), len(other))
        if count > 0:
            message = f"of {count} draws {len(alike)} have a name for all matches"
            assert len(alike) > count / 2, message
        for name in alike:
            assert one[name] == other[name], f"draw {name} came out differently"


def _named_draws(
    game: Game, seats: int, options: dict[str, Any], seeds: Seeds, rng: Random
) -> dict[int, tuple[list[int], list[int], int]]:
    """By name, what could be drawn in a random match, its weights, and what was drawn."""
    match = Match(game, seats, options, seeds=seeds)
    for _ in walk(match, rng):
        pass
    drawn = {}
    for state, entry in match.steps():
        if entry.seat == CHANCE:
            name, outcomes, weights = game.chance_outcomes(state)
            drawn[name] = (outcomes, weights, entry.move)
    return drawn


def replay_gives_the_same_state(game: Game, seats: int, rng: Random) -> None:
    for match in random_matches(game, seats, rng):
        for _ in walk(match, rng):
            pass
        again = replay(json.loads(json.dumps(match.to_json())))
        assert again.state == match.state
        assert again.to_json() == match.to_json()
        assert again.visible_log(0) == match.visible_log(0)


def states_survive_json(game: Game, seats: int, rng: Random) -> None:
    for match in states(game, seats, rng):
        text = json.dumps(match.state.to_json())
        assert game.State.from_json(json.loads(text)) == match.state


def notation_parses_back(game: Game, seats: int, rng: Random) -> None:
    for seat, count in ((0, game.moves), (CHANCE, game.outcomes)):
        for move in range(count):
            text = game.notation(seat, move)
            assert game.parse(seat, text) == move, f"{text!r} is written for two moves"
            assert 0 < len(text) <= LONGEST_NOTATION, f"{text!r} is too long"
            assert "@" not in text, f"{text!r} looks like a time"


def fields_stay_in_range(game: Game, seats: int, rng: Random) -> None:
    for match in random_matches(game, seats, rng):
        for _ in walk(match, rng):
            assert not list(match.state.faults())
        for viewer in viewers(match):
            assert not list(match.view(viewer).faults())


def scores_stay_in_range(game: Game, seats: int, rng: Random) -> None:
    if game.scores is not None:
        for match in random_matches(game, seats, rng):
            for _ in walk(match, rng):
                assert set(match.scores) <= set(game.scores)
            assert set(match.scores) <= set(game.scores)


def invariants_hold(game: Game, seats: int, rng: Random) -> None:
    faults = game.module("checks").faults
    for match in random_matches(game, seats, rng):
        for _ in walk(match, rng):
            assert not list(faults(match.state)), match.state
        assert not list(faults(match.state)), match.state


def hiding_twice_is_hiding_once(game: Game, seats: int, rng: Random) -> None:
    for match in states(game, seats, rng):
        for viewer in viewers(match):
            view = match.view(viewer)
            assert not list(view.faults())
            assert game.view(view, viewer) == view, f"viewer {viewer} of {match.state}"


def secrets_never_change_a_view(game: Game, seats: int, rng: Random) -> None:
    """All that a viewer may not know is drawn again; the viewer must notice nothing."""
    reseal = game.module("checks").reseal
    changed = hidden = 0
    for match in states(game, seats, rng):
        for viewer in viewers(match):
            twin = Match(game, match.seats, match.options)
            twin.state = match.state.copy()
            reseal(twin.state, viewer, rng)
            assert not list(twin.state.faults()), f"{twin.state} is not a state"
            changed += twin.state != match.state
            hidden += match.view(viewer) != match.state
            _assert_alike(match, twin, viewer, rng)
    assert changed > 0 or hidden == 0, "checks.reseal changes nothing, but hide hides something"


def _assert_alike(match: Match, twin: Match, viewer: int, rng: Random) -> None:
    game = match.game
    assert match.view(viewer) == twin.view(viewer), f"viewer {viewer}: {match.state} {twin.state}"
    assert match.is_over == twin.is_over
    assert match.awaited() == twin.awaited()
    if viewer == NOBODY:
        return
    view = match.view(viewer)
    for move in some_moves(game, viewer, rng):
        legal = game.is_legal(match.state, viewer, move)
        assert game.is_legal(twin.state, viewer, move) == legal
        assert game.is_legal(view, viewer, move) == legal, "a view does not tell the moves"
        objection = game.objection(match.state, viewer, move)
        assert game.objection(view, viewer, move) == objection, "a view does not tell why not"
    for move in (rng.randrange(game.moves) for _ in range(2)):
        assert str(match.refusal(viewer, move)) == str(twin.refusal(viewer, move))
        for seat in range(match.seats):
            seen = game.sees(match.state, viewer, seat, move)
            assert seen == game.sees(twin.state, viewer, seat, move)


def an_observation_is_the_whole_view(game: Game, seats: int, rng: Random) -> None:
    """As an array a view loses nothing, and every number is in its range."""
    layout = Layout(game, seats)
    for match in states(game, seats, rng):
        blank = game.start(seats, match.options)
        for viewer in viewers(match):
            view = match.view(viewer)
            observation = layout.flatten(view, viewer)
            assert layout.viewer_of(observation) == viewer
            assert layout.unflatten(observation, blank) == view, f"viewer {viewer} of {match.state}"
            ranges = zip(layout.low, observation, layout.high, strict=True)
            assert all(low <= number <= high for low, number, high in ranges), match.state


def seats_see_their_own_moves(game: Game, seats: int, rng: Random) -> None:
    """A visible log holds every move or the mark that hides it, and hides nobody's own moves."""
    for match in random_matches(game, seats, rng):
        for _ in walk(match, rng):
            pass
        full = match.to_json()["moves"]
        for viewer in viewers(match):
            for visible, made in zip(match.visible_log(viewer), full, strict=True):
                assert visible in (made, [made[0], "?"])
        for seat in range(match.seats):
            own = [t for t in match.visible_log(seat) if t[0] == seat]
            assert [seat, "?"] not in own, f"seat {seat} does not see its own moves"


def every_state_is_told_in_words(game: Game, seats: int, rng: Random) -> None:
    """What people read of a state is there in every language, and the state can be drawn."""
    for match in states(game, seats, rng):
        words = Words(game, rng.choice(LANGUAGES))
        viewer = rng.choice(viewers(match))
        view, names = match.view(viewer), [f"[{seat}]" for seat in range(seats)]
        if match.is_over or rng.random() < DRAWN_SHARE:
            assert drawn(view, viewer, words, names), f"terminal.py draws nothing of {match.state}"
        if match.is_over:
            assert words.result(match, names)
        elif viewer != NOBODY:
            key = game.prompt(view, viewer)
            prompts = game.words[words.language].get("prompts", {})
            assert key in prompts, f"words.toml: prompts.{key} is missing in every language"


def a_story_tells_only_what_its_viewer_may_know(game: Game, seats: int, rng: Random) -> None:
    """All that a viewer may not know is drawn again; the same facts must be told."""
    module, reseal = story_module(game), game.module("checks").reseal
    for match in random_matches(game, seats, rng):
        for before, entry, after in _sampled_steps(match, rng):
            is_told = module.is_told is None or module.is_told(before, entry.seat, entry.move)
            for viewer in viewers(match):
                facts = _facts_for(match, viewer, before, entry, after)
                assert is_told or not facts, f"is_told leaves out {facts}"
                twins = before.copy(), after.copy()
                for twin in twins:
                    reseal(twin, viewer, rng)
                again = _facts_for(match, viewer, twins[0], entry, twins[1])
                assert again == facts, f"viewer {viewer} is told {facts}, or {again}"


def every_fact_has_its_words(game: Game, seats: int, rng: Random) -> None:
    """In every language, with nothing left to fill in, and with players who are there."""
    names = [f"[{seat}]" for seat in range(seats)]
    books = [Words(game, language) for language in LANGUAGES]
    for match in random_matches(game, seats, rng):
        for before, entry, after in _sampled_steps(match, rng):
            for viewer in viewers(match):
                for fact in _facts_for(match, viewer, before, entry, after):
                    assert fact.kind in KINDS, f"{fact.kind!r} is not a kind of fact"
                    assert set(_players(fact)) <= {CHANCE, *range(seats)}, f"{fact}"
                    for words in books:
                        _assert_worded(words, fact, names)


def _assert_worded(words: Words, fact: Fact, names: list[str]) -> None:
    section, _, key = fact.key.rpartition(".")
    known = words.game.words[words.language].get(section or "story", {})
    where = f"{section or 'story'}.{key}"
    assert key in known, f"words.toml: {where} is missing in {words.language}"
    unfilled = sorted(blanks(known[key]) - set(fact.values))
    assert not unfilled, f"words.toml: nothing fills {{{'}, {'.join(unfilled)}}} of {where}"
    assert words.fact(fact, names), f"words.toml: {where} says nothing in {words.language}"


def _players(fact: Fact) -> list[int]:
    """The seats that a fact names."""
    one = [fact.values["seat"]] if "seat" in fact.values else []
    return [*one, *fact.values.get("seats", []), *(s for s, _ in fact.values.get("by_seat", []))]


def _sampled_steps(match: Match, rng: Random) -> Iterator[tuple[Any, Entry, Any]]:
    """Entries of a random match with the states around them; the last one among them."""
    for _ in walk(match, rng):
        pass
    share = min(1.0, SAMPLES / len(match.log))
    for place, (state, entry) in enumerate(match.steps(), 1):
        if place == len(match.log) or rng.random() < share:
            after = state.copy()
            match.game.play(after, entry.seat, entry.move)
            yield state.copy(), entry, after


def _facts_for(match: Match, viewer: int, before: Any, entry: Entry, after: Any) -> list[Fact]:
    """What this viewer is told of an entry, from views alone."""
    view = match.game.view
    move = entry.move if viewer in entry.seen_by else None
    facts: list[Fact] = story_module(match.game).tell(
        view(before, viewer), entry.seat, move, view(after, viewer)
    )
    return facts


def golden_matches_are_unchanged(game: Game, seats: int, rng: Random) -> None:
    for path in sorted((game.folder / "matches").glob("*.json")):
        try:
            read(path)
        except Refused as error:
            raise AssertionError(
                f"matches/{path.name}: {error}; if the rules have changed, record it again with "
                f"`ludotheque play {game.slug} --save FILE`, or delete it"
            ) from None


def counts_are_unchanged(game: Game, seats: int, rng: Random) -> None:
    file = game.folder / "counts.json"
    if not file.exists():
        return
    counts = json.loads(file.read_text())
    expected = counts.get(str(seats))
    assert expected is not None, f"counts.json has no counts for {seats} seats; {COUNTS}"
    found = count_states(game, seats, len(expected))
    assert found == expected, f"reachable states by depth: {found}, expected {expected}; {COUNTS}"
    for small in counts.get("small", []):
        if small["seats"] == seats:
            options = small["options"]
            states = count_all_states(game, seats, options)
            assert states == small["states"], (
                f"reachable states with {options}: {states}, expected {small['states']}; {COUNTS}"
            )


def count_states(game: Game, seats: int, depth: int) -> list[int]:
    """How many different states lie 1, 2, … moves from the first state in which a seat may move."""
    first = _first_state(game, seats, {})
    level = {first.key(): first}
    counts = []
    for _ in range(depth):
        level = {after.key(): after for s in level.values() for after in _successors(game, s)}
        counts.append(len(level))
    return counts


def count_all_states(game: Game, seats: int, options: dict[str, Any]) -> int:
    """How many different states a small variant has from there to the end, that one included."""
    todo = [_first_state(game, seats, options)]
    seen = {todo[0].key()}
    while todo:
        for after in _successors(game, todo.pop()):
            if after.key() not in seen:
                seen.add(after.key())
                todo.append(after)
    return len(seen)


def _first_state(game: Game, seats: int, options: dict[str, Any]) -> Any:
    return Match(game, seats, game.playout_options | options, seeds=Seeds(bytes(32))).state


def _successors(game: Game, state: Any) -> Iterator[Any]:
    for seat in (CHANCE, *range(state.seats)):
        for move in game.legal_moves(state, seat):
            after = state.copy()
            game.play(after, seat, move)
            yield after


def compiled_rules_are_the_plain_ones(game: Game, seats: int, rng: Random) -> None:
    _hold_compiled_against_plain(game, seats, rng, boundscheck=False)


def compiled_rules_stay_in_bounds(game: Game, seats: int, rng: Random) -> None:
    _hold_compiled_against_plain(game, seats, rng, boundscheck=True)


def _hold_compiled_against_plain(game: Game, seats: int, rng: Random, boundscheck: bool) -> None:
    from ludotheque.engine.compare import Twin  # noqa: PLC0415  # NumPy only where it is needed

    for match in random_matches(game, seats, rng):
        twin = Twin(match, boundscheck)
        twin.compare_state()
        before = 0
        for seat, move, at in walk(match, rng):
            twin.wait((at or 0) - before)
            before = at or 0
            if rng.random() < 0.1:
                twin.compare_moves(lambda seat: some_moves(game, seat, rng))
                twin.compare_observations()
            twin.follow(seat, move)
            after = match.state.copy()
            game.play(after, seat, move)
            twin.compare_with(after)
        twin.compare_state()


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        legal_moves_are_those_accepted,
        the_rules_list_what_the_match_lists,
        sets_tell_what_the_match_lists,
        refused_moves_change_nothing,
        over_means_nobody_can_move,
        matches_are_bounded,
        draws_have_names_of_their_own,
        the_same_seeds_give_the_same_draws,
        replay_gives_the_same_state,
        states_survive_json,
        notation_parses_back,
        fields_stay_in_range,
        scores_stay_in_range,
        invariants_hold,
        hiding_twice_is_hiding_once,
        secrets_never_change_a_view,
        an_observation_is_the_whole_view,
        seats_see_their_own_moves,
        every_state_is_told_in_words,
        a_story_tells_only_what_its_viewer_may_know,
        every_fact_has_its_words,
        golden_matches_are_unchanged,
        counts_are_unchanged,
        compiled_rules_are_the_plain_ones,
        compiled_rules_stay_in_bounds,
    )
}
