"""`python -m specviz.runs.shipped`: run the shipped recordings again, and overwrite the old ones.

`assets/recordings.json` lists them, each with the title of a ready-made prompt, the settings and the file in
`assets/traces/`, and with the name of the pair where it is not the embedded one. Every one is a race in float32 with all
candidates recorded; the pair of runs with the median speedup is saved. Nothing else should run meanwhile, since it measures speed.
With names of files only these are run again.
"""

import json
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from specviz.decoding.recorder import FULL
from specviz.errors import SpecvizError, TraceError
from specviz.folders import ASSETS
from specviz.models import Pair, load_pair
from specviz.offers import EMBEDDED
from specviz.runs.race import race
from specviz.settings import Settings
from specviz.trace.files import write_file

_REPEATS = 5


def record(pair: Pair, wanted: dict[str, Any], folder: Path) -> str:
    """Run one of them and save it; returns a line with the result.

    Raises:
        TraceError: at temperature 0 the two texts differ, which must not happen in a recording for teaching.
    """
    file = ASSETS / "prompts" / f"{wanted.get('pair', EMBEDDED)}.json"
    prompts = json.loads(file.read_text(encoding="utf-8"))
    prompt = next(ready["prompt"] for ready in prompts if ready["title"] == wanted["title"])
    outcome = race(pair, prompt, Settings(**wanted["settings"]), _REPEATS, recorder=FULL)
    if outcome.same_text is False:
        raise TraceError(f"On {wanted['title']!r} the speculative text differs from the plain one: it was not saved.")
    write_file(folder / wanted["file"], outcome.recorded)
    return f"{wanted['file']:<18} {outcome.speedup:.2f}×  {len(outcome.speculative.token_ids)} tokens"


def main(files: Sequence[str] = ()) -> int:
    """Record all of them, or those of these files; exit code 1 and one sentence if one fails."""
    listed = json.loads((ASSETS / "recordings.json").read_text(encoding="utf-8"))
    wanted = [each for each in listed if not files or each["file"] in files]
    try:
        for name, its in groupby(wanted, key=lambda each: str(each.get("pair", EMBEDDED))):
            pair = load_pair(name, device="cpu", dtype="float32")
            for each in its:
                sys.stdout.write(record(pair, each, ASSETS / "traces") + "\n")
                sys.stdout.flush()
    except SpecvizError as error:
        sys.stderr.write(f"specviz: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
