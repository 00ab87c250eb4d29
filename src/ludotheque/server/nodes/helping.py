"""What nodes do for each other's bots: this one asks the others, and thinks for them if it may."""

from __future__ import annotations

from ludotheque.server import elsewhere
from ludotheque.server.limits import Pace
from ludotheque.server.nodes.answerer import Answerer
from ludotheque.server.nodes.asker import Asker
from ludotheque.server.nodes.broker import Broker
from ludotheque.server.thinkers import Thinkers


class Helping:
    def __init__(self, asker: Asker, worker: Answerer | None) -> None:
        self._asker = asker
        self._worker = worker

    @classmethod
    async def begin(
        cls, role: str, broker: Broker, thinkers: Thinkers, secret: str, pace: Pace
    ) -> Helping:
        asker = Asker(broker, secret, pace.home_of, thinks_here=role != "tables")
        worker = Answerer(broker, thinkers) if asker.thinks_here else None
        if worker is not None:
            asker.own_worker = worker.address
            await worker.open()
        await asker.open()
        elsewhere.helpers = asker
        return cls(asker, worker)

    async def run(self) -> None:
        if self._worker is not None:
            await self._worker.run()

    async def close(self) -> None:
        elsewhere.helpers = None
        if self._worker is not None:
            await self._worker.close()
        await self._asker.close()
