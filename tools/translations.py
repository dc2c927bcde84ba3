"""Finds texts of the lessons, the glossary, the handout and the teacher's page that a language lacks, or that are older than their English source.

Beside the built-in lessons `translated.de.json` notes of every German text which English one it translates: the hash of each section of a
lesson, the handout and the teacher's page, and of each term. It is written by `python -m tools.words --stamp de` after a text was brought up to date.
"""

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

from specviz.lessons.files import BUILT_IN, file_name
from specviz.site.teaching import PARTS, TEACHING
from specviz.words import ENGLISH

_SECTION = re.compile(r"(?m)^(?=#{2,3} )")


def outdated(language: str, folder: Path = BUILT_IN) -> list[str]:
    """One sentence for each text that is missing in a language or older than its English source; empty when all is well."""
    noted = _noted(language, folder)
    problems = []
    for file in _english_files(folder):
        own = _in_language(file, language)
        if not own.is_file():
            problems.append(f"{own.name} is missing.")
            continue
        before = noted.get(file.stem, {})
        for title, hashed in _sections(file).items():
            if before.get(title) != hashed:
                problems.append(f"{own.name} is older than {file.name} in the section {title!r}.")
    terms = _terms(folder / f"glossary.{language}.json")
    for term, hashed in _sentences(folder).items():
        if term not in terms:
            problems.append(f"glossary.{language}.json has no entry of {term!r}.")
        elif noted.get("glossary", {}).get(term) != hashed:
            problems.append(f"glossary.{language}.json is older than glossary.json in {term!r}.")
    return problems


def stamp(language: str, folder: Path = BUILT_IN) -> None:
    """Note that everything in a language translates the English texts as they are now."""
    noted = {file.stem: _sections(file) for file in _english_files(folder)} | {"glossary": _sentences(folder)}
    text = json.dumps(noted, ensure_ascii=False, indent=1)
    (folder / f"translated.{language}.json").write_text(f"{text}\n", encoding="utf-8")


def _english_files(folder: Path) -> list[Path]:
    """The English lessons, the handout and the teacher's page."""
    named = {file: file_name(file) for file in sorted(folder.glob("*.md"))}
    ours = [file for file, name in named.items() if file.name == "handout.md" or (name and name.language == ENGLISH)]
    return [*ours, TEACHING]


def _in_language(file: Path, language: str) -> Path:
    return file.with_name(f"{file.stem}.{language}.md")


def _sections(file: Path) -> dict[str, str]:
    """The hash of each section by its heading; what stands before the first one is called "the beginning". Of the teacher's page
    those that are translated."""
    beginning, *others = _SECTION.split(file.read_text(encoding="utf-8"))
    hashes = {part.splitlines()[0].lstrip("# ?"): _hash(part) for part in others}
    return {name: hashes[name] for name in PARTS} if file == TEACHING else {"the beginning": _hash(beginning)} | hashes


def _sentences(folder: Path) -> dict[str, str]:
    """The hash of the sentence of each English term."""
    terms: dict[str, Any] = json.loads((folder / "glossary.json").read_text(encoding="utf-8"))
    return {term: _hash(says if isinstance(says, str) else says["says"]) for term, says in terms.items()}


def _terms(file: Path) -> set[str]:
    """The English terms that the entries of a glossary are `of`: one, or several that are one in this language."""
    entries: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    of = [entry.get("of", []) for entry in entries.values() if isinstance(entry, dict)]
    return {term for terms in of for term in ([terms] if isinstance(terms, str) else terms)}


def _noted(language: str, folder: Path) -> dict[str, dict[str, str]]:
    file = folder / f"translated.{language}.json"
    noted: dict[str, dict[str, str]] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return noted


def _hash(text: str) -> str:
    return sha256(" ".join(text.split()).encode()).hexdigest()[:8]
