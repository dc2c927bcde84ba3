"""The page that is exported: one file, no network, and nothing in it that a model could have put there as markup."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from specviz.lessons.handout import handout_page
from specviz.reporting.player.html_page import page, race_page
from specviz.reporting.player.scripts import script
from specviz.reporting.player.thinning import thinned
from specviz.trace.conditions import RacedTraces
from specviz.trace.files import dump, dumps, load, loads, read_file
from specviz.trace.records import Round, Trace, Verdict
from tests.helpers.fuzz import HOSTILE, TRACES

CAPITAL = TRACES / "capital.json"


_TIMES = ("began_s", "draft_s", "verify_s", "ended_s")


def _several(trace: Trace, times: int) -> Trace:
    """The rounds of this run several times, one after the other."""
    tokens, seconds = len(trace.token_ids), trace.rounds[-1].ended_s

    def later(each: Round, count: int) -> Round:
        began, ended = each.began_s + count * seconds, each.ended_s + count * seconds
        return replace(each, start=each.start + count * tokens, began_s=began, ended_s=ended)

    rounds = tuple(later(each, count) for count in range(times) for each in trace.rounds)
    return replace(trace, rounds=rounds, settings=replace(trace.settings, max_new_tokens=times * tokens))


@pytest.mark.slow
def test_a_long_run_stays_below_one_megabyte() -> None:
    """A run of more than 200 tokens with everything recorded, a story that comes with the project several times, becomes a page of less."""
    traces = [_several(trace, 10) for trace in read_file(TRACES / "lighthouse.json")]
    assert len(traces[0].token_ids) > 200
    assert len(dumps(traces)) > 1_500_000
    assert len(page(traces, "x").encode()) < 1_000_000


@pytest.mark.slow
def test_thinning_leaves_what_happened() -> None:
    """Tokens, verdicts, times, draws, p and q stay as they were; what comes out is a recording, and its tops hold the token itself."""
    full = read_file(TRACES / "lighthouse.json")
    for likeliest in (2, 0):
        thin = thinned(full, likeliest)
        assert loads(dumps(thin)) == thin
        for before, after in zip(full, thin, strict=True):
            assert after.token_ids == before.token_ids
            for name in ("text", "prefill", "stop", "card"):
                assert getattr(after, name) == getattr(before, name)
            bare = [thinned([replace(t, stop=before.stop)], 0)[0].rounds for t in (before, after)]
            assert bare[0] == bare[1]
            for was, now in zip(before.rounds, after.rounds, strict=True):
                assert [getattr(now, time) for time in _TIMES] == [getattr(was, time) for time in _TIMES]
                for old, new in zip(was.drafted, now.drafted, strict=True):
                    assert replace(old, draft_top=new.draft_top, target_top=new.target_top) == new
                    assert set(new.target_top.tokens) <= set(old.target_top.tokens)
                    if likeliest or new.verdict is not Verdict.DISCARDED:
                        assert new.token in new.draft_top.tokens
                        assert new.token in new.target_top.tokens


def test_the_policy_names_the_one_script_and_the_one_style() -> None:
    """The page's own policy forbids everything but one script and one style, by the hashes they really have."""
    text = page(read_file(CAPITAL), "x")
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', text)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == rules["trusted-types"] == "'none'"
    assert "unsafe" not in policy
    for rule, tag in (("script-src", '<script type="module">(.*?)</script>'), ("style-src", "<style>(.*?)</style>")):
        (content,) = re.findall(tag, text, re.DOTALL)
        assert rules[rule] == f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!data:)""", text)
    assert not re.search(r"\son\w+\s*=", text.split('<script type="module">')[0])
    assert "://" not in text.replace("http://www.w3.org/2000/svg", "")


def test_the_player_writes_no_markup() -> None:
    """No file of the player has a way from text to markup, to code or to a style that the policy would refuse."""
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|cssText", script("player")
    )
    assert not re.search(r"""setAttribute\(\s*["'](?:style|on)""", script("player"))


def test_no_text_of_a_recording_is_markup() -> None:
    """Names, prompt and origin that look like markup are escaped everywhere: the page has its own tags and no other."""
    trace = read_file(CAPITAL)[0]

    def tags(html: str) -> int:
        return len(re.findall(r"<[a-zA-Z!/][^>]*", html.split('<script type="module">', maxsplit=1)[0]))

    usual = tags(page([trace], "x"))
    for text in (*HOSTILE, "a & b < c > d"):
        card = replace(trace.card, target=replace(trace.card.target, name=text), device=text)
        hostile = page([replace(trace, prompt=text, card=card)], text)
        assert tags(hostile) == usual, text
        held = _held(hostile)["view"]
        assert (held["origin"], held["recording"]["traces"][0]["prompt"]) == (text, text)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e\u2028]", hostile.split("</head>")[0])


