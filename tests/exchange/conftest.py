"""Somebody who has practised, for what takes it out and brings it in."""

from tests.practice.conftest import Practice, practice

__all__ = ["Practice", "practice"]
