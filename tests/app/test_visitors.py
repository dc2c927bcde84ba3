"""Who a visitor is; no browser, no server."""

from os import urandom

from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

from app import visitors


def test_a_visitor_is_the_same_in_every_tab() -> None:
    """Streamlit masks the cookie's token anew at every load of a page: whatever the mask, it is the same visitor, and nobody else is."""
    mine, yours = urandom(16), urandom(16)
    cookies = [generate_xsrf_token_string(token) for token in (mine, mine, mine, yours)]
    assert len(set(cookies)) == 4
    assert {visitors.of(cookie) for cookie in cookies[:3]} == {mine.hex()}
    assert visitors.of(f'"{cookies[0]}"') == mine.hex()
    assert visitors.of(cookies[3]) == yours.hex()


def test_an_odd_cookie_is_a_visitor_of_its_own() -> None:
    """A cookie that somebody made up is compared as it is, and none is no visitor."""
    for odd in ("", "x", "2|", "2|zz|zz|1", "2||00|1", "2|00|ff", "2|000000|ff|1", "2|é|é|1"):
        assert visitors.of(odd) == odd
