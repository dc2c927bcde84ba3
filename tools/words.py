"""Lists what the languages of the page lack: `python -m tools.words`, or with a code, such as `de`, as JSON to be filled in.

`--stamp de` notes that the German lessons, glossary, handout and teacher's page translate the English ones as they are now: `translated.de.json` beside the
built-in lessons has the hash of the English text of each section and of each term.
"""

import argparse
import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from app.classroom.plan import PLAN
from app.server.visitors import FULL, NOBODY
from specviz import words
from specviz.audit.zoo.guess_game import recorded_twins
from specviz.decoding.drafters import registry
from specviz.folders import ASSETS
from specviz.known_pairs import CHAT, EMBEDDED
from specviz.lessons import handout
from specviz.lessons.files import BUILT_IN, file_name
from specviz.reporting.player import html_page
from specviz.reporting.player.scripts import STYLES
from specviz.reporting.prompts import SEEN_WITH, ready_prompts
from specviz.setting_labels import POLICIES
from specviz.site.build import TEACHING, TEACHING_PARTS
from specviz.site.gallery import built_in

_ROOT = Path(__file__).parents[1]
_WEB = _ROOT / "specviz" / "web"
_ROOMS = tuple(f"app/classroom/{name}" for name in ("room", "polls", "codes", "texts", "rooms", "room_routes"))
_TEXT = r'"(?:[^"\\]|\\.)*"'
_SAID = re.compile(rf"\b(?:word|english)\(\s*({_TEXT})")
_SEVERAL = re.compile(rf"\bseveral\([^\"{{}}]*?({_TEXT})")
_FORMS = re.compile(r"\[[^\[\]|]*\|([^\[\]|]*)\]")
_REFUSED = re.compile(rf"\bRoomError\(\s*({_TEXT})")
_COMMENT = re.compile(rf"{_TEXT}|`(?:[^`\\]|\\.)*`|//[^\n]*|/\*.*?\*/", re.DOTALL)
_GAP = re.compile(r"\{(\w+)\}")
_SECTION = re.compile(r"(?m)^(?=#{2,3} )")


@cache
def english_texts() -> frozenset[str]:
    """Every text of the page that a language translates: of the scripts, of the drafters, around a lesson, of the recorded runs and the zoo."""
    return frozenset((*_of_scripts(), *_of_python(), *_of_refusals(), *_of_prompts(), *_of_runs(), *_of_zoo()))


def _of_scripts() -> Iterator[str]:
    for file in _WEB.rglob("*.ts"):
        text = without_comments(file.read_text(encoding="utf-8"))
        yield from (json.loads(quoted) for quoted in _SAID.findall(text))
        yield from (_FORMS.sub(r"\1", json.loads(forms)) for forms in _SEVERAL.findall(text))


def without_comments(script: str) -> str:
    """A script without its comments, which may quote what no page says any more."""
    return _COMMENT.sub(lambda match: "" if match[0].startswith(("//", "/*")) else match[0], script)


def _of_sentences() -> Iterator[str]:
    """Every `Sentence` of the Python modules."""
    for folder in (_ROOT / "specviz", _ROOT / "app"):
        for file in folder.rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            if "Sentence(" in text:
                yield from _sentences(ast.parse(text))


def _sentences(tree: ast.Module) -> Iterator[str]:
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Sentence" and call.args:
            text = call.args[0]
            if isinstance(text, ast.Constant) and re.search(r"[A-Za-z]", _GAP.sub("", str(text.value))):
                yield str(text.value)


def _of_python() -> Iterator[str]:
    yield from _of_sentences()
    yield from (entry.label for entry in POLICIES.values())
    yield from json.loads((BUILT_IN / "words.json").read_text(encoding="utf-8")).values()
    for entry in registry.descriptions().values():
        parts = (entry.label, entry.does, entry.checks, entry.drafting, entry.idle, entry.verifying)
        yield from filter(None, parts)
    for style in STYLES.values():
        yield from (style.word, style.means)
    yield from (*handout.TEXTS, *html_page.TEXTS)
    yield from (part.what for part in PLAN)
    yield from json.loads((ASSETS / "site-words.json").read_text(encoding="utf-8")).values()
    yield from ("A real run, recorded earlier", "A real run, recorded with specviz")


def _of_refusals() -> Iterator[str]:
    """The refusals that a phone in a room shows: those that are no f-string have a translation."""
    for name in _ROOMS:
        yield from (
            json.loads(quoted) for quoted in _REFUSED.findall((_ROOT / f"{name}.py").read_text(encoding="utf-8"))
        )
    yield from (NOBODY, FULL)


def _of_prompts() -> Iterator[str]:
    """The hints of the ready-made prompts."""
    yield SEEN_WITH
    yield from filter(None, (ready.look_for for family in (EMBEDDED, CHAT) for ready in ready_prompts(family)))


