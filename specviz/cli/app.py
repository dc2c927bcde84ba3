"""`specviz app`: the page, served by Streamlit from the source tree or from an installed package, in whatever folder a person is."""

import argparse
import os
import re
import socket
import sys
from importlib.util import find_spec
from pathlib import Path
from secrets import token_urlsafe

from specviz.errors import InputError
from specviz.folders import PAGE
from specviz.known_pairs import CHAT, EMBEDDED, chat_is_here
from specviz.lessons.files import VARIABLE
from specviz.reporting.files import folder
from specviz.serving import engines, hosting
from specviz.serving.hosting import MOST_SECONDS, MOST_TOKENS, Hosting

SAYS = "start the page, and show its address"
_NEEDED = ("streamlit", "plotly", "segno")
# Addresses that only this machine reaches.
_OWN = ("localhost", "127.0.0.1", "::1")
_HOST = re.compile(r"\*|(?:\*\.)?[\w-]+(?:\.[\w-]+)*\.?|\[?[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\]?")
# With one of these in the environment others reach the server: through a proxy, whose requests come from this machine.
_PUBLISHED = {"STREAMLIT_SERVER_BASE_URL_PATH", "STREAMLIT_SERVER_ADDRESS"}


def options(parser: argparse.ArgumentParser) -> None:
    """The options of `specviz app`; other settings are in `app/.streamlit/config.toml`, which Streamlit reads beside the script."""
    parser.add_argument(
        "--port", type=int, metavar="N", help="where the page is served (default 8501, or the next one that is free)"
    )
    parser.add_argument(
        "--address",
        "--host",
        dest="host",
        metavar="NAME",
        help="who may reach it: 0.0.0.0 is everybody (default localhost, with --classroom 0.0.0.0)",
    )
    parser.add_argument(
        "--allow-host",
        metavar="NAME",
        action="append",
        help="the page answers to this name only, such as class.example or *.example, so that no other site's name leads to it; may be given again "
        "(default: the names of this machine where only it reaches the page, else any)",
    )
    parser.add_argument(
        "--framed-by",
        metavar="SITE",
        action="append",
        help="this site, such as https://class.example, may show the page in a frame; may be given again (default: none)",
    )
    parser.add_argument(
        "--classroom",
        action="store_true",
        help="for a class: the models are yours to choose, visitors load no others and upload nothing, jobs have limits",
    )
    parser.add_argument(
        "--pair",
        metavar="NAME",
        action="append",
        help="with --classroom: a pair that visitors may use; may be given again (default embedded, and the chat pair where it is here)",
    )
    parser.add_argument(
        "--most-tokens",
        type=int,
        metavar="N",
        help=f"with --classroom: new tokens of a run, at most (default {MOST_TOKENS})",
    )
    parser.add_argument(
        "--most-seconds",
        type=int,
        metavar="N",
        help=f"with --classroom: a job is ended after so many seconds (default {MOST_SECONDS})",
    )
    parser.add_argument(
        "--engines",
        metavar="RAY",
        help="run engines on the machines of a Ray cluster: ray, or its address, such as ray://HOST:10001 (default: one engine on this machine)",
    )
    parser.add_argument(
        "--lessons",
        metavar="FOLDER",
        type=folder,
        help="a folder with lessons of your own, shown beside the built-in ones",
    )
    parser.add_argument("--browser", action="store_true", help="open the page in the browser too")


