"""How the modules import each other, counted with lazy imports and those for types only."""

from graphlib import TopologicalSorter

import grimp


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Whoever reads a module can read what it needs first."""
    graph = grimp.build_graph("specviz", "app", exclude_type_checking_imports=False, cache_dir=None)
    assert len(graph.modules) > 300
    tuple(
        TopologicalSorter({one: graph.find_modules_directly_imported_by(one) for one in graph.modules}).static_order()
    )
