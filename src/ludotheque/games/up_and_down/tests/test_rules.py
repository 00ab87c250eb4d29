"""The rule sheet, sentence by sentence, in its order. RULES.md maps sentences to these claims."""

from collections import Counter
from collections.abc import Sequence

import pytest

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.engine.story import Story
from ludotheque.games.up_and_down.rules import (
    BY_LOWEST,
    CARDS,
    CHOOSING,
    DOWN,
    FACE_DOWN,
    HAND_SIZE,
    MAX_DEALS,
    NO_CARD,
    OVER,
    PACK,
    UP,
    hand_size,
    own_suit,
    suit_of,
    trump,
    value_of,
)

GAME = load("up_and_down")
SUITS = ("rose", "feather", "monocle", "hat")


def new_match(seats: int, **options: object) -> Match:
    return Match(GAME, seats, options)


def say(match: Match, seat: int, text: str) -> None:
    """Play a move that is given in notation."""
    match.play(seat, GAME.parse(seat, text))


def card(text: str) -> int:
    return GAME.parse(0, text)


def deal(match: Match, *hands: str) -> None:
    """Deal everyone these cards first, and then whatever is left, in rising order."""
    wanted = [[card(text) for text in hand.split()] for hand in hands]
    wanted += [[] for _ in range(match.seats - len(wanted))]
    taken = {c for hand in wanted for c in hand}
    spare = [c for c in range(CARDS) if c not in taken]
    for _ in range(HAND_SIZE[match.seats]):
        for hand in wanted:
            match.play(CHANCE, (hand or spare).pop(0))


def table(
    seats: int, *hands: str, dice: str = "6+6", toss: str = "up-rose", **options: object
) -> Match:
    """A match in which the first leader is to change the rules."""
    match = new_match(seats, **options)
    deal(match, *hands)
    say(match, CHANCE, dice)
    say(match, CHANCE, toss)
    return match


def play_trick(match: Match, change: str, *cards: str) -> None:
    say(match, match.state.leader, change)
    for seat, text in enumerate(cards):
        say(match, seat, text)


def taker(cards: str, dice: str = "6+6", side: str = "up", facing: str = "rose") -> int:
    """Who takes this trick; four seats have rose, feather, monocle, hat unless `facing` says."""
    laid = cards.split()
    toss = f"{'down' if side == 'up' else 'up'}-{facing}"
    match = table(len(laid), *laid, dice=dice, toss=toss)
    play_trick(match, "flip", *laid)
    return int(match.state.taker)


def suits(match: Match) -> list[str]:
    """The suit that points at each seat."""
    return [SUITS[own_suit(match.state, seat)] for seat in range(match.seats)]


def play_deal_without_winner(match: Match) -> None:
    """Two seats lay equal values fifteen times: every trick ends in the pot, which is lost."""
    ranks = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    first = [f"r{v}" for v in ranks] + [f"f{v}" for v in ranks[:4]]
    second = [f"m{v}" for v in ranks] + [f"h{v}" for v in ranks[:4]]
    deal(match, " ".join(first), " ".join(second))
    say(match, CHANCE, "1+1")
    say(match, CHANCE, "up-rose")
    for laid in zip(first, second, strict=True):
        play_trick(match, "flip", *laid)


def play_deal_won_by(match: Match, seat: int) -> None:
    """Of two seats one lays the trump in the first trick; all other tricks end in the pot."""
    ranks = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    hands = [[f"{x}{v}" for v in ranks] + [f"{y}{v}" for v in ranks[:4]] for x, y in ("rf", "mh")]
    odd = ["r2", "h12"] if seat == 0 else ["f12", "m2"]
    deal(match, " ".join([odd[0], *hands[0]]), " ".join([odd[1], *hands[1]]))
    say(match, CHANCE, "1+1")
    say(match, CHANCE, "up-rose")
    play_trick(match, "flip", *odd)
    for laid in zip(*hands, strict=True):
        play_trick(match, "flip", *laid)


def final(*tricks: int) -> Match:
    """A finished match with these scores."""
    match = new_match(len(tricks))
    match.state.phase = OVER
    for seat, count in enumerate(tricks):
        match.state.tricks[seat][0] = count
    return match


# Cover and contents


@pytest.mark.parametrize("seats", [1, 5])
def test_the_game_is_for_two_to_four(seats: int) -> None:
    with pytest.raises(Refused, match="2 to 4 seats"):
        new_match(seats)


