"""Recordings that are shown without a run: those that come with the project, and files that a visitor opens."""

import hashlib
import json
import re
import unicodedata
from functools import cache
from typing import Any

from app.server import files
from app.server.addresses import base
from app.stage.run_description import short
from app.stage.visit import VisitRun
from specviz.folders import ASSETS
from specviz.known_pairs import EMBEDDED, FAMILY, sources_of
from specviz.reporting.player import wording
from specviz.reporting.player.html_page import check_playable, page, race_page
from specviz.reporting.prompts import first_prompt, prompt_family, ready_prompts
from specviz.trace.conditions import RacedTraces, conditions_json
from specviz.trace.files import dump, load, loads, read_file
from specviz.trace.records import Trace

View = dict[str, Any]
"""What the player shows, see `Jobs.view`: here always with a recording, with `origin`, where it comes from, and with `look_for`, a sentence
on what it shows; "" where there is none."""


def shipped() -> dict[str, str]:
    """The recordings that come with the project: file -> title, with the drafter and the pair where they are not the usual ones."""
    return {entry["file"]: _titled(entry) for entry in _listed()}


@cache
def first(family: str) -> View:
    """The one of the prompt that the page opens with, and its `pair`, paused on its title; the embedded pair's where there is none of this family.
    It has no sentence on what to look for: nothing on the title may give the run away."""
    for pair in dict.fromkeys((family, EMBEDDED)):
        title = first_prompt(ready_prompts(pair)).title
        for entry in _listed():
            if entry["title"] == title and entry.get("pair", EMBEDDED) == pair:
                return {**read_shipped(entry["file"]), "pair": pair, "title": True, "look_for": ""}
    raise AssertionError("the first prompt of the embedded pair has a recording")


def _listed() -> list[dict[str, Any]]:
    """The list of the recordings that are there."""
    listed: list[dict[str, Any]] = json.loads((ASSETS / "recordings.json").read_text(encoding="utf-8"))
    return [entry for entry in listed if (ASSETS / "traces" / entry["file"]).is_file()]


def _titled(entry: dict[str, Any]) -> str:
    drafter, pair = entry["settings"].get("drafter"), entry.get("pair", EMBEDDED)
    more = [wording.label(drafter)] if drafter is not None else []
    if pair not in FAMILY:
        models = sources_of(pair)
        more.append(short(models[0]) if models else pair)
    return ", ".join([entry["title"], *more])


def read_shipped(file: str) -> View:
    """One of them, with its own sentence on what to look for, or that of its prompt, and the address where a browser gets it."""
    view = _view(f"shipped-{file}", "A real run, recorded earlier", read_file(ASSETS / "traces" / file))
    at = base() + files.publish(file, as_json(view).decode("ascii"))
    return {
        **view,
        "recorded_at": at,
        "look_for": next((_look_for(entry) for entry in _listed() if entry["file"] == file), ""),
    }


def _look_for(entry: dict[str, Any]) -> str:
    ready = ready_prompts(prompt_family(entry.get("pair", EMBEDDED)))
    hint = next((prompt.look_for for prompt in ready if prompt.title == entry["title"]), "")
    return str(entry.get("look_for", hint))


def read_upload(content: bytes, name: str) -> View:
    """A file that a visitor chose.

    Raises:
        TraceError: it is no recording, or there is nothing in it to play.
    """
    traces = loads(content)
    check_playable(traces)
    return _view(f"opened-{hashlib.sha256(content).hexdigest()[:16]}", f"Opened from {name:.80}", traces)


def of_run(run: VisitRun) -> View:
    """A run of the visit that is over, as it was measured."""
    assert run.figures is not None, "it is over"
    view = _view(f"run-{run.id}", f"Run {run.number} of this visit", run.traces())
    timed = {
        "speedups": list(run.figures.speedups),
        "timed": run.figures.timed,
        "timing": conditions_json(run.figures.conditions),
    }
    return {**view, **timed}


def as_json(view: View) -> bytes:
    """The recording of a view as a file."""
    return json.dumps(view["recording"], separators=(",", ":"), allow_nan=False).encode("ascii")


def as_page(view: View, language: str) -> bytes:
    """The recording of a view as a page of its own, in this language."""
    traces = load(view["recording"])
    measured = view["speedups"], view.get("timing")
    return page(traces, view["origin"], *measured, language=language).encode()


def as_race_page(views: list[View], language: str) -> bytes:
    """The recordings of a race as a page of its own: the speculative runs, then the plain run of the first."""
    traces = [trace for view in views for trace in load(view["recording"])]
    plain_run = next(([trace] for trace in traces if not trace.drafts), [])
    timings = [timing for view in views if (timing := view.get("timing"))]
    doubt = next((timing["why"] for timing in timings if not timing["trusted"]), "")
    return race_page(
        RacedTraces((*(trace for trace in traces if trace.drafts), *plain_run), doubt=doubt), language
    ).encode()


def file_name(view: View) -> str:
    """A name for its file, without ending: the prompt's first words in plain letters."""
    prompt = unicodedata.normalize("NFKD", view["recording"]["traces"][0]["prompt"][:200])
    words = re.findall("[a-z0-9]+", prompt.encode("ascii", "ignore").decode().lower())
    return "-".join(words[:6])[:48] or "recording"


def gallery_name(view: View) -> str:
    """The name of a recording in the address of a site: the recordings of the project by their files, others by the file that Save makes."""
    shipped, _, file = view["id"].partition("shipped-")
    return file.removesuffix(".json") if file and not shipped else file_name(view)


def others_in(view: View) -> str:
    """That a recording has more texts in it than its own, in a sentence for whoever shares it; "" where it has none."""
    count = len(view["recording"]["traces"][0].get("earlier", ()))
    if not count:
        return ""
    texts = "1 earlier text" if count == 1 else f"{count} earlier texts"
    return f"This run copied from {texts} of the visit: recording, saved page and link have {'it' if count == 1 else 'them'} too."


def _view(name: str, origin: str, traces: tuple[Trace, ...]) -> View:
    return {"id": name, "status": "opened", "origin": origin, "look_for": "", "recording": dump(traces), "speedups": []}
