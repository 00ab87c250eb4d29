"""Every message between nodes, typed once.

A node that has the socket of a client is its carrier. A carrier sends what its clients do to the
owner of their table, and gets back what they are shown.

While a server is upgraded, nodes that were built at different times send each other letters. Those
of the same VERSION read all that the others send. So, without another version, a message and all
that travels in it may get new fields only at their end and with defaults, and new kinds of messages
only if nothing waits for what they do: who does not know them skips them. Whatever else changes,
also what clients may ask for and what questions there are, raises the version. Nodes of different
versions read nothing of each other, and leave each other's tables alone.
"""

from __future__ import annotations

import logging

import msgspec

from ludotheque.server import messages
from ludotheque.server.player import Player
from ludotheque.server.questions import AnyQuestion
from ludotheque.server.turn import Turn

VERSION = 1

log = logging.getLogger(__name__)


class Message(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Base of everything that nodes send each other."""


class OfTable(Message, frozen=True):
    """Base of what concerns a table."""

    table: str


class OfClient(OfTable, frozen=True):
    """Base of what concerns a client, by the number that its carrier has given it there."""

    client: int


# From a carrier to an owner


class Join(OfClient, frozen=True):
    """A client looks on; every time it does so again, `number` is another one."""

    number: int
    opener: Player | None
    is_screen: bool
    has_key: bool
    hello: messages.Hello


class Part(OfClient, frozen=True):
    """A client is gone."""


class Ask(OfTable, frozen=True):
    asked: int
    player: Player
    request: messages.Request
    delay: float  # seconds that it was on its way to the carrier, which does not know the rest


class Far(OfClient, frozen=True):
    """How long what a client sends is on its way, in seconds, as its carrier has measured it."""

    delay: float


class Consult(OfTable, frozen=True):
    call: int
    question: AnyQuestion


# From an owner to a carrier


class Shown(OfClient, frozen=True):
    """An update for one client, and what it has had then."""

    number: int
    update: bytes
    viewer: int = 0
    match: int = 0
    lines: int = 0
    chat: int = 0
    race: int = 0  # the number of the match if it is a race in which the client plays


class Dismissed(OfClient, frozen=True):
    """A client's socket is to be ended."""


class Answered(OfTable, frozen=True):
    asked: int
    reply: messages.Reply


class NotHere(OfTable, frozen=True):
    """This node does not own the table, or no longer: look for it again."""


# Between any two nodes


class Call(Message, frozen=True):
    call: int
    body: Wish


class Told(Message, frozen=True):
    """The answer to a call: a value as MessagePack, or a refusal."""

    call: int
    value: bytes
    error: str = ""
    kind: str = ""  # the refusal's class
    reason: str = ""


class JoinAgain(Message, frozen=True):
    """Something that was sent has not arrived: join every client again, and ask again."""


class Takeover(OfTable, frozen=True):
    """The table is the receiver's from now on, with clocks that run on and people to call.

    It is answered when the table is awake.
    """

    call: int
    match_ms: int  # that the clock of the match shows
    deadline_s: float | None  # that the move clock has left
    turns: list[Turn]
    number: int  # of the match
    uncalled: list[Turn]  # people who are away may have to be called to these
    is_prepared: bool  # whether what was read to prepare for this is still true


# What is called


class ListPublic(msgspec.Struct, frozen=True, tag=True):
    """Public tables of a node at which someone is, the newest first, from before this number on."""

    before: int | None


class Retire(msgspec.Struct, frozen=True, tag=True):
    """Have a table give up a guest's seats, and do not read it before it was rewritten."""

    table: str
    guest: str


class Prepare(msgspec.Struct, frozen=True, tag=True):
    """Read a table that is about to be handed over, so that it stands still for a moment only."""

    table: str


class IsRewriting(msgspec.Struct, frozen=True, tag=True):
    """Whether this node still rewrites a table that it has had retired."""

    table: str


Wish = ListPublic | Retire | Prepare | IsRewriting


# To all nodes


class Beat(Message, frozen=True):
    """A node is there; what was used of the limits since its last beat, by limit and by whom."""

    is_draining: bool
    used: list[tuple[str, str, int]]


class Ping(Message, frozen=True):
    """To be sent back at once, so that it is known how far away the other node is."""

    number: int


class Pong(Message, frozen=True):
    number: int


class Goodbye(Message, frozen=True):
    """A node stops, and has left nothing to take over."""


class Renamed(Message, frozen=True):
    player: Player


class SignedOut(Message, frozen=True):
    guest: str
    device: str | None


class Leaving(Message, frozen=True):
    """A guest whose data is being deleted is nobody from now on, or is who they were again."""

    guest: str
    is_leaving: bool


class Rewritten(Message, frozen=True):
    """What is stored of these tables was rewritten: they may be read again."""

    tables: list[str]


AnyMessage = (
    Join
    | Part
    | Ask
    | Far
    | Consult
    | Shown
    | Dismissed
    | Answered
    | NotHere
    | Call
    | Told
    | JoinAgain
    | Takeover
    | Beat
    | Goodbye
    | Ping
    | Pong
    | Renamed
    | SignedOut
    | Leaving
    | Rewritten
)


class Letter(msgspec.Struct, frozen=True, array_like=True):
    """What one node sends another at once. Numbers count the letters between the two from 1.

    These fields stay as they are in all versions.
    """

    version: int
    sender: str
    number: int
    messages: list[AnyMessage]


class _Sealed(msgspec.Struct, frozen=True, array_like=True):
    """A letter whose messages were not read yet."""

    version: int
    sender: str
    number: int
    messages: list[msgspec.Raw]


_letters = msgspec.msgpack.Decoder(_Sealed)
_messages: msgspec.msgpack.Decoder[AnyMessage] = msgspec.msgpack.Decoder(AnyMessage)
encode = msgspec.msgpack.Encoder().encode


def decode(text: bytes) -> Letter:
    """A letter, with those of its messages that this version knows."""
    sealed = _letters.decode(text)
    known = sealed.messages if sealed.version == VERSION else []
    read = [message for each in known if (message := _read(each, sealed.sender)) is not None]
    return Letter(sealed.version, sealed.sender, sealed.number, read)


def _read(text: msgspec.Raw, sender: str) -> AnyMessage | None:
    try:
        return _messages.decode(text)
    except msgspec.MsgspecError as error:
        log.warning("a message of node %s is not known here: %s", sender, error)
        return None