def test_before_each_trick_another_player_sets_the_rules() -> None:
    match = table(4, "r2 r3", "f2 f3", "m2 m3", "h2 h3")
    assert match.awaited() == [0]
    play_trick(match, "flip", "r2", "f2", "m2", "h2")
    assert match.awaited() == [1]


def test_there_are_44_cards_four_sets_of_11() -> None:
    assert Counter((suit_of(c), value_of(c)) for c in range(CARDS)) == {
        (suit, value): 1 for suit in range(4) for value in range(2, 13)
    }


def test_the_card_has_a_side_up_and_a_side_down_each_with_four_suits() -> None:
    for side, name in ((UP, "up"), (DOWN, "down")):
        for suit in SUITS:
            match = table(4, toss=f"{name}-{suit}")
            assert match.state.side == side
            assert suits(match)[0] == suit
            assert sorted(suits(match)) == sorted(SUITS)


# Aim


def test_most_tricks_win() -> None:
    assert final(3, 5, 2).winners == [1]


# 1. Deal


@pytest.mark.parametrize(("seats", "size"), [(2, 15), (3, 14), (4, 11)])
def test_each_player_receives_15_14_or_11_cards(seats: int, size: int) -> None:
    match = table(seats)
    held = [hand.bit_count() for hand in match.state.hands]
    assert held == [size] * seats + [0] * (4 - seats)


def test_a_card_is_dealt_only_once() -> None:
    match = new_match(2)
    say(match, CHANCE, "r7")
    with pytest.raises(Refused, match="chance may not play r7 now \\(dealt already\\)"):
        say(match, CHANCE, "r7")
    assert match.legal_moves(CHANCE) == [c for c in range(CARDS) if c != card("r7")]


def test_every_card_is_dealt_once_the_first_one_too() -> None:
    match = new_match(2)
    say(match, CHANCE, "r2")
    with pytest.raises(Refused, match="chance may not play r2 now \\(dealt already\\)"):
        say(match, CHANCE, "r2")


def test_draws_are_named_by_their_deal_and_by_card_toss_or_trick() -> None:
    match = new_match(2)
    play_deal_won_by(match, 0)
    deal(match)
    say(match, CHANCE, "1+1")
    say(match, CHANCE, "up-rose")
    say(match, 0, "roll")
    say(match, CHANCE, "1+2")
    names = [draw.name for draw in match.draws()]
    assert names[:32] == [*range(30), 45, 44]
    assert names[32:] == [61 + name for name in (*range(30), 45, 44, 46)]


def test_every_card_and_every_toss_is_as_likely_as_another() -> None:
    draws = table(2).draws()
    assert [draw.cases for draw in draws] == [*range(44, 14, -1), 36, 4]


def test_a_later_roll_is_named_by_the_tricks_before_it() -> None:
    match = table(2, "r2 r3", "m2 m4")
    play_trick(match, "flip", "r2", "m2")
    play_trick(match, "flip", "r3", "m4")
    say(match, 0, "roll")
    say(match, CHANCE, "1+2")
    assert match.draws()[-1].name == 46 + 2


def test_a_dealt_card_is_seen_by_its_receiver_only() -> None:
    match = new_match(3)
    for text in ("r7", "h2", "m3"):
        say(match, CHANCE, text)
    assert match.visible_log(0) == [[CHANCE, "r7"], [CHANCE, "?"], [CHANCE, "?"]]
    assert match.visible_log(1) == [[CHANCE, "?"], [CHANCE, "h2"], [CHANCE, "?"]]
    assert match.visible_log(NOBODY) == [[CHANCE, "?"]] * 3


def test_hands_are_secret() -> None:
    match = table(3)
    hands = match.state.hands
    assert match.view(1).hands == [0, hands[1], 0, 0]
    assert match.view(NOBODY).hands == [0, 0, 0, 0]


@pytest.mark.parametrize(("seats", "aside"), [(2, 14), (3, 2), (4, 0)])
def test_the_rest_is_set_aside_unknown_to_all(seats: int, aside: int) -> None:
    match = table(seats)
    rest = PACK & ~sum(match.state.hands)
    assert rest.bit_count() == aside
    for viewer in (NOBODY, *range(seats)):
        assert sum(match.view(viewer).hands).bit_count() == (HAND_SIZE[seats] if viewer >= 0 else 0)


