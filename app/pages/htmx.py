"""What a page route needs to know of htmx: is a fragment asked for, and which address should follow."""

from urllib.parse import urlsplit

from fastapi import Request


def wants_fragment(request: Request) -> bool:
    """True for htmx's own requests, but not for the one that restores a page of the history."""
    headers = request.headers
    return headers.get("HX-Request") == "true" and headers.get("HX-History-Restore-Request") != "true"


def address_headers(request: Request, url: str) -> dict[str, str]:
    """Headers that make the address bar show url after a swap.

    app.js says in Ridgeway-History whether this update opens a new entry of the history (push: the first of
    a gesture) or belongs to the gesture that already has one (replace: the rest of the typing or dragging).
    Nothing is sent where the address is right already.
    """
    if _path_and_query(request.headers.get("HX-Current-URL", "")) == _path_and_query(url):
        return {}
    replace = request.headers.get("Ridgeway-History") == "replace"
    return {"HX-Replace-Url" if replace else "HX-Push-Url": url}


def _path_and_query(url: str) -> tuple[str, str] | None:
    try:
        parts = urlsplit(url)
    except ValueError:  # no browser's word
        return None
    return parts.path, parts.query


# Full page and fragment share an address, so every cache has to tell them apart by this header.
VARY = {"Vary": "HX-Request"}
