"""A table: who sits there, the match they play, what they say. No input or output here.

`decide` turns a command into events, or refuses it; `apply` carries events out. A table that is
loaded applies its stored events, so it is the same table again, in the middle of whatever it was.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import singledispatchmethod
from typing import assert_never

from ludotheque.bots import roster
from ludotheque.engine.chance import new_key
from ludotheque.engine.game import LANGUAGES, Game, load
from ludotheque.engine.invitation import invite
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.server import events as happened
from ludotheque.server import messages as asked
from ludotheque.server.store import Player

CHAT_KEPT = 200
CHAT_LENGTH = 300
LONGEST_THOUGHT = 7 * 24 * 3600  # seconds on the move clock
DEFAULT_BOT = roster.REGULAR
BOT_NAMES = ("Ada", "Basile", "Chloé", "Dora", "Emil", "Fanny", "Gaston", "Hedwig", "Igor", "Lou")

Events = list[happened.AnyEvent]


@dataclass
class Occupant:
    """Who holds a seat: a player, or a bot. `keeper` is the bot that plays for an absent player."""

    player: str  # "" for a bot
    name: str
    avatar: int
    bot: str  # "" for a person
    keeper: str = ""

    @property
    def acting_bot(self) -> str:
        return self.bot or self.keeper


class Table:
    def __init__(self, id_: str) -> None:
        self.id = id_
        self.host = ""
        self.game_name = ""
        self.options: dict[str, object] = {}
        self.is_public = False
        self.move_seconds = 0
        self.has_hints = True
        self.seats: list[Occupant | None] = []
        self.matches = 0  # begun
        self.match: Match | None = None
        self.deal: list[str] = []  # of the next match
        self.chat: list[happened.Said] = []
        self.said = 0  # lines of chat, the forgotten ones too

    @property
    def game(self) -> Game:
        return load(self.game_name)

    @property
    def status(self) -> str:
        if self.match is None:
            return "gathering"
        return "over" if self.match.is_over else "playing"

    def seats_of(self, player: str) -> list[int]:
        """The seats that this player plays now."""
        return [
            seat
            for seat, occupant in enumerate(self.seats)
            if occupant is not None and occupant.player == player and not occupant.keeper
        ]

    def bot_seats(self) -> dict[int, str]:
        """The seats that bots play now, and the kind of bot."""
        return {
            seat: occupant.acting_bot
            for seat, occupant in enumerate(self.seats)
            if occupant is not None and occupant.acting_bot
        }

    # Deciding

    def decide(self, command: asked.AnyCommand, player: Player, now: int | None) -> Events:
        """What this command leads to; Refused says why it leads to nothing.

        `now` is the time in the match, for games on a clock. Deciding on a move also makes it: the
        match is its own judge. All other events are still to be applied.
        """
        match command:
            case asked.Play():
                return self._play(command, player, now)
            case asked.Say():
                return self._say(command, player)
            case asked.Sit():
                return self._sit(command, player)
            case asked.Leave():
                return self._leave(command, player)
            case asked.Seat():
                return self._seat(command, player)
            case asked.GiveBack():
                return self._give_back(command, player)
            case asked.Set():
                return self._set_up(command, player)
            case asked.Start():
                return self._start(player)
            case asked.Again():
                return self._play_again(command, player)
            case _:
                assert_never(command)

    def _sit(self, command: asked.Sit, player: Player) -> Events:
        kept = self._kept_seat(player.id, command.seat)
        if kept is not None:
            return [happened.GivenBack(kept)]
        self._expect_no_match("take a seat")
        seat = self._free_seat() if command.seat is None else self._existing(command.seat)
        if self.seats[seat] is not None:
            raise Refused(f"seat {seat} is taken")
        name = clean(command.name, "a name", 40) if command.name else player.name
        return [happened.Sat(seat, player.id, name, player.avatar)]

    def _leave(self, command: asked.Leave, player: Player) -> Events:
        seats = self.seats_of(player.id)
        if command.seat is not None:
            if command.seat not in seats:
                raise Refused(f"seat {command.seat} is not yours")
            seats = [command.seat]
        if not seats:
            raise Refused("you have no seat to leave")
        if self.status == "playing":
            return [happened.Kept(seat, DEFAULT_BOT) for seat in seats]
        return [happened.Left(seat) for seat in seats]

    def _seat(self, command: asked.Seat, player: Player) -> Events:
        self._expect_host(player)
        seat = self._existing(command.seat)
        occupant = self.seats[seat]
        if command.bot and command.bot not in roster.KINDS:
            raise Refused(f"there is no bot {command.bot!r}; there are {', '.join(roster.KINDS)}")
        if self.status == "playing":
            if not command.bot or occupant is None or occupant.bot:
                raise Refused(f"during a match only a person's seat can go to a bot, not {seat}")
            return [happened.Kept(seat, command.bot)]
        if not command.bot:
            return [happened.Left(seat)] if occupant is not None else []
        cleared = [happened.Left(seat)] if occupant is not None else []
        return [*cleared, happened.BotSat(seat, command.bot, self._bot_name(command.bot))]

    def _give_back(self, command: asked.GiveBack, player: Player) -> Events:
        self._expect_host(player)
        occupant = self.seats[self._existing(command.seat)]
        if occupant is None or not occupant.keeper:
            raise Refused(f"no bot keeps seat {command.seat} for anybody")
        return [happened.GivenBack(command.seat)]

    def _set_up(self, command: asked.Set, player: Player) -> Events:
        self._expect_host(player)
        self._expect_no_match("change the table")
        changed = command.game is not None and command.game != self.game_name
        game = load(command.game) if command.game is not None else self.game
        options = command.options if command.options is not None else self.options
        seats = command.seats if command.seats is not None else len(self.seats)
        if changed and command.seats is None:
            seats = min(max(seats, game.seats[0]), game.seats[-1])
        if changed and command.options is None:
            options = {}
        game.start(seats, options)
        return [
            happened.Changed(
                game.slug,
                seats,
                dict(game.complete(options, seats)),
                self.is_public if command.is_public is None else command.is_public,
                checked_thought(
                    self.move_seconds if command.move_seconds is None else command.move_seconds
                ),
                self.has_hints if command.has_hints is None else command.has_hints,
            )
        ]

    def _start(self, player: Player) -> Events:
        self._expect_host(player)
        self._expect_no_match("begin a match")
        empty = [seat for seat, occupant in enumerate(self.seats) if occupant is None]
        filled = [
            happened.BotSat(seat, DEFAULT_BOT, self._bot_name(DEFAULT_BOT, place))
            for place, seat in enumerate(empty)
        ]
        return [*filled, happened.Started(new_key().hex(), self.deal)]

    def _play_again(self, command: asked.Again, player: Player) -> Events:
        self._expect_host(player)
        if self.match is None or not self.match.is_over:
            raise Refused("there is no finished match to play again")
        if not command.same_deal:
            return [happened.Cleared()]
        invitation = invite(self.match, "challenge")
        settings = happened.Changed(
            self.game_name,
            len(self.seats),
            dict(invitation.options),
            self.is_public,
            self.move_seconds,
            self.has_hints,
        )
        return [happened.Cleared(invitation.deal), settings]

    def _play(self, command: asked.Play, player: Player, now: int | None) -> Events:
        match = self._running()
        seats = self.seats_of(player.id)
        seat = command.seat
        if seat is None and len(seats) == 1:
            seat = seats[0]
        if seat is None or seat not in seats:
            raise Refused(f"you do not hold seat {seat}" if seats else "you hold no seat here")
        move = command.move
        return self.make(seat, match.game.parse(seat, move) if isinstance(move, str) else move, now)

    def _say(self, command: asked.Say, player: Player) -> Events:
        if not self._belongs(player.id):
            raise Refused("only those at the table can speak there")
        text = clean(command.text, "a line of chat", CHAT_LENGTH)
        return [happened.Said(player.name, player.avatar, text)]

    def make(self, seat: int, move: int, now: int | None) -> Events:
        """Make a move in the running match, and let chance answer."""
        match = self._running()
        before = len(match.log)
        match.play(seat, move, now)
        return self._moved_since(before)

    def let_chance_act(self, now: int | None) -> Events:
        """Let chance act if its time has come."""
        match = self._running()
        before = len(match.log)
        match.draw(now)
        return self._moved_since(before)

    def _moved_since(self, before: int) -> Events:
        assert self.match is not None
        new = self.match.log[before:]
        return [happened.Moved([(e.seat, e.move, e.at) for e in new])] if new else []

    # Applying

    @singledispatchmethod
    def apply(self, event: object) -> None:
        raise TypeError(f"{event!r} is no event")

    @apply.register
    def _(self, event: happened.Opened) -> None:
        self.host = event.host
        self._set(event)

    @apply.register
    def _(self, event: happened.Changed) -> None:
        self._set(event)

    def _set(self, event: happened.Opened | happened.Changed) -> None:
        self.game_name = event.game
        self.options = event.options
        self.is_public = event.is_public
        self.move_seconds = event.move_seconds
        self.has_hints = event.has_hints
        self.seats = (self.seats + [None] * event.seats)[: event.seats]

    @apply.register
    def _(self, event: happened.Sat) -> None:
        self.seats[event.seat] = Occupant(event.player, event.name, event.avatar, "")

    @apply.register
    def _(self, event: happened.BotSat) -> None:
        self.seats[event.seat] = Occupant("", event.name, event.seat, event.bot)

    @apply.register
    def _(self, event: happened.Left) -> None:
        occupant = self.seats[event.seat]
        self.seats[event.seat] = None
        if occupant is not None and occupant.player == self.host:
            self._pass_on_the_host()

    @apply.register
    def _(self, event: happened.Kept) -> None:
        occupant = self.seats[event.seat]
        assert occupant is not None
        occupant.keeper = event.bot
        if occupant.player == self.host:
            self._pass_on_the_host()

    @apply.register
    def _(self, event: happened.GivenBack) -> None:
        occupant = self.seats[event.seat]
        assert occupant is not None
        occupant.keeper = ""

    @apply.register
    def _(self, event: happened.Started) -> None:
        self.matches += 1
        self.match = Match(self.game, len(self.seats), self.options, deal=event.deal)
        self.match.key = bytes.fromhex(event.key)

    @apply.register
    def _(self, event: happened.Moved) -> None:
        assert self.match is not None
        for seat, move, at in event.moves:
            self.match.make(seat, move, at)

    @apply.register
    def _(self, event: happened.Cleared) -> None:
        self.match = None
        self.deal = event.deal
        self.seats = [None if o is not None and o.keeper else o for o in self.seats]

    @apply.register
    def _(self, event: happened.Said) -> None:
        self.said += 1
        self.chat = [*self.chat, event][-CHAT_KEPT:]

    # What both lean on

    def _pass_on_the_host(self) -> None:
        """A host who leaves hands over to the next person, or stays host of an empty table."""
        for occupant in self.seats:
            if occupant is not None and occupant.player and not occupant.keeper:
                self.host = occupant.player
                return

    def _belongs(self, player: str) -> bool:
        return player == self.host or any(o is not None and o.player == player for o in self.seats)

    def _kept_seat(self, player: str, wanted: int | None) -> int | None:
        """A seat that a bot keeps for this player."""
        for seat, occupant in enumerate(self.seats):
            kept = occupant is not None and occupant.player == player and occupant.keeper
            if kept and wanted in (None, seat):
                return seat
        return None

    def _free_seat(self) -> int:
        for seat, occupant in enumerate(self.seats):
            if occupant is None:
                return seat
        raise Refused("every seat is taken")

    def _existing(self, seat: int) -> int:
        if not 0 <= seat < len(self.seats):
            raise Refused(f"there is no seat {seat}; the seats are 0 to {len(self.seats) - 1}")
        return seat

    def _expect_host(self, player: Player) -> None:
        if player.id != self.host:
            raise Refused("only the host of the table can do this")

    def _expect_no_match(self, wish: str) -> None:
        if self.match is not None:
            raise Refused(f"you cannot {wish} while a match lies on the table")

    def _running(self) -> Match:
        if self.match is None or self.match.is_over:
            raise Refused("no match is being played")
        return self.match

    def _bot_name(self, kind: str, more: int = 0) -> str:
        """The name of the game's player of this level, or of a friend if that one sits already."""
        taken = {occupant.name for occupant in self.seats if occupant is not None}
        own = self.game.words[LANGUAGES[0]]["bots"].get(kind, {"name": BOT_NAMES[0]})["name"]
        free = [name for name in (own, *BOT_NAMES) if name not in taken]
        return free[more % len(free)]


def checked_thought(seconds: int) -> int:
    """A time for the move clock, refused if it makes no sense."""
    if not 0 <= seconds <= LONGEST_THOUGHT:
        raise Refused(f"the move clock is {seconds} s, expected 0 to {LONGEST_THOUGHT}")
    return seconds


def new_table_id() -> str:
    """A short name that can be read aloud: no letters that look or sound alike."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(8))


def clean(text: str, what: str, longest: int) -> str:
    """Text of one line without control characters; Refused if nothing is left or it is too long."""
    cleaned = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if not 0 < len(cleaned) <= longest:
        raise Refused(f"{what} has 1 to {longest} characters, this one has {len(cleaned)}")
    return cleaned