def test_nobody_plays_and_nothing_is_rolled_while_cards_are_dealt() -> None:
    match = new_match(2)
    say(match, CHANCE, "r7")
    assert match.awaited() == []
    with pytest.raises(Refused, match="seat 0 may not play r7 now \\(not now\\)"):
        say(match, 0, "r7")
    for roll in ("1+1", "3+4"):
        with pytest.raises(Refused, match=r"chance may not play .\+. now \(not now\)"):
            say(match, CHANCE, roll)


# 2. Roll the dice


def test_the_trump_is_the_sum_of_two_dice() -> None:
    match = new_match(4)
    deal(match)
    assert match.awaited() == []
    say(match, CHANCE, "3+4")
    assert match.state.dice == [3, 4]
    assert trump(match.state) == 7


def test_every_value_from_2_to_12_is_trump_as_often_as_two_dice_roll_it() -> None:
    match = new_match(2)
    deal(match)
    ways: Counter[int] = Counter()
    for outcome in match.legal_moves(CHANCE):
        low, high = GAME.notation(CHANCE, outcome).split("+")
        ways[int(low) + int(high)] += GAME.weight(match.state, outcome)
    assert ways == {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}


def test_no_roll_is_more_than_twice_as_likely_as_another() -> None:
    match = new_match(2)
    deal(match)
    weights = {GAME.weight(match.state, outcome) for outcome in match.legal_moves(CHANCE)}
    assert weights == {1, 2}
    assert GAME.rule("MAX_WEIGHT") == 2


# 3. Toss the card


@pytest.mark.parametrize(
    ("seats", "facing"),
    [
        (2, ["rose", "monocle"]),
        (3, ["rose", "monocle", "hat"]),
        (4, ["rose", "feather", "monocle", "hat"]),
    ],
)
def test_the_card_falls_on_either_side_with_the_rose_at_a_player(
    seats: int, facing: list[str]
) -> None:
    match = new_match(seats)
    deal(match)
    say(match, CHANCE, "3+4")
    tosses = [GAME.notation(CHANCE, outcome) for outcome in match.legal_moves(CHANCE)]
    assert tosses == [f"{side}-{suit}" for side in ("up", "down") for suit in facing]


def test_a_toss_that_points_the_rose_at_nobody_does_not_count() -> None:
    match = new_match(2)
    deal(match)
    say(match, CHANCE, "3+4")
    with pytest.raises(Refused, match="chance may not play up-hat now \\(rose at nobody\\)"):
        say(match, CHANCE, "up-hat")


def test_each_player_has_the_suit_that_points_at_them() -> None:
    assert suits(table(4, toss="up-hat")) == ["hat", "rose", "feather", "monocle"]


def test_of_three_players_nobody_has_the_fourth_suit() -> None:
    assert suits(table(3, toss="up-hat")) == ["hat", "rose", "feather"]


def test_two_players_have_opposite_suits() -> None:
    assert suits(table(2, toss="up-rose")) == ["rose", "monocle"]
    assert suits(table(2, toss="up-monocle")) == ["monocle", "rose"]


@pytest.mark.parametrize(
    ("seats", "toss", "leader"),
    [
        (4, "up-rose", 0),
        (4, "down-hat", 1),
        (4, "up-feather", 3),
        (3, "up-monocle", 2),
        (2, "up-rose", 0),
        (2, "down-monocle", 1),
    ],
)
def test_the_player_at_the_rose_leads(seats: int, toss: str, leader: int) -> None:
    match = table(seats, toss=toss)
    assert match.state.leader == leader
    assert match.awaited() == [leader]


# Course of play


def test_the_card_and_the_dice_are_open_to_all() -> None:
    match = table(4, dice="2+5", toss="down-hat")
    for viewer in (NOBODY, 0, 1, 2, 3):
        view = match.view(viewer)
        assert (view.side, view.dice, view.leader) == (DOWN, [2, 5], 1)
        assert SUITS[own_suit(view, 0)] == "hat"
        assert match.visible_log(viewer)[-2:] == [[CHANCE, "2+5"], [CHANCE, "down-hat"]]


def test_the_rules_change_before_every_trick() -> None:
    match = table(2, "r2 r3", "m2 m4")
    with pytest.raises(Refused, match="seat 0 may not play r2 now \\(change first\\)"):
        say(match, 0, "r2")
    play_trick(match, "flip", "r2", "m2")
    with pytest.raises(Refused, match="seat 0 may not play r3 now \\(change first\\)"):
        say(match, 0, "r3")


