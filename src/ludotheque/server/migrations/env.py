"""Alembic's entry: migrations run in the transaction that `server/upgrade.py` has begun."""

from alembic import context

from ludotheque.server.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
