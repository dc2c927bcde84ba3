"""bundle.py: modules are joined in the order of their imports, and what the joined text could get wrong is refused."""

import os
import subprocess
from pathlib import Path

import pytest

from specviz.reporting.player import scripts
from specviz.reporting.player.bundle import BundleError, bundle
from tests.helpers.node import NODE


def _files(folder: Path, **texts: str) -> Path:
    """The files of a small program; its entry is main.js."""
    for name, text in texts.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return folder / "main.js"


def _refused(entry: Path) -> str:
    with pytest.raises(BundleError) as refusal:
        bundle(entry)
    sentence = str(refusal.value)
    assert "\n" not in sentence
    return sentence


def test_each_module_comes_before_those_that_use_it(tmp_path: Path) -> None:
    """The order is that of the imports, depth first, and a module that several import comes once."""
    entry = _files(
        tmp_path,
        main='import { b } from "./b.js";\nimport { c, other } from "./c.js";\n\nexport default start;\nconst start = b + c + other;\n',
        b='import { d } from "./d.js";\n\nexport const b = d + 1;\n',
        c='import {\n  d,\n} from "./d.js";\n\nexport const c = d + 2;\nexport function other() {}\n',
        d="/**\n * @type {number}\n */\nexport const d = 40; // kept\n",
    )
    assert bundle(entry) == (
        "const d = 40; // kept\n\nconst b = d + 1;\n\nconst c = d + 2;\nfunction other() {}\n\n"
        "const start = b + c + other;\nexport default start;\n"
    )


def test_the_joined_text_runs_as_the_modules_do(tmp_path: Path) -> None:
    """Classes, functions and constants work together as before."""
    entry = _files(
        tmp_path,
        main='import { Box } from "./box.js";\n\nconsole.log(new Box(2).twice());\n',
        box='import { two } from "./two.js";\n\nexport class Box {\n  constructor(n) {\n    this.n = n;\n  }\n  twice() {\n    return two * this.n;\n  }\n}\n',
        two="export const two = 2;\n",
    )
    joined = tmp_path / "joined.mjs"
    joined.write_text(bundle(entry), encoding="utf-8")
    said = subprocess.run([NODE, joined], capture_output=True, text=True, check=True)
    assert said.stdout == "4\n"


def test_a_cycle_is_refused(tmp_path: Path) -> None:
    """Modules that need each other have no order; the sentence shows the circle."""
    entry = _files(
        tmp_path,
        main='import { a } from "./a.js";\nconst x = a;\n',
        a='import { b } from "./b.js";\nexport const a = b;\n',
        b='import { a } from "./a.js";\nexport const b = 1;\n',
    )
    assert _refused(entry) == "The imports go round in a circle: a.js -> b.js -> a.js."


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """The sentence names the file, and who imports it."""
    entry = _files(tmp_path, main='import { a } from "./nowhere.js";\n')
    assert _refused(entry) == "The file nowhere.js, which main.js imports, does not exist."
    assert _refused(tmp_path / "gone.js") == "The file gone.js does not exist."


def test_a_name_that_is_not_exported_is_refused(tmp_path: Path) -> None:
    """Whether the module has no such name, or keeps it to itself."""
    for text in ("export const b = 1;\n", "export const b = 1;\nconst a = 2;\n"):
        entry = _files(tmp_path, main='import { a, b } from "./b.js";\n', b=text)
        assert _refused(entry) == "main.js imports a from b.js, which does not export it."


@pytest.mark.parametrize("definition", ["const size = 2;", "function size() {}", "class size {}", "let size = 2;"])
def test_two_files_that_define_one_name_are_refused(tmp_path: Path, definition: str) -> None:
    """They would be one name in the joined text, also where neither exports it."""
    entry = _files(
        tmp_path,
        main=f'import {{ a }} from "./a.js";\n{definition}\n',
        a="const size = 1;\nexport const a = size;\n",
    )
    assert _refused(entry) == "main.js and a.js both define size: rename one of them."


@pytest.mark.parametrize(
    "line",
    [
        'import * as all from "./a.js";',
        'import "./a.js";',
        'import whole from "./a.js";',
        'export { a } from "./a.js";',
        "export default function () {}",
        'const later = import("./a.js");',
        "const { one } = globalThis;",
    ],
)
def test_a_line_that_cannot_be_joined_is_refused(tmp_path: Path, line: str) -> None:
    """Forms of import, export and definition that the joined text could not keep are named, not dropped."""
    entry = _files(tmp_path, main=f"{line}\n", a="export const a = 1;\n")
    assert _refused(entry).startswith("main.js has a line that cannot be joined: ")


def test_what_cannot_be_renamed_or_found_in_the_project_is_refused(tmp_path: Path) -> None:
    """A renamed import, a package, and an import of an entry file each get a sentence of their own."""
    for line, says in (
        ('import { a as b } from "./a.js";', "main.js imports 'a as b': a joined name cannot be changed."),
        ('import { a } from "react";', "main.js imports from 'react': only files of the project can be joined."),
        ('import { a } from "./a.js";', "main.js imports a.js, whose default export only an entry file can have."),
    ):
        entry = _files(tmp_path, main=f"{line}\n", a="export const a = 1;\nexport default a;\n")
        assert _refused(entry) == says


def test_the_projects_own_scripts_are_whole_modules() -> None:
    """Both components export how they are mounted; the page of its own exports nothing; each parses as a module, and the race has no
    part of the stage in it."""
    joined = {"player": scripts.script(), "alone": scripts.alone_script(), "race": scripts.race_script()}
    for name, text in joined.items():
        assert text.endswith("\nexport default mount;\n") is (name != "alone")
        assert text.count("\nexport ") == (name != "alone")
        assert "\nimport " not in text
        subprocess.run([NODE, "--input-type=module", "--check"], input=text, text=True, check=True)
    assert "class Stage" in joined["player"]
    assert "class Stage" not in joined["race"]
    assert "class Raceway" in joined["race"]


def test_lessons_and_player_fit_into_one_script(tmp_path: Path) -> None:
    """No file of the explorables defines a name that the player has: a lesson's page can carry both."""
    app = scripts.PLAYER.parent
    entry = tmp_path / "both.js"
    entry.write_text(
        f'import {{ EXPLORABLES }} from "{os.path.relpath(app / "lessons" / "explorables.js", tmp_path)}";\n'
        f'import {{ mount }} from "{os.path.relpath(app / "player" / "mount.js", tmp_path)}";\n\n'
        "console.log(Object.keys(EXPLORABLES).join(), typeof mount);\n",
        encoding="utf-8",
    )
    joined = tmp_path / "joined.mjs"
    joined.write_text(bundle(entry), encoding="utf-8")
    said = subprocess.run([NODE, joined], capture_output=True, text=True, check=True)
    assert said.stdout == "rule,pays,audit function\n"
