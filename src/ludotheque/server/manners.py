"""Manners at a table: what may be said, who may come in, who is sent away, who is replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludotheque.engine.refused import Refused
from ludotheque.server import events as happened
from ludotheque.server import messages as asked
from ludotheque.server.limits import Bucket
from ludotheque.server.player import Player, is_gone
from ludotheque.server.settings import Settings
from ludotheque.server.table import Person, Table
from ludotheque.server.text import CHAT_LENGTH, clean

if TYPE_CHECKING:
    from ludotheque.server.decision import Decision

LINES_AT_ONCE = 8  # that a guest may say at a table
LINES_PER_S = 0.5

AnyManners = asked.Say | asked.Replace | asked.LetIn | asked.Remove | asked.Mute


class ChatPace:
    """How fast each guest may speak at a table."""

    def __init__(self) -> None:
        self._buckets: dict[str, Bucket] = {}

    def check(self, player: Player) -> None:
        """Refuse what is said too fast."""
        if player.id not in self._buckets:
            self._buckets = {key: each for key, each in self._buckets.items() if not each.is_full}
            self._buckets[player.id] = Bucket(LINES_PER_S, LINES_AT_ONCE)
        if not self._buckets[player.id].allows():
            raise Refused("you write too fast; wait a few seconds", "chat_pace")


def carry_out(decision: Decision, command: AnyManners, player: Player) -> None:
    match command:
        case asked.Say():
            _say(decision, command, player)
        case asked.Replace():
            _replace(decision, command, player)
        case asked.LetIn():
            _let_in(decision, command, player)
        case asked.Remove():
            _remove(decision, command, player)
        case asked.Mute():
            _mute(decision, command, player)


# Chat


def _say(decision: Decision, command: asked.Say, player: Player) -> None:
    table = decision.table
    if not table.belongs(player):
        raise Refused("only those at the table can speak there")
    expect_voice(table, player)
    if command.phrase:
        if command.phrase not in asked.PHRASES:
            raise Refused(f"there is no phrase {command.phrase[:20]!r}; see PHRASES")
        said = happened.Said(player.name, player.avatar, "", command.phrase, player.id)
    else:
        text = clean(command.text, "a line of chat", CHAT_LENGTH)
        if table.settings.phrases_only and text not in asked.REACTIONS:
            what = "reactions and ready-made phrases"
            raise Refused(f"this table is for {what} only", "phrases_only")
        said = happened.Said(player.name, player.avatar, text, guest=player.id)
    decision.happens(said)


def expect_voice(table: Table, player: Player) -> None:
    """Refuse what a guest says whom the host has muted."""
    if player.id in table.muted:
        raise Refused("the host has muted you at this table", "muted")


def _mute(decision: Decision, command: asked.Mute, player: Player) -> None:
    _expect_host_over(decision, command.guest, player)
    if (command.guest in decision.table.muted) == command.muted:
        return
    if command.muted and all(said.guest != command.guest for said in decision.table.chat):
        _known(decision, command.guest)
    decision.happens(happened.Muted(command.guest, command.muted))


# The door


def _let_in(decision: Decision, command: asked.LetIn, player: Player) -> None:
    if command.guest in decision.table.removed:
        decision.expect_host(player)
    else:
        _expect_doorkeeper(decision, player)
        _known(decision, command.guest)
    decision.happens(happened.LetIn(command.guest))


def _remove(decision: Decision, command: asked.Remove, player: Player) -> None:
    table, guest = decision.table, command.guest
    if any(caller.id == guest for caller in decision.callers):
        _expect_doorkeeper(decision, player)
    else:
        _expect_host_over(decision, guest, player)
    if guest in table.removed:
        return
    known = _known(decision, guest)
    decision.give_up_seats(guest)
    decision.happens(happened.Removed(known.id, known.name, known.avatar))


def _known(decision: Decision, guest: str) -> Player:
    """Someone at the table or at its door."""
    for person in decision.table.persons:
        if person.guest == guest and not person.shares:
            return Player(guest, person.name, person.avatar)
    for visitor in (*decision.callers, *decision.watchers):
        if visitor.id == guest:
            return visitor
    raise Refused("nobody with that id is at the table")


def let_in_everyone_here(decision: Decision, settings: Settings) -> None:
    """Nobody who is at the table has to ask when the host begins to be asked."""
    if settings.asks_host and not decision.table.settings.asks_host:
        for guest in sorted(decision.here - decision.table.removed.keys()):
            decision.happens(happened.LetIn(guest))


def _expect_doorkeeper(decision: Decision, player: Player) -> None:
    """The host, or while they are away anyone who plays."""
    if decision.table.host in decision.here or not decision.table.seats_of(player):
        decision.expect_host(player)


def _expect_host_over(decision: Decision, guest: str, player: Player) -> None:
    decision.expect_host(player)
    if guest == player.id:
        raise Refused("you are the host of this table")


# Replacing


def _replace(decision: Decision, command: asked.Replace, player: Player) -> None:
    seat = decision.existing(command.seat)
    if not decision.table.seats_of(player) and player.id != decision.table.host:
        raise Refused("only those who play can let a bot play for somebody")
    if decision.table.status != "playing":
        raise Refused("no match is being played")
    person = _absent_person(decision, seat)
    if not decision.absences.is_long(person.guest):
        _vote(decision, person, player)
    else:
        replace_absent(decision, seat, decision.default_level())


def _vote(decision: Decision, person: Person, player: Player) -> None:
    """A bot takes over when all the others who are present want it, two at least."""
    table = decision.table
    voters = table.guests & (decision.here | {player.id})
    if decision.absences.is_brief(person.guest):
        raise Refused("they have only just left; wait a moment", "too_soon")
    if player.id not in voters or len(voters) < 2:
        raise Refused("they have just left; a bot can take over after two minutes", "too_soon")
    decision.has_vote = True
    if voters <= decision.absences.vote(person.guest, player.id):
        for seat, occupant in enumerate(table.seats):
            if isinstance(occupant, Person) and occupant.guest == person.guest:
                decision.give_up(seat, occupant)


def replace_absent(decision: Decision, seat: int, level: str) -> None:
    """A bot takes over from a person who has been away for a while."""
    person = _absent_person(decision, seat)
    if not decision.absences.is_long(person.guest):
        raise Refused("they have just left; a bot can take over after two minutes", "too_soon")
    decision.happens(happened.Kept(seat, level))


def _absent_person(decision: Decision, seat: int) -> Person:
    person = decision.table.seats[seat]
    if not isinstance(person, Person) or person.keeper is not None:
        raise Refused(f"no person plays in seat {seat}")
    expect_absent(decision, seat)
    return person


def expect_absent(decision: Decision, seat: int) -> None:
    """Refuse to replace a player who is present."""
    person = decision.table.seats[seat]
    if isinstance(person, Person) and person.guest in decision.here:
        raise Refused(f"{person.name} is here and cannot be replaced", "present")


def expect_return(decision: Decision, seat: int) -> None:
    person = decision.table.seats[seat]
    if isinstance(person, Person) and person.guest in decision.table.removed:
        error = "the player of this seat was removed from the table; let them in first"
        raise Refused(error, "was_removed")
    if isinstance(person, Person) and is_gone(person.guest):
        raise Refused(
            "the player of this seat has gone for good; the bot plays on", "gone_for_good"
        )
