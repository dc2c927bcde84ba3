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
from pathlib import Path
from typing import Any

from specviz import words
from specviz.audit.zoo.guess_game import recorded_twins
from specviz.errors import InputError
from specviz.folders import ASSETS
from specviz.lessons.folder import Contents, LessonLibrary
from specviz.lessons.glossary import glossary_of
from specviz.lessons.handout import handout_file, handout_page
from specviz.lessons.learn_data import CLOSED, in_language, lesson_json, screen_json, ui_words
from specviz.lessons.lesson import Lesson
from specviz.lessons.placeholders import Filling
from specviz.lessons.rendering import html_of
from specviz.reporting.files import named_write_errors, write_atomically
from specviz.reporting.gallery import GalleryEntry, read_folder
from specviz.reporting.player.html_page import FRAME, embedded_json, theme_variables
from specviz.reporting.player.scripts import given, script, style
from specviz.reporting.player.thinning import thinned
from specviz.reporting.templates import html_from
from specviz.site.gallery import built_in, card_json
from specviz.trace.files import dump
from specviz.trace.records import Trace
from specviz.words import ENGLISH

PARTS = ("learn", "player", "race", "duel")  # the components of the app that the site shows
MARK = ".specviz-site.json"  # the list of the files that a build made, which the next one may replace
_FILE_NAME = re.compile(r"(?:(?:files|data)/)?[A-Za-z0-9][A-Za-z0-9._-]*")  # of a file that a build could have made
_TITLE_RUN = "letter"
_ALTERNATIVES = 4  # beside each token, of the draft and of the target, with four digits each; the drawer shows six
_WORDS: dict[str, str] = json.loads((ASSETS / "site-words.json").read_text(encoding="utf-8"))
_EXPORTS = re.compile(r"export\s*\{([^}]*)\};?\s*(?=$|/\*)", re.MULTILINE)
_AS, _PAIR = re.compile(r"([\w$]+) as (\w+)"), r'"\2":\1'
_POLICY = "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data:; base-uri 'none'; form-action 'none'"


def build(out: Path, lessons: Path | None = None, runs: Path | None = None, base: str = "") -> list[str]:
    """Write the site; returns a sentence on each lesson and recording that was left out. Raises InputError if the folder
    has files of somebody else, or cannot be written.

    Args:
        lessons, runs: a person's own, beside those that come with the project.
        base: the address at which the site will be, for the preview that others show of a link; "" where it is not known.
    """
    site = _Site(out)
    contents = LessonLibrary(lessons).contents()
    entries, problems = read_folder(runs) if runs else ([], [])
    entries = list({entry.name: entry for entry in [*built_in(), *entries]}.values())
    site.parts()
    site.learn(contents)
    site.gallery(entries)
    site.data("given", given())
    site.write("preview.png", (ASSETS / "preview.png").read_bytes())
    site.page(base)
    site.finish()
    return [*map(str, contents.problems), *problems]


