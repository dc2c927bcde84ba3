"""The player alone on an empty page: hand-made recordings, no server, no model."""

from dataclasses import replace
from typing import Any

from playwright.sync_api import Page

from app import theme
from app.player import player
from specviz.settings import Settings
from specviz.trace.files import dump, to_json
from specviz.trace.records import (
    NO_TOP,
    Closing,
    ClosingToken,
    Drafted,
    DrafterCard,
    ModelCard,
    PairCard,
    Prefill,
    Round,
    Stop,
    TokenBytes,
    Top,
    Trace,
    Verdict,
)
from specviz.wire import light

DRAFT_S, VERIFY_S, REST_S, PLAIN_S = 0.002, 0.005, 0.001, 0.006
MIXED = ["aaa", "ard", "rdd", "aa"]
_VERDICTS = {"a": Verdict.ACCEPTED, "r": Verdict.REJECTED, "d": Verdict.DISCARDED}
_CARD = PairCard(
    ModelCard("big", "Llama", 10, 2, 8),
    ModelCard("small", "Llama", 2, 1, 4),
    DrafterCard("model", "draft model"),
    "cpu",
    "float32",
)
_COLOURS = """<style>.stage {
  --st-background-color: %s; --st-secondary-background-color: %s; --st-text-color: %s; --st-border-color: %s;
  --st-primary-color: %s; --st-font: sans-serif;
}</style>"""
_THEMES = {
    "light": ("#fbfaf7", "#f0eee8", "#1d2129", "#d9d5ca", "#3b4cca"),
    "dark": ("#12151c", "#1b2029", "#e8eaf0", "#343b48", "#5563de"),
}


def round_of(
    start: int,
    verdicts: str,
    index: int,
    *,
    closing: bool = True,
    parents: tuple[int, ...] | None = None,
    temperature: float = 0.0,
) -> Round:
    """A round of drafts that were a(ccepted), r(ejected) or d(iscarded), closed by the target's own token 9."""
    parents = parents or tuple(range(-1, len(verdicts) - 1))
    drafted = tuple(
        Drafted(
            token=i + 1,
            parent=parent,
            draft_prob=0.5,
            target_prob=0.45 if v == "a" else 0.1,
            draw=None if v == "d" or not temperature else 0.3 if v == "a" else 0.7,
            verdict=_VERDICTS[v],
            draft_top=Top((i + 1, 9), (2.0, 1.0), (0.6, 0.2), (0.5, 0.2)),
            target_top=Top((9, i + 1), (3.0, 1.5), (0.7, 0.1), (0.8, 0.1)),
        )
        for i, (v, parent) in enumerate(zip(verdicts, parents, strict=True))
    )
    accepted = tuple(i for i, v in enumerate(verdicts) if v == "a")
    end = accepted[-1] if accepted else -1
    refused = any(v == "r" and parent == end for v, parent in zip(verdicts, parents, strict=True))
    own = None
    if closing:
        how = Closing.CORRECTED if refused else Closing.BONUS
        own = ClosingToken(9, how, 0.25 if temperature else None, Top((9, 8), (3.0, 1.0), (0.7, 0.1), (0.9, 0.1)))
    began = index * (DRAFT_S + VERIFY_S + REST_S)
    return Round(start, drafted, accepted, own, began, DRAFT_S, VERIFY_S, began + DRAFT_S + VERIFY_S + REST_S)


