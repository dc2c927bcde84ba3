"""Of Streamlit the page uses what its documentation shows, so that the next version is no surprise."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHOWN = {
    "streamlit.components.v2.types": {"ComponentRenderer"},
    "streamlit.delta_generator": {"DeltaGenerator"},
    "streamlit.navigation.page": {"StreamlitPage"},
    "streamlit.proto.BackMsg_pb2": {"BackMsg"},
    "streamlit.runtime.scriptrunner": {"get_script_run_ctx"},
    "streamlit.runtime.uploaded_file_manager": {"UploadedFile"},
    "streamlit.web.cli": {"main"},
}
"""Beside `import streamlit as st`: types of what its functions give, what the guide on threads shows, the command `streamlit`, and the message by which
a page speaks with its server: a test with a browser (`server/test_presses.py`) fails where another version has another one."""


def _imported(file: Path) -> Iterator[tuple[str, str]]:
    """What a module imports of Streamlit: module and name."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((each.name, each.asname or "") for each in node.names if each.name.split(".")[0] == "streamlit")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "streamlit":
            yield from ((node.module or "", each.name) for each in node.names)


def _private(file: Path) -> Iterator[str]:
    """The attributes of `st` with a leading underscore that a module reads."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.Attribute)
            and node.attr.startswith("_")
            and node.attr[1] != "_"
            and ast.unparse(node).split(".")[0] == "st"
        ):
            yield ast.unparse(node)


def test_the_page_uses_what_the_documentation_shows() -> None:
    """Every import of Streamlit is `import streamlit as st` or a documented name."""
    for file in sorted((ROOT / "app").rglob("*.py")):
        where = file.relative_to(ROOT).as_posix()
        for module, name in _imported(file):
            assert not name.startswith("_"), f"{where} imports {module}.{name}"
            assert (module, name) == ("streamlit", "st") or name in SHOWN.get(module, ()), (
                f"{where} imports {module}.{name}"
            )
        assert not [*_private(file)], where


def test_state_and_address_have_one_module_each() -> None:
    """Only `page_state.py` speaks with `st.session_state`, and only `address.py` with `st.query_params`."""
    for name, owner in (("session_state", "page_state.py"), ("query_params", "address.py")):
        use = re.compile(rf"\bst\.{name}\b")
        users = [file.name for file in (ROOT / "app").rglob("*.py") if use.search(file.read_text(encoding="utf-8"))]
        assert users == [owner]
