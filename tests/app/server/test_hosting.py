"""A shared server: what its host allows, refused where jobs are submitted, whatever the page shows."""

import pytest

from app.server.job import Status
from app.server.limits import refusal
from app.state import address
from specviz.audit.messages import AUDIT, ZOO, AuditRequest, encode
from specviz.errors import InputError
from specviz.request import PairRequest, Request
from specviz.serving import hosting
from specviz.serving.hosting import Hosting
from specviz.settings import Settings
from specviz.wire import Cancel, JobCommand, Load, Perform, RunPrompt
from tests.app.server.conftest import Start

ROOM = Hosting(("embedded",), most_tokens=32, most_seconds=600)
_PAIR = PairRequest("embedded")


def _asked(pair: PairRequest = _PAIR, tokens: int = 16) -> Request:
    return Request(pair, "The capital of France is", Settings(max_new_tokens=tokens))


OTHERS = [
    PairRequest(target="some/hub-id"),
    PairRequest(target="/etc"),
    PairRequest("smollm2"),
    PairRequest("embedded", head="/tmp"),  # noqa: S108  # never read
    PairRequest("embedded", draft="some/hub-id"),
    PairRequest("embedded", dtype="bfloat16"),
    PairRequest("embedded", device="cuda"),
]


@pytest.mark.parametrize("pair", OTHERS)
def test_other_models_are_refused_for_every_kind_of_job(pair: PairRequest) -> None:
    """One sentence, which names what the host chose; a server of one's own refuses nothing."""
    commands: list[JobCommand] = [
        Load("a", pair),
        RunPrompt("a", _asked(pair)),
        Perform("a", pair, AUDIT, "{}"),
    ]
    for command in commands:
        assert refusal(ROOM, command).startswith("This server is a classroom: its host chose the models (embedded)")
        assert refusal(Hosting(), command) == ""


def test_what_the_host_allows_is_not_refused() -> None:
    """The chosen pair within the limits, audits and the zoo."""
    allowed: list[JobCommand] = [
        Load("a", _PAIR),
        RunPrompt("a", _asked(tokens=32)),
        Perform("a", _PAIR, AUDIT, "{}"),
        Perform("a", None, ZOO, "no JSON"),
    ]
    assert [refusal(ROOM, command) for command in allowed] == [""] * len(allowed)


def test_too_many_tokens_are_refused() -> None:
    """Of a run, and of an audit."""
    assert "at most 32 new tokens, and 33" in refusal(ROOM, RunPrompt("a", _asked(tokens=33)))
    long = encode(AuditRequest(Settings(max_new_tokens=4096), "Once", True, 100))
    assert "4096 were requested" in refusal(ROOM, Perform("a", _PAIR, AUDIT, long))


def test_an_address_is_refused_and_its_other_choices_stay() -> None:
    """One sentence for the models, however many parameters name them."""
    query = {
        "pair": "other",
        "target": "some/hub-id",
        "head": "/etc",
        "dtype": "float32",
        "max_new_tokens": "99",
        "k": "3",
    }
    linked = address.read(query, ROOM)
    assert linked.values == {"k": 3}
    models, tokens = linked.refused
    assert "its host chose the models" in models
    assert "at most 32 new tokens" in tokens
    assert address.read(query).refused == []


def test_the_record_crosses_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written is read; a record that cannot be read is an error, not a server without limits."""
    assert hosting.read(ROOM.written()) == ROOM
    assert hosting.read(Hosting().written()) == Hosting() == hosting.read("")
    for broken in ("{", "[]", "{}", '{"pairs": ["embedded"], "more": 1}', '{"pairs": 3}'):
        monkeypatch.setenv(hosting.VARIABLE, broken)
        with pytest.raises(InputError, match=hosting.VARIABLE):
            hosting.current()


@pytest.mark.parametrize("wrong", [{"pairs": ()}, {"pairs": ("none",)}, {"most_tokens": 0}, {"most_seconds": 99999}])
def test_a_classroom_that_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    """One sentence with what was received."""
    with pytest.raises(InputError):
        Hosting(**{"pairs": ("embedded",), **wrong})  # type: ignore[arg-type]


def test_a_refused_job_never_reaches_the_engine(start: Start) -> None:
    """It has failed at once and waits nowhere. What the same visitor requests ends the run before, with what it has; who waits after them knows
    the place."""
    jobs, (engine,) = start(1, "here", hosting=ROOM)
    refused = jobs.run(_asked(PairRequest(target="some/hub-id")), visitor="a")
    assert refused.status is Status.FAILED
    assert "its host chose the models" in refused.message
    assert jobs.load(PairRequest("smollm2")).status is Status.FAILED
    assert engine.sent == []
    first = jobs.run(_asked(tokens=32), visitor="a")
    engine.loads(first)
    other, last = jobs.run(_asked(), visitor="b"), jobs.run(_asked(), visitor="c")
    assert jobs.view(last)["queue_position"] == 2
    again = jobs.run(_asked(tokens=20), visitor="a")
    assert engine.sent == [first.command, Cancel(first.id)]
    for job in (first, other, last):
        engine.does(job, cancelled=job is first)
    assert engine.sent[2:] == [other.command, last.command, again.command]
