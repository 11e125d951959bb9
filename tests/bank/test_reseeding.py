"""Another variant, and the variant of a review: other numbers, new ones as long as there are any."""

from collections.abc import Callable

from app.bank.params import MAX_SEED
from app.bank.question import Question
from app.bank.reseeding import next_seed
from app.bank.variants import make_variant

ReadQuestion = Callable[[str], Question]


def numbers(question: Question, seed: int) -> dict[str, str]:
    params: dict[str, str] = make_variant(question, seed).to_json()["params"]
    return params


def test_it_has_other_numbers_until_all_were_seen(read_question: ReadQuestion, multi: str) -> None:
    question = read_question(multi.replace("choices: [1024, 2048]", "choices: [1024, 2048, 4096]"))
    seed, seen = 0, [numbers(question, 0)]
    for _ in range(2):
        seed = next_seed(question, seed, seen)
        seen.append(numbers(question, seed))
    assert sorted(each["seq_len"] for each in seen) == ["1024", "2048", "4096"]
    assert numbers(question, next_seed(question, seed, seen)) != seen[-1]
    assert next_seed(question, 3) == next_seed(question, 3)
    assert 1 <= next_seed(question, MAX_SEED) <= 48


def test_without_parameters_only_choices_are_shuffled(
    read_question: ReadQuestion, open_: str, choice: str
) -> None:
    assert next_seed(read_question(open_), 7) == 7
    fixed = choice.replace("{value: 32, choices: [8, 16, 32, 64]}", "{value: 32}")
    assert next_seed(read_question(fixed), 7) == 8
