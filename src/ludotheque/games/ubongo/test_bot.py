"""How the bot lays its cards, and what it does when it cannot go on."""

from random import Random

from ludotheque.games.ubongo.bot import MIDDLE, Greedy
from ludotheque.games.ubongo.cards import GOOD
from ludotheque.games.ubongo.layable import HAND, SEVEN, can_lay_seven
from ludotheque.games.ubongo.rules import (
    BLACK,
    CALL,
    FIELD_PLACES,
    IN_HAND,
    MOVES,
    NO_CARD,
    PILE,
    RACING,
    READY,
    ROUNDS,
    STOP,
    TAKE_BACK,
    State,
    count_laid,
    is_legal,
    play,
    setup,
    verdict,
)

LONG = 1000  # moves: far more than it makes before it has had enough


def race(hand: list[int], seats: int = 1) -> State:
    """The last round, with this hand for seat 0."""
    s = State()
    s.seats = seats
    setup(s)
    s.rounds, s.phase, s.dealt = ROUNDS, RACING, seats * HAND
    s.hands[0] = hand
    return s


def hands(playable: bool, count: int) -> list[list[int]]:
    """Hands of the last pile of which seven cards can be laid, or cannot."""
    rng = Random(1)
    found: list[list[int]] = []
    while len(found) < count:
        hand = rng.sample(range(2 * PILE, 3 * PILE), HAND)
        if can_lay_seven(hand, BLACK) == playable:
            found.append(hand)
    return found


def run(s: State, seed: int = 0) -> list[int]:
    """Its moves until it calls or stops; each is legal, and every layout of its is right."""
    bot, moves = Greedy(0, Random(seed)), [-1]
    while moves[-1] != CALL and moves[-1] != STOP and len(moves) < LONG:
        moves.append(bot.choose(s, range(MOVES)))
        assert is_legal(s, 0, moves[-1])
        if moves[-1] != STOP:
            play(s, 0, moves[-1])
        assert verdict(s, 0)[0] == GOOD
    return moves[1:]


def test_it_lays_seven_cards_rightly_and_calls() -> None:
    for hand in hands(playable=True, count=20):
        s = race(hand)
        assert run(s)[-1] == CALL
        assert count_laid(s, 0) == SEVEN


def test_it_takes_back_a_card_when_it_is_stuck() -> None:
    moves = [move for hand in hands(playable=True, count=20) for move in run(race(hand))]
    assert any(TAKE_BACK <= move < TAKE_BACK + HAND for move in moves)


def test_it_agrees_to_stop_when_it_is_stuck_for_long_and_keeps_as_many_cards_as_it_ever_laid() -> (
    None
):
    for hand in hands(playable=False, count=3):
        s = race(hand)
        moves = run(s)
        assert moves[-1] == STOP
        assert count_laid(s, 0) == most_laid(hand, moves)


def most_laid(hand: list[int], moves: list[int]) -> int:
    s, most = race(hand), 0
    for move in moves[:-1]:
        play(s, 0, move)
        most = max(most, count_laid(s, 0))
    return most


def test_it_does_not_keep_everybody_waiting_when_it_is_stuck() -> None:
    hand = hands(playable=False, count=1)[0]
    alone, last = race(hand, seats=2), race(hand, seats=2)
    last.stoppers = 2
    assert len(run(last)) < len(run(alone))
    assert last.stoppers == 2


def test_it_is_ready_when_asked() -> None:
    s = State()
    s.seats = 1
    setup(s)
    assert Greedy(0, Random(0)).choose(s, [READY]) == READY


def test_it_calls_too_when_another_has_called_first() -> None:
    s = race(hands(playable=True, count=1)[0], seats=2)
    run(s)
    s.callers = 2
    assert Greedy(0, Random(0)).choose(s, [CALL]) == CALL


def test_it_takes_back_what_a_person_before_it_has_laid_wrongly() -> None:
    s = race(hands(playable=True, count=1)[0])
    s.places[0][2] = MIDDLE
    s.places[0][5] = MIDDLE + 10
    assert Greedy(0, Random(0)).choose(s, range(MOVES)) in (TAKE_BACK + 2, TAKE_BACK + 5)
    moves = run_after_repair(s)
    assert moves[-1] == CALL


def run_after_repair(s: State) -> list[int]:
    play(s, 0, Greedy(0, Random(0)).choose(s, range(MOVES)))
    return run(s)


def test_it_goes_on_with_what_a_person_before_it_has_laid_rightly() -> None:
    s = race(hands(playable=True, count=1)[0])
    bot = Greedy(0, Random(0))
    for _ in range(3):
        play(s, 0, bot.choose(s, range(MOVES)))
    move = Greedy(0, Random(1)).choose(s, range(MOVES))
    assert move < HAND * FIELD_PLACES
    assert s.places[0][move // FIELD_PLACES] == IN_HAND


def test_it_does_not_look_beyond_its_own_hand() -> None:
    hand = hands(playable=True, count=1)[0]
    hidden, shown = race(hand, seats=2), race(hand, seats=2)
    hidden.hands[1] = [NO_CARD] * HAND
    shown.hands[1] = [card for card in range(2 * PILE, 3 * PILE) if card not in hand][:HAND]
    assert run(hidden) == run(shown)