def test_on_the_side_up_the_highest_card_takes_the_trick() -> None:
    assert taker("r5 f9 m3 h8", side="up") == 1


def test_on_the_side_down_the_lowest_card_takes_the_trick() -> None:
    assert taker("r5 f9 m3 h8", side="down") == 2


def test_only_a_card_of_ones_own_suit_takes_a_trick() -> None:
    assert taker("f11 r10 m3 h8", side="up") == 3
    assert taker("f2 r3 m11 h8", side="down") == 3


def test_a_suit_that_points_at_nobody_takes_no_trick() -> None:
    assert taker("h11 f3 m4", side="up") == 2


def test_a_trump_takes_the_trick_in_any_suit() -> None:
    assert taker("h7 f9 m3 h8", dice="3+4", side="up") == 0
    assert taker("r7 f9 m3 h8", dice="3+4", side="up") == 0
    assert taker("h7 f9 m11", dice="3+4", side="up") == 0


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_deal_has_as_many_tricks_as_a_player_has_cards(seats: int) -> None:
    match = table(seats, deals=1, ties="shared")
    tricks = 0
    while not match.is_over:
        say(match, match.state.leader, "flip")
        for seat in range(seats):
            match.play(seat, match.legal_moves(seat)[0])
        tricks += 1
    assert tricks == HAND_SIZE[seats]
    assert sum(match.scores) + match.state.pot == tricks


# 1) Change the rules


@pytest.mark.parametrize("toss", ["up-rose", "down-rose"])
def test_the_leader_must_choose_one_of_three_ways(toss: str) -> None:
    match = table(4, toss=toss)
    moves = [GAME.notation(0, move) for move in match.legal_moves(0)]
    assert moves == ["flip", "turn-feather", "turn-monocle", "turn-hat", "roll"]


def test_only_the_leader_changes_the_rules() -> None:
    match = table(4)
    assert [match.legal_moves(seat) for seat in (1, 2, 3)] == [[], [], []]
    with pytest.raises(Refused, match="seat 2 may not play flip now \\(not leader\\)"):
        say(match, 2, "flip")


@pytest.mark.parametrize("change", ["flip", "turn-hat", "roll"])
def test_the_rules_change_only_once_a_trick(change: str) -> None:
    match = table(4)
    say(match, 0, change)
    if change == "roll":
        say(match, CHANCE, "1+2")
    assert match.state.phase == CHOOSING
    with pytest.raises(Refused, match="seat 0 may not play flip now \\(changed already\\)"):
        say(match, 0, "flip")


@pytest.mark.parametrize(("toss", "after"), [("up-hat", DOWN), ("down-hat", UP)])
def test_flipping_the_card_changes_up_and_down(toss: str, after: int) -> None:
    match = table(4, toss=toss)
    say(match, 1, "flip")
    assert match.state.side == after


def test_flipping_the_card_keeps_every_suit_where_it_points() -> None:
    match = table(4, dice="2+5", toss="up-hat")
    say(match, 1, "flip")
    assert suits(match) == ["hat", "rose", "feather", "monocle"]
    assert match.state.dice == [2, 5]


@pytest.mark.parametrize("suit", ["feather", "monocle", "hat"])
def test_turning_the_card_points_the_chosen_suit_at_the_leader(suit: str) -> None:
    match = table(4, toss="up-monocle")
    say(match, 2, f"turn-{suit}")
    assert suits(match)[2] == suit


def test_turning_the_card_needs_a_new_suit() -> None:
    match = table(4, toss="up-hat")
    with pytest.raises(Refused, match="seat 1 may not play turn-rose now \\(same suit\\)"):
        say(match, 1, "turn-rose")


@pytest.mark.parametrize(
    ("seats", "turned"),
    [
        (2, ["hat", "feather"]),
        (3, ["hat", "rose", "feather"]),
        (4, ["hat", "rose", "feather", "monocle"]),
    ],
)
def test_turning_the_card_gives_everyone_a_new_suit(seats: int, turned: list[str]) -> None:
    match = table(seats)
    before = suits(match)
    say(match, 0, "turn-hat")
    assert suits(match) == turned
    assert all(old != new for old, new in zip(before, turned, strict=True))


def test_turning_the_card_keeps_the_side_and_the_trump() -> None:
    match = table(4, dice="2+5", toss="down-rose")
    say(match, 0, "turn-hat")
    assert match.state.side == DOWN
    assert match.state.dice == [2, 5]