class _Site:
    """A folder that is being written; `data` and `parts` name what the page can load."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._earlier = _earlier_files(out)
        self._written: set[str] = set()
        self._loads: dict[str, str] = {}
        self._styles: dict[str, str] = {}
        self._recordings: dict[tuple[str, int], str] = {}
        self._languages: list[dict[str, str]] = []
        # at once, so that the folder is known as a site's also where the disk is soon full
        self.write(MARK, json.dumps(sorted(self._earlier)))

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file."""
        file = self._out / name
        self._written.add(name)
        with named_write_errors(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(file, content)

    def hashed(self, name: str, content: str) -> str:
        """Write a file whose name holds a hash of its content; returns the name."""
        stem, dot, ending = name.rpartition(".")
        hashed = f"{stem}-{hashlib.sha256(content.encode()).hexdigest()[:10]}{dot}{ending}"
        self.write(hashed, content)
        return hashed

    def data(self, name: str, value: Any) -> str:
        """Write what the page can load under this name; returns the name."""
        text = json.dumps(value, separators=(",", ":"), allow_nan=False)
        self._loads[name] = self.hashed(f"data/{name}.js", f'siteData("{name}",{text});\n')
        return name

    def recording(self, name: str, traces: Sequence[Trace]) -> str:
        """Write a recording once, whoever shows it; returns the name under which it is loaded."""
        key = (name, id(traces))
        if key not in self._recordings:
            value = dump(thinned(traces, _ALTERNATIVES))
            content = hashlib.sha256(json.dumps(value).encode()).hexdigest()[:10]
            self._recordings[key] = self.data(f"run-{name}-{content}", value)
        return self._recordings[key]

    def parts(self) -> None:
        """The scripts and style sheets of the components."""
        for part in PARTS:
            self._loads[f"part-{part}"] = self.hashed(f"files/{part}.js", classic(f"part-{part}", script(part)))
            self._styles[part] = self.hashed(f"files/{part}.css", style(part))

    def learn(self, contents: Contents) -> None:
        """Every chapter in every language that it has; in every language the zoo, the teacher's page and what stands around the chapters."""
        self._languages = words.language_choices(lesson.language for lesson in contents.lessons)
        for language in (choice["code"] for choice in self._languages):
            lessons = in_language(contents, language)
            sheet = handout_file(language)
            self.write(f"{sheet.stem}.html", handout_page(sheet))
            learn: dict[str, Any] = {
                **CLOSED,
                **screen_json(contents, language),
                "handout": f"{sheet.stem}.html",
                "languages": [],
                "words": ui_words(language),
                "glossary": [entry.as_json() for entry in glossary_of(language) or glossary_of(words.ENGLISH)],
                "glossary_language": language,
                "lessons": {
                    name: f"lesson-{lesson.name}-{lesson.language}"
                    for lesson in lessons
                    for name in (lesson.name, *lesson.formerly)
                },
            }
            self.data(f"learn-{language}", learn)
            self.data(f"words-{language}", {"words": _WORDS, "spoken": words.spoken(language)})
            self.data(f"zoo-{language}", recorded_twins(partial(words.translate, language=language)))
            self.data(f"teach-{language}", {**teaching_page(language), "handout": learn["handout"]})
        for lesson in contents.lessons:
            self._lesson(lesson)

    def _lesson(self, lesson: Lesson) -> None:
        data = lesson_json(lesson, recording_json=lambda recording: self.recording(recording.name, recording.traces))
        for view in data["views"].values():
            view["id"] = f"lesson-{lesson.name}-{view['recording']}"
        self.data(f"lesson-{lesson.name}-{lesson.language}", data)

    def gallery(self, entries: Sequence[GalleryEntry]) -> None:
        """The list of recorded runs, each run, and the one of the front page without its alternatives."""
        cards = [{**card_json(entry), "data": self.recording(entry.name, entry.traces)} for entry in entries]
        self.data("gallery", cards)
        first = next(entry for entry in entries if entry.name == _TITLE_RUN)
        self.data("title-run", dump(thinned(first.traces, 0)))

    def page(self, base: str) -> None:
        """The page itself."""
        code = self.hashed("files/site.js", f"(() => {{\n{script('site')}\n}})();\n")
        looks = self.hashed("files/site.css", theme_variables() + style("site"))
        icon = self.hashed("files/icon.svg", (ASSETS / "icon.svg").read_text(encoding="utf-8"))
        site = {
            "languages": self._languages,
            "loads": self._loads,
            "styles": self._styles,
            "base": base,
            "frame": FRAME,
        }
        page = html_from(
            "site/index.html",
            language=words.ENGLISH,
            direction="ltr",
            policy=_POLICY,
            title=_WORDS["title"],
            says=_WORDS["description"],
            needs=_WORDS["needs_script"],
            base=base,
            icon=icon,
            looks=looks,
            site=embedded_json(site),
            code=code,
        )
        self.write("index.html", page)

    def finish(self) -> None:
        """Remove what an earlier build made and this one did not, and list what is there."""
        for name in self._earlier - self._written:
            (self._out / name).unlink(missing_ok=True)
        self.write(MARK, json.dumps(sorted(self._written)))


def _earlier_files(out: Path) -> set[str]:
    """The files that an earlier build made. Raises InputError if the folder is no folder, or has files and no list of
    an earlier build."""
    mark = out / MARK
    try:
        if mark.is_file():
            names = json.loads(mark.read_text(encoding="utf-8"))
            return {name for name in names if isinstance(name, str) and _FILE_NAME.fullmatch(name)}
        taken = out.exists() and (not out.is_dir() or any(out.iterdir()))
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"The folder {str(out)!r} cannot be read ({error}): choose another.") from error
    if taken:
        raise InputError(f"{str(out)!r} has files that no earlier build made: name an empty or a new folder.")
    return set()


def classic(name: str, module: str) -> str:
    """A built module as a classic script, which hands over its exports under a name. Raises ValueError if the module
    does not end with the exports that esbuild writes."""
    text, lists = _EXPORTS.subn(lambda export: f';siteData("{name}",{{{_AS.sub(_PAIR, export[1])}}});', module)
    if lists != 1:
        raise ValueError(f"{name} has {lists} lists of exports, and 1 was expected")
    return f'(() => {{"use strict";\n{text}\n}})();\n'


_DOCS = ASSETS if (ASSETS / "teaching.md").is_file() else ASSETS.parent / "docs"
TEACHING = _DOCS / "teaching.md"
# The parts of the English page that need no engine. Pages in other languages, such as `teaching.de.md` beside it, have only these.
TEACHING_PARTS = ("A plan for 45 minutes", "Which chapter for whom", "Questions that rooms ask", "Exercises")
_STEP = re.compile(r"\(/learn\?lesson=([a-z0-9-]+)(?:&step=(\d+))?\)")
_ELSEWHERE = re.compile(r"\[([^\]]+)\]\((?!#)[^)]*\)")


def teaching_page(language: str) -> dict[str, str]:
    """Safe HTML in this language, and its language: English where there is none."""
    translation = TEACHING.with_name(f"teaching.{language}.md")
    file = translation if translation.is_file() else TEACHING
    sections = re.split(r"(?m)^## ", file.read_text(encoding="utf-8"))[1:]
    if file == TEACHING:
        sections = [section for section in sections if section.startswith(TEACHING_PARTS)]
    linked = _STEP.sub(lambda link: f"(#/learn/{link[1]}/{link[2] or 1})", "## " + "\n## ".join(sections))
    html = html_of(_ELSEWHERE.sub(r"\1", linked), _no_figure)
    return {"html": html, "language": ENGLISH if file == TEACHING else language}


def _no_figure(inside: str) -> Filling:
    raise ValueError(f"{inside!r} is no figure of this page")
