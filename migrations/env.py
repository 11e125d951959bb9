"""How Alembic reaches the database: over the connection that the app hands in, else by the settings."""

from alembic import context
from sqlalchemy import Connection

from app import models
from app.database import Database
from app.settings import load_settings


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=models.metadata,
        # SQLite alters a table by making it anew, and takes part in transactions as PostgreSQL does.
        render_as_batch=connection.dialect.name == "sqlite",
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    database = Database.from_settings(load_settings())
    try:
        with database.engine.begin() as own:
            run(own)
    finally:
        database.close()
