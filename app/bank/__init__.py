"""The question bank: files become questions, questions become variants, variants render as safe HTML."""
