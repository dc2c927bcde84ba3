"""How the modules import each other, counted with lazy imports and those for types only; and what they call their classes."""

import ast
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Whoever reads a module can read what it needs first."""
    graph = grimp.build_graph("specviz", "app", exclude_type_checking_imports=False, cache_dir=None)
    assert len(graph.modules) > 300
    tuple(
        TopologicalSorter({one: graph.find_modules_directly_imported_by(one) for one in graph.modules}).static_order()
    )


def test_no_two_classes_have_one_name() -> None:
    """Whoever reads of a class knows which one is meant."""
    homes: dict[str, list[Path]] = defaultdict(list)
    for file in (file for room in ("specviz", "app", "tools") for file in (ROOT / room).rglob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(file.relative_to(ROOT))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}
    assert len(homes) > 400
