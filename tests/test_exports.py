"""Claims about `import specviz`: its names and imports; about the imports between modules, lazy ones and those for types included; about class names."""

from graphlib import TopologicalSorter

import grimp
import pytest

import specviz

NAMES = [
    *("CertainDraws", "Decoding", "Drafter", "Prepared", "Race", "Recorder", "Round", "Run", "SeededDraws", "Settings"),
    *("SpecvizError", "Trace", "check_drafter", "load_pair", "prepare", "race", "show", "speculate", "summarise"),
]


def test_exported_names_are_the_intended_ones() -> None:
    """The package exports exactly these names; any other raises with its name. However often it is read, a name is the class or function, never the module
    of the same name."""
    assert sorted(specviz.__all__) == NAMES
    assert dir(specviz) == sorted([*NAMES, "__version__"])
    for name in (*NAMES, *NAMES):
        assert getattr(specviz, name).__name__ == name
        assert callable(getattr(specviz, name))
    with pytest.raises(AttributeError, match="nonsense"):
        specviz.nonsense  # noqa: B018  # asking for it is the test


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Whoever reads a module can read what it needs first."""
    graph = grimp.build_graph("specviz", "app", exclude_type_checking_imports=False, cache_dir=None)
    assert len(graph.modules) > 200
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    tuple(TopologicalSorter(imports).static_order())
