"""A lesson's file: what it says becomes a lesson, and what is wrong in it becomes one sentence with its line."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from specviz.folders import ASSETS
from specviz.lessons.lesson import Choice, Highlight, LessonMoment, Place
from specviz.lessons.reading import read_lesson
from specviz.trace.files import read_file
from specviz.trace.metrics import speedup
from tests.helpers.lessons import SMALL, read_changed, sound

FASTER = speedup(*reversed(read_file(ASSETS / "traces" / "capital.json")))  # of the recording of the small lesson

TEXT = "It writes {round 1 drafted} tokens."
MOMENT = "moment: round 1, drafted"
STEP = f"## The draft\n{MOMENT}\nlight: draft row\n\n{TEXT}\n"


def test_a_lesson_is_read(tmp_path: Path) -> None:
    """Title, step, moment, lit part, figure and questions are those of the file; what is left out comes from the recording."""
    lesson = sound(read_changed(tmp_path))
    assert (lesson.name, lesson.number, lesson.language, lesson.title, lesson.minutes) == ("small", 1, "en", "Small", 2)
    assert lesson.intro == "<p>An introduction.</p>"
    (step,) = lesson.steps
    assert step.place.recording == "capital"
    assert step.place.moment == LessonMoment(0, "draft", 1.0)
    assert step.place.lit == (Highlight("draft row"),)
    assert ">5</span> tokens.</p>" in step.html
    assert lesson.questions[0].choices == (Choice("yes", True), Choice("no", False))
    assert lesson.questions[1].answer.moment == LessonMoment(5, "commit", 1.0)
    own = {"drafter": "model", "k": 5, "policy": "fixed"}  # the page would leave them to specviz
    assert lesson.try_it.parameters == {"prompt": "The capital of Burkina Faso is", "max_new_tokens": 48, **own}
    assert json.loads(json.dumps(lesson.as_json()))["pages"][0]["place"]["moment"]["phase"] == "draft"


def test_a_page_without_a_moment_shows_the_one_before(tmp_path: Path) -> None:
    """Steps, questions and the way on have a page each; what is lit, and whether a question is open, is each page's own."""
    lesson = sound(read_changed(tmp_path, TEXT, f"{TEXT}\n\n## Then\n\nNothing moves."))
    pages = lesson.pages()
    step, *_ = pages
    assert [page["kind"] for page in pages] == ["step", "step", "question", "question", "end"]
    assert pages[1]["place"] == {**step["place"], "lit": (), "asks": False}
    assert [page["place"] for page in pages[2:4]] == [asdict(question.before) for question in lesson.questions]
    assert pages[-1]["place"] == {**asdict(lesson.ending.place), "lit": ()}


def test_the_end_shows_the_step_that_the_front_matter_names(tmp_path: Path) -> None:
    """Its picture and moment, with nothing lit; a step that is not there is refused."""
    lesson = sound(read_changed(tmp_path, "light: draft row\n", "light: draft row\npicture: rule\n"))
    file = tmp_path / "07-end.md"
    text = lesson.file.read_text(encoding="utf-8")
    file.write_text(text.replace("minutes: 2\n", "minutes: 2\nend shows: 1\n"), encoding="utf-8")
    shown = sound(read_lesson(file))
    assert shown.ending.picture == shown.pages()[-1]["picture"] == "rule"
    assert shown.ending.place == replace(shown.steps[0].place, lit=(), asks=False)
    file.write_text(text.replace("minutes: 2\n", "minutes: 2\nend shows: 2\n"), encoding="utf-8")
    assert [problem.line for problem in read_lesson(file).problems] == [4]


