"""A table as it is told to everyone, and in the lists of those who sit there."""

from __future__ import annotations

from ludotheque.bots import roster
from ludotheque.engine.game import Game
from ludotheque.server import messages, warmup
from ludotheque.server.absences import Absences
from ludotheque.server.events import Replay
from ludotheque.server.match_info import winners
from ludotheque.server.player import Player
from ludotheque.server.table import Occupant, Person, Table, is_person, pictures_of

ATTEMPTS_AT_TABLE = 20  # the latest of the deal that is played here


def table_info(
    table: Table,
    guests: set[str],
    nameless: int,
    has_screen: bool = False,
    absences: Absences | None = None,
) -> messages.TableInfo:
    """Everything about the table that everyone may know; `guests` are connected now."""
    seated = {person.guest for person in table.persons}
    pictures = pictures_of(table.seats)
    absent = absences or Absences()
    return messages.TableInfo(
        id=table.id,
        code=table.code,
        game=table.settings.game,
        options=table.settings.options,
        seats=[
            None if occupant is None else _occupant(occupant, picture, table.game, guests, absent)
            for occupant, picture in zip(table.seats, pictures, strict=True)
        ],
        host=table.host,
        has_host=table.host in guests,
        status=table.status,
        is_public=table.settings.is_public,
        move_seconds=table.settings.move_seconds,
        asks_host=table.settings.asks_host,
        phrases_only=table.settings.phrases_only,
        muted=sorted(table.muted),
        hints=table.settings.hints,
        has_hints=table.has_hints,
        match=table.matches,
        watchers=len(guests - seated) + nameless,
        has_screen=has_screen,
        commitment=table.commitment,
        contributors=list(table.contributions),
        replay=None if table.replay is None else attempts(table, table.replay),
        wishes=list(table.wishes),
        is_beginning=table.is_beginning,
        series=[
            messages.Standing(one.guest, one.name, one.avatar, one.matches, one.wins)
            for one in table.series
        ],
    )


def my_table(
    table: Table, info: messages.TableInfo, player: Player, active_at: int
) -> messages.MyTable | None:
    """The table as a list of this player's tables tells it; None if they have no seat there."""
    match = table.match
    you = [seat for seat, o in enumerate(table.seats) if is_person(o, player)]
    if not you or not table.admits(player):
        return None
    is_over = match is not None and match.is_over
    return messages.MyTable(
        table=info,
        you=you,
        awaited=[] if match is None or is_over else match.awaited(),
        scores=match.scores if match is not None and is_over else [],
        winners=winners(match) if match is not None and is_over else [],
        used=active_at,
    )


def attempts(table: Table, replay: Replay) -> list[messages.Attempt]:
    """Who has played a deal before, at other tables and at this one: the latest attempts."""
    elsewhere = [messages.Attempt(a.names, a.scores, False) for a in replay.attempts]
    here = [messages.Attempt(r.names, r.scores, True) for r in table.results_of(replay.deal)]
    return (elsewhere + here)[-ATTEMPTS_AT_TABLE:]


def _occupant(
    occupant: Occupant, picture: int, game: Game, guests: set[str], absences: Absences
) -> messages.Occupant:
    if isinstance(occupant, Person):
        return messages.Person(
            id=occupant.guest,
            name=occupant.name,
            avatar=picture,
            kept_by=None if occupant.keeper is None else roster.nearest(game, occupant.keeper),
            stand_in=_stand_in(occupant.keeper, game),
            is_here=occupant.guest in guests,
            shares=occupant.shares,
            is_replaceable=absences.is_long(occupant.guest),
            votes=sorted(absences.votes(occupant.guest)),
        )
    level = roster.nearest(game, occupant.level)
    return messages.Bot(occupant.name, picture, level, _stand_in(level, game))


def _stand_in(level: str | None, game: Game) -> str | None:
    if level is None:
        return None
    playing = warmup.stand_in(game, level)
    return None if playing == roster.nearest(game, level) else playing
