"""What the app opens once and every request and socket may use."""

from __future__ import annotations

from dataclasses import dataclass

from ludotheque.server.configuration import Configuration
from ludotheque.server.connections import Connections
from ludotheque.server.identity import Identity
from ludotheque.server.keepalive import Keepalive
from ludotheque.server.limits import Pace
from ludotheque.server.metrics import Told
from ludotheque.server.notifier import Notifier
from ludotheque.server.readiness import Readiness
from ludotheque.server.store import Store
from ludotheque.server.tables import Tables
from ludotheque.server.turns import Turns


@dataclass(frozen=True)
class Services:
    configuration: Configuration
    store: Store
    identity: Identity
    tables: Tables
    pace: Pace
    connections: Connections
    keepalive: Keepalive
    notifier: Notifier
    readiness: Readiness
    metrics: Told
    turns: Turns
