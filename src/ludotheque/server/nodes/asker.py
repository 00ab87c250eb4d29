"""The side of thinking that has tables: asks any node with bots, and notices when it is gone."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from functools import partial
from hashlib import blake2b

import msgspec

from ludotheque.engine.game import Game
from ludotheque.search.advice import Advice
from ludotheque.server.elsewhere import Choice, GiveUp, Thought, Unanswered
from ludotheque.server.nodes import thoughts
from ludotheque.server.nodes.broker import LARGEST_BYTES, PREFIX, Broker, Subscription
from ludotheque.server.nodes.thoughts import (
    ASKER,
    READY,
    SILENT_S,
    THINK,
    WANTED,
    WORKER,
    Advised,
    Answered,
    Busy,
    Cancel,
    Chosen,
    Declined,
    Ready,
    Think,
    Wanted,
    encode,
)

_answered = msgspec.msgpack.Decoder(Answered)
_ready = msgspec.msgpack.Decoder(Ready)


class Asker:
    def __init__(
        self, broker: Broker, secret: str, home_of: Callable[[str], str], thinks_here: bool
    ) -> None:
        """`secret` is the same on all nodes that have tables, and unknown to others."""
        self.thinks_here = thinks_here
        self.own_worker = ""  # the address of this node's own, which is not counted as another
        self._broker = broker
        self._address = f"{broker.name}.t{secrets.token_hex(4)}"
        self._key = blake2b(secret.encode()).digest()
        self._home_of = home_of
        self._waiting: dict[str, _Wait] = {}  # by the id of the thought
        self._workers: dict[str, tuple[float, list[str]]] = {}  # last heard when, ready for what
        self._wanted: dict[str, float] = {}  # when a game was last asked for
        self._callbacks: dict[str, list[Callable[[], object]]] = {}  # by game
        self._heard: list[Subscription] = []

    async def open(self) -> None:
        lost = f"{PREFIX}.lost.{self._address}.*"
        for subject in (f"{ASKER}.{self._address}", lost, READY):
            self._heard.append(await self._broker.hear(subject, self._hear))

    async def close(self) -> None:
        for each in self._heard:
            await self._broker.drop(each)

    # Who is there

    def are_ready(self, game: Game) -> bool:
        if not self._broker.is_connected:
            return False
        since = _now() - SILENT_S
        return any(seen > since and game.slug in g for seen, g in self._workers.values())

    def want(self, game: Game) -> None:
        if _now() - self._wanted.get(game.slug, -SILENT_S) >= SILENT_S:
            self._wanted[game.slug] = _now()
            self._broker.post(WANTED, encode(Wanted(game.slug)))

    def when_ready(self, game: Game, callback: Callable[[], object]) -> GiveUp:
        self._callbacks.setdefault(game.slug, []).append(callback)
        self.want(game)
        return partial(self._give_up, game.slug, callback)

    def _give_up(self, slug: str, callback: Callable[[], object]) -> None:
        waiting = self._callbacks.get(slug, [])
        if callback in waiting:
            waiting.remove(callback)
            if not waiting:
                del self._callbacks[slug]

    def _note_ready(self, ready: Ready) -> None:
        if ready.worker == self.own_worker:
            return
        if ready.worker not in self._workers:
            self._forget_the_gone()
            for slug in self._callbacks.keys() - ready.games:  # it was not there to hear it
                self._broker.post(WANTED, encode(Wanted(slug)))
        self._workers[ready.worker] = (_now(), ready.games)
        for game in ready.games:
            for callback in self._callbacks.pop(game, ()):
                callback()

    def _forget_the_gone(self) -> None:
        since = _now() - SILENT_S
        for worker in [worker for worker, (seen, _) in self._workers.items() if seen <= since]:
            del self._workers[worker]

    # Thoughts

    async def choose(self, thought: Thought, worker: str) -> tuple[Choice, str]:
        answer = await self._ask(thought, worker, wants_advice=False)
        if not isinstance(answer, Chosen):
            raise Unanswered
        return Choice(answer.move, answer.seconds), answer.worker

    async def advise(self, thought: Thought) -> list[Advice]:
        answer = await self._ask(thought, "", wants_advice=True)
        if not isinstance(answer, Advised):
            raise Unanswered
        return answer.advice

    async def _ask(self, thought: Thought, worker: str, wants_advice: bool) -> Answered:
        wait = _Wait(secrets.token_hex(8), worker)
        text = encode(self._think(wait.id, thought, wants_advice))
        if len(text) > LARGEST_BYTES:
            raise Unanswered
        self._waiting[wait.id] = wait
        subject = f"{WORKER}.{worker}" if worker else f"{THINK}.{thought.game.slug}"
        self._broker.post(subject, text, f"{PREFIX}.lost.{self._address}.{wait.id}")
        try:
            return await wait.answer()
        except Unanswered:
            self._workers.pop(wait.worker, None)  # until it is heard again
            raise
        finally:
            del self._waiting[wait.id]
            if not wait.is_answered:
                self._cancel(wait.id, wait.worker)

    def _think(self, id_: str, thought: Thought, wants_advice: bool) -> Think:
        game, level, seat, guest, table, bot, seen, views, view = thought
        payer = (self._label(self._home_of(guest)), self._label(guest), self._label(table))
        told = thoughts.changes([*views, view])
        of_game = (game.slug, game.version, level, seat)
        return Think(id_, self._address, *of_game, payer, bot, seen, told, wants_advice)

    def _label(self, name: str) -> str:
        return blake2b(name.encode(), digest_size=12, key=self._key).hexdigest()

    def _cancel(self, id_: str, worker: str) -> None:
        """Let a worker give up a thought; one that is not known yet hears it when it answers."""
        if worker:
            self._broker.post(f"{WORKER}.{worker}", encode(Cancel(id_)))

    def _hear(self, subject: str, text: bytes, is_lost: bool) -> None:
        if subject == READY:
            self._note_ready(_ready.decode(text))
        elif is_lost:
            wait = self._waiting.get(subject.rpartition(".")[2])
            if wait is not None:
                wait.take(None)
        else:
            answer = _answered.decode(text)
            wait = self._waiting.get(answer.id)
            if wait is not None:
                wait.take(answer)
            elif isinstance(answer, Busy):
                self._cancel(answer.id, answer.worker)


class _Wait:
    """For the answer to one thought, as long as somebody says that it is being thought about."""

    def __init__(self, id_: str, worker: str) -> None:
        self.id = id_
        self.worker = worker
        self.is_answered = False
        self._news: asyncio.Queue[Answered | None] = asyncio.Queue()

    def take(self, answer: Answered | None) -> None:
        """An answer, or None: nobody hears what was asked."""
        self._news.put_nowait(answer)

    async def answer(self) -> Answered:
        while True:
            try:
                async with asyncio.timeout(SILENT_S):
                    answer = await self._news.get()
            except TimeoutError:
                raise Unanswered from None
            self.is_answered = not isinstance(answer, Busy)
            if answer is None or isinstance(answer, Declined):
                raise Unanswered
            self.worker = answer.worker
            if self.is_answered:
                return answer


def _now() -> float:
    return asyncio.get_running_loop().time()
