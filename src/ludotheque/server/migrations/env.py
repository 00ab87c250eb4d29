"""Alembic's entry: migrations run on one plain connection, on SQLite and PostgreSQL alike."""

import sqlalchemy as sa
from alembic import context

from ludotheque.server.store import metadata


def run() -> None:
    engine = sa.create_engine(str(context.config.get_main_option("sqlalchemy.url")))
    with engine.connect() as connection:
        context.configure(connection, target_metadata=metadata, render_as_batch=True)
        with context.begin_transaction():
            context.run_migrations()
    engine.dispose()


run()
