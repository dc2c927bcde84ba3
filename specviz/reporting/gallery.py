"""Files of a gallery: a recorded run with a title, the kind of its text and what to look for. The page saves them."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from specviz.errors import TraceError, brief
from specviz.folders import read_json
from specviz.reporting.player.html_page import check_playable
from specviz.reporting.player.thinning import thinned, within
from specviz.trace.files import dump, load
from specviz.trace.records import Trace

SCHEMA = "specviz.gallery/1"
MOST_BYTES = 400_000  # with the player a file stays far below the megabyte of a chapter
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LENGTHS = {"title": 80, "kind": 40, "shows": 300}


@dataclass(frozen=True, slots=True)
class GalleryEntry:
    """A recorded run of the gallery.

    Attributes:
        name: in the address.
        title, kind, shows: what it is called, the kind of its text, and what to look for ("" for nothing).
        run, plain: the run that is played, and plain decoding of the same prompt, if that was recorded.
        traces: both.
    """

    name: str
    title: str
    kind: str
    shows: str
    run: Trace
    plain: Trace | None
    traces: tuple[Trace, ...]


def entry_of(name: str, title: str, kind: str, shows: str, traces: tuple[Trace, ...]) -> GalleryEntry:
    """The entry of a recording: the first run that drafts, and the plain one of its prompt. Raises TraceError if there
    is no round to play."""
    check_playable(traces)
    run = next((trace for trace in traces if trace.drafts), traces[0])
    plain = next((t for t in traces if t is not run and not t.drafts and t.prompt == run.prompt), None)
    both = (run, plain) if plain else (run,)
    return GalleryEntry(name, title, kind, shows, run, plain, traces if traces == both else both)


def gallery_file(traces: tuple[Trace, ...], title: str, kind: str, shows: str) -> str:
    """A recording as a file of a gallery: checked, and made smaller where it is large. Raises TraceError if it has no
    round to play, or is too long; or a text is empty or too long."""
    entry = entry_of("new", *_texts({"title": title, "kind": kind, "shows": shows}), traces)
    head = {"schema": SCHEMA, "title": entry.title, "kind": entry.kind, "shows": entry.shows}

    def text_of(count: int) -> str:
        return json.dumps({**head, "recording": dump(thinned(entry.traces, count))}, separators=(",", ":"))

    text = within(MOST_BYTES, text_of)
    if len(text) > MOST_BYTES:
        raise TraceError(
            f"The recording is too long for a gallery: without alternatives it is {len(text)} bytes, and {MOST_BYTES} are allowed."
        )
    return text + "\n"


def read_entry(file: Path) -> GalleryEntry:
    """A file of a gallery. Raises TraceError if it is none; the message names the file."""
    try:
        return _of_file(file.stem, read_json(file))
    except (TraceError, OSError, ValueError) as error:
        raise TraceError(f"{file.name}: {brief(error, 400)}.") from error


def _of_file(name: str, value: Any) -> GalleryEntry:
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise TraceError(f"it is no gallery file ({SCHEMA}): save one from the page, under Save and share")
    if _NAME.fullmatch(name) is None:
        raise TraceError("its name is part of an address: use small letters, digits and hyphens, as in my-run.json")
    return entry_of(name, *_texts(value), load(value.get("recording")))


def _texts(fields: dict[str, Any]) -> tuple[str, str, str]:
    """Title, kind and what to look for, each on one line."""
    texts = []
    for name, most in _LENGTHS.items():
        text = fields.get(name, "")
        line = (
            " ".join(text.replace("¦", "|").split()) if isinstance(text, str) else ""
        )  # that bar ends a text's English
        if not line or len(line) > most or not line.isprintable():
            raise TraceError(f"{name} was {str(text)!r:.60}: give 1 to {most} printable letters on one line")
        texts.append(line)
    return texts[0], texts[1], texts[2]


def read_folder(folder: Path) -> tuple[list[GalleryEntry], list[str]]:
    """The entries of a folder, and a sentence on each file that is left out."""
    entries, problems = [], []
    for file in sorted(folder.glob("[!.]*.json")):
        try:
            entries.append(read_entry(file))
        except TraceError as error:
            problems.append(str(error))
    return entries, problems