def _of_runs() -> Iterator[str]:
    """Titles and hints of the recorded runs; a title that is the prompt's beginning stays as it is."""
    for entry in built_in():
        if not " ".join(entry.run.prompt.split()).startswith(entry.title):
            yield entry.title
        yield from filter(None, [entry.shows])


def _of_zoo() -> Iterator[str]:
    """The texts of the zoo's game."""
    texts: dict[str, str] = {}
    recorded_twins(lambda text: texts.setdefault(text, text))
    yield from texts


def problems(language: str, table: dict[str, Any]) -> list[str]:
    """One sentence for each text that a table lacks, that no page says any more, or whose gaps are others than in English."""
    english = english_texts()
    sentences = [f"{text!r} is missing." for text in sorted(english - table.keys())]
    sentences += [f"{text!r} is older than its source: no page says it." for text in sorted(table.keys() - english)]
    for text, own in table.items():
        forms = own if isinstance(own, dict) else {"other": own}
        if "other" not in forms:
            sentences.append(f"{text!r} has no form `other`.")
        for name, form in forms.items():
            spare = {"n"} if name != "other" else set()
            if set(_GAP.findall(form)) | spare != set(_GAP.findall(text)) | spare:
                sentences.append(f"{text!r} has other gaps in {language!r}: {form!r}.")
    return sentences


# ------------------------------------------------------------------ lessons, glossary, handout and teacher's page


def outdated(language: str, folder: Path = BUILT_IN) -> list[str]:
    """One sentence for each text that is missing in a language or older than its English source; empty when all is well."""
    file = folder / f"translated.{language}.json"
    noted = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    older = []
    for file in _english_files(folder):
        own = file.with_name(f"{file.stem}.{language}.md")
        if not own.is_file():
            older.append(f"{own.name} is missing.")
            continue
        before = noted.get(file.stem, {})
        for title, hashed in _hashes(file).items():
            if before.get(title) != hashed:
                older.append(f"{own.name} is older than {file.name} in the section {title!r}.")
    terms = _translated_terms(folder / f"glossary.{language}.json")
    for term, hashed in _terms(folder).items():
        if term not in terms:
            older.append(f"glossary.{language}.json has no entry of {term!r}.")
        elif noted.get("glossary", {}).get(term) != hashed:
            older.append(f"glossary.{language}.json is older than glossary.json in {term!r}.")
    return older


def stamp(language: str) -> None:
    """Note that everything in a language translates the English texts as they are now."""
    noted = {file.stem: _hashes(file) for file in _english_files(BUILT_IN)} | {"glossary": _terms(BUILT_IN)}
    text = json.dumps(noted, ensure_ascii=False, indent=1)
    (BUILT_IN / f"translated.{language}.json").write_text(f"{text}\n", encoding="utf-8")


def _english_files(folder: Path) -> list[Path]:
    """The English lessons, the handout and the teacher's page."""
    named = {file: file_name(file) for file in sorted(folder.glob("*.md"))}
    ours = [
        file for file, name in named.items() if file.name == "handout.md" or (name and name.language == words.ENGLISH)
    ]
    return [*ours, TEACHING]


def _hashes(file: Path) -> dict[str, str]:
    """The hash of each section by its heading; what stands before the first one is called "the beginning". Of the teacher's page
    those that are translated."""
    beginning, *others = _SECTION.split(file.read_text(encoding="utf-8"))
    hashes = {part.splitlines()[0].lstrip("# ?"): _hash(part) for part in others}
    return (
        {name: hashes[name] for name in TEACHING_PARTS}
        if file == TEACHING
        else {"the beginning": _hash(beginning)} | hashes
    )


def _terms(folder: Path) -> dict[str, str]:
    """The hash of the sentence of each English term."""
    terms: dict[str, Any] = json.loads((folder / "glossary.json").read_text(encoding="utf-8"))
    return {term: _hash(says if isinstance(says, str) else says["says"]) for term, says in terms.items()}


def _translated_terms(file: Path) -> set[str]:
    """The English terms that the entries of a glossary are `of`: one, or several that are one in this language."""
    entries: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    of = [entry.get("of", []) for entry in entries.values() if isinstance(entry, dict)]
    return {term for terms in of for term in ([terms] if isinstance(terms, str) else terms)}


def _hash(text: str) -> str:
    return sha256(" ".join(text.split()).encode()).hexdigest()[:8]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", nargs="?", help="print the missing texts of this language as JSON")
    parser.add_argument("--stamp", metavar="LANGUAGE", help="note the English lessons as they are now")
    args = parser.parse_args()
    if args.stamp:
        stamp(args.stamp)
    elif args.language:
        missing = sorted(english_texts() - words.table(args.language).keys())
        print(json.dumps(dict.fromkeys(missing, ""), ensure_ascii=False, indent=2))  # noqa: T201
    else:
        for language in words.languages()[1:]:
            for sentence in (*outdated(language), *problems(language, words.table(language))):
                print(f"{language}: {sentence}")  # noqa: T201


if __name__ == "__main__":
    main()
