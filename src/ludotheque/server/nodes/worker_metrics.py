"""What all workers of a server count, told by whichever of them is asked.

They ask each other by sockets in a folder that only they can open, and not over the broker: what is
counted is wanted most while that is away.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludotheque.server.metrics import Told

ASK_TIMEOUT_S = 5.0  # after which a worker is told as one that does not answer


@dataclass(frozen=True)
class Colleagues:
    """The workers of a server by their names, and the folder in which they reach each other."""

    folder: Path
    names: tuple[str, ...]

    def socket_of(self, name: str) -> Path:
        """A short path, of which systems take a hundred characters at most."""
        return self.folder / f"{self.names.index(name)}.metrics"


class WorkerMetrics:
    def __init__(self, own: Told, name: str, colleagues: Colleagues) -> None:
        self._own = own
        self._name = name
        self._colleagues = colleagues

    async def open(self) -> None:
        path = self._colleagues.socket_of(self._name)
        self._server = await asyncio.start_unix_server(self._tell, path)

    def close(self) -> None:
        self._server.close()

    async def _tell(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            writer.write(await self._own.text())
        finally:
            writer.close()

    async def text(self) -> bytes:
        names = self._colleagues.names
        told = await asyncio.gather(*map(self._ask, names))
        return together(dict(zip(names, told, strict=True)))

    async def _ask(self, name: str) -> str:
        """What a worker counts, or "" if it does not say."""
        path = self._colleagues.socket_of(name)
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(ASK_TIMEOUT_S):
                reader, writer = await asyncio.open_unix_connection(path)
                try:
                    return (await reader.read()).decode()
                finally:
                    writer.close()
        return ""


def together(told: Mapping[str, str]) -> bytes:
    """One text of the texts of several nodes, with a label that names the node."""
    from prometheus_client import CollectorRegistry  # noqa: PLC0415
    from prometheus_client.exposition import generate_latest  # noqa: PLC0415

    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Families(told))
    return bytes(generate_latest(registry))


class _Families:
    def __init__(self, told: Mapping[str, str]) -> None:
        self._told = told

    def describe(self) -> list[Any]:
        return []

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import GaugeMetricFamily, Metric  # noqa: PLC0415
        from prometheus_client.parser import text_string_to_metric_families  # noqa: PLC0415

        up = GaugeMetricFamily(
            "ludotheque_worker_up", "Whether a worker has said what it counts.", labels=("node",)
        )
        families: dict[str, Any] = {up.name: up}
        for node, text in self._told.items():
            up.add_metric((node,), float(bool(text)))
            for found in text_string_to_metric_families(text):
                new = Metric(found.name, found.documentation, found.type)
                whole = families.setdefault(found.name, new)
                whole.samples += [_of(node, sample) for sample in found.samples]
        yield from families.values()


def _of(node: str, sample: Any) -> Any:
    return sample._replace(labels={"node": node, **sample.labels})
