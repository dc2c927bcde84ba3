"""`make live`: how fast a run is while the page shows it, beside the same run without any page. Numbers to read, not a test.

A visitor without a browser opens the page over its WebSocket, presses Run and follows the live run as a browser would, asking again
as often as the page tells it to. What it costs a real browser to draw is its own business: nothing here draws. The rate without
a page is measured in turn with the visits, once with the threads that the engine process keeps and once with all; nothing else
should run meanwhile.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote

import torch
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

from specviz.decoding.recorder import FULL
from specviz.models import Pair, load_pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.metrics import summarise
from tests.app.server import serving

PROMPT = "Dear Anna,\n\nThank you for your"
_PATIENCE_S = 180.0
_TICK_S = 0.02


@dataclass(slots=True)
class _Asked:
    """A part of the page that wants to be asked again every so many seconds, and when it is due."""

    interval: float
    due: float


class Visitor:
    """A tab without a browser: keeps the page's button, its player's views and the parts that want to be asked again."""

    def __init__(self, socket: ClientConnection, query: str) -> None:
        self._socket, self._query = socket, query
        self._page = self._run_button = ""
        self._fragments: dict[str, _Asked] = {}
        self._busy = True
        self.views: list[dict[str, Any]] = []

    def open(self) -> None:
        """Open the page and wait until it rests: the pair is loaded, and no part of it asks to be asked again."""
        self._ask()
        self._follow(lambda: bool(self._run_button) and self._rests())

    def watch_a_run(self) -> list[dict[str, Any]]:
        """Press Run, and follow until the page rests; every view of that run that the player was given."""
        before = self._id()
        self.views.clear()
        self._ask(press=self._run_button)
        self._follow(lambda: self._id() != before and self._shown() == "done" and self._rests())
        return [view for view in self.views if view["id"] == self._id()]

    def _rests(self) -> bool:
        return not self._busy and not self._fragments

    def _id(self) -> str | None:
        return self.views[-1]["id"] if self.views else None

    def _shown(self) -> str:
        return str(self.views[-1]["status"]) if self.views else ""

    def _ask(self, *, press: str = "", fragment: str = "") -> None:
        """Have the script run, or one of its fragments, as a browser does."""
        back = BackMsg()
        state = back.rerun_script
        state.query_string, state.page_script_hash = self._query, self._page
        if fragment:
            state.fragment_id, state.is_auto_rerun = fragment, True
        if press:
            pressed = state.widget_states.widgets.add()
            pressed.id, pressed.trigger_value = press, True
        self._socket.send(back.SerializeToString())

    def _follow(self, enough: Callable[[], bool]) -> None:
        """Take what the page sends, and ask for its fragment whenever that is due, until there is enough."""
        deadline = time.monotonic() + _PATIENCE_S
        while not enough():
            now = time.monotonic()
            assert now < deadline, f"the page did not get there within {_PATIENCE_S:.0f} s"
            for fragment, asked in self._fragments.items():
                if now >= asked.due:
                    self._ask(fragment=fragment)
                    asked.due = now + asked.interval
            try:
                data = self._socket.recv(timeout=_TICK_S)
            except TimeoutError:
                continue
            assert isinstance(data, bytes), "the page speaks in bytes"
            self._take(ForwardMsg.FromString(data))

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._busy = True
            if not message.metadata.run.fragment_ids:
                self._fragments.clear()  # a run of the whole page says anew which parts want to be asked again
        elif kind == "script_finished":
            self._busy = False
        elif kind == "navigation":
            self._page = message.navigation.page_script_hash
        elif kind == "auto_rerun":
            interval = message.auto_rerun.interval
            self._fragments[message.auto_rerun.fragment_id] = _Asked(interval, time.monotonic() + interval)
        elif kind == "stop_auto_rerun":
            for fragment in message.stop_auto_rerun.fragment_ids:
                self._fragments.pop(fragment, None)
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._see(message.delta.new_element)

    def _see(self, element: Element) -> None:
        """Remember the button and what the player is given."""
        kind = element.WhichOneof("type")
        if kind == "button" and element.button.label == "Run":
            self._run_button = element.button.id
        elif kind == "bidi_component":
            data = json.loads(element.bidi_component.json or element.bidi_component.mixed.json or "{}")
            if isinstance(data.get("view"), dict) and "status" in data["view"]:
                self.views.append(data["view"])


def live_rate(views: list[dict[str, Any]]) -> tuple[float, float, int]:
    """Of the speculative run that was watched, on the engine's clock: tokens per second, seconds, and how many views showed it."""
    lives = [view["live"] for view in views if view["live"]]
    last = lives[-1]["rounds"][-1]
    tokens = last["start"] + len(last["accepted"]) + (last["closing"] is not None)
    return tokens / last["ended_s"], float(last["ended_s"]), len(lives)


def headless_rate(pair: Pair, settings: Settings, threads: int) -> float:
    """Tokens a second of the same run on as many threads, with no page; every candidate is kept, as the page's engine does."""
    torch.set_num_threads(threads)
    return summarise(Run(pair, PROMPT, settings, recorder=FULL).finish()).tokens_per_second


def main() -> None:
    """Visits and runs without a page in turn; prints medians and ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--dtype", default="float32")
    asked = parser.parse_args()
    settings = Settings(max_new_tokens=asked.tokens)
    every = torch.get_num_threads()
    kept = max(1, every - 1)
    pair = load_pair("embedded", device="cpu", dtype=asked.dtype)
    query = f"prompt={quote(PROMPT)}&max_new_tokens={asked.tokens}&dtype={asked.dtype}&device=cpu"
    live: list[float] = []
    same: list[float] = []
    whole: list[float] = []
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "log.txt", one_thread=False) as address:
        url = address.replace("http://", "ws://") + "/_stcore/stream"
        with connect(url, subprotocols=["streamlit"], max_size=None) as socket:  # type: ignore[list-item]
            visitor = Visitor(socket, query)
            visitor.open()
            visitor.watch_a_run()
            for _ in range(2):
                headless_rate(pair, settings, kept)
            for number in range(asked.repeats):
                rate, seconds, views = live_rate(visitor.watch_a_run())
                live.append(rate)
                headless_rate(pair, settings, kept)  # untimed, while the page comes to rest
                sides = [(same, kept), (whole, every)]
                for rates, threads in sides if number % 2 else reversed(sides):
                    rates.append(headless_rate(pair, settings, threads))
                sys.stdout.write(f"visit {number + 1}: {rate:.1f} tokens a second, {seconds:.2f} s in {views} views\n")
                sys.stdout.flush()
    for name, threads, rates in (("its threads", kept, same), ("all threads", every, whole)):
        ratios = sorted(a / b for a, b in zip(live, rates, strict=True))
        sys.stdout.write(
            f"live {median(live):.1f} / without a page on {name} ({threads}) {median(rates):.1f} = "
            f"{median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})\n"
        )


if __name__ == "__main__":
    main()