def test_rolling_the_dice_gives_a_new_trump_and_keeps_the_card() -> None:
    match = table(4, dice="2+5", toss="down-hat")
    say(match, 1, "roll")
    assert match.awaited() == []
    say(match, CHANCE, "4+6")
    assert match.state.dice == [4, 6]
    assert match.state.side == DOWN
    assert suits(match) == ["hat", "rose", "feather", "monocle"]


def test_dice_are_rolled_until_the_trump_differs() -> None:
    match = table(2, dice="2+5")
    say(match, 0, "roll")
    rolls = [GAME.notation(CHANCE, outcome) for outcome in match.legal_moves(CHANCE)]
    pairs = [(low, high) for low in range(1, 7) for high in range(low, 7)]
    assert rolls == [f"{low}+{high}" for low, high in pairs if low + high != 7]
    with pytest.raises(Refused, match="chance may not play 3\\+4 now \\(same trump\\)"):
        say(match, CHANCE, "3+4")
    with pytest.raises(Refused, match=r"chance may not play up-rose now \(not now\)"):
        say(match, CHANCE, "up-rose")


def test_a_roll_of_two_ones_does_not_follow_another() -> None:
    match = table(2, dice="1+1")
    say(match, 0, "roll")
    with pytest.raises(Refused, match=r"chance may not play 1\+1 now \(same trump\)"):
        say(match, CHANCE, "1+1")


# 2) Choose a card


def test_all_choose_at_the_same_time() -> None:
    match = table(4)
    say(match, 0, "flip")
    assert match.awaited() == [0, 1, 2, 3]
    match.play(2, match.legal_moves(2)[0])
    assert match.awaited() == [0, 1, 3]


def test_any_card_of_the_hand_may_be_laid() -> None:
    match = table(4)
    hands = match.state.hands
    held = [[c for c in range(CARDS) if hands[seat] >> c & 1] for seat in range(4)]
    say(match, 0, "turn-hat")
    assert [match.legal_moves(seat) for seat in range(4)] == held


def test_a_card_that_is_not_in_the_hand_is_refused() -> None:
    match = table(2, "r2 r3", "m2 m3")
    say(match, 0, "flip")
    with pytest.raises(Refused, match="seat 0 may not play m2 now \\(not held\\)"):
        say(match, 0, "m2")
    say(match, 0, "r2")
    with pytest.raises(Refused, match="seat 0 may not play r3 now \\(laid already\\)"):
        say(match, 0, "r3")


def test_a_card_is_played_only_once() -> None:
    match = table(2, "r2 r3", "m2 m3")
    play_trick(match, "flip", "r2", "m2")
    say(match, 1, "flip")
    with pytest.raises(Refused, match="seat 0 may not play r2 now \\(not held\\)"):
        say(match, 0, "r2")


def test_cards_lie_face_down_until_all_are_laid() -> None:
    match = table(3, "r5", "f9", "m3")
    say(match, 0, "flip")
    say(match, 0, "r5")
    say(match, 2, "m3")
    assert match.view(0).laid == [card("r5"), NO_CARD, FACE_DOWN, NO_CARD]
    assert match.view(1).laid == [FACE_DOWN, NO_CARD, FACE_DOWN, NO_CARD]
    assert match.view(NOBODY).laid == [FACE_DOWN, NO_CARD, FACE_DOWN, NO_CARD]
    assert match.visible_log(1)[-3:] == [[0, "flip"], [0, "?"], [2, "?"]]


def test_a_view_marks_places_without_a_card_and_cards_face_down() -> None:
    match = table(3, "r5", "f9", "m3")
    say(match, 0, "flip")
    say(match, 0, "r5")
    assert match.view(1).laid == [-2, -1, -1, -1]


# 3) Who takes the trick?


def test_all_cards_are_revealed_together() -> None:
    match = table(3, "r5", "f9", "m3")
    play_trick(match, "flip", "r5", "f9", "m3")
    for viewer in (NOBODY, 0, 1, 2):
        view = match.view(viewer)
        assert view.trick == [card("r5"), card("f9"), card("m3"), NO_CARD]
        assert view.laid == [NO_CARD] * 4


def test_the_best_card_takes_the_trick() -> None:
    match = table(4, "r5", "f9", "m3", "h8", toss="down-rose")
    play_trick(match, "flip", "r5", "f9", "m3", "h8")
    assert match.state.taker == 1
    assert match.scores == [0, 1, 0, 0]


