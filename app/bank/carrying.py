"""Errors carried forward: a part as it would stand if the answers it is computed from were the learner's own.

Part b of `uses: [a]` has a value that reads `answer.a`. Whoever had a wrong and went on from it is right in b
with another number than the truth: the one that the same formula gives for their own a.
"""

from collections.abc import Mapping
from dataclasses import replace

from app.bank import graded
from app.bank.graded import Number, Part
from app.bank.problems import BrokenQuestionError
from app.bank.variants import Variant


def own_values(variant: Variant, given: Mapping[str, Number]) -> dict[str, Number]:
    """The learner's value of each part that is a number: the one given, or what follows from those given."""
    own: dict[str, Number] = {}
    for part in variant.parts:
        if part.id in given:
            own[part.id] = given[part.id]
        elif part.answer is not None and (followed := follow(variant, part.id, own)) and followed.answer:
            own[part.id] = followed.answer.value
    return own


def follow(variant: Variant, part_id: str, own: Mapping[str, Number]) -> Part | None:
    """The part computed from the learner's own values; None where that is no other part, or has no value."""
    number = [part.id for part in variant.parts].index(part_id)
    program = variant.question.program.parts[number]
    truths = {id_: answer.value for id_, answer in variant.part_answers.items()}
    used = {id_: own[id_] for id_ in program.uses if own.get(id_, truths[id_]) != truths[id_]}
    if not used:
        return None
    values = {**truths, **used}
    answers = {id_: replace(variant.part_answers[id_], value=value) for id_, value in values.items()}
    names = {**variant.names, "answer": values}
    try:
        if program.target is not None:
            answers[part_id] = graded.answer_to(program.target, names)
            names = {**names, "answer": {**values, part_id: answers[part_id].value}}
        return graded.part(replace(variant, names=names, part_answers=answers), number)
    except BrokenQuestionError:  # such as a division by what the learner had as zero
        return None
