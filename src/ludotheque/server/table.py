"""A table: who sits there, the match they play, what they say. No input or output here.

A table is its events: `apply` carries one out. What a command leads to is decided in `decision.py`,
on a copy. A table that is loaded applies its stored events, and is the same table again.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import singledispatchmethod
from typing import Any, NamedTuple, Self

import msgspec

from ludotheque.engine import chance
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import Game, load
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import NOBODY
from ludotheque.server import events as happened
from ludotheque.server.player import AVATARS, NAMELESS, Player, is_gone
from ludotheque.server.settings import AUTO, ON, Settings

CHAT_KEPT = 200  # lines
PICTURE_STEP = 7  # from a picture that is taken to the next one that is tried
RESULTS_KEPT = 100  # matches
TEAM_DIGITS = 16  # hexadecimal
LONGEST_ID = 40  # of a table; new ones have eight letters and digits


@dataclass(frozen=True)
class Person:
    """A guest's seat taken. `keeper` is the level of the bot that plays while they are away."""

    guest: str
    name: str
    avatar: int
    keeper: str | None = None
    shares: bool = False  # the device of the guest, who has a seat of their own


@dataclass(frozen=True)
class Bot:
    """A bot in a seat."""

    level: str
    name: str
    avatar: int


Occupant = Person | Bot


@dataclass(frozen=True)
class Result:
    """How a match at this table ended, and what it takes to deal it again."""

    game: str
    options: dict[str, Any]
    deal: str
    server_seed: str
    client_seeds: list[str]
    names: list[str]
    scores: list[int]
    team: str  # the people, as `team_of` tells them


@dataclass(frozen=True)
class Standing:
    """How somebody has fared at this table; `guest` is "" for a bot."""

    guest: str
    name: str
    avatar: int
    matches: int = 0
    wins: int = 0


class Known(NamedTuple):
    """As whom others know a guest."""

    name: str
    avatar: int