def test_cards_of_the_same_value_cancel_each_other() -> None:
    assert taker("r9 f9 m3 h8", side="up") == 3
    assert taker("r5 f9 m3 h3", side="down") == 0
    assert taker("r9 f9 m9 h2", side="up") == 3


def test_a_card_cancels_another_though_it_could_not_win_itself() -> None:
    assert taker("r9 h9 m3 h8", side="up") == 3


def test_two_pairs_cancel_each_other() -> None:
    assert taker("r9 f9 m3 h3", side="up") == NOBODY


def test_two_trumps_cancel_each_other() -> None:
    assert taker("h7 f7 m3 h8", dice="3+4", side="up") == 3


def test_a_trump_need_not_be_in_its_players_suit() -> None:
    assert taker("r8 f9 r7 h10", dice="3+4", side="up") == 2
    assert taker("r8 f9 r7 h10", dice="3+4", side="down") == 2


def test_a_trump_beats_the_highest_card_on_the_side_up() -> None:
    assert taker("h2 f12 m3 h8", dice="1+1", side="up") == 0


def test_a_trump_beats_the_lowest_card_on_the_side_down() -> None:
    assert taker("h12 f2 m3 h8", dice="6+6", side="down") == 0


def test_a_trump_beats_the_best_card_of_a_player_before_it() -> None:
    assert taker("r12 r7 m3 h8", dice="3+4", side="up") == 1
    assert taker("r2 r7 m3 h8", dice="3+4", side="down") == 1


# Special case: no best card


def test_cards_that_all_cancel_go_into_the_pot() -> None:
    match = table(4, "r9", "f9", "m3", "h3")
    play_trick(match, "flip", "r9", "f9", "m3", "h3")
    assert match.state.taker == NOBODY
    assert match.state.pot == 1
    assert match.scores == [0, 0, 0, 0]


def test_cards_neither_trump_nor_of_their_players_suit_go_into_the_pot() -> None:
    match = table(4, "f9", "m8", "r3", "r4")
    play_trick(match, "flip", "f9", "m8", "r3", "r4")
    assert match.state.taker == NOBODY
    assert match.state.pot == 1


def test_the_pot_may_hold_several_tricks_and_the_next_winner_takes_them_all() -> None:
    match = table(2, "r2 r3 r9", "m2 m3 h4")
    play_trick(match, "flip", "r2", "m2")
    play_trick(match, "flip", "r3", "m3")
    assert match.state.pot == 2
    play_trick(match, "flip", "r9", "h4")
    assert match.state.pot == 0
    assert match.scores == [3, 0]


def test_nobody_wins_the_pot_if_the_last_trick_has_no_best_card() -> None:
    match = new_match(2, deals=1, ties="shared")
    play_deal_won_by(match, 0)
    assert match.is_over
    assert match.state.pot == 14
    assert match.scores == [1, 0]


def test_a_pot_is_not_carried_into_the_next_deal() -> None:
    match = new_match(2)
    play_deal_without_winner(match)
    assert match.state.pot == 0
    assert match.scores == [0, 0]


@pytest.mark.parametrize(
    ("cards", "toss", "key"),
    [
        ("h7 f9 m3 h8", "down-rose", "won_trump"),
        ("r5 f9 m3 h8", "down-rose", "won_highest"),
        ("r5 f9 m3 h8", "up-rose", "won_lowest"),
        ("r9 f9 m3 h3", "up-rose", "pot_all_cancelled"),
        ("r9 f9 r3 r4", "up-rose", "pot_none_fits"),
    ],
)
def test_the_table_tells_why_a_trick_went_where_it_went(cards: str, toss: str, key: str) -> None:
    match = table(4, *cards.split(), dice="3+4", toss=toss)
    play_trick(match, "flip", *cards.split())
    steps = Story(match).go_on(match, {NOBODY})[NOBODY]
    assert key in [fact.key for fact in steps[-1].facts]


@pytest.mark.parametrize(
    ("cards", "able"),
    [
        ("r5 f9 m3 h8", [0, 1, 2, 3]),  # each in its player's suit
        ("r5 f9 h3 h8", [0, 1, 3]),
        ("f5 f9 h7 m8", [1, 2]),  # the 7 is trump
        ("r9 f9 m3 h8", [2, 3]),  # the nines cancel each other
        ("r9 f9 r3 r4", []),
        ("r12 h9 h3 m8", [0]),
    ],
)
def test_the_table_tells_which_cards_could_have_taken_the_trick(
    cards: str, able: list[int]
) -> None:
    for toss in ("up-rose", "down-rose"):
        match = table(4, *cards.split(), dice="3+4", toss=toss)
        play_trick(match, "flip", *cards.split())
        assert match.state.able == sum(1 << seat for seat in able)


