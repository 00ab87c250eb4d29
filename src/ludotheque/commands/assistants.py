"""A seat for an assistant or agent at a table of a running server."""

from __future__ import annotations

from typing import Annotated

import typer

from ludotheque.commands.shared import Language, language_of
from ludotheque.engine.refused import Refused
from ludotheque.mcp.disguise import Disguise
from ludotheque.mcp.house import House


def mcp(
    server: Annotated[str, typer.Option(help="The address of the server to play at.")],
    http: Annotated[
        int | None,
        typer.Option(help="Offer the tools over HTTP on this port; by standard input if left out."),
    ] = None,
    name: Annotated[str, typer.Option(help="The name at the table.")] = "Assistant",
    obfuscate: Annotated[
        str | None,
        typer.Option(help="Exchange words for made-up ones by this seed, in English."),
    ] = None,
    lang: Language = None,
) -> None:
    """Let an assistant or agent play, by the Model Context Protocol."""
    try:
        from ludotheque.mcp.tools import Assistant, server_for  # noqa: PLC0415
    except ImportError:
        raise Refused(
            "the Model Context Protocol is not installed; "
            "install it with: pip install 'ludotheque[mcp]'"
        ) from None
    if obfuscate is not None and lang not in (None, "en"):
        raise Refused(f"words are exchanged in English only; leave --lang {lang} out")
    language = "en" if obfuscate is not None else language_of(lang)
    tools = server_for(Assistant(House(server, name), language, Disguise(obfuscate)))
    if http is None:
        tools.run("stdio")
    else:
        tools.run("streamable-http", host="127.0.0.1", port=http)
