"""Addresses that people saved lead to what has their content now."""

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from app.server import moved


def test_a_screen_of_before_leads_to_the_one_of_now_with_its_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a path of the server's own too; a room's old address to the page of its audience."""
    for base in ("", "/demo"):
        monkeypatch.setattr(moved, "base", lambda base=base: base)
        client = TestClient(Starlette(routes=[Mount(base, routes=moved.ROUTES)]), follow_redirects=False)
        for old, new in {
            "lab?k=3&prompt=a%20b": "compare?k=3&prompt=a+b",
            "zoo": "audit",
            "watch?run=1": "?run=1",
            "room?code=CYAA%20BHC7": "join/CYAA%20BHC7",
            "room": "",
        }.items():
            assert client.get(f"{base}/{old}").headers["location"] == f"{base}/{new}"
