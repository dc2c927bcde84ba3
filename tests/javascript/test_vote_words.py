"""What a phone in a room reads, in its language, without a browser."""

from app.classroom.polls import how_many
from specviz.words import spoken
from tests.helpers.node import running


def test_the_servers_questions_are_said_in_the_readers_language() -> None:
    """With their numbers and texts, whatever these hold; a lesson's question, a presenter's and English stay as they are."""
    with running(["classroom/vote_box", "shared/words"]) as node:

        def said(text: str, language: str = "de") -> object:
            return node.call("(spoken, text) => { useWords(spoken); return inWords(text); }", spoken(language), text)

        many = how_many(5).question
        after = "Which token will the target write after “{k} $& ”?”?"
        own = ("5", "Warum?", "How many of the drafted tokens will be accepted?", "Which token will the target write")
        assert said(many) == "Wie viele der 5 vorgeschlagenen Token werden angenommen?"
        assert said(after) == "Welches Token schreibt das Ziel nach „{k} $& ”?“?"
        assert said("another one", "es") == "otro"
        assert [said(each) for each in own] == list(own)
        assert [said(each, "en") for each in (many, after)] == [many, after]
