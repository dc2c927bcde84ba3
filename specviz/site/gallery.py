"""The recorded runs of the site's gallery: those that come with the project, and files that `specviz site add` makes."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from specviz.adapters.vllm import read
from specviz.decoding.drafters import registry
from specviz.errors import TraceError
from specviz.folders import ASSETS
from specviz.known_pairs import CHAT, EMBEDDED
from specviz.lessons.places import BUILT_IN, RECORDINGS, is_name
from specviz.reporting.player import wording
from specviz.reporting.player.html_page import check_playable
from specviz.reporting.player.recorded_race import drafts, lane
from specviz.reporting.player.thinning import thinned
from specviz.reporting.prompts import ReadyPrompt, hints_checked, ready_prompts
from specviz.reporting.run_figures import figures_of
from specviz.trace.files import content_of, dump, load, read_file
from specviz.trace.records import Stop, Trace

SCHEMA = "specviz.gallery/1"
MOST_BYTES = 400_000
"""Of a gallery file: with the player it stays far below the megabyte of a chapter."""
_LENGTHS = {"title": 80, "kind": 40, "shows": 300}
_ALTERNATIVES = (1_000_000, 3, 2, 1, 0)


@dataclass(frozen=True, slots=True)
class Entry:
    """A recorded run of the gallery.

    Attributes:
        name: in the address.
        title, kind, shows: what it is called, the kind of its text, and what to look for ("" for nothing).
        run, plain: the run that is played, and plain decoding of the same prompt, if that was recorded.
    """

    name: str
    title: str
    kind: str
    shows: str
    run: Trace
    plain: Trace | None

    @property
    def traces(self) -> list[Trace]:
        """Both runs, as a recording has them."""
        return [self.run, *([self.plain] if self.plain else [])]

    def as_json(self) -> dict[str, Any]:
        """What the gallery's page reads, without the rounds: see `GalleryEntry` in types.d.ts."""
        figures = figures_of(self.run, self.plain)
        card, settings = self.run.card, self.run.settings
        return {
            "name": self.name,
            "title": self.title,
            "kind": self.kind,
            "shows": self.shows,
            "drafter": wording.listed(card.drafter.name) if drafts(self.run) else "",
            "target": _short(card.target.name),
            "prompt": " ".join(self.run.prompt.split())[:120],
            "group": json.dumps(
                [card.target.name, self.run.prompt, settings.temperature, settings.top_k, settings.top_p]
            ),
            "tags": list(_tags(self.run)),
            "tokens": figures.tokens,
            "passes": figures.passes,
            "speedup": figures.speedup if figures.trusted and drafts(self.run) else None,
            "judged": sum(round_.judged for round_ in self.run.rounds),
            "accepted": sum(len(round_.accepted) for round_ in self.run.rounds),
            "recorded": dict(card.versions).get("recorded", ""),
            "lanes": [lane(trace, self.plain) for trace in self.traces],
        }


def _short(name: str) -> str:
    """A model without its owner; of the embedded pair the pair."""
    return EMBEDDED if name.startswith(f"{EMBEDDED}/") else name.rpartition("/")[2]


def _tags(run: Trace) -> Iterator[str]:
    """What a recording shows, read from its rounds: the names of `tag.…` in the site's words."""
    drafted = [round_ for round_ in run.rounds if round_.drafted]
    known = registry.descriptions().get(run.card.drafter.name)
    checks = {
        "whole": any(len(round_.accepted) == len(round_.drafted) for round_ in drafted),
        "rejected": any(len(round_.accepted) < round_.judged for round_ in drafted),
        "none": any(not round_.accepted for round_ in drafted),
        "tree": known is not None and known.shape == "tree",
        "random": not run.settings.greedy,
        "lossy": run.settings.lossy,
        "copied": any(round_.source is not None for round_ in drafted),
        "ended": run.stop is Stop.END_OF_TEXT,
        "plain": not drafted,
    }
    return (name for name, shown in checks.items() if shown)


def built_in() -> list[Entry]:
    """The recordings that come with the project, those of the list of recordings first."""
    titles = {each["file"]: each for each in _listed("recordings.json") + _listed("lesson-recordings.json")}
    files = [RECORDINGS / each["file"] for each in _listed("recordings.json")]
    files += sorted(file for file in BUILT_IN.glob("*.json") if _is_recording(file))
    found = [_built_in(file, titles.get(file.name, {})) for file in files]
    return found + [read_entry(file) for file in sorted((ASSETS / "gallery").glob("*.json"))]


