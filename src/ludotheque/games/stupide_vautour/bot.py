"""The players of Stupide Vautour.

Everyone begins with bids in proportion to the stake. The better ones remember what was played,
the best simulate what may follow, and solve the end of a match between two exactly.
"""

from collections.abc import Sequence
from random import Random

from ludotheque.engine.game import Game
from ludotheque.games.stupide_vautour import endgame
from ludotheque.games.stupide_vautour.memory import Memory
from ludotheque.games.stupide_vautour.rules import CARDS, POINTS, State
from ludotheque.search.advice import Advice
from ludotheque.search.searcher import Found, Searcher
from ludotheque.search.thought import UNHURRIED, Thought

WHIM = 1.1  # cards of its hand by which a bid usually strays from what it should be
LARGE_WHIM = 4.5
SIMULATIONS = {"expert": 3_000, "master": 30_000}
TRUST = {"expert": 0.0, "master": 0.5}  # how far it expects the others to bid as most people do
CURIOSITY = 0.3  # bids differ by little
SOLVED = {"expert": 0, "master": 7}  # cards in hand from which it plays one opponent exactly


def hire(level: str, game: Game, seat: int, rng: Random) -> "Greedy | Thinker":
    if level == "novice":
        return Greedy(seat, rng, LARGE_WHIM, forgets=True)
    if level == "regular":
        return Greedy(seat, rng)
    searcher = Searcher(game, seat, SIMULATIONS[level], rng, CURIOSITY, TRUST[level])
    return Thinker(seat, rng, searcher, SOLVED[level])


class Greedy:
    """Bids in proportion to the stake; a little randomness keeps it from being an open book."""

    def __init__(self, seat: int, rng: Random, whim: float = WHIM, forgets: bool = False) -> None:
        self._seat = seat
        self._rng = rng
        self._whim = whim
        self._forgets = forgets
        self._memory = Memory(seat)

    def watch(self, view: State) -> None:
        if not self._forgets:
            self._memory.watch(view)

    def choose(self, view: State, legal_moves: Sequence[int], thought: Thought = UNHURRIED) -> int:
        self.watch(view)
        hand = sorted(legal_moves)
        aim = self._share(view) * (len(hand) - 1) + self._rng.gauss(0, self._whim)
        bid = hand[min(max(round(aim), 0), len(hand) - 1)]
        return min(bid, self._surest(view, hand))

    def _share(self, view: State) -> float:
        """The share of the point cards still to come that matter less than this stake."""
        pile = self._memory.pile(view)
        coming = [abs(POINTS[i]) for i in range(CARDS) if pile >> i & 1]
        less = sum(points < abs(view.stake) for points in coming)
        equal = sum(points == abs(view.stake) for points in coming)
        return (less + equal / 2 + 0.5) / (len(coming) + 1)

    def _surest(self, view: State, hand: list[int]) -> int:
        """The cheapest card that nobody can beat: to bid more would be a waste."""
        strongest = max(
            self._memory.hand(view, seat).bit_length() - 1
            for seat in range(view.seats)
            if seat != self._seat
        )
        return next((card for card in hand if card > strongest), hand[-1])


class Thinker:
    """Simulates what may follow each bid; plays the end of a match between two exactly."""

    def __init__(self, seat: int, rng: Random, searcher: Searcher, solved: int) -> None:
        self._seat = seat
        self._rng = rng
        self._searcher = searcher
        self._solved = solved
        self._memory = Memory(seat)

    def watch(self, view: State) -> None:
        self._memory.watch(view)

    def choose(self, view: State, legal_moves: Sequence[int], thought: Thought = UNHURRIED) -> int:
        self.watch(view)
        if len(legal_moves) == 1:
            return legal_moves[0]
        if self._can_solve(view):
            plan = self._plan(view)
            return self._rng.choices(plan.cards, plan.chances)[0]
        return self._search(view, legal_moves, thought).best()

    def advise(
        self, view: State, legal_moves: Sequence[int], thought: Thought = UNHURRIED
    ) -> list[Advice]:
        self.watch(view)
        if self._can_solve(view):
            return _advice_of_plan(self._plan(view))
        found = self._search(view, legal_moves, thought)
        ranked = sorted(zip(found.visits, found.moves, strict=True), reverse=True)
        return [
            Advice(card, self._reason(view, card), {"card": card, "share": share})
            for share, card in ((round(100 * v / sum(found.visits)), c) for v, c in ranked[:3])
            if share > 0
        ]

    def _reason(self, view: State, card: int) -> str:
        """What speaks for this card, in a word of [hints]."""
        others = (seat for seat in range(view.seats) if seat != self._seat)
        if all(self._memory.hand(view, seat) >> card == 0 for seat in others):
            return "sure"
        lower = (view.hands[self._seat] & (1 << card) - 1).bit_count()
        if lower < view.hands[self._seat].bit_count() / 3:
            return "duck"
        return "fight" if view.stake >= 0 else "dodge"

    def _can_solve(self, view: State) -> bool:
        few = view.hands[self._seat].bit_count() <= self._solved
        return view.seats == 2 and few and self._memory.is_complete(view)

    def _plan(self, view: State) -> endgame.Plan:
        pile = self._memory.pile(view)
        return endgame.plan(
            _cards(view.hands[self._seat]),
            _cards(self._memory.hand(view, 1 - self._seat)),
            [POINTS[i] for i in range(CARDS) if pile >> i & 1],
            view.stake,
        )

    def _search(self, view: State, legal_moves: Sequence[int], thought: Thought) -> Found:
        return self._searcher.search(view, legal_moves, self._memory, thought)


def _cards(hand: int) -> list[int]:
    return [card for card in range(CARDS + 1) if hand >> card & 1]


def _advice_of_plan(plan: endgame.Plan) -> list[Advice]:
    ranked = sorted(zip(plan.chances, plan.cards, strict=True), reverse=True)
    value = f"{plan.value:+.1f}".replace("-", "−")
    return [
        Advice(card, "solved", {"card": card, "chance": round(100 * chance), "value": value})
        for chance, card in ranked[:3]
        if chance >= 0.01
    ]
