"""Claims about earlier texts: how much of them is kept, and that a record with them is complete."""

from dataclasses import replace

import pytest

from specviz.errors import PromptError, TraceError
from specviz.models import Pair
from specviz.reporting.player.thinning import thinned
from specviz.request import PairRequest, Request
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.earlier import MOST_TEXTS, MOST_TOKENS, newest, only_copied
from specviz.trace.files import dump, dumps, load, loads
from specviz.wire import RunPrompt, decode_command, encode
from tests.helpers.rounds import timeless

pytestmark = pytest.mark.slow


def test_the_newest_stay() -> None:
    """Within both limits the newest texts stay, in order; of the oldest its end; empty ones are none."""
    assert newest([[1], [], [2, 3]]) == ((1,), (2, 3))
    assert newest([[n] for n in range(40)]) == tuple((n,) for n in range(40 - MOST_TEXTS, 40))
    long = list(range(MOST_TOKENS))
    assert newest([[7], long, [8, 9]]) == (tuple(long[2:]), (8, 9))
    assert newest([[7], long]) == (tuple(long),)


def test_a_run_with_earlier_texts_is_reproduced_by_its_record(embedded: Pair) -> None:
    """The record has what was copied from, survives file, wire and export, and gives the same rounds again; others get none of it."""
    pair, settings = embedded, Settings(drafter="suffix", max_new_tokens=20)
    prompt = "Count by 8 from 24: 24,"
    first = Run(pair, prompt, settings).finish()
    assert "earlier" not in dump([first])["traces"][0]
    written = (*first.prompt_ids, *first.token_ids)
    second = Run(pair, prompt, settings, earlier=[written]).finish()
    assert (second.text, second.earlier) == (first.text, (written,))
    assert len(second.rounds) < len(first.rounds)
    assert {r.source_text for r in second.rounds} >= {0}
    assert loads(dumps([second])) == (second,)
    assert thinned([second], 1)[0].earlier == second.earlier

    command = RunPrompt("1", Request(PairRequest("embedded"), prompt, settings, earlier=second.earlier))
    sent = decode_command(encode(command))
    assert isinstance(sent, RunPrompt)
    again = Run(pair, sent.request.prompt, sent.request.settings, earlier=sent.request.earlier).finish()
    assert timeless(again.rounds) == timeless(second.rounds)
    assert timeless(Run(pair, prompt, settings).finish().rounds) == timeless(first.rounds)
    assert Run(pair, prompt, replace(settings, drafter="ngram"), earlier=[written]).earlier == ()
    assert Run(pair, prompt, settings, plain=True, earlier=[written]).earlier == ()
    with pytest.raises(PromptError, match="token 49000"):
        Run(pair, prompt, settings, earlier=[[1, 49000]])

    copied = next(index for index, each in enumerate(second.rounds) if each.source_text is not None)
    for field, wrong in (("source_text", 1), ("source_text", -1), ("source", len(written)), ("source", None)):
        damaged = dump([second])
        damaged["traces"][0]["rounds"][copied][field] = wrong
        with pytest.raises(TraceError):
            load(damaged)

    other = tuple(pair.text.encode("Zebra quilts", template=False))
    three = Run(pair, prompt, settings, earlier=[other, written, other]).finish()
    shared = only_copied(three)
    assert {round_.source_text for round_ in three.rounds} - {None} == {1}
    assert shared.earlier == (written,)
    assert [r.source for r in shared.rounds] == [r.source for r in three.rounds]
    assert {r.source_text for r in shared.rounds} == {r.source_text and 0 for r in three.rounds}
    assert not set(other) - set(written) & shared.tokens.keys()
    assert set(other) - set(written) <= three.tokens.keys()
    assert loads(dumps([shared])) == (shared,)
    assert (only_copied(second), only_copied(first)) == (second, first)
