"""`specviz app` before a server is started; tests/app/test_wheel.py starts one."""

import os
import socket
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from specviz.cli import app
from specviz.cli.main import main
from specviz.folders import PAGE
from specviz.lessons.files import VARIABLE
from specviz.serving import engines, hosting

Starts = list[tuple[list[str], dict[str, str]]]  # commands with their environments
Patch = pytest.MonkeyPatch
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def started(monkeypatch: Patch) -> Starts:
    """The servers that would have been started."""
    starts: Starts = []

    def start(command: list[str], variables: dict[str, str]) -> int:
        starts.append((command, variables))
        return 0

    monkeypatch.setattr(app, "start", start)
    return starts


def test_streamlit_is_started_with_what_was_asked_for(started: Starts, monkeypatch: Patch) -> None:
    """Port and host are passed on, the page is found, and a path of the person's own is kept after it."""
    monkeypatch.setenv("PYTHONPATH", "their/own")
    main(["app", "--port", "8600", "--host", "0.0.0.0"])  # noqa: S104  # asked for, never served here
    ((command, variables),) = started
    assert command[:5] == [sys.executable, "-P", "-m", "app", "run"]
    assert Path(command[5]).is_file()
    assert command[6:] == ["--server.port", "8600", "--server.address", "0.0.0.0"]  # noqa: S104  # likewise
    assert variables["PYTHONPATH"] == f"{PAGE}{os.pathsep}their/own"


def test_a_server_for_this_machine_answers_to_its_names_only(started: Starts, monkeypatch: Patch) -> None:
    """Else another site's name that leads to this machine would reach it from any page that is open in a browser here. A proxy's name is added;
    a server that others reach by names of their own answers to any, unless some are given."""
    monkeypatch.delenv("STREAMLIT_SERVER_ADDRESS", raising=False)
    other = ["--address", "0.0.0.0"]  # noqa: S104  # never served here
    for options, names in (
        ([], ["localhost", "127.0.0.1", "::1"]),
        (["--host", "127.0.0.1", "--allow-host", "a.example"], ["localhost", "127.0.0.1", "::1", "a.example"]),
        (other, []),
        ([*other, "--allow-host", "a.example", "--allow-host", "*.b.example"], ["a.example", "*.b.example"]),
        (["--classroom", "--pair", "embedded"], []),
        (["--classroom", "--pair", "embedded", "--host", "localhost"], ["localhost", "127.0.0.1", "::1"]),
    ):
        main(["app", *options])
        command, _ = started.pop()
        assert [value for option, value in pairwise(command) if option == "--server.allowedHosts"] == names


def test_a_name_that_is_no_hosts_is_refused(started: Starts, capsys: Capture) -> None:
    """An address or a path would be compared with the name of a host, and never be equal."""
    for name in ("https://x/y", "x/y", "class.example:8501", ""):
        assert main(["app", "--allow-host", name]) == 2
        assert f"--allow-host was {name!r}: give a name without scheme" in capsys.readouterr().err
    assert not started
    assert main(["app", "--allow-host", "*", "--allow-host", "[::1]", "--allow-host", "a_b.example."]) == 0


def test_a_port_that_is_taken_is_refused(started: Starts, capsys: Capture) -> None:
    """One sentence before a server is started, for a port that another program has and for an address of another machine."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        assert main(["app", "--host", "127.0.0.1", "--port", port]) == 2
    assert f"cannot be served at '127.0.0.1', port {port} (Address already in use)" in capsys.readouterr().err
    assert main(["app", "--host", "192.0.2.1"]) == 2
    assert "cannot be served at '192.0.2.1', port any (" in capsys.readouterr().err
    assert not started
    assert main(["app", "--host", "127.0.0.1", "--port", port]) == 0
    assert started


def test_a_classroom_is_asked_for_and_says_what_it_allows(started: Starts, capsys: Capture) -> None:
    """It listens for others, takes no uploads, and its limits reach the page's process."""
    main(["app", "--classroom", "--pair", "embedded", "--most-tokens", "48"])
    ((command, variables),) = started
    assert command[6:] == ["--server.address", "0.0.0.0", "--server.maxUploadSize", "0"]  # noqa: S104  # never served here
    room, out = hosting.read(variables[hosting.VARIABLE]), capsys.readouterr().out
    assert room == hosting.Hosting(("embedded",), 48, 60, room.host_key)
    assert len(room.host_key) >= 12
    assert room.is_host(room.host_key)
    assert not any(server.is_host("") for server in (room, hosting.Hosting()))
    for words in (f"/?teach=1&host={room.host_key}", "Visitors use these models: embedded.", "at most 48 new tokens"):
        assert words in out