def test_a_step_may_have_everything(tmp_path: Path) -> None:
    """Notes, captions for each analogy, a picture, a question of its own and a second recording."""
    more = ", slot 2\nnotes: Say *this*\n  and that.\ncaption Desk: A {k} *b*.\npicture: rule\n"
    asks = "\n\n### ? Which?\nmoment: round 2, 1 judged\n\n- [ ] a\n- [x] {k}\n  more\n\nBecause."
    text = SMALL.replace(
        "recording: capital", "recordings: [capital, letter]\nanalogies: {Desk: {draft: a, target: b}}"
    )
    text = text.replace("light: draft row\n", f"light: draft row{more}")
    text = text.replace(TEXT, f"{TEXT} The letter: {{accepted of letter}}.{asks}")
    file = tmp_path / "07-all.md"
    file.write_text(text, encoding="utf-8")
    (step,) = sound(read_lesson(file)).steps
    assert step.notes == "Say <em>this</em> and that."
    assert step.captions["Desk"].endswith(">5</span> <em>b</em>.")
    assert step.picture == "rule"
    assert step.place.lit == (Highlight("draft row"), Highlight("slot", 2))
    assert ">39</span>." in step.html
    assert step.question is not None
    assert step.question.answer.moment == LessonMoment(1, "judge", 1.0, 1)
    assert [choice.right for choice in step.question.choices] == [False, True]
    assert step.question.choices[1].html.endswith(">5</span> more")
    assert step.question.because == "<p>Because.</p>"


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        # front matter
        ("---\ntitle", "title", 1, "front matter between two lines of ---"),
        ("minutes: 2", "minutes: [2", 4, "not YAML"),
        ("minutes: 2", "minutes: 2\nauthor: me", 4, "'author' is unknown"),
        ("title: Small\n", "", 1, "needs a title"),
        ("title: Small", "title: Round #2 of 3", 2, "what follows # is a comment and no text: put the text in quotes"),
        ("minutes: 2", "minutes: 2\na: &a [1]\nb: *a", 5, "YAML alias"),
        ("recording: capital", "recording: nonsense", 4, "'nonsense' is not there"),
        ("recording: capital", "recording: ../../../etc/passwd", 4, "is not there"),
        ("minutes: 2", "minutes: 2\nsettings: {k: 99}", 4, "whole number from 1 to 16"),
        ("minutes: 2", "minutes: 2\nsettings: {drafter: nobody}", 4, "drafter was 'nobody'"),
        # headings and keys
        (STEP, "", 1, "has no steps"),
        (STEP, STEP * 500, 54, "has 500 steps and may have 9"),
        ("## The draft", "# The draft", 9, "heading is of no use"),
        ("## The draft", "### The draft", 9, "only a question has a heading"),
        (MOMENT, "moments: start", 10, "'moments' is unknown here"),
        (MOMENT, f"{MOMENT}\n{MOMENT}", 11, "stands twice"),
        ("draft row\n\n", "draft row\n", 12, "an empty line is missing"),
        (TEXT, "", 9, "a step without a sentence"),
        ("light: draft row", "picture: cat", 11, "picture was 'cat': write one of stage"),
        ("light: draft row", "caption Desk: x", 11, "'caption Desk' is unknown here"),
        # moments and lit parts
        (MOMENT, "moment: round 99, drafted", 10, "which has 6 rounds"),
        (MOMENT, "moment: round 1, finished", 10, "is not known"),
        (MOMENT, "moment: round 1, 6 drafted", 10, "round 1 drafts 5 tokens"),
        (MOMENT, "moment: round 1, 2 judged", 10, "drafts 5 tokens and judges 1"),
        ("light: draft row", "light: draft row, moon", 11, "'moon' is no part of the stage"),
        ("light: draft row", "light: slot 9", 11, "round 1 drafts 5 tokens"),
        ("light: draft row", "light: token 1", 11, "'token 1' is not there: light a token at the moment `end`"),
        (f"{MOMENT}\nlight: draft row", "moment: end\nlight: token 27", 11, "from 1 to 26"),
        (f"{MOMENT}\n", "", 10, "light needs a moment"),
        # questions
        ("- [x] yes", "- [ ] yes", 15, "one of them is marked [x]"),
        ("- [ ] no\n", "- [x] no\n", 15, "one of them is marked [x]"),
        ("- [x] yes\n- [ ] no\n", "", 15, "a question needs choices"),
        ("moment: round 1, judged\n", "", 15, "the moment that shows its answer"),
        ("## ? Second question\nmoment: end\n\n- [ ] yes\n- [x] no\n", "", 1, "ends with 2 questions, and this one has 1"),
        # text
        (TEXT, "One.\n<script>alert(1)</script>", 14, "HTML such as"),
        (TEXT, "One *two* <b onclick=x>three</b>", 13, "HTML such as"),
        (TEXT, "![a cat](cat.png)", 13, "pictures are not shown"),
        (TEXT, "[a](javascript:alert(1))", 13, "not http, https or relative"),
        (TEXT, "[a](//evil.example)", 13, "not http, https or relative"),
        (TEXT, "[a][b]\n\n[b]: data:text/html,x", 13, "not http, https or relative"),
        (TEXT, "One\ntwo\n{speeed}", 15, "near are speedup"),
        (TEXT, "{token 99}", 13, "the recording has 26"),
        (TEXT, "{u 1.1}", 13, "no random number was drawn there"),
        (TEXT, "{speedup of letter}", 13, "the lesson has capital"),
        (TEXT, "`{speedup}`", 13, "take the backticks away"),
        (TEXT, "It took 26 passes.", 13, "is a figure of the recording"),
        (TEXT, f"It was {FASTER:.1f}× as fast.", 13, "{speedup}"),
        (TEXT, f"Es war {FASTER:.2f}× so schnell.".replace(".", ",", 1), 13, "{speedup}"),
        (TEXT, "Of these, 91 % were accepted.", 13, "{acceptance}"),
        (TEXT, "The draft wrote *5* tokens", 13, "{k}"),
        (TEXT, "A \u202etrick", 13, "U+202E"),
        (TEXT, "A \x1b[2Jtrick", 13, "U+001B"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_a_sentence_with_its_line(old: str, new: str, line: int, says: str, tmp_path: Path) -> None:
    """Each mistake is named in one sentence with file and line, and there is no lesson."""
    result = read_changed(tmp_path, old, new)
    assert result.lesson is None
    problem = next((problem for problem in result.problems if says in problem.sentence), None)
    assert problem is not None, [str(problem) for problem in result.problems]
    assert str(problem).startswith(f"01-small.md, line {line}: "), [str(problem) for problem in result.problems]
    for problem in result.problems:
        assert problem.sentence.endswith(".")
        assert "\n" not in problem.sentence
        assert len(problem.sentence) < 700


def test_other_numbers_may_be_typed(tmp_path: Path) -> None:
    """Numbers that are no figure of the recording, that name something, or that are words; so may a choice that is wrong, but not the right one."""
    names, words = ("In round 6 it ends.", "As in chapter 5."), ("It took two passes.", "`26`")
    for typed in (*names, *words, "It has 9 days.", "In 2026.", "One of 1."):
        assert read_changed(tmp_path, TEXT, typed).problems == ()
    assert read_changed(tmp_path, "- [ ] no\n\n## ? Second", "- [ ] 26\n\n## ? Second").problems == ()
    assert read_changed(tmp_path, "- [x] yes", "- [x] 26").problems


ASKS = "\n\n### ? How many are accepted?\nmoment: round 1, judged\n\n- [x] none\n- [ ] one\n\nThe target wrote {target 1.1}."
COMMITTED = "round 1, committed\n\nOne.\n\n## Then"


@pytest.mark.parametrize(
    ("moment", "text", "says"),
    [
        ("round 1, drafted", TEXT, ""),
        ("round 1, verified", TEXT, ""),
        ("round 1, judged", TEXT, "the picture beside this question already shows the answer"),
        ("round 2, begins", TEXT, "the picture beside this question already shows the answer"),
        (f"{COMMITTED}\nmoment: round 1, drafted", TEXT, "the picture of step 1 already shows"),
        (COMMITTED, TEXT, "the picture of step 1 already shows"),
        ("round 1, verified", "It is {target 1.1}.", "{target 1.1}, which answers it: write it after the choices"),
        ("round 1, verified", "In all {round 1 accepted of capital}.", "gives {round 1 accepted of capital}"),
        ("round 1, verified", "It drafts {round 1 drafted}, and {target 2.1} comes later.", ""),
    ],
)
def test_a_question_is_not_answered_by_its_picture_or_text(moment: str, text: str, says: str, tmp_path: Path) -> None:
    """What shows the answer before it is asked is refused; where the target has read the draft its row is covered."""
    result = read_changed(tmp_path, f"{MOMENT}\nlight: draft row\n\n{TEXT}", f"moment: {moment}\n\n{text}{ASKS}")
    assert all(says and says in problem.sentence for problem in result.problems)
    assert bool(result.problems) == bool(says)
    if not says:
        lesson = sound(result)
        assert [step.place.asks for step in lesson.steps] == [True]
        assert [question.before.asks for question in lesson.questions] == [True, True]
        assert lesson.steps[0].question is not None
        assert not lesson.steps[0].question.answer.asks


def test_the_steps_before_a_question_do_not_answer_it(tmp_path: Path) -> None:
    """An earlier step at the same round is covered too; those after the question are not."""
    steps = f"""moment: round 1, verified

One.

## Now
moment: round 1, verified

{TEXT}{ASKS}

## The verdicts
moment: round 1, verified

One.

## The next one
moment: round 2, drafted

One."""
    lesson = sound(read_changed(tmp_path, f"{MOMENT}\nlight: draft row\n\n{TEXT}", steps))
    assert [step.place.asks for step in lesson.steps] == [True, True, False, False]


def test_files_that_are_none(tmp_path: Path) -> None:
    """A wrong name, bytes that are no text, and a file that is too large are one sentence each."""
    for name, content, says in (
        ("lesson.md", SMALL.encode(), "the file's name is not like"),
        ("1-x.md", SMALL.encode(), "the file's name is not like"),
        ("01-x.md", SMALL.encode().replace(b"The draft", b"\xff\xfe"), "not UTF-8"),
        ("01-x.md", SMALL.encode() + b" " * 300_000, "it has more than 0.2 MB"),
        ("01-x.md", b"", "front matter"),
    ):
        (tmp_path / name).write_bytes(content)
        result = read_lesson(tmp_path / name)
        assert result.lesson is None
        assert len(result.problems) == 1
        assert says in result.problems[0].sentence
    assert "cannot be opened" in read_lesson(tmp_path / "02-missing.md").problems[0].sentence


def test_a_recording_beside_the_lesson_is_read_and_a_broken_one_is_named(tmp_path: Path) -> None:
    """A teacher's own recording comes first; one that is no recording is a sentence."""
    (tmp_path / "capital.json").write_text("{}", encoding="utf-8")
    (problem,) = read_changed(tmp_path).problems[:1]
    assert problem.line == 4
    assert "cannot be read" in problem.sentence


def test_a_lesson_is_read_in_its_own_writing(tmp_path: Path) -> None:
    """A lesson in Arabic is a lesson like any other, from right to left; English has a point before decimals, German a comma. A title is read as it is written,
    also where YAML would take it for a truth, a number or a date, and so is a file in UTF-16, as some editors save one."""
    arabic = sound(read_changed(tmp_path, "It writes", "يكتب", name="01-small.ar.md"))
    assert (arabic.direction, arabic.language) == ("rtl", "ar")
    assert "يكتب" in arabic.steps[0].html
    for name, figure in (("01-small.md", f">{FASTER:.2f}×<"), ("01-small.de.md", f">{FASTER:.2f}×<".replace(".", ","))):
        assert figure in sound(read_changed(tmp_path, TEXT, "{speedup}", name=name)).steps[0].html
    for title in ("No", "3.10", "2026-01-01", "'Round #2 of 3'"):
        for encoding in ("utf-8-sig", "utf-16"):
            (tmp_path / "01-small.md").write_text(SMALL.replace("title: Small", f"title: {title}"), encoding=encoding)
            assert sound(read_lesson(tmp_path / "01-small.md")).title == title.strip("'")


def test_a_chapter_ends_with_its_sentence_beside_the_end_of_a_run(tmp_path: Path) -> None:
    """Figures in it are looked up as in a step, and what is no sentence is named with its line; the run is that of the last question."""
    lesson = sound(read_changed(tmp_path, "minutes: 2\n", "minutes: 2\nend: It took {rounds} passes.\n"))
    rounds = lesson.recordings[0].run.rounds
    assert f">{len(rounds)}<" in lesson.ending.html
    assert lesson.ending.place == Place("capital", LessonMoment(len(rounds) - 1, "commit", 1.0), (), whole=True)
    (problem,) = read_changed(tmp_path, "minutes: 2\n", "minutes: 2\nend: [3]\n").problems
    assert (problem.line, problem.sentence[:17]) == (4, "end is a sentence")
