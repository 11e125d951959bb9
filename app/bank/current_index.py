"""The search index of the bank as it is: built when first searched, and again after the bank was reloaded."""

import threading

import calculators
from app.bank.indexing import build_index
from app.bank.load import Bank
from app.bank.search import SearchIndex


class CurrentIndex:
    """One for each bank. A search that began before a reload ends with the index it began with."""

    def __init__(self, bank: Bank) -> None:
        self._bank = bank
        self._building = threading.Lock()
        self._questions: object = None
        self._index: SearchIndex | None = None

    def get(self) -> SearchIndex:
        with self._building:
            questions = self._bank.questions
            if self._index is None or questions is not self._questions:
                self._index = build_index(questions.values(), calculators.all())
                self._questions = questions
            return self._index
