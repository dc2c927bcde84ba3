"""The engines of a Ray cluster: what a person may ask for, found, and carried to the page's process."""

import json
import subprocess
import sys
from collections.abc import Sequence
from types import SimpleNamespace

import pytest
import torch

from specviz.errors import InputError
from specviz.models import limits
from specviz.models.threads import leave_free
from specviz.serving import engines
from specviz.serving.engines import RayEngines, find
from tests.helpers.refusals import refusal

NUMBERS = ("", "2", "-1", "abc", "²")
ADDRESSES = ("ray://", "ray://host", "host:0", "host:99999", "http://host:1", "-x y")


def test_what_is_no_cluster_is_refused() -> None:
    """One sentence with what was received and what may be given; a number of engines is none."""
    for given in (*NUMBERS, *ADDRESSES):
        sentence = refusal(InputError, find, given)
        assert "leave it out for the one engine of this machine, or give ray or the address" in sentence
        assert repr(given) in sentence


def test_addresses_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """ "ray" is the cluster of this machine; an address is asked for as it was given."""
    asked: list[str] = []

    def look(command: Sequence[str], **_: object) -> object:
        asked.append(command[-1])
        return SimpleNamespace(stdout=json.dumps({"engines": RayEngines(command[-1], 2).written()}), returncode=0)

    monkeypatch.setattr(subprocess, "run", look)
    addresses = ["ray://head:10001", "10.0.0.7:6379", "[::1]:6379"]
    assert [find(text) for text in ("ray", *addresses)] == [RayEngines(address, 2) for address in ("auto", *addresses)]
    assert asked == ["auto", *addresses]


def test_the_record_crosses_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written is read, and nothing is one engine here; what cannot be read is an error, not a server with other engines."""
    known = RayEngines("head:6379", 3, 4, 1)
    monkeypatch.setenv(engines.VARIABLE, known.written())
    assert engines.current() == known
    monkeypatch.setenv(engines.VARIABLE, "")
    assert engines.current() is None
    fields = ('{"count": 2}', '{"address": "a:1", "count": 0}', '{"address": "a:1", "more": 1}', '{"address": 3}')
    for broken in ("{", "[]", "3", "null", *fields):
        monkeypatch.setenv(engines.VARIABLE, broken)
        with pytest.raises(InputError, match=engines.VARIABLE):
            engines.current()


def test_without_ray_the_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is asked of the address."""
    monkeypatch.setattr(engines, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"needs Ray: install with \"pip install 'specviz\[ray\]'\""):
        find("ray")


def test_what_a_cluster_cannot_do_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """In its own sentence, or that Ray failed."""
    for printed, said in (
        ('{"problem": "The Ray cluster at ray cannot be used: it runs another."}', "it runs another"),
        ("Traceback\n", "cannot be used: Ray ended with exit code 1"),
        ("", "cannot be used: Ray ended with exit code 1"),
    ):
        monkeypatch.setattr(subprocess, "run", lambda *_, out=printed, **__: SimpleNamespace(stdout=out, returncode=1))
        with pytest.raises(InputError, match=said):
            find("ray")


def test_a_cluster_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray waits long for one that is gone; the process that asks it is ended."""
    monkeypatch.setattr(engines, "LOOK_S", 0.2)
    began = subprocess.run

    def hangs(_: Sequence[str], **options: object) -> object:
        return began([sys.executable, "-c", "import time; time.sleep(60)"], **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", hangs)
    with pytest.raises(InputError, match=r"says nothing for 0\.2 seconds"):
        find("ray")


def test_torch_takes_what_ray_assigned_but_the_page_s_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray writes the processors of an actor into the variable that torch reads; no engine takes more than that, or than the machine has."""
    monkeypatch.setattr(limits, "core_count", lambda: 8.0)
    usual = torch.get_num_threads()
    try:
        for assigned, threads in ((16, 7), (8, 7), (4, 3), (2, 1), (1, 1)):
            torch.set_num_threads(assigned)
            leave_free(1)
            assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(usual)
