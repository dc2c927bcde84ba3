"""The handout: complete, safe, with figures from the recordings. tests/app/test_handout.py prints it."""

import re
from html import unescape
from pathlib import Path

import pytest

from specviz.errors import LessonError
from specviz.lessons.glossary import glossary_of
from specviz.lessons.handout import FILE, handout_page
from specviz.reporting.terminal import token_label
from specviz.trace.metrics import speedup
from specviz.trace.records import Verdict
from tests.helpers.lessons import recorded

_TEACHING = Path(__file__).parents[2] / "docs" / "teaching.md"


def test_it_has_no_script_and_requests_nothing() -> None:
    """One style by its hash, nothing that is fetched, no script allowed."""
    page = handout_page()
    assert "default-src 'none'; script-src 'none'; style-src 'sha256-" in page
    assert not re.search(r"<(?:script|img|link|iframe|object|svg)\b|\ssrc=|\bon\w+=\"|style=\"|url\(|@import", page)


def test_its_figures_and_its_round_are_those_of_the_recording() -> None:
    """The speedup is the recording's; every drafted token of the drawn round stands there with its own verdict."""
    page = handout_page()
    letter = recorded("letter")
    assert letter.plain is not None
    assert f"{speedup(letter.plain, letter.run):.2f}×" in page
    round_ = letter.run.rounds[8]
    row = re.findall(r'<td class="(accepted|rejected|discarded)"><b>(.*?)</b>', page)
    assert [(state, unescape(text)) for state, text in row] == [
        (drafted.verdict.value, token_label(letter.run.tokens[drafted.token])) for drafted in round_.drafted
    ]
    assert {drafted.verdict for drafted in round_.drafted} == set(Verdict)
    assert "✎ target's own token" in unescape(page)


def test_it_has_ten_sentences_the_terms_and_answers() -> None:
    """Ten sentences to remember, each term with the glossary's sentence, and questions with answers as the last part."""
    page = handout_page()
    (sentences,) = re.findall(r"<ol>(.*?)</ol>", page, re.DOTALL)
    assert sentences.count("<li>") == 10
    terms = dict(re.findall(r"<dt>(.*?)</dt> <dd>(.*?)</dd>", page))
    assert len(terms) >= 12
    known = {entry.term: entry.says for entry in glossary_of("en")}
    assert {term: unescape(says) for term, says in terms.items()} == {term: known[term] for term in terms}
    assert re.findall(r"<h2>(.*?)</h2>", page)[-1] == "Questions and answers"


def test_its_plan_is_the_teachers() -> None:
    """Minutes and chapters of the plan are those of docs/teaching.md, and every link of the teacher's page is left out."""
    rows = re.findall(r"^\| ([\d–]+) \|.*\| (?:\[([^\]]+)\])?", _TEACHING.read_text(encoding="utf-8"), re.MULTILINE)
    ours = re.findall(r"<tr>\n<td>(.*?)</td>\n<td>.*?</td>\n<td>(.*?)</td>", handout_page())
    assert len(rows) == 9
    assert ours == rows


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("draw: round 9", "draw: round 99", "line 11: there is no round 99; the recording 'letter' has"),
        ("draw: round 9", "draw: a cat", "line 11: draw names a round of the first recording"),
        ("{speedup}", "{spedup}", "there is no such figure"),
        ("terms: token", "terms: tokken", "'tokken' is not in the glossary"),
        ("starts: page", "starts: soon", "it can be page"),
        ("starts: page", "begins: page", "'begins' is unknown here"),
        ("title: Speculative", "titel: Speculative", "the front matter needs a title"),
        ("[letter, lighthouse]", "[letter, nothing]", "line 3: the recording 'nothing' is not there"),
        ("[letter, lighthouse]", "letter", "recordings is a list of names"),
        ("The text is the target's own.", "<b onclick=x>y</b>", "HTML such as"),
        ("The text is the target's own.", "[x](javascript:alert(1))", "is not http, https or relative"),
    ],
)
def test_a_mistake_is_one_sentence(tmp_path: Path, old: str, new: str, says: str) -> None:
    """File, line and reason."""
    text, file = FILE.read_text(encoding="utf-8"), tmp_path / "handout.md"
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(LessonError, match=r"^handout\.md, line \d+: [^\n]+\.$") as error:
        handout_page(file)
    assert says in str(error.value)
