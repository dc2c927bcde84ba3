"""`python -m tools.recordings`: run the shipped recordings again, and overwrite the old ones.

`assets/recordings.json` lists those that the page offers, which are in `assets/traces/`, and `assets/lesson-recordings.json` those that only
lessons show, in `assets/lessons/`, and `assets/gallery-recordings.json` those that only the site's gallery has: each with its file, the title of a ready-made prompt and the settings; with the name of the pair where
it is not the embedded one, the folder in `assets/pairs/` of another draft, and the file of the prompts where they are not the pair's own.
Every one is a race in float32 with all candidates recorded; the pair of runs with the median speedup is saved, and in its card the
machine, the day and which of the timed pairs it is. Nothing else should run
meanwhile, since it measures speed. With names of files only these are run again.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from specviz.decoding.recorder import FULL
from specviz.errors import SpecvizError, TraceError
from specviz.folders import ASSETS
from specviz.known_pairs import EMBEDDED
from specviz.models import Pair, load_pair
from specviz.models.devices import cores_words, processor_name
from specviz.reporting.gallery import gallery_file
from specviz.runs.race import race
from specviz.settings import Settings
from specviz.trace.files import write_file
from specviz.trace.metrics import middle_words
from specviz.trace.records import Trace

_REPEATS = 5
_LISTS = (
    ("recordings.json", "traces"),
    ("lesson-recordings.json", "lessons"),
    ("gallery-recordings.json", "gallery"),
)


def record(pair: Pair, entry: dict[str, Any], folder: Path) -> str:
    """Run one of them and save it; returns a line with the result. Raises TraceError if at temperature 0 the two texts
    differ, which must not happen in a recording for teaching."""
    file = ASSETS / "prompts" / f"{entry.get('prompts', entry.get('pair', EMBEDDED))}.json"
    prompts = json.loads(file.read_text(encoding="utf-8"))
    prompt = next(ready["prompt"] for ready in prompts if ready["title"] == entry["title"])
    outcome = race(pair, prompt, Settings(**entry["settings"]), _REPEATS, recorder=FULL)
    if outcome.same_text is False:
        raise TraceError(f"On {entry['title']!r} the speculative text differs from the plain one: it was not saved.")
    stamped = tuple(_stamped(trace) for trace in outcome.recorded)
    if folder.name == "gallery":
        category = next(ready["category"] for ready in prompts if ready["title"] == entry["title"])
        text = gallery_file(stamped, entry["title"], category, entry["shows"])
        (folder / entry["file"]).write_text(text, encoding="ascii")
    else:
        write_file(folder / entry["file"], stamped)
    return f"{entry['file']:<18} {outcome.speedup:.2f}×  {len(outcome.speculative.token_ids)} tokens"


def _stamped(trace: Trace) -> Trace:
    """Note in the card of a run where and when it was timed."""
    processor = processor_name()
    article = "an" if processor[0] in "AEIOU" else "a"
    stamp = (
        ("machine", f"{cores_words()} of {article} {processor}"),
        ("recorded", datetime.now(UTC).date().isoformat()),
        ("timed", middle_words(_REPEATS)),
    )
    return replace(trace, card=replace(trace.card, versions=(*trace.card.versions, *stamp)))


def _pair(name: str, draft: str | None) -> Pair:
    """The pair; its target with another draft, where one is given."""
    if draft is None:
        return load_pair(name, device="cpu", dtype="float32")
    target = ASSETS / "pairs" / name / "target"
    return load_pair(target=str(target), draft=str(ASSETS / "pairs" / draft), device="cpu", dtype="float32")


def main(files: Sequence[str] = ()) -> int:
    """Record all of them, or those of these files; exit code 1 and one sentence if one fails."""
    try:
        for list_file, folder in _LISTS:
            entries = json.loads((ASSETS / list_file).read_text(encoding="utf-8"))
            wanted = [entry for entry in entries if not files or entry["file"] in files]
            for models, its in groupby(
                wanted, key=lambda entry: (str(entry.get("pair", EMBEDDED)), entry.get("draft"))
            ):
                pair = _pair(*models)
                for entry in its:
                    sys.stdout.write(record(pair, entry, ASSETS / folder) + "\n")
                    sys.stdout.flush()
    except SpecvizError as error:
        sys.stderr.write(f"specviz: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