def _held(text: str) -> Any:
    (data,) = re.findall('<script type="application/json" id="recording">(.*?)</script>', text, re.DOTALL)
    assert data.isascii()
    assert not set(data) & set("<>&")
    found = json.loads(data)
    assert dump(load(found["view"]["recording"])) == found["view"]["recording"]
    return found


def test_a_notebook_shows_the_player(blank: Page) -> None:
    """A trace's HTML is a frame that plays the run and may do nothing but run its script; an empty run has none."""
    trace = read_file(CAPITAL)[0]
    html = trace._repr_html_()
    assert html is not None
    blank.set_content(f"<body>{html}</body>")
    assert blank.locator("iframe").get_attribute("sandbox") == "allow-scripts"
    frame = blank.frame_locator("iframe")
    expect(frame.locator(".stage .role b:not(:empty)").first).to_be_visible()
    frame.locator(".stage").focus()
    blank.keyboard.press("End")
    expect(frame.locator(".manuscript")).to_contain_text(trace.text.strip()[:20])
    assert replace(trace, rounds=())._repr_html_() is None


def test_a_saved_page_takes_the_flags_of_a_frame(blank: Page, tmp_path: Path) -> None:
    """With `?embed=1` a saved run has no foot and tells its height; its address opens it at a moment, and another one moves it there."""
    file = tmp_path / "capital.html"
    file.write_text(page(read_file(CAPITAL), "x"), encoding="utf-8")
    blank.emulate_media(reduced_motion="reduce")
    blank.add_init_script("window.told = []; addEventListener('message', (event) => told.push(event.data))")
    blank.goto(f"{file.as_uri()}?embed=1#3/verified")
    expect(blank.locator(".round-name")).to_contain_text("Round 3 of")
    expect(blank.locator(".made")).to_be_hidden()
    blank.wait_for_function("told.at(-1)?.specviz === 'height' && told.at(-1).height > 200")
    blank.evaluate("location.hash = '#2/drafted'")
    expect(blank.locator(".round-name")).to_contain_text("Round 2 of")


def test_a_page_speaks_the_language_in_which_it_was_saved() -> None:
    """The player's words are in it, the foot and the language of the document follow; a race likewise."""
    traces = read_file(CAPITAL)
    for text in (page(traces, "x", language="de"), race_page(RacedTraces(tuple(traces)), "de")):
        assert '<html lang="de"' in text
        assert "mit specviz gemacht" in text
        assert "Abspielen" in text
    assert "mit specviz" not in page(traces, "x")


def test_it_is_two_printed_pages(blank: Page, tmp_path: Path) -> None:
    """Two pages on A4 and on Letter, with room to spare for other letters; black on white; no line wider than the paper."""
    file = tmp_path / "handout.html"
    file.write_text(handout_page(), encoding="utf-8")
    blank.goto(file.as_uri())
    for paper in ("A4", "Letter"):
        for scale in (1, 1.05):
            printed = blank.pdf(format=paper, prefer_css_page_size=False, scale=scale)
            assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == 2, (paper, scale)
    blank.emulate_media(media="print", color_scheme="dark")
    expect(blank.locator("body")).to_have_css("color", "rgb(0, 0, 0)")
    expect(blank.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    cut = blank.evaluate(
        "[...document.querySelectorAll('td b, p, li, dd')].filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth).map(e => e.textContent)"
    )
    assert cut == []
