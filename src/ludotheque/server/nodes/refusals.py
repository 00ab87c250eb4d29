"""Refusals that travel from one node to another and are raised there as they were here."""

from __future__ import annotations

import logging

from ludotheque.engine.refused import Refused
from ludotheque.server.nodes import wire
from ludotheque.server.nodes.route import Gone
from ludotheque.server.questions import NotAdmitted, NotFinished, NotYours
from ludotheque.server.store import Unavailable
from ludotheque.server.tables import Broken, NotFound
from ludotheque.server.writer import Lost, Uncertain

FAILED = "another node of the server failed to answer, and has logged why"
KINDS: dict[str, type[Refused]] = {
    kind.__name__: kind
    for kind in (Broken, NotAdmitted, NotFinished, NotFound, NotYours, Refused, Unavailable)
}
LOSSES: dict[str, type[Lost]] = {kind.__name__: kind for kind in (Lost, Uncertain)}

log = logging.getLogger(__name__)


def refusal(call: int, error: Exception) -> wire.Told:
    """What is sent in place of an answer."""
    if isinstance(error, Lost):
        kind = "Uncertain" if isinstance(error, Uncertain) else "Lost"
        return wire.Told(call, b"", str(error) or "lost", kind)
    if not isinstance(error, Refused):
        log.error("a call of another node failed", exc_info=error)
        return wire.Told(call, b"", FAILED, "Unavailable")
    kind = next(k.__name__ for k in type(error).__mro__ if k.__name__ in KINDS)
    return wire.Told(call, b"", str(error), kind, error.reason)


def not_here(call: int) -> wire.Told:
    """What is sent in place of an answer by a node that does not have the table."""
    return wire.Told(call, b"", "the table is not here", Gone.__name__)


def raised(told: wire.Told) -> Exception:
    """The refusal that another node has sent."""
    if told.kind == Gone.__name__:
        return Gone()
    if told.kind in LOSSES:
        return LOSSES[told.kind](told.error)
    return KINDS.get(told.kind, Refused)(told.error, told.reason)
