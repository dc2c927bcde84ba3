"""Claims about `import specviz`: what it exports, and what it does not import."""

import subprocess
import sys

import pytest

import specviz

NAMES = [
    "CertainDraws",
    "Decoding",
    "Drafter",
    "Race",
    "Recorder",
    "Round",
    "Run",
    "SeededDraws",
    "Settings",
    "SpecvizError",
    "Trace",
    "check_drafter",
    "load_pair",
    "race",
    "show",
    "speculate",
    "summarise",
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
