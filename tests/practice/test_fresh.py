from app.bank.load import Bank
from app.bank.variants import make_variant
from app.practice import sittings
from app.practice.fresh import fresh_seed
from app.practice.question_state import key_of, snapshot
from tests.practice.conftest import Practice


def sit(practice: Practice, bank: Bank, slug: str, seed: int) -> dict[str, str]:
    variant = make_variant(bank.questions[slug], seed)
    taken = snapshot(variant)
    sittings.open_or_get(practice.session, practice.user, practice.browser, taken, practice.clock())
    params: dict[str, str] = taken.params
    return params


def test_the_written_numbers_first_then_each_time_others(practice: Practice, bank: Bank) -> None:
    question = bank.questions["attention-matrix-memory"]
    met = []
    for number in range(6):
        seed = fresh_seed(practice.session, practice.user, question)
        assert (seed == 0) == (number == 0)
        met.append(sit(practice, bank, question.slug, seed))
    assert all(params not in met[:number] for number, params in enumerate(met))


def test_what_was_met_by_a_link_is_not_drawn_again(practice: Practice, bank: Bank) -> None:
    question = bank.questions["attention-matrix-memory"]
    sit(practice, bank, question.slug, 2**53)
    seed = fresh_seed(practice.session, practice.user, question)
    assert 0 < seed < 2**53


def test_a_question_without_numbers_gets_a_sitting_of_its_own_too(practice: Practice, bank: Bank) -> None:
    fixed = [
        question
        for question in bank.questions.values()
        if all(param.fixed for param in question.program.params.values())
    ]
    for question in fixed:
        seeds = []
        for _ in range(3):
            seeds.append(fresh_seed(practice.session, practice.user, question))
            sit(practice, bank, question.slug, seeds[-1])
        assert len(set(seeds)) == 3, key_of(question)
