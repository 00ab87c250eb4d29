"""What a seat remembers of the others' cards, and how it guesses the rest."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from ludotheque.engine import CHANCE
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.games.ubongo.bot.memory import Memory, cards_held
from ludotheque.games.ubongo.cards import (
    APART,
    HEIGHT,
    OVERLAP,
    RELATIONS,
    TURNS,
    WIDTH,
    relation_index,
)
from ludotheque.games.ubongo.checks import faults
from ludotheque.games.ubongo.field import (
    FIELD,
    FIELD_PLACES,
    IN_HAND,
    SOMEWHERE,
    column_of,
    relation_of,
    row_of,
    turn_of,
)
from ludotheque.games.ubongo.layable import HAND, is_fair
from ludotheque.games.ubongo.parts import PILE
from ludotheque.games.ubongo.rules import (
    CALL,
    DEALING,
    MAX_REDEALS,
    NO_CARD,
    READY,
    READYING,
    STARTING,
    WHITE,
    State,
    side_of,
)
from ludotheque.games.ubongo.tests.test_hand import hands, race

GAME = load("ubongo")


def be_ready(match: Match) -> None:
    for seat in range(match.seats):
        match.play(seat, READY)


def moments(seats: int, **options: object) -> list[State]:
    """Of four rounds: before the start, while all lay, after a call, and between rounds."""
    match = Match(GAME, seats, options, seeds=Seeds(seats.to_bytes(32, "big")))
    found, rng = [match.state.copy()], Random(seats)
    for _ in range(4):
        be_ready(match)
        found.append(match.state.copy())
        match.draw(match.now + max(0, GAME.alarm(match.state)))
        for seat in range(seats):
            lay_anywhere(match, seat, 7 - 2 * seat, rng)
        found.append(match.state.copy())
        match.play(0, CALL, match.now + 1000)
        found.append(match.state.copy())
        match.draw(match.now + GAME.alarm(match.state))
        found.append(match.state.copy())
    return found


def lay_anywhere(match: Match, seat: int, count: int, rng: Random) -> None:
    """Lay the first cards anywhere, one below the other."""
    for card in range(count):
        place = 3 * card * FIELD + rng.randrange(FIELD - 3)
        match.play(seat, card * FIELD_PLACES + place, match.now + 1000)


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("fair_hands", [True, False])
def test_every_guess_looks_like_the_view_and_keeps_the_rules(seats: int, fair_hands: bool) -> None:
    rng, memories = Random(seats), [Memory(seat) for seat in range(seats)]
    for state in moments(seats, fair_hands=fair_hands):
        for seat, memory in enumerate(memories):
            view = GAME.view(state, seat)
            before = view.copy()
            guess = memory.guess(view, rng)
            assert view == before
            assert GAME.view(guess, seat) == view
            assert [*guess.faults(), *faults(guess)] == []


def test_hands_seen_after_a_round_are_known_in_the_next_one_if_it_is_black() -> None:
    rng, memories, known = Random(1), [Memory(seat) for seat in range(3)], set()
    for state in moments(3):
        for seat, memory in enumerate(memories):
            knows = memory.guess(GAME.view(state, seat), rng).hands == state.hands
            assert knows == (state.phase == READYING or side_of(state) != WHITE)
            known.add(knows)
    assert known == {True, False}


def test_a_guess_keeps_who_is_out_and_why() -> None:
    match = Match(GAME, 2, {"wrong_call": "caller is out", "countdown": 0}, seeds=Seeds(bytes(32)))
    be_ready(match)
    lay_anywhere(match, 0, 7, Random(1))
    match.play(0, CALL)
    view = GAME.view(match.state, 1)
    guess = Memory(1).guess(view, Random(2))
    assert (guess.out, guess.verdicts[0]) == (1, match.state.verdicts[0])
    assert GAME.view(guess, 1) == view
    assert [*guess.faults(), *faults(guess)] == []


def test_a_new_memory_guesses_from_this_view_alone() -> None:
    for state in moments(4):
        view = GAME.view(state, 2)
        guess = Memory(2).guess(view, Random(0))
        assert GAME.view(guess, 2) == view
        assert [*guess.faults(), *faults(guess)] == []
        assert (guess.hands == state.hands) == (state.phase == READYING)


# Hands


def dealing(cards: int) -> State:
    """Three seats while they are dealt the first cards of the pile, in its order."""
    match = Match(GAME, 3)
    be_ready(match)
    for card in range(cards):
        match.play(CHANCE, card)
    assert match.state.phase == DEALING
    return match.state  # type: ignore[no-any-return]


def test_everyone_can_tell_how_many_cards_a_seat_was_dealt() -> None:
    for cards in range(3 * HAND):
        state = dealing(cards)
        view = GAME.view(state, 1)
        held = [HAND - hand.count(NO_CARD) for hand in state.hands[:3]]
        assert [cards_held(view, seat) for seat in range(3)] == held
        guess = Memory(1).guess(view, Random(cards))
        assert GAME.view(guess, 1) == view
        assert list(faults(guess)) == []


def test_all_cards_that_a_seat_does_not_hold_are_equally_likely() -> None:
    memory, view, rng = Memory(1), GAME.view(dealing(4), 1), Random(2)  # seat 1 holds card 1
    pairs = [memory.guess(view, rng).hands[0][:2] for _ in range(7000)]
    assert all(one != other for one, other in pairs)
    for place in range(2):
        counts = Counter(pair[place] for pair in pairs)
        assert sorted(counts) == [card for card in range(PILE) if card != 1]
        assert all(140 < count < 260 for count in counts.values())  # 200 on the average


def last_deal() -> State:
    """What seat 0 sees of a fair deal of the third pile."""
    match = Match(GAME, 4, seeds=Seeds(bytes(32)))
    match.state.rounds = 4
    be_ready(match)
    assert match.state.phase == STARTING
    return GAME.view(match.state, 0)  # type: ignore[no-any-return]


def fair_guesses(view: State) -> int:
    """How many of twenty guesses are fair deals."""
    rng = Random(3)
    return sum(is_fair(Memory(0).guess(view, rng).hands, view.seats, view.cards) for _ in range(20))


def test_a_guess_is_a_deal_that_would_not_have_been_dealt_again() -> None:
    view = last_deal()
    assert fair_guesses(view) == 20
    view.fair_hands = 0
    assert fair_guesses(view) < 20


def test_after_the_last_redeal_a_guess_need_not_be_fair() -> None:
    view = last_deal()
    view.redeals = MAX_REDEALS
    assert fair_guesses(view) < 20


def test_if_no_deal_with_this_hand_is_fair_the_others_may_hold_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ludotheque.games.ubongo.bot.memory.MAX_DEALS", 3)
    view = race(hands(False, 1)[0], seats=2)
    view.fair_hands = 1
    guess = Memory(0).guess(view, Random(1))
    assert GAME.view(guess, 0) == view
    assert list(faults(guess)) == []


# Layouts


def layouts(count: int, draws: int) -> list[dict[int, int]]:
    """Guesses at this many cards that another has laid: their places by card."""
    view = GAME.view(race(hands(True, 1)[0], seats=2), 0)
    view.places[1][:count] = [SOMEWHERE] * count
    rng = Random(4)
    guesses = [Memory(0).guess(view, rng).places[1] for _ in range(draws)]
    return [{i: place for i, place in enumerate(g) if place != IN_HAND} for g in guesses]


def test_a_card_that_another_seat_has_laid_may_be_any_card_on_any_place() -> None:
    laid = [(card, place) for layout in layouts(1, 6000) for card, place in layout.items()]
    cards = Counter(card for card, _ in laid)
    turns = Counter(turn_of(place) for _, place in laid)
    columns = Counter(column_of(place) for _, place in laid if WIDTH[turn_of(place)] == 3)
    rows = Counter(row_of(place) for _, place in laid if WIDTH[turn_of(place)] == 3)
    for counts, kinds in ((cards, HAND), (turns, TURNS), (columns, FIELD - 2), (rows, FIELD - 1)):
        average = counts.total() / kinds
        assert sorted(counts) == list(range(kinds))
        assert all(0.6 < count / average < 1.4 for count in counts.values())


def test_two_cards_of_another_seat_touch_as_often_as_in_all_pairs_of_places() -> None:
    touches = Counter(RELATIONS[relation_of(*layout.values())][0] for layout in layouts(2, 6000))
    assert touches[OVERLAP] == 0
    share = 1 - touches[APART] / touches.total()
    assert 0.75 < share / share_that_touch() < 1.25


def share_that_touch() -> float:
    """Of all pairs of places, by their turns and the way from one to the other."""
    pairs: Counter[int] = Counter()
    span = range(1 - FIELD, FIELD)
    for turn, other, dx, dy in product(range(TURNS), range(TURNS), span, span):
        columns = starts(WIDTH[turn], WIDTH[other], dx)
        kind = RELATIONS[relation_index(turn, 0, 0, other, dx, dy)][0]
        pairs[kind] += columns * starts(HEIGHT[turn], HEIGHT[other], dy)
    return 1 - pairs[APART] / (pairs.total() - pairs[OVERLAP])


def starts(length: int, other: int, step: int) -> int:
    """Where on a side of the field a card can begin, so that one a step away fits in too."""
    return max(0, min(FIELD - length, FIELD - other - step) - max(0, -step) + 1)


def test_nine_cards_of_another_seat_do_not_cover_each_other() -> None:
    for layout in layouts(HAND, 20):
        assert len(layout) == HAND
        for card, place in layout.items():
            for other in list(layout.values())[:card]:
                assert RELATIONS[relation_of(place, other)][0] != OVERLAP
