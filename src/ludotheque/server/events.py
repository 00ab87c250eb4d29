"""What has happened at a table, as it is stored. A table is its events, replayed."""

from __future__ import annotations

import msgspec

from ludotheque.server.settings import Settings

FORMAT = 3  # of the events of a table; storage keeps it beside each table


class Attempt(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A finished match with some deal: who played, and what they scored, seat by seat."""

    names: list[str]
    scores: list[int]
    team: str = ""  # the people, as `table.team_of` tells them; earlier versions do not say


class Replay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deal to play again: the same seeds give the same draws."""

    deal: str  # its id
    server_seed: str
    client_seeds: list[str]
    attempts: list[Attempt] = []  # at other tables, so far


class Event(msgspec.Struct, tag_field="event", forbid_unknown_fields=True, omit_defaults=True):
    """Base of the events."""


class SettingsEvent(Event, Settings):
    """Base of the events that set the table: the settings are stored beside their other fields."""

    @property
    def settings(self) -> Settings:
        return Settings(*(getattr(self, field) for field in Settings.__struct_fields__))


class Opened(SettingsEvent, tag="opened", kw_only=True):
    host: str  # a guest's id
    server_seed: str  # of the next shuffle, in hexadecimal: secret until that match is over
    replay: Replay | None = None


class Changed(SettingsEvent, tag="changed"):
    """The host has changed the table; people whose seats are gone have left it."""


class Sat(Event, tag="sat"):
    seat: int
    guest: str
    name: str
    avatar: int
    shares: bool = False  # another person at the device of the guest; earlier versions do not say


class Renamed(Event, tag="renamed"):
    """A guest who sits here has another name or picture now."""

    guest: str
    name: str
    avatar: int


class BotSat(Event, tag="bot_sat"):
    seat: int
    level: str
    name: str


class Left(Event, tag="left"):
    seat: int


class Kept(Event, tag="kept"):
    """A bot plays for the person who holds the seat."""

    seat: int
    level: str


class GivenBack(Event, tag="given_back"):
    seat: int


class LetIn(Event, tag="let_in"):
    """A guest may come to the table even if the host is asked, or after having been removed."""

    guest: str


class Removed(Event, tag="removed"):
    """A guest may not come to the table any more. The name is for the host to tell them apart."""

    guest: str
    name: str
    avatar: int


class Muted(Event, tag="muted"):
    guest: str
    muted: bool = True


class SeatsShuffled(Event, tag="seats_shuffled"):
    """Seats were drawn by lot. The next shuffle of cards begins again, since its key depends on the
    order of the seats, which the server has just chosen.
    """

    order: list[int]  # for each seat, the one whose occupant has it now
    server_seed: str


class Contributed(Event, tag="contributed"):
    """A guest has added random bytes to the next shuffle."""

    guest: str
    seed: str


class Started(Event, tag="started"):
    deal: str  # an id; a replay has that of the match it replays
    server_seed: str
    client_seeds: list[str]
    rules: int = 0  # the version by which it is played; earlier versions do not say


class Moved(Event, tag="moved"):
    """A move and chance's answers to it, each as seat, move and time.

    Now and then with the digest of how the match stands then, by which it is known whether other
    rules lead elsewhere. Like the seeds it is secret, since it depends on what is hidden.
    """

    moves: list[tuple[int, int, int | None]]
    digest: str = ""


class Advised(Event, tag="advised"):
    """A seat has asked for a hint."""

    seat: int


class Cleared(Event, tag="cleared"):
    """The table is ready for another match, with the deal of the last one if it is a replay."""

    server_seed: str
    is_replay: bool = False
    begins: bool = False  # by itself, as soon as everyone has added to the shuffle


class Wished(Event, tag="wished"):
    """A guest asks for another match, or does so no longer."""

    guest: str
    wanted: bool = True


class Said(Event, tag="said"):
    name: str
    avatar: int
    text: str
    phrase: str = ""  # one of messages.PHRASES, in place of a text
    guest: str = ""  # earlier versions do not say


AnyEvent = (
    Opened
    | Changed
    | Sat
    | BotSat
    | Left
    | Kept
    | GivenBack
    | Renamed
    | LetIn
    | Removed
    | Muted
    | SeatsShuffled
    | Contributed
    | Started
    | Moved
    | Advised
    | Cleared
    | Wished
    | Said
)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyEvent)


def encode(event: AnyEvent) -> str:
    return _encoder.encode(event).decode()


def decode(text: str) -> AnyEvent:
    event: AnyEvent = _decoder.decode(text)
    return event