def _listed(name: str) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads((ASSETS / name).read_text(encoding="utf-8"))
    return listed


def _is_recording(file: Path) -> bool:
    with file.open(encoding="utf-8") as opened:
        return '"traces"' in opened.read(200)


def _built_in(file: Path, listed: dict[str, Any]) -> Entry:
    traces = read_file(file)
    family = EMBEDDED if traces[0].card.target.name.startswith(EMBEDDED) else CHAT
    ready = _ready(family).get(traces[0].prompt)
    hint = ready.look_for if ready and hints_checked(family, traces[0].settings) and drafts(traces[0]) else ""
    title = listed.get("title") or (ready.title if ready else " ".join(traces[0].prompt.split()[:5]).rstrip(",.;:"))
    return _entry(
        file.stem,
        title,
        ready.category if ready else _LIKE.get(file.stem, "facts"),
        listed.get("look_for", hint),
        traces,
    )


_LIKE = {"boat": "story", "boat-ngram": "story", "meeting": "letters"}
"""The kind of text of prompts that are none of the ready-made ones."""


@cache
def _ready(family: str) -> dict[str, ReadyPrompt]:
    return {each.text: each for each in ready_prompts(family)}


def _entry(name: str, title: str, kind: str, shows: str, traces: Sequence[Trace]) -> Entry:
    check_playable(traces)
    run = next((trace for trace in traces if drafts(trace)), traces[0])
    plain = next((each for each in traces if each is not run and not drafts(each) and each.prompt == run.prompt), None)
    return Entry(name, title, kind, shows, run, plain)


# ------------------------------------------------------------------ files


def gallery_file(content: bytes, title: str, kind: str, shows: str) -> str:
    """A recording as a file of a gallery: checked, and made smaller where it is large.

    Raises:
        TraceError: it is no recording, has no round to play, or is too long; or a text is empty or too long.
    """
    entry = _entry("new", *_texts({"title": title, "kind": kind, "shows": shows}), read(content))
    head = {"schema": SCHEMA, "title": entry.title, "kind": entry.kind, "shows": entry.shows}
    for count in _ALTERNATIVES:
        text = json.dumps({**head, "recording": dump(thinned(entry.traces, count))}, separators=(",", ":"))
        if len(text) <= MOST_BYTES:
            return text + "\n"
    raise TraceError(
        f"The recording is too long for a gallery: without alternatives it is {len(text)} bytes, and {MOST_BYTES} are allowed."
    )


def read_entry(file: Path) -> Entry:
    """A file of a gallery.

    Raises:
        TraceError: it is none; the message names the file.
    """
    try:
        return _of_file(file.stem, json.loads(content_of(file)))
    except (TraceError, ValueError, RecursionError) as error:
        raise TraceError(f"{file.name}: {str(error).rstrip('.')}.") from error


def _of_file(name: str, found: Any) -> Entry:
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise TraceError(f"it is no gallery file ({SCHEMA}): make one with `specviz site add`")
    if not is_name(name):
        raise TraceError("its name is part of an address: use small letters, digits and hyphens, as in my-run.json")
    return _entry(name, *_texts(found), load(found.get("recording")))


def _texts(given: dict[str, Any]) -> tuple[str, str, str]:
    """Title, kind and what it shows, each on one line."""
    texts = []
    for name, most in _LENGTHS.items():
        text = given.get(name, "")
        line = " ".join(text.split()) if isinstance(text, str) else ""
        if not line or len(line) > most or not line.isprintable():
            raise TraceError(f"{name} was {str(text)!r:.60}: give 1 to {most} printable letters on one line")
        texts.append(line)
    return texts[0], texts[1], texts[2]


def read_folder(folder: Path) -> tuple[list[Entry], list[str]]:
    """The entries of a folder, and what is wrong with the files that are left out, a sentence each.

    Raises:
        TraceError: there is no such folder.
    """
    if not folder.is_dir():
        raise TraceError(f"There is no folder {str(folder)!r}: name the folder with the gallery's files.")
    entries, problems = [], []
    for file in sorted(folder.glob("*.json")):
        try:
            entries.append(read_entry(file))
        except TraceError as error:
            problems.append(str(error))
    return entries, problems
