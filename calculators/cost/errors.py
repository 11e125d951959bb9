"""What a cost function raises when its arguments have no cost."""


class DomainError(ValueError):
    """An argument outside what its formula is defined for: its name, what was given and what is allowed."""

    def __init__(self, argument: str, given: object, allowed: str) -> None:
        super().__init__(f"{argument} is {given}, but must be {allowed}")
        self.argument = argument
        self.given = given
        self.allowed = allowed
