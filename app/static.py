"""Static files: kept for good where the address carries the content's hash, asked for again otherwise."""

import os

from starlette.responses import Response
from starlette.staticfiles import StaticFiles as StarletteStaticFiles
from starlette.types import Scope

from app.paths import STATIC
from app.rendering import static_hash

FOR_GOOD = "public, max-age=31536000, immutable"
A_WEEK = "public, max-age=604800"
ASK_AGAIN = "no-cache"


class StaticFiles(StarletteStaticFiles):
    """The files below static/, each with an ETag and the cache rule that its address allows."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC)

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        name = os.path.relpath(full_path, STATIC)
        current = static_hash(name)
        if current is not None and scope["query_string"] == f"h={current}".encode():
            rule = FOR_GOOD
        elif name.endswith(".woff2"):  # named by the style sheet, which cannot know the hash
            rule = A_WEEK
        else:
            rule = ASK_AGAIN
        response.headers["Cache-Control"] = rule
        return response