@pytest.mark.parametrize(
    ("cards", "toss", "verdict"),
    [
        ("h7 f9 m3 h8", "down-rose", 1),
        ("r5 f9 m3 h8", "down-rose", 2),
        ("r5 f9 m3 h8", "up-rose", 3),
        ("r9 f9 m3 h3", "up-rose", 4),
        ("r9 f9 r3 r4", "up-rose", 5),
    ],
)
def test_verdicts_have_numbers(cards: str, toss: str, verdict: int) -> None:
    match = table(4, *cards.split(), dice="3+4", toss=toss)
    assert match.state.verdict == 0
    play_trick(match, "flip", *cards.split())
    assert match.state.verdict == verdict


# 4) A new leader


def test_the_lead_passes_to_the_left_even_if_another_seat_took_the_trick() -> None:
    match = table(3, "r2 r3 r4 r5", "f2 f3 f4 f5", "m6 m7 m8 m9", toss="down-monocle")
    leaders = [match.state.leader]
    for laid in (("r2", "f3", "m6"), ("r3", "f4", "m7"), ("r4", "f5", "m8")):
        play_trick(match, "flip", *laid)
        leaders.append(match.state.leader)
    assert leaders == [2, 0, 1, 2]


# The end


def test_the_longest_match_has_eleven_deals_with_a_roll_before_every_trick() -> None:
    assert GAME.max_match_moves == 11 * (44 + 1 + 1 + 11 * (1 + 1 + 4))


def test_when_all_cards_are_played_the_deal_ends() -> None:
    match = new_match(2, deals=1, ties="shared")
    play_deal_won_by(match, 1)
    assert match.is_over
    assert match.state.hands == [0, 0, 0, 0]
    assert match.legal_moves(CHANCE) == []


def test_in_a_single_deal_most_tricks_win() -> None:
    match = new_match(2, deals=1)
    play_deal_won_by(match, 1)
    assert match.scores == [0, 1]
    assert match.winners == [1]


@pytest.mark.parametrize("seats", GAME.seats)
def test_there_is_a_deal_for_each_player(seats: int) -> None:
    match = Match(GAME, seats, {"ties": "shared"}, seeds=Seeds(bytes(32)))
    while not match.is_over:
        seat = match.awaited()[0]
        match.play(seat, match.legal_moves(seat)[0])
    assert len(match.chance_moves()) - _rerolls(match) == seats * (seats * HAND_SIZE[seats] + 2)
    assert match.state.deal == seats


@pytest.mark.parametrize("deals", [1, 3, 10])
def test_a_match_has_as_many_deals_as_the_table_wishes(deals: int) -> None:
    match = new_match(2, deals=deals, ties="shared")
    for _ in range(deals):
        assert not match.is_over
        play_deal_won_by(match, 1)
    assert match.is_over
    assert match.scores == [0, deals]


@pytest.mark.parametrize("deals", [0, 11, "one", True])
def test_another_number_of_deals_is_refused(deals: object) -> None:
    expected = f"option deals is {deals!r}, expected 'one per seat' or a whole number from 1 to 10"
    with pytest.raises(Refused, match=expected):
        new_match(2, deals=deals)


@pytest.mark.parametrize(
    ("values", "expected"),
    [(11, range(2, 13)), (10, range(2, 12)), (7, range(4, 11)), (4, range(5, 9)), (2, (6, 7))],
)
def test_of_fewer_values_the_lowest_and_the_highest_are_left_out(
    values: int, expected: Sequence[int]
) -> None:
    match = new_match(2, values=values)
    assert Counter((suit_of(c), value_of(c)) for c in match.legal_moves(CHANCE)) == {
        (suit, value): 1 for suit in range(4) for value in expected
    }


