"""The tools of an assistant at a table, as a server of the Model Context Protocol."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from ludotheque.engine.refused import Refused
from ludotheque.engine.text import fill
from ludotheque.mcp.disguise import Disguise
from ludotheque.mcp.house import House
from ludotheque.mcp.seat import Seat

LONGEST_WAIT_S = 60.0
CODE = re.compile(r"[A-Za-z]{5}")
LESSON_LINK = re.compile(r"\s*\[[^\]]*\]\(\w+/\w+\)")  # in the rules: pictures for the page
NO_TABLE = "you are at no table yet: use open_table or join_table first"
MISSED = "You did not look in time for {} updates: only the latest {} are kept."
INSTRUCTIONS = """\
A seat at a table for tabletop games. Open a table or join one, start the match, and then repeat: \
wait until it is your turn, look, play one of the legal moves in its notation. The rules tool \
explains the game. You are told what a person in your seat is told, and nothing else."""

Given = ParamSpec("Given")
Told = TypeVar("Told")


class Assistant:
    """One guest, who sits at one table at a time."""

    def __init__(self, house: House, language: str, disguise: Disguise) -> None:
        self.house = house
        self.language = language
        self.disguise = disguise
        self._seat: Seat | None = None
        self._knocking: Seat | None = None  # at a door, until the host lets it in
        self._words: dict[str, Any] = {}
        self._has_learnt = False  # the made-up words of all games

    @property
    def seat(self) -> Seat:
        if self._seat is None:
            raise Refused(NO_TABLE)
        return self._seat

    async def list_games(self) -> str:
        """The games that can be played, with their numbers of seats, options and bots, as JSON."""
        return self._told(await self.house.text("GET", "/api/games"))

    async def list_tables(self) -> str:
        """The public tables at which someone is present, as JSON."""
        return self._told(await self.house.text("GET", "/api/tables"))

    async def open_table(
        self,
        game: str,
        seats: int | None = None,
        options: dict[str, Any] | None = None,
        public: bool = False,
    ) -> str:
        """Open a table for a game and sit down there; others can join by its id or its code."""
        await self.house.sign_in()
        await self._learn_words()
        chosen = {self.disguise.reveal(k): self._meant(v) for k, v in (options or {}).items()}
        wish = {"game": self.disguise.reveal(game), "seats": seats, "is_public": public}
        opened = await self.house.call("POST", "/api/tables", wish | {"options": chosen or None})
        return await self._arrive(opened["id"], sit=False)

    async def join_table(self, table: str) -> str:
        """Sit down at a table: its id, its code of five letters, or the link to it."""
        await self.house.sign_in()
        name = table.strip().rstrip("/").rpartition("/")[2]
        if CODE.fullmatch(name):
            name = (await self.house.call("GET", f"/api/codes/{name}"))["id"]
        return await self._arrive(name, sit=True)

    async def start_match(self, bots: str = "") -> list[str]:
        """Begin the match, as the host; bots of this level take the free seats."""
        await self.seat.do("start", bots=bots)
        return await self.look()

    async def look(self) -> list[str]:
        """What has happened since you looked last, and how the table stands.

        First the board as text with your legal moves, then every update as a browser in your seat
        gets it, as JSON. Of very many the latest are kept, and you are told how many are not.
        """
        await self.seat.open()
        board, missed = await self._board(), self.seat.missed
        note = [MISSED.format(missed, self.seat.unread.maxlen)] if missed else []
        return [board, *note, *(self._told(update) for update in self.seat.look())]

    async def wait(self, seconds: float = 30.0) -> list[str]:
        """Wait until it is your turn or the match is over, for a minute at most; then look."""
        came = await self.seat.wait(min(max(seconds, 0.0), LONGEST_WAIT_S))
        looked = await self.look()
        return looked if came else ["It is not your turn yet; wait again.", *looked]

    async def legal_moves(self) -> list[str]:
        """Your legal moves: each in notation, and what it says."""
        await self.seat.open()
        return [f"{move}: {text}" for move, text in await self._moves()]

    async def play(self, move: str, seat: int | None = None) -> list[str]:
        """Make a move, in notation. A move that is not legal is refused with the reason."""
        await self._learn_words()
        await self.seat.do("play", move=self.disguise.reveal(move.strip()), seat=seat)
        return await self.look()

    async def rules(self, game: str = "") -> str:
        """The rules of a game; of the one at your table if you name none."""
        await self._learn_words()
        slug = self.disguise.reveal(game) or self.seat.latest["table"]["game"]
        words = (await self._all_words()).get(slug)
        if words is None:
            raise Refused(f"there is no game {game!r}; list_games lists them")
        text = f"# {words['name']}\n\n{LESSON_LINK.sub('', words['rules']).strip()}"
        return self.disguise.text(text)

    async def say(self, text: str) -> str:
        """Say something at the table."""
        await self._learn_words()
        await self.seat.do("say", text=self.disguise.reveal(text))
        return "said"

    async def leave_table(self) -> str:
        """Give up your seat and go away; during a match a bot plays on for you."""
        seat = self.seat
        await seat.do("leave")
        await seat.close()
        self._seat = None
        return "You have left the table."

    async def close(self) -> None:
        """Disconnect; the next use of a tool connects again."""
        for seat in (self._seat, self._knocking):
            if seat is not None:
                await seat.close()

    async def _arrive(self, table: str, sit: bool) -> str:
        await self.close()
        seat = self._knocking = Seat(self.house, table, self.language)
        await seat.open()
        if sit and not seat.latest.get("you"):
            try:
                await seat.do("sit")
            except Refused:
                await seat.close()
                raise
        self._seat, self._knocking = seat, None
        info = seat.latest["table"]
        told = {key: info[key] for key in ("id", "code", "game", "options", "status")}
        return json.dumps(self.disguise.data(told), ensure_ascii=False)

    async def _board(self) -> str:
        plain = self.seat.latest.get("plain")
        if plain is None:
            return "No match is being played yet; the host starts it with start_match."
        match = self.seat.latest["match"]
        moves = [f"{move}: {text}" for move, text in await self._moves()]
        if match["over"]:
            moves = [f"The match is over. Scores: {match['scores']}, winners: {match['winners']}"]
        you = f"You hold the seats {self.seat.latest['you']}; awaited are {match['awaited']}."
        return "\n".join([self.disguise.text(plain["drawing"]), "", you, *moves])

    async def _moves(self) -> list[tuple[str, str]]:
        plain, game = self.seat.latest.get("plain"), self.seat.latest["table"]["game"]
        words = (await self._all_words())[game]
        names = words.get("names", {})
        told = []
        for move in () if plain is None else plain["moves"]:
            values = {
                key: names.get(value, value) if isinstance(value, str) else value
                for key, value in move["values"].items()
            }
            text = fill(words["moves"][move["key"]], self.language, values)
            told.append((self.disguise.text(move["notation"]), self.disguise.text(text)))
        return told

    async def _all_words(self) -> dict[str, Any]:
        if not self._words:
            words = await self.house.call("GET", f"/api/words/{self.language}")
            self._words = words["games"]
        return self._words

    async def _learn_words(self) -> None:
        """Understand the made-up words of all games: an assistant may remember them from a table
        before this one, where they were the same."""
        if self.disguise.is_on and not self._has_learnt:
            self.disguise.learn(await self.house.call("GET", "/api/games"))
            self.disguise.learn(await self._all_words())
            self._has_learnt = True

    def _told(self, text: str) -> str:
        """What the server said: word for word, unless in disguise."""
        if not self.disguise.is_on:
            return text
        return json.dumps(self.disguise.data(json.loads(text)), ensure_ascii=False)

    def _meant(self, value: Any) -> Any:
        return self.disguise.reveal(value) if isinstance(value, str) else value


def server_for(assistant: Assistant) -> MCPServer[Any]:
    """A server of the protocol with the tools of this assistant."""
    name = "table" if assistant.disguise.is_on else "ludotheque"

    @asynccontextmanager
    async def connected(_: MCPServer[Any]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await assistant.close()

    server: MCPServer[Any] = MCPServer(
        name, instructions=INSTRUCTIONS, log_level="WARNING", lifespan=connected
    )
    for tool in (
        assistant.list_games,
        assistant.list_tables,
        assistant.open_table,
        assistant.join_table,
        assistant.start_match,
        assistant.look,
        assistant.wait,
        assistant.legal_moves,
        assistant.play,
        assistant.rules,
        assistant.say,
        assistant.leave_table,
    ):
        server.add_tool(_explained(tool, assistant.disguise), structured_output=False)
    return server


def _explained(
    tool: Callable[Given, Awaitable[Told]], disguise: Disguise
) -> Callable[Given, Awaitable[Told]]:
    """The tool, whose refusals are told to the assistant."""

    @wraps(tool)
    async def explained(*args: Given.args, **kwargs: Given.kwargs) -> Told:
        try:
            return await tool(*args, **kwargs)
        except Refused as refusal:
            raise ToolError(disguise.text(str(refusal))) from None

    return explained
