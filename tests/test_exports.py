"""Claims about `import specviz`, what it exports and does not import; how the modules import each other, counted with lazy imports and those for types
only; and what they call their classes."""

import ast
import subprocess
import sys
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

import specviz

ROOT = Path(__file__).parents[1]
NAMES = [
    *(
        "CertainDraws",
        "Decoding",
        "Drafter",
        "Prepared",
        "Race",
        "Recorder",
        "Round",
        "Run",
        "SeededDraws",
        "Settings",
        "SpecvizError",
    ),
    *("Trace", "check_drafter", "load_pair", "prepare", "race", "show", "speculate", "summarise"),
]


def test_exported_names_are_the_intended_ones() -> None:
    """The package exports exactly these names, and each exists; any other raises with its name."""
    assert sorted(specviz.__all__) == NAMES
    assert dir(specviz) == sorted([*NAMES, "__version__"])
    with pytest.raises(AttributeError, match="nonsense"):
        specviz.nonsense  # noqa: B018  # asking for it is the test


def test_exported_names_are_the_things_themselves() -> None:
    """However often it is read, a name is the class or function, never the module of the same name."""
    for name in (*NAMES, *NAMES):
        assert getattr(specviz, name).__name__ == name
        assert callable(getattr(specviz, name))


def test_the_light_parts_stay_light() -> None:
    """Neither the package nor its records need torch or transformers to be imported."""
    parts = (
        "specviz, specviz.trace.records, specviz.trace.files, specviz.trace.metrics, specviz.settings, specviz.errors"
    )
    script = f"import sys, {parts}; print([m for m in ('torch', 'transformers', 'streamlit') if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Whoever reads a module can read what it needs first."""
    graph = grimp.build_graph("specviz", "app", exclude_type_checking_imports=False, cache_dir=None)
    assert len(graph.modules) > 300
    tuple(
        TopologicalSorter({one: graph.find_modules_directly_imported_by(one) for one in graph.modules}).static_order()
    )


@pytest.mark.slow
def test_no_two_classes_have_one_name() -> None:
    """Whoever reads of a class knows which one is meant."""
    homes: dict[str, list[Path]] = defaultdict(list)
    for file in (file for room in ("specviz", "app", "tools") for file in (ROOT / room).rglob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(file.relative_to(ROOT))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}
    assert len(homes) > 300
