"""Every message about thinking between the nodes that have tables and those that have bots.

They pass on subjects of their own. The guest who pays for a thought, and the table it is for, are
told as labels: a worker can tell them apart, and nothing else.
"""

from __future__ import annotations

from typing import Any

import msgspec

from ludotheque.engine.record import Record
from ludotheque.search.advice import Advice
from ludotheque.server.nodes.broker import PREFIX

QUEUE = "bots"  # the queue group: one of its members gets each thought
THINK = f"{PREFIX}.think"  # .game for any worker that is ready for it
WORKER = f"{PREFIX}.worker"  # .address for one worker
ASKER = f"{PREFIX}.asker"  # .address, where answers go
READY = f"{PREFIX}.ready"  # to all: which games a worker is ready for
WANTED = f"{PREFIX}.wanted"  # to all workers: get ready for a game

BEAT_S = 1.0
SILENT_S = 4 * BEAT_S  # without a word of a worker: then it is gone


class _Message(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Base of them all."""


class Think(_Message, frozen=True):
    id: str
    asker: str
    game: str
    version: int  # of its rules
    level: str
    seat: int
    payer: tuple[str, str, str]  # labels of a home, a guest and a table
    bot: str
    seen: int  # views that the bot has looked at before
    views: list[dict[str, Any]]  # the new ones, and at last the one of now, as changes
    wants_advice: bool


class Cancel(_Message, frozen=True):
    id: str


class _FromWorker(_Message, frozen=True):
    """Base of what a worker says of a thought."""

    id: str
    worker: str


class Busy(_FromWorker, frozen=True):
    """It is being thought about, or waits for its turn."""


class Chosen(_FromWorker, frozen=True):
    move: int
    seconds: float | None


class Advised(_FromWorker, frozen=True):
    advice: list[Advice]


class Declined(_FromWorker, frozen=True):
    reason: str


class Ready(_Message, frozen=True):
    worker: str
    games: list[str]


class Wanted(_Message, frozen=True):
    game: str


Asked = Think | Cancel
Answered = Busy | Chosen | Advised | Declined

encode = msgspec.msgpack.Encoder().encode


def changes(views: list[Record]) -> list[dict[str, Any]]:
    """The first view whole, of each other one what has changed since the one before."""
    told, before = [], dict[str, Any]()
    for view in views:
        now = vars(view)
        told.append({name: value for name, value in now.items() if before.get(name) != value})
        before = now
    return told


def views_of(state: type[Record], told: list[dict[str, Any]]) -> list[Record]:
    """The views that were told as changes; ValueError if they are none."""
    whole: dict[str, Any] = {}
    views = []
    for each in told:
        whole |= each
        views.append(state.from_json(whole))
    return views