class Table:
    def __init__(self, id_: str) -> None:
        self.id = id_
        self.code = ""  # that leads here, as storage has it
        self.host = ""  # a guest's id; the first event tells it
        self.settings = Settings("", 0, {}, False, 0, AUTO)
        self.seats: list[Occupant | None] = []
        self.server_seed = ""  # of the next shuffle
        self.contributions: dict[str, str] = {}  # to it, by guest
        self.replay: happened.Replay | None = None  # what the next match replays, or this one
        self.matches = 0  # begun
        self.match: Match | None = None
        self.deal = ""  # the id of what the match was dealt
        self.advised: list[int] = []  # how many hints each seat has asked for in the match
        self.results: tuple[Result, ...] = ()
        self.series: tuple[Standing, ...] = ()  # of matches that can be won
        self.wishes: tuple[str, ...] = ()  # guests who ask for another match
        self.is_beginning = False  # another match, when all have added to its shuffle
        self.chat: tuple[happened.Said, ...] = ()
        self.said = 0  # lines of chat, the forgotten ones too
        self.admitted: frozenset[str] = frozenset()  # guests who were let in
        self.removed: dict[str, happened.Removed] = {}  # by guest
        self.muted: dict[str, Known] = {}  # by guest, as they were known when they were muted

    def copy(self) -> Self:
        """A table that can be changed without changing this one."""
        twin = object.__new__(type(self))
        twin.__dict__ = self.__dict__ | {
            "seats": self.seats[:],
            "contributions": self.contributions.copy(),
            "removed": self.removed.copy(),
            "muted": self.muted.copy(),
            "advised": self.advised[:],
            "match": self._copied_match(),
        }
        return twin

    def _copied_match(self) -> Match | None:
        """A match that is over does not change any more, so it is shared."""
        if self.match is None or self.match.is_over:
            return self.match
        return self.match.copy()

    # Looking

    @property
    def game(self) -> Game:
        return load(self.settings.game)

    @property
    def status(self) -> str:
        if self.match is None:
            return "gathering"
        return "over" if self.match.is_over else "playing"

    @property
    def persons(self) -> list[Person]:
        return [occupant for occupant in self.seats if isinstance(occupant, Person)]

    @property
    def guests(self) -> frozenset[str]:
        """Who plays here now, and not a bot for them."""
        return frozenset(person.guest for person in self.persons if person.keeper is None)

    @property
    def has_hints(self) -> bool:
        """Hints would decide a match between people, so they are off there unless asked for."""
        hints = self.settings.hints
        is_wanted = hints == ON or (hints == AUTO and (self.game.team or len(self.persons) < 2))
        return is_wanted and self.game.has_hints

    def seats_of(self, player: Player | None) -> list[int]:
        """The seats that this player plays now; a visitor without a name has none."""
        if player is None:
            return []
        return [
            seat
            for seat, occupant in enumerate(self.seats)
            if isinstance(occupant, Person)
            and occupant.guest == player.id
            and occupant.keeper is None
        ]

    def held_seat(self, player: Player, wanted: int | None) -> int:
        """The seat that a player means; a player who holds several must say which."""
        seats = self.seats_of(player)
        if not seats:
            raise Refused("you hold no seat at this table; sit down first")
        if wanted is None and len(seats) > 1:
            raise Refused(f"you hold the seats {seats}; say which one you mean")
        seat = seats[0] if wanted is None else wanted
        if seat not in seats:
            raise Refused(f"you do not hold seat {seat}")
        return seat

    def viewer_for(self, player: Player | None, wanted: int | None) -> int:
        """From where a player looks: the seat they want if it is theirs, their first, or none."""
        seats = self.seats_of(player)
        if wanted is not None and wanted in seats:
            return wanted
        return seats[0] if seats else NOBODY

    def bot_seats(self) -> dict[int, str]:
        """The seats that bots play now, and their levels."""
        levels = {seat: acting_level(occupant) for seat, occupant in enumerate(self.seats)}
        return {seat: level for seat, level in levels.items() if level is not None}

    def belongs(self, player: Player) -> bool:
        """Whether this player is the host or has a seat, kept by a bot or not."""
        return player.id == self.host or any(p.guest == player.id for p in self.persons)

    def admits(self, player: Player | None) -> bool:
        """Whether this player may come to the table: watch, sit, speak."""
        if player is not None and player.id in self.removed:
            return False
        if not self.settings.asks_host:
            return True
        return player is not None and (self.belongs(player) or player.id in self.admitted)

    def own_seat(self, guest: str) -> int | None:
        """The seat that carries the guest's own name, even while a bot plays it."""
        for seat, occupant in enumerate(self.seats):
            if isinstance(occupant, Person) and occupant.guest == guest and not occupant.shares:
                return seat
        return None

    @property
    def seeds(self) -> Seeds:
        """What the next match is shuffled with."""
        if self.replay is not None:
            return seeds_of(self.replay.server_seed, self.replay.client_seeds)
        return seeds_of(self.server_seed, self.client_seeds)

    @property
    def client_seeds(self) -> list[str]:
        """The contributions of the people who sit here, in the order of their seats."""
        guests = dict.fromkeys(person.guest for person in self.persons)
        return [self.contributions[guest] for guest in guests if guest in self.contributions]

    @property
    def tells_seeds(self) -> bool:
        """Whether the seeds of the match are told when it is over.

        Those of a deal from another table are not: people elsewhere may be about to play it.
        """
        return self.replay is None or not self.replay.attempts

    @property
    def commitment(self) -> str:
        """What binds the server's part of the shuffle, of the match on the table or the next."""
        if self.match is not None and self.match.seeds is not None:
            return self.match.commitment
        return chance.commitment(self.seeds.server)

    def results_of(self, deal: str) -> list[Result]:
        """How the matches with this deal ended here, the first one first."""
        return [result for result in self.results if result.deal == deal]

    def has_played(self, replay: happened.Replay) -> bool:
        """Whether the very people who sit here have played this deal, here or elsewhere."""
        teams = [attempt.team for attempt in replay.attempts]
        teams += [result.team for result in self.results_of(replay.deal)]
        return team_of(replay.deal, self.persons) in teams

    # Applying

    @singledispatchmethod
    def apply(self, event: object) -> None:
        raise TypeError(f"{event!r} is not an event")

    @apply.register
    def _(self, event: happened.Opened) -> None:
        self.host = event.host
        self.server_seed = event.server_seed
        self.replay = event.replay
        self._set(event.settings)

    @apply.register
    def _(self, event: happened.Changed) -> None:
        if event.game != self.settings.game:
            self.replay = None
        self._set(event.settings)

    def _set(self, settings: Settings) -> None:
        options = load(settings.game).restored_options(settings.options)
        self.settings = msgspec.structs.replace(settings, options=options)
        self.seats = (self.seats + [None] * settings.seats)[: settings.seats]

    @apply.register
    def _(self, event: happened.Sat) -> None:
        # Earlier versions do not say who shares a device: those who sat down after its guest.
        shares = event.shares or self.own_seat(event.guest) is not None
        self.seats[event.seat] = Person(event.guest, event.name, event.avatar, shares=shares)
        if is_gone(self.host):
            self.host = event.guest

    @apply.register
    def _(self, event: happened.Renamed) -> None:
        seat = self.own_seat(event.guest)
        if seat is not None:
            person = self._person(seat)
            self.seats[seat] = replace(person, name=event.name, avatar=event.avatar)
            self.series = _merged([_renamed(one, person, event) for one in self.series])

    @apply.register
    def _(self, event: happened.LetIn) -> None:
        self.admitted |= {event.guest}
        self.removed.pop(event.guest, None)

    @apply.register
    def _(self, event: happened.Removed) -> None:
        self.admitted -= {event.guest}
        self.removed[event.guest] = event

    @apply.register
    def _(self, event: happened.Muted) -> None:
        if event.muted:
            self.muted[event.guest] = self._known_as(event.guest)
        else:
            self.muted.pop(event.guest, None)

    def _known_as(self, guest: str) -> Known:
        """The name and picture of a guest's own seat, or with which they have spoken last."""
        seat = self.own_seat(guest)
        if seat is not None:
            person = self._person(seat)
            return Known(person.name, person.avatar)
        lines = (said for said in reversed(self.chat) if said.guest == guest)
        return next((Known(said.name, said.avatar) for said in lines), Known(NAMELESS, 0))

    @apply.register
    def _(self, event: happened.BotSat) -> None:
        self.seats[event.seat] = Bot(event.level, event.name, event.seat)

    @apply.register
    def _(self, event: happened.Left) -> None:
        occupant = self.seats[event.seat]
        self.seats[event.seat] = None
        if isinstance(occupant, Person):
            self._forget_contribution(occupant)
            self._forget_wish(occupant)
            if occupant.guest == self.host:
                self._pass_on_the_host()

    def _forget_contribution(self, leaver: Person) -> None:
        if all(person.guest != leaver.guest for person in self.persons):
            self.contributions.pop(leaver.guest, None)

    def _forget_wish(self, leaver: Person) -> None:
        if leaver.guest not in self.guests:
            self.wishes = tuple(guest for guest in self.wishes if guest != leaver.guest)

    @apply.register
    def _(self, event: happened.Kept) -> None:
        person = self._person(event.seat)
        self.seats[event.seat] = replace(person, keeper=event.level)
        if person.guest == self.host:
            self._pass_on_the_host()

    @apply.register
    def _(self, event: happened.GivenBack) -> None:
        self.seats[event.seat] = replace(self._person(event.seat), keeper=None)

    @apply.register
    def _(self, event: happened.SeatsShuffled) -> None:
        self.seats = [self.seats[seat] for seat in event.order]
        self.server_seed = event.server_seed
        self.contributions = {}

    @apply.register
    def _(self, event: happened.Contributed) -> None:
        self.contributions[event.guest] = event.seed

    @apply.register
    def _(self, event: happened.Started) -> None:
        self.matches += 1
        self.is_beginning = False
        self.deal = event.deal
        self.advised = [0] * len(self.seats)
        self.match = Match(self.game, len(self.seats), self.settings.options)
        self.match.seeds = seeds_of(event.server_seed, event.client_seeds)

    @apply.register
    def _(self, event: happened.Moved) -> None:
        assert self.match is not None
        for seat, move, at in event.moves:
            self.match.make(seat, move, at)
        self.note_end()

    @apply.register
    def _(self, event: happened.Advised) -> None:
        self.advised[event.seat] += 1

    @apply.register
    def _(self, event: happened.Cleared) -> None:
        self.replay = self._replay_of_the_match() if event.is_replay else None
        self.match = None
        self.wishes = ()
        self.is_beginning = event.begins
        self.server_seed = event.server_seed
        self.contributions = {}
        self.seats = [None if is_kept(occupant) else occupant for occupant in self.seats]

    @apply.register
    def _(self, event: happened.Wished) -> None:
        others = tuple(guest for guest in self.wishes if guest != event.guest)
        self.wishes = (*others, event.guest) if event.wanted else others

    @apply.register
    def _(self, event: happened.Said) -> None:
        self.said += 1
        self.chat = (*self.chat, event)[-CHAT_KEPT:]

    def note_end(self) -> None:
        """Keep the result of a match that has just ended."""
        if self.match is not None and self.match.is_over:
            assert self.match.seeds is not None
            server, clients = self.match.seeds
            result = Result(
                game=self.settings.game,
                options=self.settings.options,
                deal=self.deal,
                server_seed=server.hex(),
                client_seeds=[seed.hex() for seed in clients],
                names=[occupant.name for occupant in self.seats if occupant is not None],
                scores=self.match.scores,
                team=team_of(self.deal, self.persons),
            )
            self.results = (*self.results, result)[-RESULTS_KEPT:]
            self._note_series(self.match)

    def _note_series(self, match: Match) -> None:
        """Count the match for everyone who played it, if one of them can win it.

        On a deal that was played before, those who remember it have an advantage.
        """
        is_contest = not match.game.team and match.game.is_contest(match.seats)
        if self.replay is not None or not is_contest:
            return
        standings = {(one.guest, one.name): one for one in self.series}
        for seat, occupant in enumerate(self.seats):
            if occupant is None:
                continue
            guest = occupant.guest if isinstance(occupant, Person) else ""
            key = (guest, occupant.name)
            before = standings.get(key) or Standing(guest, occupant.name, occupant.avatar)
            standings[key] = replace(
                before, matches=before.matches + 1, wins=before.wins + (seat in match.winners)
            )
        self.series = tuple(standings.values())

    def _replay_of_the_match(self) -> happened.Replay:
        last = self.results[-1]
        elsewhere = self.replay.attempts if self.replay is not None else []
        return happened.Replay(last.deal, last.server_seed, last.client_seeds, elsewhere)

    def _person(self, seat: int) -> Person:
        person = self.seats[seat]
        assert isinstance(person, Person)
        return person

    def _pass_on_the_host(self) -> None:
        """A host who leaves hands over to the next person, or stays host of an empty table."""
        for person in self.persons:
            if person.keeper is None:
                self.host = person.guest
                return


