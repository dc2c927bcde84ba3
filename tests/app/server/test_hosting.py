"""A shared server: what its host allows, refused where jobs are submitted, whatever the page shows."""

from typing import Any

import pytest

from app.server.addresses import for_others
from app.server.job import Status
from app.server.limits import refusal
from app.state import address
from specviz.audit.messages import AUDIT, ZOO, AuditRequest, encode
from specviz.errors import InputError
from specviz.request import PairRequest, Request
from specviz.serving import hosting
from specviz.serving.hosting import MOST_LETTERS, Hosting
from specviz.settings import Settings
from specviz.wire import Cancel, JobCommand, Load, Perform, RunPrompt
from tests.app.server.conftest import Start

ROOM = Hosting(("embedded",), most_tokens=32, most_seconds=600)
_PAIR = PairRequest("embedded")


def _asked(pair: PairRequest = _PAIR, tokens: int = 16, prompt: str = "The capital of France is") -> Request:
    return Request(pair, prompt, Settings(max_new_tokens=tokens))


def _audit(pair: PairRequest | None = _PAIR, tokens: int = 16, prompt: str = "Once") -> Perform:
    return Perform("a", pair, AUDIT, encode(AuditRequest(Settings(max_new_tokens=tokens), prompt, True, 100)))


OTHERS = [
    PairRequest(target="some/hub-id"),
    PairRequest(target="/etc"),
    PairRequest("smollm2"),
    PairRequest("embedded", head="/tmp"),  # noqa: S108  # never read
    PairRequest("embedded", draft="some/hub-id"),
    PairRequest("embedded", dtype="bfloat16"),
    PairRequest("embedded", device="cuda"),
]


def test_a_classroom_refuses_what_its_host_did_not_allow() -> None:
    """Other models, too many tokens and long prompts, in one sentence for every kind of job; a server of one's own refuses nothing. What is allowed is not
    refused."""
    longest, longer = "x" * MOST_LETTERS, "é" * (MOST_LETTERS + 1)
    refused: dict[str, list[JobCommand]] = {
        "This server is a classroom: its host chose the models (embedded)": [
            command for pair in OTHERS for command in (Load("a", pair), RunPrompt("a", _asked(pair)), _audit(pair))
        ],
        "at most 32 new tokens, and 33 were requested": [RunPrompt("a", _asked(tokens=33)), _audit(tokens=33)],
        "a prompt has at most 8,000 characters. Shorten it.": [
            RunPrompt("a", _asked(prompt=longer)),
            _audit(prompt=longer),
        ],
    }
    for says, commands in refused.items():
        for command in commands:
            assert says in refusal(ROOM, command)
            assert refusal(Hosting(), command) == ""
    allowed: list[JobCommand] = [
        Load("a", _PAIR),
        RunPrompt("a", _asked(tokens=32, prompt=longest)),
        _audit(tokens=32, prompt=longest),
        Perform("a", None, ZOO, "no JSON"),
    ]
    assert [refusal(ROOM, command) for command in allowed] == [""] * len(allowed)


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
    """What was written is read; a record that cannot be read is an error, not a server without limits, and so is a classroom that cannot be."""
    assert hosting.read(ROOM.written()) == ROOM
    assert hosting.read(Hosting().written()) == Hosting() == hosting.read("")
    for broken in ("{", "[]", "{}", '{"pairs": ["embedded"], "more": 1}', '{"pairs": 3}'):
        monkeypatch.setenv(hosting.VARIABLE, broken)
        with pytest.raises(InputError, match=hosting.VARIABLE):
            hosting.current()
    impossible: list[dict[str, Any]] = [
        {"pairs": ()},
        {"pairs": ("none",)},
        {"most_tokens": 0},
        {"most_seconds": 99999},
    ]
    for wrong in impossible:
        with pytest.raises(InputError):
            Hosting(**{"pairs": ("embedded",), **wrong})


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


@pytest.mark.parametrize(
    ("address", "listens", "own", "reached"),
    [
        ("http://localhost:8501/room?code=ABC", "0.0.0.0", "10.1.2.3", "http://10.1.2.3:8501/room?code=ABC"),  # noqa: S104  # never served
        ("http://127.0.0.1/?k=3", "", "10.1.2.3", "http://10.1.2.3/?k=3"),
        ("http://[::1]:9/", "::", "10.1.2.3", "http://10.1.2.3:9/"),
        ("http://localhost:8501/", "localhost", "10.1.2.3", None),
        ("http://localhost:8501/", "0.0.0.0", "", None),  # noqa: S104  # likewise
        ("https://example.org/specviz/room", "localhost", "10.1.2.3", "https://example.org/specviz/room"),
        ("", "", "10.1.2.3", ""),
    ],
)
def test_who_came_by_localhost_shares_the_machines_own_address(
    address: str, listens: str, own: str, reached: str | None
) -> None:
    """Where the server listens to others; where it does not, none; any other address stays as it is."""
    assert for_others(address, listens, lambda: own) == reached
