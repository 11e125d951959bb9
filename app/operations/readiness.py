"""Whether this process can serve: the database answers, has the tables of this code, the bank is loaded."""

from dataclasses import dataclass

from sqlalchemy.exc import SQLAlchemyError

from app.bank.load import Bank
from app.database import Database
from app.migrate import current_revision, revisions


@dataclass(frozen=True, slots=True)
class Check:
    """`problem` is a whole sentence, empty where the check passes."""

    name: str
    problem: str = ""


def checks(database: Database, bank: Bank) -> tuple[Check, ...]:
    """In the order in which the server needs them."""
    return (*_database(database), _bank(bank))


def _database(database: Database) -> tuple[Check, Check]:
    try:
        revision = current_revision(database)
    except SQLAlchemyError:
        return Check("database", "The database does not answer."), Check("migrations", "They are not known.")
    if revision == revisions()[-1]:
        return Check("database"), Check("migrations")
    found = f"at revision {revision}" if revision else "empty"
    problem = f"The database is {found}, and this version needs {revisions()[-1]}."
    return Check("database"), Check("migrations", problem)


def _bank(bank: Bank) -> Check:
    return Check("bank", "" if bank.questions else "No question could be read.")
