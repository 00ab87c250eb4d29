"""Where a test keeps everything: in a file of SQLite, or in PostgreSQL."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa

from ludotheque.server import database
from ludotheque.server.store import Store
from postgres import postgres, sqlalchemy_url
from scenes import act

T = TypeVar("T")


class Home:
    """A database that a test may look at from outside."""

    def __init__(self, url: sa.URL) -> None:
        self.url = url

    @property
    def is_postgresql(self) -> bool:
        return database.is_postgresql(self.url)

    @property
    def flags(self) -> list[str]:
        """How a command is told to use it."""
        if self.is_postgresql:
            return ["--database", self.url.set(drivername="postgresql").render_as_string(False)]
        return ["--data", str(database.path_of(self.url).parent)]

    def ask(self, question: str, *values: object) -> list[Any]:
        """Do this as another program might; question marks stand for the values."""
        return self._ask(self.url, question, *values)

    def read(self, question: str, *values: object) -> list[Any]:
        """The same, without touching the files: a server may be down in the middle of something."""
        if self.is_postgresql:
            return self._ask(self.url, question, *values)
        file = database.path_of(self.url).as_uri()
        return self._ask(sa.make_url(f"sqlite:///{file}?mode=ro&uri=true"), question, *values)

    def _ask(self, url: sa.URL, question: str, *values: object) -> list[Any]:
        engine = sa.create_engine(url, poolclass=sa.NullPool)
        with engine.begin() as connection:
            if self.is_postgresql:
                question = question.replace("?", "%s")
            found = connection.exec_driver_sql(question, values)
            return [tuple(row) for row in found] if found.returns_rows else []

    def store(self) -> Store:
        return Store(self.url)

    def with_store(self, scene: Callable[[Store], Awaitable[T]]) -> T:
        async def opened() -> T:
            store = self.store()
            await store.open()
            try:
                return await scene(store)
            finally:
                await store.close()

        return act(opened)


def sqlite_home(folder: Path) -> Home:
    return Home(database.sqlite_url(folder / "tables.sqlite"))


def postgresql_home() -> Home:
    return Home(sqlalchemy_url(postgres().new_database()))
