"""The document of the audit shows what happens."""

import re
from pathlib import Path
from typing import Any

import pytest

from specviz.audit.records import AuditVerdict
from tests.helpers.tiny_models import tiny

pytestmark = pytest.mark.slow

DOCUMENT = Path(__file__).parents[2] / "docs" / "audit.md"


def test_the_document_audits_transformers_and_catches_the_broken_copy(capsys: pytest.CaptureFixture[str]) -> None:
    """Its Python, with a tiny pair in place of the one that it loads: the honest decoder passes, and the broken copy is caught."""
    loading, *blocks = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert "load_pair" in loading
    names: dict[str, Any] = {
        "target": tiny("LlamaForCausalLM", 1, vocabulary=16),
        "draft": tiny("LlamaForCausalLM", 2, vocabulary=16),
        "prompts": [[1, 2, 3]],
    }
    for block in blocks:
        exec(block, names)  # noqa: S102  # the document's own code
    assert names["honest"].clean
    assert [one.verdict for one in names["broken"].findings][-1] is AuditVerdict.CAUGHT
    assert "distribution: caught. " in capsys.readouterr().out