def _renamed(one: Standing, person: Person, event: happened.Renamed) -> Standing:
    is_theirs = (one.guest, one.name) == (person.guest, person.name)
    return replace(one, name=event.name, avatar=event.avatar) if is_theirs else one


def _merged(standings: list[Standing]) -> tuple[Standing, ...]:
    """A guest who takes an earlier name again is one player of the series, not two."""
    found: dict[tuple[str, str], Standing] = {}
    for one in standings:
        before = found.setdefault((one.guest, one.name), one)
        if before is not one:
            matches, wins = before.matches + one.matches, before.wins + one.wins
            found[one.guest, one.name] = replace(one, matches=matches, wins=wins)
    return tuple(found.values())


def team_of(deal: str, persons: Sequence[Person]) -> str:
    """A name for people who play a deal together, in any seats, that identifies no guest."""
    people = sorted((each.guest, each.name if each.shares else "") for each in persons)
    return hashlib.sha256(msgspec.json.encode((deal, people))).hexdigest()[:TEAM_DIGITS]


def pictures_of(seats: Sequence[Occupant | None]) -> list[int]:
    """A picture for each seat. Guests have chosen theirs; bots, and people who share the device of
    a guest, have one that nobody else at the table has.
    """
    own: dict[str, int] = {}  # the seat of each guest
    for seat, occupant in enumerate(seats):
        if isinstance(occupant, Person) and not occupant.shares:
            own.setdefault(occupant.guest, seat)
    pictures = [0 if occupant is None else occupant.avatar for occupant in seats]
    taken = {pictures[seat] for seat in own.values()}
    for seat, occupant in enumerate(seats):
        if occupant is not None and seat not in own.values():
            choices = [(pictures[seat] + PICTURE_STEP * i) % AVATARS for i in range(AVATARS)]
            pictures[seat] = next((each for each in choices if each not in taken), choices[0])
            taken.add(pictures[seat])
    return pictures


def acting_level(occupant: Occupant | None) -> str | None:
    """The level of the bot that plays a seat now, None if no bot does."""
    if isinstance(occupant, Bot):
        return occupant.level
    return occupant.keeper if isinstance(occupant, Person) else None


def is_person(occupant: Occupant | None, player: Player) -> bool:
    """Whether this player holds the seat, even while a bot plays it."""
    return isinstance(occupant, Person) and occupant.guest == player.id


def is_kept(occupant: Occupant | None) -> bool:
    return isinstance(occupant, Person) and occupant.keeper is not None


def seeds_of(server: str, clients: list[str]) -> Seeds:
    return Seeds(bytes.fromhex(server), tuple(bytes.fromhex(seed) for seed in clients))


def new_table_id() -> str:
    """A short name that can be read aloud: no letters that look or sound alike."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(8))


def may_be_table_id(text: str) -> bool:
    """Whether a table may be called so: anything else need not be looked for."""
    return len(text) <= LONGEST_ID and text.isascii() and text.isalnum()
