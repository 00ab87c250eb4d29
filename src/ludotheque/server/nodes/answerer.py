"""The side of thinking that has bots: takes thoughts of all nodes, each in its turn.

A worker keeps the bots that have thought for a while, so that the next thought needs only what is
new. It takes the thoughts about a game once it is ready to play it at every level.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

import msgspec

from ludotheque.bots import roster
from ludotheque.bots.bot import Adviser, Bot
from ludotheque.engine.game import Game, load, slugs
from ludotheque.engine.refused import Refused
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import Deadline
from ludotheque.server import warmup
from ludotheque.server.bots import seconds_of
from ludotheque.server.counts import counts
from ludotheque.server.nodes import thoughts
from ludotheque.server.nodes.broker import PREFIX, Broker, Subscription
from ludotheque.server.nodes.thoughts import (
    ASKER,
    BEAT_S,
    QUEUE,
    READY,
    THINK,
    WANTED,
    WORKER,
    Advised,
    Answered,
    Asked,
    Busy,
    Cancel,
    Chosen,
    Declined,
    Ready,
    Think,
    Wanted,
    encode,
)
from ludotheque.server.thinkers import Thinkers

KEPT_S = 600.0  # that a bot is kept which is not asked
MOST_KEPT = 1000
GRACE_S = 2.0  # for thoughts to end when the node stops
NOT_KNOWN = "this bot is not here: tell everything"

_T = TypeVar("_T")
log = logging.getLogger(__name__)
_asked = msgspec.msgpack.Decoder(Asked)
_wanted = msgspec.msgpack.Decoder(Wanted)


@dataclass
class _Kept:
    """A bot between two thoughts."""

    bot: Bot
    seen: int  # views
    used_at: float


class _Running(NamedTuple):
    asker: str
    task: asyncio.Task[None]


class Answerer:
    def __init__(self, broker: Broker, thinkers: Thinkers) -> None:
        self.address = f"{broker.name}.t{secrets.token_hex(4)}"
        self._broker = broker
        self._thinkers = thinkers
        self._kept: dict[str, _Kept] = {}  # those that were asked longest ago first
        self._running: dict[str, _Running] = {}  # by the id of the thought
        self._queues: dict[str, Subscription] = {}  # subscriptions by game
        self._heard: list[Subscription] = []

    @property
    def games(self) -> list[str]:
        """Those it takes thoughts about."""
        return list(self._queues)

    async def open(self) -> None:
        lost = f"{PREFIX}.lost.{self.address}.*"
        for subject in (f"{WORKER}.{self.address}", lost, WANTED):
            self._heard.append(await self._broker.hear(subject, self._hear))

    async def run(self) -> None:
        """Tell the others which games it is ready for, without end."""
        while True:
            try:
                await self._take_part()
            except Exception:  # or nobody would ask this node again
                log.exception("this node failed to tell the others which games it is ready for")
            await asyncio.sleep(BEAT_S)

    async def _take_part(self) -> None:
        for slug in slugs():
            if slug not in self._queues and _is_ready(slug):
                subject = f"{THINK}.{slug}"
                self._queues[slug] = await self._broker.hear(subject, self._hear, QUEUE)
        self._broker.post(READY, encode(Ready(self.address, self.games)))
        for id_, running in self._running.items():
            self._send(running.asker, Busy(id_, self.address))
        self._forget_the_old()

    async def close(self) -> None:
        """Take no more thoughts; those that do not end soon are given back."""
        self._broker.post(READY, encode(Ready(self.address, [])))
        for each in self._queues.values():
            await self._broker.drop(each)
        if self._running:
            tasks = [running.task for running in self._running.values()]
            _, late = await asyncio.wait(tasks, timeout=GRACE_S)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        for each in self._heard:
            await self._broker.drop(each)

    def _forget_the_old(self) -> None:
        now = asyncio.get_running_loop().time()
        for name, kept in list(self._kept.items()):
            if now - kept.used_at < KEPT_S and len(self._kept) <= MOST_KEPT:
                break
            del self._kept[name]

    def _hear(self, subject: str, text: bytes, is_lost: bool) -> None:
        if is_lost:  # the asker is gone
            self._cancel(subject.rpartition(".")[2])
        elif subject == WANTED:
            self._get_ready(_wanted.decode(text).game)
        else:
            asked = _asked.decode(text)
            if isinstance(asked, Cancel):
                self._cancel(asked.id)
            else:
                self._begin(asked)

    def _get_ready(self, slug: str) -> None:
        if slug in slugs():
            warmup.is_warm_here(load(slug))  # the warm-up begins

    def _cancel(self, id_: str) -> None:
        if id_ in self._running:
            self._running[id_].task.cancel()

    def _begin(self, think: Think) -> None:
        task = asyncio.create_task(self._answer(think))
        self._running[think.id] = _Running(think.asker, task)
        task.add_done_callback(lambda _: self._running.pop(think.id))
        self._send(think.asker, Busy(think.id, self.address))

    def _send(self, asker: str, answer: Answered) -> None:
        lost_to = f"{PREFIX}.lost.{self.address}.{answer.id}"
        self._broker.post(f"{ASKER}.{asker}", encode(answer), lost_to)

    async def _answer(self, think: Think) -> None:
        answer: Answered = Declined(think.id, self.address, "given up")
        try:
            answer = await self._think(think)
            counts.thoughts += 1
        except Refused as error:
            answer = Declined(think.id, self.address, str(error))
        except Exception:
            log.exception("a thought about %s failed", think.game)
        finally:
            self._send(think.asker, answer)

    async def _think(self, think: Think) -> Answered:
        """A bot is taken out while it thinks: if that is given up, nobody uses it again."""
        game, kept = _game(think), self._kept.pop(think.bot, None)
        *views, view = thoughts.views_of(game.State, think.views)
        if think.seen:
            if kept is None or kept.seen != think.seen:
                raise Refused(NOT_KNOWN)
            bot, new = kept.bot, views
        else:  # sitting down takes a turn of its own, as it does at a table
            bot, new = await self._in_turn(think, partial(_seated, think, game, views)), []
        if think.wants_advice:
            advice = await self._in_turn(think, partial(_advise, think, game, bot, view))
            return Advised(think.id, self.address, advice)
        move = await self._in_turn(think, partial(_choose, think, game, bot, new, view))
        now = asyncio.get_running_loop().time()
        self._kept[think.bot] = _Kept(bot, think.seen + len(views), now)
        return Chosen(think.id, self.address, move, seconds_of(bot))

    async def _in_turn(self, think: Think, work: Callable[[Deadline], _T]) -> _T:
        home, guest, table = think.payer
        return await self._thinkers.think(guest, table, roster.THINK_S[think.level], work, home)


def _is_ready(slug: str) -> bool:
    with suppress(Refused):
        return warmup.is_ready_here(load(slug))
    return False


def _game(think: Think) -> Game:
    """The game, if it is the same here."""
    game = load(think.game)
    if game.version != think.version:
        raise Refused(f"{game.slug}: version {game.version} is here, not {think.version}")
    return game


def _seated(think: Think, game: Game, views: list[Any], _: Deadline) -> Bot:
    bot = roster.hire(think.level, game, think.seat)
    for view in views:
        bot.watch(view)
    return bot


def _choose(
    think: Think, game: Game, bot: Bot, new: list[Any], view: Any, deadline: Deadline
) -> int:
    for seen in new:
        bot.watch(seen)
    return bot.choose(view, game.legal_moves(view, think.seat), deadline)


def _advise(think: Think, game: Game, bot: Bot, view: Any, deadline: Deadline) -> list[Advice]:
    if not isinstance(bot, Adviser):
        raise Refused(f"{game.slug}: {think.level} gives no advice")
    return bot.advise(view, game.legal_moves(view, think.seat), deadline)
