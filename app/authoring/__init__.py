"""For authors: the JSON Schema of a front matter, skeletons of questions, and a live preview of one file."""
