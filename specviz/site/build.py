"""Builds the site: one page, scripts and styles as the app has them, and data that the page loads when it needs it.

A page that was opened from disk may neither import modules nor fetch files. So every file of data is a script that hands over JSON
(`siteData(name, value)`), and a built module becomes a classic script that hands over what it exports. Names of files hold a hash of
their content, so that a browser may keep them for good.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from specviz import words
from specviz.audit.zoo.strip import LOOK, recorded_twins
from specviz.errors import InputError
from specviz.folders import ASSETS
from specviz.lessons.folder import Contents, Shelf
from specviz.lessons.glossary import glossary_of
from specviz.lessons.handout import handout_file, handout_page
from specviz.lessons.lesson import Lesson
from specviz.lessons.shown import chapter, in_language, learn_data
from specviz.lessons.ui_text import words_of
from specviz.reporting.files import write_atomically
from specviz.reporting.gallery import Entry, read_folder
from specviz.reporting.player.frame import FRAME
from specviz.reporting.player.html_page import embedded_json, theme_variables
from specviz.reporting.player.scripts import given, script, style
from specviz.reporting.player.thinning import thinned
from specviz.site.gallery import built_in, listed
from specviz.site.teaching import teaching_page
from specviz.trace.files import dump
from specviz.trace.records import Trace

PARTS = ("learn", "player", "race", "duel")
"""The components of the app that the site shows."""
_PAGE = Path(__file__).with_name("page.html")
MARK = ".specviz-site.json"
"""The list of the files that a build made, which the next one may replace."""
_TITLE_RUN = "letter"
_EXPORTS = re.compile(r"export\s*\{([^}]*)\};?\s*(?=$|/\*)", re.MULTILINE)
_POLICY = "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data:; base-uri 'none'; form-action 'none'"
_ALTERNATIVES = 4
"""Beside each token: so many of the draft's likeliest and of the target's, with four digits each. The drawer shows six."""


def build(out: Path, lessons: Path | None = None, runs: Path | None = None, base: str = "") -> list[str]:
    """Write the site; returns a sentence on each lesson and recording that was left out.

    Args:
        lessons, runs: a person's own, beside those that come with the project.
        base: the address at which the site will be, for the preview that others show of a link; "" where it is not known.

    Raises:
        InputError: the folder has files of somebody else, or cannot be written.
        TraceError: there is no folder of this name for the runs.
    """
    site = _Site(out)
    contents = Shelf(lessons).contents()
    entries, problems = read_folder(runs) if runs else ([], [])
    entries = list({entry.name: entry for entry in [*built_in(), *entries]}.values())
    site.parts()
    site.learn(contents)
    site.gallery(entries)
    site.data("given", given())
    site.write("preview.png", (ASSETS / "screenshot.png").read_bytes())
    site.page(base)
    site.finish()
    return [*map(str, contents.problems), *problems]


class _Site:
    """A folder that is being written; `data` and `parts` name what the page can load."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._made = _made_before(out)
        self._written: dict[str, None] = {}
        self._loads: dict[str, str] = {}
        self._styles: dict[str, str] = {}
        self._recorded: dict[tuple[str, int], str] = {}
        self._spoken: list[dict[str, str]] = []
        self.write(
            MARK, json.dumps(list(self._made))
        )  # also where the disk is soon full, the folder is known as a site's

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file, unless it is there as it should be."""
        file, wanted = self._out / name, content.encode() if isinstance(content, str) else content
        self._written[name] = None
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            if name not in self._made or not file.is_file() or file.read_bytes() != wanted:
                write_atomically(file, wanted)
        except OSError as error:
            raise InputError(
                f"{str(file)!r} could not be written ({error.strerror}): choose another folder."
            ) from error

    def hashed(self, name: str, content: str) -> str:
        """Write a file whose name holds a hash of its content; returns the name."""
        stem, dot, ending = name.rpartition(".")
        named = f"{stem}-{hashlib.sha256(content.encode()).hexdigest()[:10]}{dot}{ending}"
        self.write(named, content)
        return named

    def data(self, name: str, value: Any) -> str:
        """Write what the page can load under this name; returns the name."""
        text = json.dumps(value, separators=(",", ":"), allow_nan=False)
        self._loads[name] = self.hashed(f"data/{name}.js", f'siteData("{name}",{text});\n')
        return name

    def recording(self, name: str, traces: Sequence[Trace]) -> str:
        """Write a recording once, whoever shows it; returns the name under which it is loaded."""
        if (name, id(traces)) in self._recorded:
            return self._recorded[name, id(traces)]
        value = dump(thinned(traces, _ALTERNATIVES))
        content = hashlib.sha256(json.dumps(value).encode()).hexdigest()[:10]
        known = f"run-{name}-{content}"
        self._recorded[name, id(traces)] = known
        return known if known in self._loads else self.data(known, value)

    def parts(self) -> None:
        """The scripts and style sheets of the components."""
        for part in PARTS:
            self._loads[f"part-{part}"] = self.hashed(f"files/{part}.js", classic(f"part-{part}", script(part)))
            self._styles[part] = self.hashed(f"files/{part}.css", style(part))

    def learn(self, contents: Contents) -> None:
        """Every chapter in every language that it has; in every language the zoo, the teacher's page and what stands around the chapters."""
        spoken = words.offered(each.language for each in contents.lessons)
        said = json.loads((ASSETS / "site-words.json").read_text(encoding="utf-8"))
        for language in (each["code"] for each in spoken):
            chapters = in_language(contents, language)
            sheet = handout_file(language)
            self.write(f"{sheet.stem}.html", handout_page(sheet))
            mine: dict[str, Any] = {
                "handout": f"{sheet.stem}.html",
                "chapters": [chapter(lesson) for lesson in chapters],
                "problems": [str(problem) for problem in contents.problems],
                "words": words_of(language),
                "glossary": [entry.as_json() for entry in glossary_of(language) or glossary_of(words.ENGLISH)],
                "lessons": {lesson.name: f"lesson-{lesson.name}-{lesson.language}" for lesson in chapters},
            }
            self.data(f"learn-{language}", mine)
            self.data(f"words-{language}", {"words": said, "spoken": words.spoken(language)})
            self.data(f"zoo-{language}", recorded_twins(partial(words.said, language=language)))
            self.data(f"teach-{language}", {**teaching_page(language), "handout": mine["handout"]})
        for lesson in contents.lessons:
            self._lesson(lesson)
        self._spoken = spoken

    def _lesson(self, lesson: Lesson) -> None:
        found = learn_data(lesson, talk=False, recording=lambda each: self.recording(each.name, each.traces))
        for view in found["views"].values():
            view["id"] = f"lesson-{lesson.name}-{view['recording']}"
        self.data(f"lesson-{lesson.name}-{lesson.language}", found)

    def gallery(self, entries: Sequence[Entry]) -> None:
        """The list of recorded runs, each run, and the one of the front page without its alternatives."""
        cards = [{**listed(entry), "data": self.recording(entry.name, entry.traces)} for entry in entries]
        self.data("gallery", cards)
        first = next(entry for entry in entries if entry.name == _TITLE_RUN)
        self.data("title-run", dump(thinned(first.traces, 0)))

    def page(self, base: str) -> None:
        """The page itself."""
        said = json.loads((ASSETS / "site-words.json").read_text(encoding="utf-8"))
        code = self.hashed("files/site.js", f"(() => {{\n{script('site')}\n}})();\n")
        looks = self.hashed("files/site.css", theme_variables() + style("site") + LOOK)
        icon = self.hashed("files/icon.svg", (ASSETS / "icon.svg").read_text(encoding="utf-8"))
        known = {"languages": self._spoken, "loads": self._loads, "styles": self._styles, "base": base, "frame": FRAME}
        self.write(
            "index.html",
            _PAGE.read_text(encoding="utf-8").format(
                policy=_POLICY,
                title=escape(said["title"]),
                says=escape(said["description"]),
                needs=escape(said["needs_script"]),
                image=escape(f"{base}preview.png"),
                address=f'<meta property="og:url" content="{escape(base)}">\n' if base else "",
                style=looks,
                icon=icon,
                known=embedded_json(known),
                code=code,
            ),
        )

    def finish(self) -> None:
        """Remove what an earlier build made and this one did not, and list what is there."""
        for name in self._made.keys() - self._written.keys():
            (self._out / name).unlink(missing_ok=True)
        self.write(MARK, json.dumps(sorted(self._written)))