def test_of_fewer_values_each_player_receives_as_large_a_share_as_of_all() -> None:
    sizes = {
        seats: [hand_size(new_match(seats, values=values).state) for values in range(2, 12)]
        for seats in GAME.seats
    }
    assert sizes == {
        2: [2, 4, 5, 6, 8, 9, 10, 12, 13, 15],  # a third lies aside
        3: [2, 4, 5, 6, 8, 9, 10, 12, 13, 14],  # what cannot be dealt evenly lies aside
        4: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    }
    for seats, dealt in sizes.items():
        assert all(seats * size <= 4 * (2 + n) for n, size in enumerate(dealt))


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_deal_of_fewer_values_ends_when_its_cards_are_played(seats: int) -> None:
    match = Match(GAME, seats, {"deals": 1, "ties": "shared", "values": 3}, seeds=Seeds(bytes(32)))
    while not match.is_over:
        seat = match.awaited()[0]
        match.play(seat, match.legal_moves(seat)[0])
    tricks = sum(entry.seat == 0 and entry.move < CARDS for entry in match.log)
    assert tricks == hand_size(match.state) == sum(match.scores) + match.state.pot


def test_without_a_card_of_the_value_on_the_dice_there_is_no_trump() -> None:
    match = new_match(4, values=3)
    for text in ["r8", "f8", "m8", "h8", "r7", "f7", "m7", "h7", "r6", "f6", "m6", "h6"]:
        say(match, CHANCE, text)
    say(match, CHANCE, "6+6")
    say(match, CHANCE, "up-rose")
    play_trick(match, "flip", "r8", "f7", "m7", "h6")
    assert (match.state.taker, match.state.verdict) == (3, BY_LOWEST)


@pytest.mark.parametrize("values", [1, 12, "all", True])
def test_another_number_of_values_is_refused(values: object) -> None:
    expected = f"option values is {values!r}, expected a whole number from 2 to 11"
    with pytest.raises(Refused, match=expected):
        new_match(2, values=values)


def _rerolls(match: Match) -> int:
    return sum(entry.seat >= 0 and GAME.notation(0, entry.move) == "roll" for entry in match.log)


def test_the_tricks_of_each_deal_are_noted_and_add_up() -> None:
    match = new_match(2, ties="shared")
    play_deal_won_by(match, 1)
    assert not match.is_over
    play_deal_won_by(match, 1)
    assert match.state.tricks[:2] == [[0] * MAX_DEALS, [1, 1, *[0] * (MAX_DEALS - 2)]]
    assert match.scores == [0, 2]
    assert match.winners == [1]


def test_every_deal_begins_with_all_cards_new_dice_and_a_toss() -> None:
    match = new_match(2)
    play_deal_won_by(match, 1)
    assert match.legal_moves(CHANCE) == list(range(CARDS))
    deal(match)
    assert len(match.legal_moves(CHANCE)) == 21
    say(match, CHANCE, "1+1")
    say(match, CHANCE, "down-monocle")
    assert match.awaited() == [1]


def test_a_tie_is_followed_by_an_extra_deal() -> None:
    match = new_match(2)
    play_deal_won_by(match, 1)
    play_deal_won_by(match, 0)
    assert match.scores == [1, 1]
    assert not match.is_over
    play_deal_won_by(match, 0)
    assert match.scores == [2, 1]
    assert match.winners == [0]


def test_a_tie_after_the_most_deals_is_followed_by_an_extra_deal() -> None:
    match = new_match(2, deals=10)
    for deal in range(10):
        play_deal_won_by(match, deal % 2)
    assert not match.is_over
    play_deal_won_by(match, 0)
    assert match.scores == [6, 5]
    assert match.winners == [0]


def test_a_tie_after_a_single_deal_is_followed_by_an_extra_deal() -> None:
    match = new_match(2, deals=1)
    play_deal_without_winner(match)
    assert not match.is_over
    play_deal_won_by(match, 1)
    assert match.winners == [1]


def test_a_tie_after_the_extra_deal_is_shared() -> None:
    match = new_match(2, deals=1)
    play_deal_without_winner(match)
    play_deal_without_winner(match)
    assert match.is_over
    assert match.winners == [0, 1]


def test_a_tie_behind_the_first_place_calls_for_no_extra_deal() -> None:
    match = table(3, deals=1, toss="down-rose")
    match.state.hands[:3] = [1 << card("r9"), 1 << card("f2"), 1 << card("m3")]
    play_trick(match, "flip", "r9", "f2", "m3")
    assert match.is_over
    assert match.winners == [0]


def test_with_the_option_a_tie_is_shared_at_once() -> None:
    match = new_match(2, ties="shared")
    play_deal_won_by(match, 1)
    play_deal_won_by(match, 0)
    assert match.is_over
    assert match.winners == [0, 1]
    assert final(4, 2, 4, 1).winners == [0, 2]
