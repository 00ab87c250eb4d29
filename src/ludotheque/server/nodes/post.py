"""Letters between nodes: in order, several messages in one, and a gap is noticed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

import msgspec

from ludotheque.server.nodes import wire
from ludotheque.server.nodes.broker import LARGEST_BYTES, PREFIX, Broker, Subscription

EVERYONE = f"{PREFIX}.all"

log = logging.getLogger(__name__)


class Reader(Protocol):
    def take(self, sender: str, message: wire.AnyMessage) -> None:
        """A message has come, in the order in which it was sent."""

    def note_other_version(self, sender: str) -> None:
        """A node is there of which nothing can be read."""

    def miss(self, sender: str) -> None:
        """Something of this node's has not come."""

    def doubt(self, sender: str) -> None:
        """Something that this node has told everyone may not have come."""

    def lose(self, receiver: str) -> None:
        """Nobody hears what is sent to this node: it is gone."""


class Post:
    """The post of a node under one lease."""

    def __init__(self, broker: Broker, id_: str, reader: Reader) -> None:
        self.id = id_
        self._broker = broker
        self._reader = reader
        self._sent: dict[str, int] = {}  # letters, by receiver
        self._heard: dict[str, int] = {}  # the number of the last letter, by sender
        self._told: dict[str, int] = {}  # the same of letters to everyone
        self._outbox: dict[str, list[wire.AnyMessage]] = {}
        self._subscriptions: list[Subscription] = []
        self.is_open = False

    async def open(self) -> None:
        self.is_open = True
        for subject in (f"{PREFIX}.to.{self.id}", f"{PREFIX}.lost.{self.id}.>", EVERYONE):
            self._subscriptions.append(await self._broker.hear(subject, self._hear))

    async def close(self) -> None:
        self._flush()
        self.is_open = False
        for subscription in self._subscriptions:
            await self._broker.drop(subscription)

    def send(self, receiver: str, message: wire.AnyMessage) -> None:
        """Send with everything else that is sent there in this turn of the event loop."""
        if not self._outbox:
            asyncio.get_running_loop().call_soon(self._flush)
        self._outbox.setdefault(receiver, []).append(message)

    def broadcast(self, message: wire.AnyMessage) -> None:
        self.send(EVERYONE, message)

    def forget(self, node: str) -> None:
        """A node is gone for good."""
        self._sent.pop(node, None)
        self._heard.pop(node, None)
        self._told.pop(node, None)

    def _flush(self) -> None:
        outbox, self._outbox = self._outbox, {}
        for receiver, sent in outbox.items():
            self._send_letter(receiver, sent)

    def _send_letter(self, receiver: str, sent: list[wire.AnyMessage]) -> None:
        number = self._sent.get(receiver, 0) + 1
        text = wire.encode(wire.Letter(wire.VERSION, self.id, number, sent))
        if len(text) > LARGEST_BYTES and len(sent) > 1:
            self._send_letter(receiver, sent[: len(sent) // 2])
            self._send_letter(receiver, sent[len(sent) // 2 :])
            return
        self._sent[receiver] = number
        if receiver == EVERYONE:
            self._broker.post(EVERYONE, text)
        else:
            lost_to = f"{PREFIX}.lost.{self.id}.{receiver}"
            self._broker.post(f"{PREFIX}.to.{receiver}", text, lost_to)

    def _hear(self, subject: str, text: bytes, is_lost: bool) -> None:
        if not self.is_open:
            return
        if is_lost:
            self._reader.lose(subject.removeprefix(f"{PREFIX}.lost.{self.id}."))
            return
        try:
            letter = wire.decode(text)
        except msgspec.MsgspecError as error:
            log.warning("a letter of another node cannot be read: %s", error)
            return
        if letter.sender == self.id:
            return  # to everyone, this node too
        if letter.version != wire.VERSION:
            self._reader.note_other_version(letter.sender)
            return
        if subject == EVERYONE:
            self._check_told(letter)
        else:
            self._check_number(letter)
        self._read(letter, self._reader.take)

    def _read(self, letter: wire.Letter, take: Callable[[str, wire.AnyMessage], None]) -> None:
        for message in letter.messages:
            try:
                take(letter.sender, message)
            except Exception:  # one message must not keep the others from being read
                log.exception("a message of node %s failed", letter.sender)

    def _check_number(self, letter: wire.Letter) -> None:
        last = self._heard.get(letter.sender, 0)
        self._heard[letter.sender] = letter.number
        if letter.number != last + 1:
            self._reader.miss(letter.sender)

    def _check_told(self, letter: wire.Letter) -> None:
        """A node that is heard for the first time may have said more under another lease."""
        last = self._told.get(letter.sender)
        self._told[letter.sender] = letter.number
        if last is None or letter.number != last + 1:
            self._reader.doubt(letter.sender)
