"""A configuration for the broker: one user a node, who may read only what is sent to that node.

A node is given as its name, or with its role, as in `thinker:bots`.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Sequence
from pathlib import Path

from ludotheque.engine.refused import Refused
from ludotheque.server.nodes.broker import LEASES, PREFIX, TABLES, inbox_of
from ludotheque.server.nodes.post import EVERYONE
from ludotheque.server.nodes.thoughts import ASKER, QUEUE, READY, THINK, WANTED, WORKER

NAME = re.compile(r"[A-Za-z0-9_-]{1,40}(:(all|tables|bots))?")


def write(file: Path, nodes: Sequence[str]) -> dict[str, str]:
    """Write a configuration for these nodes; the password of each."""
    for name in nodes:
        if not NAME.fullmatch(name):
            raise Refused(
                f"a node is called {name!r}; expected letters, digits, - and _, "
                "and perhaps a role, as in name:tables or name:bots"
            )
    passwords = {name: secrets.token_urlsafe(24) for name in nodes}
    try:
        opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise Refused(f"{file} is there already; choose another name or move it away") from None
    except OSError as error:
        raise Refused(f"{file} cannot be written: {error.strerror}") from None
    with os.fdopen(opened, "w", encoding="utf-8") as written:
        written.write(configuration(passwords))
    return passwords


def configuration(passwords: dict[str, str]) -> str:
    """What the broker reads: each of these users may do what their node has to, and no more."""
    users = [
        {"user": name, "password": password, "permissions": permissions(name, role)}
        for (name, role), password in ((named(node), text) for node, text in passwords.items())
    ]
    told = json.dumps({"users": users}, indent=2)
    return f"# One user a node. Keep this file private.\nauthorization: {told}\n"


def named(node: str) -> tuple[str, str]:
    """The name and the role of a node as it was given."""
    name, _, role = node.partition(":")
    return name, role or "all"


def permissions(node: str, role: str = "all") -> dict[str, list[str]]:
    """Every node reads only its own subjects, and those of all that have its role."""
    publish: list[str] = []
    subscribe = [f"{PREFIX}.lost.{node}.>", f"{inbox_of(node)}.>"]
    if role != "bots":
        publish += [*_to_tables(node), f"{THINK}.*", f"{WORKER}.*.*", WANTED]
        subscribe += [f"{PREFIX}.to.{node}.*", EVERYONE, f"{ASKER}.{node}.*", READY]
    if role != "tables":
        publish += [f"{ASKER}.*.*", READY]
        # What is thought about is read in the queue alone: by the one that thinks about it.
        subscribe += [f"{THINK}.* {QUEUE}", f"{WORKER}.{node}.*", WANTED]
    return {"publish": publish, "subscribe": subscribe}


def _to_tables(node: str) -> list[str]:
    """To other nodes with tables, and to the keys that they share."""
    asked = [
        f"$JS.API.STREAM.{what}.KV_{bucket}"
        for bucket in (LEASES, TABLES)
        for what in ("INFO", "CREATE", "MSG.GET", "MSG.DELETE")
    ]
    asked.append(f"$JS.API.CONSUMER.CREATE.KV_{TABLES}")  # to read all of them at once
    keys = [f"$KV.{LEASES}.{node}.*", f"$KV.{TABLES}.*"]
    return [f"{PREFIX}.to.*.*", EVERYONE, *keys, *asked]
