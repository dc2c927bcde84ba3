"""The messages between page and engine process: every message is read as it was written, and nothing else is read."""

import json
from collections.abc import Callable
from dataclasses import fields, replace
from typing import get_args

import pytest

from specviz import wire
from specviz.errors import WorkerError
from specviz.known_pairs import PairStatus
from specviz.request import PairRequest, Request
from specviz.settings import Settings
from specviz.trace.cards import DrafterCard, ModelCard, PairCard
from specviz.trace.conditions import Conditions
from specviz.trace.plan import Plan
from specviz.trace.records import Closing, ClosingToken, Drafted, Prefill, Round, Stop, TokenBytes, Top, Verdict
from specviz.wire import Command, Event, Lane, decode_command, decode_event, encode
from tests.helpers.refusals import refusal

_TOP = Top((5, 6), (2.0, 1.0), (0.7, 0.3), (1.0, 0.0))
_CONDITIONS = Conditions(False, 5, 0, True, 0.4, 8.7, 0.5, None, 2, 1, 2)
_EXIT = DrafterCard("early-exit", "early exit", (0,))
_CARD = PairCard(ModelCard("big", "Llama", 10, 2, 8), None, _EXIT, "cpu", "float32")
_FIRST = Drafted(5, -1, 0.123456, 0.654321, 0.999999, Verdict.ACCEPTED, _TOP, _TOP)
_SECOND = Drafted(6, 0, 1e-9, 0.0, None, Verdict.REJECTED)
_CLOSING = ClosingToken(7, Closing.CORRECTED, 0.99996, _TOP)
_ROUND = Round(3, (_FIRST, _SECOND), (0,), _CLOSING, 0.12345649, 0.00000051, 0.00000051, 0.12345751, source=2)
_COPIED = replace(_ROUND, closing=None, drafted=_ROUND.drafted[:1], source=None)
_TOKENS = {5: TokenBytes(b"\xff\x00"), 7: TokenBytes(b"<s>", special=True)}
_REQUEST = Request(PairRequest("embedded"), "Say \u2028\n<b>", Settings(temperature=0.5, drafter="tree"), plain=False)
_COMMANDS: tuple[Command, ...] = (
    wire.Load("1", PairRequest(target="a", draft="b", head="c", device="cuda")),
    wire.RunPrompt("2", _REQUEST),
    wire.Perform("6", PairRequest("embedded"), "audit", "{}"),
    wire.Cancel("4"),
)
_EVENTS: tuple[Event, ...] = (
    wire.Ready("a machine", (PairStatus("embedded", "target", "draft", 12, here=True, fits=False, note=""),)),
    wire.Unavailable("its machine was lost"),
    wire.Progress("1", "reading weights", 0.25),
    wire.LoadedPair("1", _CARD, 123.4, "bfloat16 is faster."),
    wire.RunStart("2", _CARD, (1, 5), _TOKENS, Prefill(0.01, 0.002), Settings(), Plan(("k",), 1.9, 3, 1.1, 0.2)),
    wire.Rounds.of("2", Lane.PLAIN, (_ROUND, _COPIED), _TOKENS),
    wire.LaneEnd("2", Lane.SPECULATIVE, Stop.END_OF_TEXT),
    wire.Done("2", True, "{}", (0.5, 2.0), 2, _CONDITIONS),
    wire.TaskReport("6", "{}"),
    wire.JobFailure("4", "It failed."),
)


def test_a_message_is_read_as_it_was_written() -> None:
    """Every command and every event is one line, and the same again. Each of its fields is needed, and one that is unknown is refused: a sentence that
    names the field."""
    assert {type(command) for command in _COMMANDS} == set(get_args(Command))
    assert {type(event) for event in _EVENTS} == set(get_args(Event))
    messages: list[tuple[Command | Event, Callable[[str], object]]] = [(sent, decode_command) for sent in _COMMANDS]
    messages += [(sent, decode_event) for sent in _EVENTS]
    for message, decode in messages:
        assert "\n" not in encode(message)
        assert decode(encode(message)) == message
        written = json.loads(encode(message))
        for field in fields(message):
            with pytest.raises(WorkerError, match=rf"\({type(message).__name__}\.{field.name} is missing\)\.$"):
                decode(json.dumps({name: value for name, value in written.items() if name != field.name}))
        with pytest.raises(WorkerError, match="'more', which is unknown"):
            decode(json.dumps({**written, "more": 1}))


def test_what_is_no_event_is_refused_in_one_sentence() -> None:
    """Whatever is wrong with a line is said, and a command is not taken for an event."""
    for line, says in (
        ("", "an event cannot be read"),
        ("[]", "an event cannot be read"),
        ('{"kind":["Ready"]}', "an event cannot be read"),
        ('{"kind":"LaneEnd","job":"1","lane":"third","stop":"length"}', "one of speculative, plain"),
        ('{"kind":"LaneEnd","job":1,"lane":"plain","stop":"length"}', "LaneEnd.job must be a text"),
        ('{"kind":"Progress","job":"1","what":"x","share":NaN}', "a number"),
        ('{"kind":"Cancel","job":"1"}', "an event cannot be read ('Cancel')"),
    ):
        assert says in refusal(WorkerError, decode_event, line)


def test_settings_out_of_range_do_not_pass() -> None:
    """A run with an impossible setting is refused where the command is read."""
    line = encode(_COMMANDS[1]).replace('"k":5', '"k":17')
    with pytest.raises(WorkerError, match="from 1 to 16"):
        decode_command(line)