def test_an_open_server_without_limits_says_so(started: Starts, capsys: Capture, monkeypatch: Patch) -> None:
    """Nothing is printed for a server that only this machine reaches."""
    main(["app"])
    assert capsys.readouterr().out == ""
    main(["app", "--address", "0.0.0.0"])  # noqa: S104  # never served here
    assert "any model of the hub" in capsys.readouterr().out
    monkeypatch.setenv("STREAMLIT_SERVER_BASE_URL_PATH", "specviz")
    main(["app"])
    assert "any model of the hub" in capsys.readouterr().out, "a proxy comes from this machine, and its visitors do not"
    assert all(not hosting.read(variables[hosting.VARIABLE]).classroom for _, variables in started)


def test_what_cannot_be_is_refused(started: Starts, capsys: Capture) -> None:
    """One sentence, exit code 2, and nothing is started. That no cluster answers: `tests/serving/test_cluster.py`."""
    for options, says in (
        (["--pair", "embedded"], "without --classroom"),
        (["--classroom", "--pair", "some/hub-id"], "some/hub-id"),
        (["--classroom", "--most-tokens", "0"], "whole number from 1"),
        (["--classroom", "--most-seconds", "-1"], "whole number"),
        *((["--port", port], "whole number from 1 to 65535") for port in ("0", "65536")),
        (["--port", "x"], "invalid int value: 'x'"),
        (["--engines=2"], "give ray or the address of a Ray cluster"),
    ):
        assert main(["app", *options]) == 2
        assert says in capsys.readouterr().err
    assert not started


def test_the_engines_of_a_cluster_reach_the_page(started: Starts, capsys: Capture, monkeypatch: Patch) -> None:
    """With and without a classroom, and what several mean for figures is said; without a cluster there is one engine."""
    monkeypatch.setattr(engines, "find", lambda address: engines.RayEngines("auto", 3 if address == "ray" else 1, 4, 1))
    main(["app", "--engines", "ray"])
    main(["app", "--classroom", "--pair", "embedded", "--engines", "head:6379"])
    main(["app"])
    current = []
    for _, variables in started:
        monkeypatch.setenv(engines.VARIABLE, variables.get(engines.VARIABLE, ""))
        current.append(engines.current())
    assert current == [engines.RayEngines("auto", 3, 4, 1), engines.RayEngines("auto", 1, 4, 1), None]
    assert [hosting.read(variables[hosting.VARIABLE]).classroom for _, variables in started] == [False, True, False]
    out = capsys.readouterr().out
    assert "3 engines on the Ray cluster auto, each with 4 processors and 1 GPU." in out
    assert out.count("their speedups count for nothing") == 1


def test_the_page_gets_the_folder_of_lessons(
    started: Starts, tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    """`specviz app --lessons FOLDER` hands the folder on, wherever the server runs; one that is not there is a sentence."""
    monkeypatch.chdir(tmp_path.parent)
    main(["app", "--lessons", tmp_path.name])
    main(["app"])
    assert [variables.get(VARIABLE) for _, variables in started] == [str(tmp_path), None]
    assert main(["app", "--lessons", "nowhere"]) == 2
    assert "--lessons: there is no folder 'nowhere'" in capsys.readouterr().err
    assert len(started) == 2