def trace_of(
    rounds: list[str],
    *,
    texts: dict[int, bytes] | None = None,
    parents: tuple[int, ...] | None = None,
    temperature: float = 0.0,
    drafter: str = "draft model",
    way: str = "model",
    source: int | None = None,
    **chosen: Any,
) -> Trace:
    """A run of rounds as `round_of` takes them; `texts` are the bytes of some ids, `parents` makes every round a tree.

    `drafter` is the name on the card and `way` the setting behind it, `source` where every draft was copied from, `chosen` further settings.
    """
    made: list[Round] = []
    start = 0
    for index, verdicts in enumerate(rounds):
        made.append(round_of(start, verdicts, index, parents=parents, temperature=temperature))
        if source is not None and verdicts:
            bare = tuple(replace(drafted, draft_top=NO_TOP, draft_prob=1.0) for drafted in made[-1].drafted)
            made[-1] = replace(made[-1], source=source, drafted=bare)
        start += len(made[-1].tokens)
    table = {i: TokenBytes(f" w{i}".encode()) for i in range(max(10, max(map(len, rounds), default=0) + 2))}
    table |= {i: TokenBytes(data) for i, data in (texts or {}).items()}
    settings = Settings(k=max(1, *map(len, rounds)) if rounds else 1, temperature=temperature, drafter=way, **chosen)
    return Trace(
        replace(_CARD, drafter=DrafterCard(way, drafter)),
        "Say",
        (0,),
        settings,
        Prefill(0.01, 0.002),
        tuple(made),
        Stop.LENGTH,
        table,
    )


def plain_of(trace: Trace) -> Trace:
    """The plain run that writes the same."""
    rounds = tuple(
        Round(
            i,
            (),
            (),
            ClosingToken(token, Closing.BONUS, None),
            i * PLAIN_S,
            0.0,
            PLAIN_S - 0.0005,
            (i + 1) * PLAIN_S,
        )
        for i, token in enumerate(trace.token_ids)
    )
    card = PairCard(_CARD.target, None, DrafterCard("none", "none"), "cpu", "float32")
    return Trace(
        card, trace.prompt, trace.prompt_ids, trace.settings, trace.prefill, rounds, trace.stop, dict(trace.tokens)
    )


def view_of(*traces: Trace, **more: Any) -> dict[str, Any]:
    """What the page hands to the player for a finished run."""
    return {"id": "lab", "status": "done", "recording": dump(traces), **more}


def live_of(trace: Trace) -> dict[str, Any]:
    """What the page hands to the player of a run that goes on, when these rounds have come."""
    return {
        "prompt": trace.prompt,
        "settings": {"k": trace.settings.k, "temperature": 0.0},
        "prompt_ids": [0],
        "prefill": {"target_s": 0.01, "draft_s": 0.0},
        "tokens": view_of(trace)["recording"]["traces"][0]["tokens"],
        "plain_rounds": [],
        "detail": None,
        "rounds": [to_json(light(round_)) for round_ in trace.rounds],
    }


class Lab:
    """A page with nothing but the player on it."""

    def __init__(self, page: Page, scheme: str = "light") -> None:
        self.page = page
        script = player.script().replace("export default function", "window.mount = function")
        page.set_content(
            f"{_COLOURS % _THEMES[scheme]}<style>{player.style()}</style><div id='root'><div class='stage'></div></div>"
        )
        page.add_script_tag(content=script)

    def show(self, view: dict[str, Any]) -> None:
        """Hand the player a view, as Streamlit does at mount and at every change."""
        self.page.evaluate(
            "([view, looks]) => { mount({data: {view, looks}, parentElement: document.getElementById('root')}); }",
            [view, theme.looks()],
        )
        self.settle()

    def press(self, *keys: str) -> None:
        """Keys on the stage."""
        for key in keys:
            self.page.locator(".stage").focus()
            self.page.keyboard.press(key)
        self.settle()

    def settle(self) -> None:
        """Two frames, so that what was asked for is drawn."""
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def text(self) -> str:
        """The manuscript as it stands."""
        found: str = self.page.locator(".manuscript").evaluate(
            "box => [...box.children].filter(c => !c.hidden).map(c => c.textContent).join('')"
        )
        return found

    def slots(self) -> list[str]:
        """What each slot of the board is: typed, accepted, rejected ..."""
        found: list[str] = self.page.locator(".board .slot").evaluate_all(
            "all => all.map(slot => slot.className.split(' ')[1])"
        )
        return found
