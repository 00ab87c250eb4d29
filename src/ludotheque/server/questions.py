"""What is asked of a table's owner besides requests: typed, so that it can be asked anywhere.

A question is put to the owner where that is, and its answer is a value that travels.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from ludotheque.engine.match import Match
from ludotheque.engine.match_file import write_text
from ludotheque.engine.refused import Refused
from ludotheque.server import messages, requests
from ludotheque.server.player import Player
from ludotheque.server.table import Result

if TYPE_CHECKING:
    from ludotheque.server.owner import Owner

DEAL_OF_OTHERS = (
    "this deal comes from another table, where its seeds were told; "
    "they are not told here, since others may still play it"
)


class NotYours(Refused):
    """What was asked for belongs to another player, or to another table."""


class NotAdmitted(Refused):
    """The host of the table has to let the asker in before."""

    reason = "not_admitted"


class NotFinished(Refused):
    """Only a match that is over tells this."""


class Question(msgspec.Struct, frozen=True, tag=True):
    gives: ClassVar[Any] = None  # the type of the answer

    async def put_to(self, owner: Owner) -> Any:
        """The answer of this owner, or Refused."""
        raise NotImplementedError


class Exists(Question, frozen=True):
    """Whether there is such a table: no other has an owner."""

    async def put_to(self, owner: Owner) -> None:
        return None


class Look(Question, frozen=True):
    """The update for a client that looks once, with the whole log."""

    gives: ClassVar[Any] = bytes
    player: Player | None
    seat: int | None

    async def put_to(self, owner: Owner) -> bytes:
        return await owner.look(self.player, self.seat)


class Advise(Question, frozen=True):
    """What a master would do in a seat of this player's.

    It is stored that they were advised, so it has an id: put once more, it is the same question.
    """

    gives: ClassVar[Any] = list[messages.Hint]
    player: Player
    seat: int | None
    id: str = msgspec.field(default_factory=requests.new_id)

    async def put_to(self, owner: Owner) -> list[messages.Hint]:
        return await owner.advise(self.player, self.seat, self.id)


class TellOf(Question, frozen=True):
    """What a list of this player's tables tells of the table; None if they have no seat there."""

    gives: ClassVar[Any] = messages.MyTable | None
    player: Player
    active_at: int

    async def put_to(self, owner: Owner) -> messages.MyTable | None:
        return owner.info_for(self.player, self.active_at)


class IsOpenByCode(Question, frozen=True):
    """Whether a code leads to the table now; a new one may wait for people on the telephone."""

    gives: ClassVar[Any] = bool
    is_new: bool

    async def put_to(self, owner: Owner) -> bool:
        return owner.is_watched or (self.is_new and owner.stored.status == "gathering")


class MatchFile(Question, frozen=True):
    """The match that is over, as a match file."""

    gives: ClassVar[Any] = str
    player: Player | None

    async def put_to(self, owner: Owner) -> str:
        match = _finished(owner, self.player)
        if not owner.stored.tells_seeds:
            match = match.copy()
            match.seeds = None
        return write_text(match)


class Prove(Question, frozen=True):
    """What proves that nobody chose the draws of the match that is over."""

    gives: ClassVar[Any] = messages.Proof
    player: Player | None

    async def put_to(self, owner: Owner) -> messages.Proof:
        match, is_replay = _finished(owner, self.player), owner.stored.replay is not None
        if not owner.stored.tells_seeds:
            raise NotYours(DEAL_OF_OTHERS)
        assert match.seeds is not None
        server, clients = match.seeds
        draws = await asyncio.to_thread(match.draws)
        return messages.Proof(
            match.commitment,
            server.hex(),
            [seed.hex() for seed in clients],
            is_replay,
            [(draw.name, draw.cases, draw.case) for draw in draws],
        )


class FinishedDeal(Question, frozen=True):
    """The deal of the match that is over, and which match of the table it was."""

    gives: ClassVar[Any] = tuple[str, int]
    player: Player | None

    async def put_to(self, owner: Owner) -> tuple[str, int]:
        _finished(owner, self.player)
        return owner.stored.deal, owner.stored.matches


class FirstResult(Question, frozen=True):
    """How the first match ended that was played with this deal; None if that is forgotten."""

    gives: ClassVar[Any] = Result | None
    deal: str

    async def put_to(self, owner: Owner) -> Result | None:
        return next(iter(owner.stored.results_of(self.deal)), None)


class ScreenName(Question, frozen=True):
    """What the key of a big screen is signed for; with a player, only if the table is theirs."""

    gives: ClassVar[Any] = str
    player: Player | None

    async def put_to(self, owner: Owner) -> str:
        table, player = owner.stored, self.player
        if player is not None and not (table.belongs(player) and table.admits(player)):
            raise NotYours("you hold no seat at this table and are not its host")
        # A guest who is removed takes no key along: there is another one then.
        return " ".join((table.id, *sorted(table.removed)))


AnyQuestion = (
    Exists
    | Look
    | Advise
    | TellOf
    | IsOpenByCode
    | MatchFile
    | Prove
    | FinishedDeal
    | FirstResult
    | ScreenName
)


def _finished(owner: Owner, player: Player | None) -> Match:
    """The match that is over, for someone who may look on."""
    owner.expect_admitted(player)
    match = owner.stored.match
    if match is None or not match.is_over:
        raise NotFinished("there is no finished match on this table")
    return match
