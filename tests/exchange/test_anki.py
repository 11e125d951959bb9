from collections.abc import Iterator
from pathlib import Path

import pytest
from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest

from app.bank.load import Bank
from app.exchange.anki import write_deck

SITE = "https://ridgeway.test"


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    collection = Collection(str(tmp_path / "collection.anki2"))
    yield collection
    collection.close()


def import_deck(collection: Collection, path: Path) -> None:
    collection.import_anki_package(
        ImportAnkiPackageRequest(package_path=str(path), options=ImportAnkiPackageOptions())
    )


def test_anki_has_a_card_for_each_question_and_a_second_import_doubles_none(
    collection: Collection, bank: Bank, tmp_path: Path
) -> None:
    for name in ("first.apkg", "second.apkg"):
        assert write_deck(bank.questions.values(), tmp_path / name, SITE) == len(bank.questions)
        import_deck(collection, tmp_path / name)
        assert collection.note_count() == collection.card_count() == len(bank.questions)
    decks = {deck.name for deck in collection.decks.all_names_and_ids()}
    assert {f"Ridgeway::{question.topics[0].name}" for question in bank.questions.values()} <= decks


def test_a_card_asks_with_numbers_and_answers_with_math(
    collection: Collection, bank: Bank, tmp_path: Path
) -> None:
    write_deck(bank.questions.values(), tmp_path / "deck.apkg", SITE)
    import_deck(collection, tmp_path / "deck.apkg")
    (number,) = collection.find_notes("Slug:*attention-matrix-memory")
    (card,) = collection.get_note(number).cards()
    asked, answered = card.question(), card.answer()
    assert "1,024" in asked
    assert "2 GiB" not in asked
    assert "2 GiB" in answered
    assert "<math>" in answered
    assert "{{" not in asked + answered
    assert 'href="/' not in asked + answered
