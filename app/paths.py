"""The folders that lie beside the package."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "templates"
STATIC = ROOT / "static"
QUESTIONS = ROOT / "questions"