def perform(args: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C. Raises InputError if Streamlit is not installed, the port is not a port or is taken,
    the address is not this machine's, or no engine is available."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise InputError(f"The page needs {' and '.join(missing)}: install with \"pip install 'specviz[app]'\".")
    allowed = hosting_of(args)
    command, variables = command_line(args), environment(args.lessons)
    check_free(args.host, args.port)
    cluster = engines.find(args.engines) if args.engines is not None else None
    if args.host not in (None, *_OWN) or allowed.classroom or _PUBLISHED & os.environ.keys():
        sys.stdout.write("".join(f"{sentence}\n" for sentence in allowed.allows()))
    if cluster is not None:
        sys.stdout.write("".join(f"{sentence}\n" for sentence in cluster.about()))
        variables[engines.VARIABLE] = cluster.written()
    return start(command, {**variables, hosting.VARIABLE: allowed.written()})


def check_free(host: str | None, port: int | None) -> None:
    """Check that a server can listen where it was asked to; without a port, Streamlit looks for one that is free.
    Raises InputError if it cannot."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host or "localhost", port or 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(
                socket.SOL_SOCKET, socket.SO_REUSEADDR, 1
            )  # a port whose last server has just ended is free
            probe.bind(address)
            probe.listen()
    except OSError as error:
        raise InputError(
            f"The page cannot be served at {host or 'localhost'!r:.80}, port {port or 'any'} ({error.strerror}): give another address or port."
        ) from None


def hosting_of(args: argparse.Namespace) -> Hosting:
    """The rights and limits of visitors. Raises InputError if a pair is not known, a limit is out of range, or one is
    given for no classroom."""
    framed_by = tuple(dict.fromkeys(args.framed_by or ()))
    limits = {"--pair": args.pair, "--most-tokens": args.most_tokens, "--most-seconds": args.most_seconds}
    if not args.classroom:
        for option, value in limits.items():
            if value is not None:
                raise InputError(f"{option} was given without --classroom: add it, since only a classroom has limits.")
        return Hosting(framed_by=framed_by)
    return Hosting(
        tuple(dict.fromkeys(args.pair or ([CHAT, EMBEDDED] if chat_is_here() else [EMBEDDED]))),
        MOST_TOKENS if args.most_tokens is None else args.most_tokens,
        MOST_SECONDS if args.most_seconds is None else args.most_seconds,
        token_urlsafe(9),
        framed_by,
    )


def start(command: list[str], variables: dict[str, str]) -> int:
    """Run the server as this very process, so that Ctrl-C and every other signal reach the server itself."""
    sys.stdout.flush()
    os.execve(command[0], command, variables)  # noqa: S606  # Streamlit, no shell


def command_line(args: argparse.Namespace) -> list[str]:
    """The command that starts Streamlit. Raises InputError if the port is not a port, or a name is none of a host."""
    command = [sys.executable, "-P", "-m", "app", "run", str(PAGE / "app" / "main.py")]
    if args.port is not None:
        if not 1 <= args.port <= 65535:
            raise InputError(f"port was {args.port!r}: give a whole number from 1 to 65535.")
        command += ["--server.port", str(args.port)]
    address = args.host or ("0.0.0.0" if args.classroom else None)  # noqa: S104  # a classroom was asked for
    if address is not None:
        command += ["--server.address", address]
    for name in args.allow_host or ():
        if not _HOST.fullmatch(name):
            raise InputError(
                f"--allow-host was {name!r:.80}: give a name without scheme, port and path, such as class.example or *.example."
            )
    here = (address or os.environ.get("STREAMLIT_SERVER_ADDRESS")) in (None, *_OWN)
    for name in [*(_OWN if here else ()), *(args.allow_host or ())]:
        command += ["--server.allowedHosts", name]
    if address is not None and ":" in address:
        command += ["--browser.serverAddress", f"[{address}]"]  # what Streamlit prints: in an URL, IPv6 has brackets
    if args.classroom:
        command += ["--server.maxUploadSize", "0"]
    if args.browser:
        command += ["--server.headless", "false", "--server.showEmailPrompt", "false"]
    return command


def environment(lessons: Path | None = None) -> dict[str, str]:
    """This process's environment, with the folder that contains the package `app` first on the path, and the folder of lessons.

    The working directory is not on the path (-P): a folder of the person's own that is called `app` is not imported, and model
    folders are still relative to where the person is.
    """
    before = os.environ.get("PYTHONPATH")
    chosen = {} if lessons is None else {VARIABLE: str(lessons.resolve())}
    return {**os.environ, **chosen, "PYTHONPATH": os.pathsep.join([str(PAGE), *([before] if before else [])])}
