"""What has happened at a table, as it is stored. A table is nothing but its events, replayed."""

from __future__ import annotations

from typing import Any

import msgspec


class Event(msgspec.Struct, tag_field="event", forbid_unknown_fields=True, omit_defaults=True):
    """Base of the events."""


class Opened(Event, tag="opened"):
    host: str  # a player's id
    game: str
    seats: int
    options: dict[str, Any]
    is_public: bool
    move_seconds: int  # how long a seat may think, 0 for ever
    has_hints: bool = True


class Changed(Event, tag="changed"):
    """The host has set the table anew; whoever has no seat any more has left it."""

    game: str
    seats: int
    options: dict[str, Any]
    is_public: bool
    move_seconds: int
    has_hints: bool = True


class Sat(Event, tag="sat"):
    seat: int
    player: str
    name: str
    avatar: int


class BotSat(Event, tag="bot_sat"):
    seat: int
    bot: str
    name: str


class Left(Event, tag="left"):
    seat: int


class Kept(Event, tag="kept"):
    """A bot plays for whoever holds the seat."""

    seat: int
    bot: str


class GivenBack(Event, tag="given_back"):
    seat: int


class Started(Event, tag="started"):
    key: str  # of chance, in hexadecimal: the one secret here that outlasts a move
    deal: list[str] = []


class Moved(Event, tag="moved"):
    """A move and chance's answers to it, each as seat, move and time."""

    moves: list[tuple[int, int, int | None]]


class Cleared(Event, tag="cleared"):
    """The table is ready for another match, dealt as the last one was if `deal` is not empty."""

    deal: list[str] = []


class Said(Event, tag="said"):
    name: str
    avatar: int
    text: str


AnyEvent = (
    Opened | Changed | Sat | BotSat | Left | Kept | GivenBack | Started | Moved | Cleared | Said
)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyEvent)


def encode(event: AnyEvent) -> str:
    return _encoder.encode(event).decode()


def decode(text: str) -> AnyEvent:
    event: AnyEvent = _decoder.decode(text)
    return event