def _made_before(out: Path) -> dict[str, None]:
    """The files that an earlier build made.

    Raises:
        InputError: the folder is no folder, or has files and no list of an earlier build.
    """
    mark = out / MARK
    try:
        if mark.is_file():
            listed = json.loads(mark.read_text(encoding="utf-8"))
            return dict.fromkeys(name for name in listed if isinstance(name, str) and _inside(name))
        taken = out.exists() and (not out.is_dir() or any(out.iterdir()))
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"The folder {str(out)!r} cannot be read ({error}): choose another.") from error
    if taken:
        raise InputError(f"{str(out)!r} has files that no earlier build made: name an empty or a new folder.")
    return {}


def _inside(name: str) -> bool:
    """Whether a name of the list is one that a build could have made."""
    return re.fullmatch(r"(?:(?:files|data)/)?[A-Za-z0-9][A-Za-z0-9._-]*", name) is not None


def classic(name: str, module: str) -> str:
    """A built module as a classic script, which hands over its exports under a name.

    Raises:
        ValueError: the module does not end with the exports that esbuild writes.
    """
    found = _EXPORTS.findall(module)
    if len(found) != 1:
        raise ValueError(f"{name} has {len(found)} lists of exports, and 1 was expected")
    pairs = ",".join(
        f'"{outside}":{inside}' for inside, outside in (each.split(" as ") for each in found[0].split(","))
    )
    inside = _EXPORTS.sub(lambda _: f';siteData("{name}",{{{pairs}}});', module)
    return f'(() => {{"use strict";\n{inside}\n}})();\n'
