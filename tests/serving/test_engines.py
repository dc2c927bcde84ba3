"""How many engines there are and where: what a person may ask for, found, and carried to the page's process."""

import socket
import subprocess
import sys
from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from specviz.errors import InputError
from specviz.serving import engines, finding
from specviz.serving.engines import Engines, asked
from specviz.serving.finding import find

BAD = (
    "",
    *["0", "-1", "1000", "abc", "2.5", "²", "1e1", "ray://", "ray://host", "host:0", "host:99999", "http://host:1"],
    "-x y",
)


@pytest.mark.parametrize("given", BAD)
def test_what_is_no_number_of_engines_is_refused(given: str) -> None:
    """One sentence with what was received and what may be given."""
    with pytest.raises(InputError, match="from 1 to 64, or ray, or the address of a Ray cluster") as caught:
        asked(given)
    assert repr(given) in str(caught.value)


def test_numbers_and_addresses_are_told_apart() -> None:
    """A number is processes of this machine; everything else that is allowed is Ray's."""
    assert [asked(text) for text in ("1", "64")] == [1, 64]
    for address in ("ray", "ray://head:10001", "10.0.0.7:6379", "[::1]:6379"):
        assert asked(address) == address


def test_the_record_crosses_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written is read; what cannot be read is an error, not a server with other engines."""
    known = Engines(3, "head:6379", 4, 1)
    assert engines.read(known.written()) == known
    assert engines.read("") == Engines()
    for broken in ("{", "[]", "3", '{"count": 0}', '{"count": "2"}', '{"more": 1}', '{"cluster": 3}', "null"):
        monkeypatch.setenv(engines.VARIABLE, broken)
        with pytest.raises(InputError, match=engines.VARIABLE):
            engines.current()


def test_an_address_that_does_not_answer_is_a_sentence() -> None:
    """Soon: nothing listens there, and Ray is not asked."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    for address in (f"127.0.0.1:{port}", f"ray://127.0.0.1:{port}"):
        with pytest.raises(InputError, match=f"The Ray cluster at {address} does not answer within 5 seconds"):
            find(address)


def test_without_ray_the_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number needs no Ray."""
    monkeypatch.setattr(finding, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"needs Ray: install with \"pip install 'specviz\[ray\]'\""):
        find("ray")
    assert find("2") == Engines(2)


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ('{"problem": "The Ray cluster at ray cannot be used: it runs another."}', "it runs another"),
        ("Traceback\n", "cannot be used: Ray ended with exit code 1"),
        ("", "cannot be used: Ray ended with exit code 1"),
    ],
)
def test_what_a_cluster_cannot_do_is_said(printed: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In its own sentence, or that Ray failed."""
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: SimpleNamespace(stdout=printed, returncode=1))
    with pytest.raises(InputError, match=said):
        find("ray")


def test_a_cluster_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray waits long for one that is gone; the process that asks it is ended."""
    monkeypatch.setattr(finding, "LOOK_S", 0.2)
    began = subprocess.run

    def hangs(_: Sequence[str], **options: object) -> object:
        return began([sys.executable, "-c", "import time; time.sleep(60)"], **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", hangs)
    with pytest.raises(InputError, match=r"says nothing for 0\.2 seconds"):
        find("ray")


def test_engines_of_a_cluster_are_started_by_a_process_each() -> None:
    """With the address and what each claims; where they will run is not known before."""
    launches = Engines(2, "head:6379", 4, 1).launches()
    assert len(launches) == 2
    assert launches[0].command[-5:] == ("specviz.serving.on_ray", "serve", "head:6379", "4", "1")
    assert launches[0].machine is None
    here = Engines(2).launches()
    assert here[0].machine == here[1].machine is not None
    assert not here[0].command


def test_the_server_needs_no_ray() -> None:
    """Neither the command line nor the page's queue loads it, nor torch."""
    script = (
        "import sys, app.jobs, specviz.cli.app, specviz.serving.finding; "
        "print([m for m in ('ray', 'torch', 'transformers', 'streamlit') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
