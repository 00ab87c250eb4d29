"""What a command leads to, worked out on a copy of the table: all of it happens or nothing.

A decision that is refused, or fails in any other way, leaves the table as it was. Otherwise its
owner stores `events` and takes over `table`.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import Any, assert_never

import msgspec

from ludotheque.bots import roster
from ludotheque.engine.chance import CLIENT_SEED_BYTES, new_server_seed
from ludotheque.engine.game import LANGUAGES
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.server import events as happened
from ludotheque.server import manners
from ludotheque.server import messages as asked
from ludotheque.server.absences import Absences
from ludotheque.server.player import Player
from ludotheque.server.settings import Settings, chosen, with_manners
from ludotheque.server.table import Person, Table, is_kept
from ludotheque.server.text import NAME_LENGTH, clean

DIGEST_EVERY = 16  # moves: so that it costs next to nothing
BOT_NAMES = ("Ada", "Basile", "Chloé", "Dora", "Emil", "Fanny", "Gaston", "Hedwig", "Igor", "Lou")


class Decision:
    """`made` is the time in the match, for games on a clock, at which it was asked for: in a race
    perhaps before what has come in since. `here` are the guests present, and `absences` tells how
    long the others have been away. `callers` wait to be let in, and `watchers` look on.
    """

    def __init__(
        self,
        table: Table,
        made: int | None,
        here: Collection[str] = frozenset(),
        absences: Absences | None = None,
        callers: Collection[Player] = (),
        watchers: Collection[Player] = (),
    ) -> None:
        self.table = table.copy()
        self.events: list[happened.AnyEvent] = []
        self._made = made
        self.here = frozenset(here)
        self.absences = absences or Absences()
        self.has_vote = False  # which is not stored
        self.callers = callers
        self.watchers = watchers

    def carry_out(self, command: asked.AnyCommand, player: Player) -> None:
        """Do what a player asks for; Refused says why not."""
        self._carry_out(command, player)
        self._fit_the_replay()

    def _carry_out(self, command: asked.AnyCommand, player: Player) -> None:
        if not self.table.admits(player):
            raise Refused("you have not been let in at this table; ask its host", "not_admitted")
        match command:
            case asked.Play():
                self._play(command, player)
            case asked.Say() | asked.Replace() | asked.LetIn() | asked.Remove() | asked.Mute():
                manners.carry_out(self, command, player)
            case (
                asked.Sit() | asked.Leave() | asked.Seat() | asked.GiveBack() | asked.ShuffleSeats()
            ):
                self._change_seats(command, player)
            case asked.Set() | asked.Contribute() | asked.Start():
                self._prepare_match(command, player)
            case asked.Again():
                self._play_again(command, player)
            case asked.Rematch():
                self._ask_for_rematch(command, player)
            case _:
                assert_never(command)

    def _change_seats(
        self,
        command: asked.Sit | asked.Leave | asked.Seat | asked.GiveBack | asked.ShuffleSeats,
        player: Player,
    ) -> None:
        match command:
            case asked.Sit():
                self._sit(command, player)
            case asked.Leave():
                self._leave(command, player)
            case asked.Seat():
                self._seat(command, player)
            case asked.GiveBack():
                self._give_back(command, player)
            case asked.ShuffleSeats():
                self._shuffle_seats(player)

    def _prepare_match(
        self, command: asked.Set | asked.Contribute | asked.Start, player: Player
    ) -> None:
        match command:
            case asked.Set():
                self._set_up(command, player)
            case asked.Contribute():
                self._contribute(command, player)
            case asked.Start():
                self._start(command, player)

    # What happens without a command

    def play(self, seat: int, move: int) -> None:
        """Make a move in the running match, and let chance answer."""
        match = self._running()
        before = len(match.log)
        match.play(seat, move, self._not_before(match.earliest(seat)))
        self._record_moves(match, before)

    def let_chance_act(self) -> None:
        """Let chance act if its time has come."""
        match = self._running()
        before = len(match.log)
        match.draw(self._not_before(match.now))
        self._record_moves(match, before)

    def play_for_the_late(self) -> None:
        """The move clock has run out: a bot moves for every person that the table waits for.

        One of these moves may end the turn of the others, as a refusal ends a vote.
        """
        match, bots = self._running(), self.table.bot_seats()
        for seat in match.awaited():
            if seat not in bots and match.game.awaits(match.state, seat):
                self.play(seat, any_move(match, seat))

    def begin_rematch(self) -> None:
        """The match that was asked for begins, though not everyone has added to its shuffle."""
        if self.table.is_beginning:
            self._begin(self.default_level())

    def rename(self, player: Player) -> None:
        """A guest has another name or picture now, which their own seat carries."""
        table = self.table
        seat = table.own_seat(player.id)
        is_silent = player.id in table.removed or player.id in table.muted
        if seat is None or is_silent or (table.settings.phrases_only and table.status == "playing"):
            return  # a name can be a message, too
        person, known = self.table.seats[seat], (player.name, player.avatar)
        if isinstance(person, Person) and (person.name, person.avatar) != known:
            self.happens(happened.Renamed(player.id, player.name, player.avatar))

    def give_up_seats(self, guest: str) -> None:
        """A guest goes for good; bots play on for them."""
        for seat, occupant in enumerate(self.table.seats):
            if isinstance(occupant, Person) and occupant.guest == guest:
                self.give_up(seat, occupant)
        self._begin_if_all_ask()

    def give_up(self, seat: int, person: Person) -> None:
        """A person loses a seat: at once, or after the match, until whose end a bot keeps it."""
        if self.table.status != "playing":
            self.happens(happened.Left(seat))
        elif person.keeper is None:
            self.happens(happened.Kept(seat, self.default_level()))

    def note_hint(self, seat: int, number: int) -> None:
        """This seat was advised in the match of this number."""
        if number != self.table.matches:
            raise Refused("the match that was asked about is over")
        self._running()
        self.happens(happened.Advised(seat))

    # Seats

    def _sit(self, command: asked.Sit, player: Player) -> None:
        kept = self._kept_seat(player, command.seat)
        if kept is not None:
            self.happens(happened.GivenBack(kept))
            return
        self._expect_no_match("take a seat")
        seat = self._free_seat() if command.seat is None else self.existing(command.seat)
        if self.table.seats[seat] is not None:
            raise Refused(f"seat {seat} is taken")
        if self.table.own_seat(player.id) is None:
            if command.name:
                raise Refused("your own seat carries your own name; leave name out", "own_name")
            name, avatar = self.table.muted.get(player.id, (player.name, player.avatar))
            self.happens(happened.Sat(seat, player.id, name, avatar))
            return
        if not command.name:
            what = "for another person at your device give their name"
            raise Refused(f"you have a seat already; {what}", "one_seat")
        manners.expect_voice(self.table, player)  # a name can be a message, too
        name = clean(command.name, "a name", NAME_LENGTH)
        self.happens(happened.Sat(seat, player.id, name, player.avatar, shares=True))

    def _leave(self, command: asked.Leave, player: Player) -> None:
        seats = self.table.seats_of(player)
        if command.seat is not None:
            if command.seat not in seats:
                raise Refused(f"seat {command.seat} is not yours")
            seats = [command.seat]
        if not seats:
            raise Refused("you have no seat to leave")
        for seat in seats:
            person = self.table.seats[seat]
            assert isinstance(person, Person)
            self.give_up(seat, person)
        self._begin_if_all_ask()

    def _seat(self, command: asked.Seat, player: Player) -> None:
        self.expect_host(player)
        seat = self.existing(command.seat)
        bot = self._known_kind(command.bot)
        if self.table.status == "playing":
            if not bot or not isinstance(self.table.seats[seat], Person):
                raise Refused(f"during a match only a person's seat can go to a bot, not {seat}")
            manners.replace_absent(self, seat, bot)
            return
        if bot:
            manners.expect_absent(self, seat)
        if self.table.seats[seat] is not None:
            self.happens(happened.Left(seat))
        elif not bot:
            raise Refused(f"seat {seat} is empty already")
        if bot:
            self._seat_bot(seat, bot)

    def _give_back(self, command: asked.GiveBack, player: Player) -> None:
        self.expect_host(player)
        seat = self.existing(command.seat)
        if not is_kept(self.table.seats[seat]):
            raise Refused(f"no bot keeps seat {seat} for a player")
        manners.expect_return(self, seat)
        self.happens(happened.GivenBack(seat))

    def _shuffle_seats(self, player: Player) -> None:
        self.expect_host(player)
        self._expect_no_match("shuffle the seats")
        order = list(range(len(self.table.seats)))
        secrets.SystemRandom().shuffle(order)
        self.happens(happened.SeatsShuffled(order, new_server_seed().hex()))

    # The table and its matches

    def _set_up(self, command: asked.Set, player: Player) -> None:
        self.expect_host(player)
        settings = with_manners(command, self.table.settings)
        if settings is not None:
            manners.let_in_everyone_here(self, settings)
            self._change(settings)
            return
        self._expect_no_match("change the table")
        self._change(chosen(command, self.table.settings, self.table.replay is not None))

    def _contribute(self, command: asked.Contribute, player: Player) -> None:
        self._expect_no_match("add to the shuffle")
        if not self.table.seats_of(player):
            raise Refused("only those who sit at the table add to the shuffle")
        if self.table.replay is not None or command.commitment != self.table.commitment:
            raise Refused("this is not the shuffle of the next match")
        if player.id in self.table.contributions:
            raise Refused("you have added to this shuffle already, from another window perhaps")
        self.happens(happened.Contributed(player.id, checked_seed(command.seed)))
        self._begin_if_all_contributed()

    def _start(self, command: asked.Start, player: Player) -> None:
        if self.table.host in self.here or not self.table.seats_of(player):
            self.expect_host(player)
        self._expect_no_match("begin a match")
        self._begin(self._known_kind(command.bots) or self.default_level())

    def _begin(self, level: str) -> None:
        """Begin a match; bots of this level take the seats that are free."""
        for seat, occupant in enumerate(self.table.seats):
            if occupant is None:
                self._seat_bot(seat, level)
        self._fit_the_replay()
        replay, seeds = self.table.replay, self.table.seeds
        deal = replay.deal if replay is not None else new_deal_id()
        clients = [seed.hex() for seed in seeds.clients]
        self.happens(happened.Started(deal, seeds.server.hex(), clients, self.table.game.version))
        self._made = 0 if self.table.game.timed else None
        self.let_chance_act()

    def _play_again(self, command: asked.Again, player: Player) -> None:
        self.expect_host(player)
        match = self.table.match
        if match is None and self.table.replay is not None and not command.same_deal:
            self.happens(happened.Cleared(new_server_seed().hex()))
            self._change_options(self.table.game.fresh_options(self.table.settings.options))
            return
        if match is None or not match.is_over:
            raise Refused("there is no finished match to play again")
        self.happens(happened.Cleared(new_server_seed().hex(), command.same_deal))
        if not command.same_deal:
            self._change_options(match.game.fresh_options(match.options))

    # Another match at once

    def _ask_for_rematch(self, command: asked.Rematch, player: Player) -> None:
        if self.table.status != "over":
            raise Refused("there is no finished match to follow")
        if player.id == self.table.host and command.wanted:
            self._begin_another()
            return
        if player.id not in self.table.guests:
            raise Refused("only those who sit at the table can ask for another match")
        self.happens(happened.Wished(player.id, command.wanted))
        self._begin_if_all_ask()

    def _begin_if_all_ask(self) -> None:
        """Begin if everyone present asks for it; a player who is away keeps nobody waiting."""
        wishes = set(self.table.wishes)
        if self.table.status == "over" and wishes and self._present <= wishes:
            self._begin_another()

    @property
    def _present(self) -> frozenset[str]:
        """The guests who sit at the table and are here."""
        return self.here & self.table.guests

    def _begin_another(self) -> None:
        """Clear the table; the match begins when everyone here has added to its shuffle."""
        self.happens(happened.Cleared(new_server_seed().hex(), begins=True))
        self._change_options(self.table.game.fresh_options(self.table.settings.options))
        self._begin_if_all_contributed()

    def _begin_if_all_contributed(self) -> None:
        if self.table.is_beginning and self._present <= set(self.table.contributions):
            self._begin(self.default_level())

    def _fit_the_replay(self) -> None:
        """A game may set other options for people who know the deal than for others."""
        table, replay = self.table, self.table.replay
        if replay is None or table.match is not None:
            return
        elsewhere = [attempt.scores for attempt in replay.attempts]
        here = [result.scores for result in table.results_of(replay.deal)]
        scores = [score for of_seats in elsewhere + here for score in of_seats]
        if scores:
            options, is_same_team = table.settings.options, table.has_played(replay)
            self._change_options(table.game.options_again(options, max(scores), is_same_team))

    def _change_options(self, options: dict[str, Any]) -> None:
        settings = self.table.settings
        if options != settings.options:
            self._change(msgspec.structs.replace(settings, options=options))

    def _change(self, settings: Settings) -> None:
        self.happens(happened.Changed(*msgspec.structs.astuple(settings)))

    def _play(self, command: asked.Play, player: Player) -> None:
        match = self._running()
        seat = self.table.held_seat(player, command.seat)
        move = command.move
        if isinstance(move, str):
            move = match.game.parse(seat, move)
        self.play(seat, move)

    # Shared by the commands

    def _not_before(self, earliest: int) -> int | None:
        """The time of what is done now in the match."""
        return None if self._made is None else max(self._made, earliest)

    def happens(self, event: happened.AnyEvent) -> None:
        self.table.apply(event)
        self.events.append(event)

    def _record_moves(self, match: Match, before: int) -> None:
        """Record what the match has accepted; the table need not apply it again."""
        if len(match.log) > before:
            moves = [(e.seat, e.move, e.at) for e in match.log[before:]]
            is_due = match.is_over or len(match.log) // DIGEST_EVERY > before // DIGEST_EVERY
            self.events.append(happened.Moved(moves, match.digest() if is_due else ""))
            self.table.note_end()

    def _seat_bot(self, seat: int, level: str) -> None:
        self.happens(happened.BotSat(seat, level, self._bot_name(level)))

    def _known_kind(self, kind: str) -> str:
        """A kind of bot that exists, or "" for none."""
        kinds = roster.kinds(self.table.game)
        if kind and kind not in kinds:
            raise Refused(f"there is no bot {kind!r}; there are {', '.join(kinds)}")
        return kind

    def default_level(self) -> str:
        return roster.usual(self.table.game)

    def _bot_name(self, level: str) -> str:
        """The name of the game's player of this level, or of a friend if that one sits already."""
        taken = {occupant.name for occupant in self.table.seats if occupant is not None}
        bots = self.table.game.words[LANGUAGES[0]].get("bots", {})
        own = bots.get(level, {}).get("name")
        return next(name for name in (own, *BOT_NAMES) if name and name not in taken)

    def _kept_seat(self, player: Player, wanted: int | None) -> int | None:
        """A seat that a bot keeps for this player."""
        for seat, occupant in enumerate(self.table.seats):
            is_theirs = isinstance(occupant, Person) and occupant.guest == player.id
            if is_theirs and is_kept(occupant) and wanted in (None, seat):
                return seat
        return None

    def _free_seat(self) -> int:
        for seat, occupant in enumerate(self.table.seats):
            if occupant is None:
                return seat
        raise Refused("every seat is taken")

    def existing(self, seat: int) -> int:
        last = len(self.table.seats) - 1
        if not 0 <= seat <= last:
            raise Refused(f"there is no seat {seat}; the seats are 0 to {last}")
        return seat

    def expect_host(self, player: Player) -> None:
        if player.id != self.table.host:
            raise Refused("only the host of the table can do this")

    def _expect_no_match(self, wish: str) -> None:
        if self.table.match is not None:
            raise Refused(f"you cannot {wish} while a match is on the table")

    def _running(self) -> Match:
        if self.table.match is None or self.table.match.is_over:
            raise Refused("no match is being played")
        return self.table.match


def any_move(match: Match, seat: int) -> int:
    """A legal move for a seat, from what it sees."""
    view = match.view(seat)
    bot = roster.hire(roster.CHAOTIC, match.game, seat)
    return bot.choose(view, match.game.legal_moves(view, seat))


def checked_seed(seed: str) -> str:
    digits = 2 * CLIENT_SEED_BYTES
    if len(seed) != digits or any(digit not in "0123456789abcdef" for digit in seed):
        raise Refused(f"a seed has {digits} hexadecimal digits (0-9, a-f)")
    return seed


def new_deal_id() -> str:
    return secrets.token_urlsafe(9)
