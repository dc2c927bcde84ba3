"""The formats of trained heads of other projects: tells from a `config.json` the kind of its head. Standard library only.

| format | what its config has | read from |
|---|---|---|
| EAGLE-3, SpecForge, EAGLE-3.1, DeepSpec | an architecture with "Eagle3", or `draft_vocab_size` | SafeAILab/EAGLE `cnets.py`, sgl-project/SpecForge `llama3_eagle.py`, deepseek-ai/DeepSpec `eagle3` |
| speculators | `speculators_model_type` | vllm-project/speculators `models/`, vllm-project/vllm `configs/speculators/algos.py` |
| DFlash | `dflash_config`, or an architecture with "DFlash" | z-lab/dflash `model.py` |
| DSpark | an architecture with "DSpark" | deepseek-ai/DeepSpec `dspark/qwen3/modeling.py` |
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from specviz.errors import PairError
from specviz.folders import read_object

CONFIG = "config.json"
# The readable values of `speculators_model_type`. Their heads are of the kind of the same name.
SPECULATORS = ("eagle3", "dflash", "dspark")
# Parts of the names of architectures that are not readable, although another part of the name is one that is.
_UNREADABLE = ("DFlash2", "Domino", "Peagle", "PEagle", "JetFlash", "DSparkV4", "DeepseekV4")


def kind_in(folder: Path) -> str:
    """The kind of the published head in a folder; "" where it has none. Raises PairError if it is of a format that is
    not read."""
    return kind_of(read_object(folder / CONFIG), str(folder))


def kind_of(config: Mapping[str, Any], name: str) -> str:
    """The kind of head that a config describes; "" for none, as in that of a model. Raises PairError if it is a head of
    a format that is not read.

    Args:
        name: of the head, for the error's message.
    """
    speculator = config.get("speculators_model_type")
    if speculator is not None:
        if speculator not in SPECULATORS:
            raise refusal(
                name,
                f"its {CONFIG} has speculators_model_type {str(speculator)[:40]!r}, and read are {', '.join(SPECULATORS)}",
            )
        return str(speculator)
    architectures = config.get("architectures")
    names = " ".join(map(str, architectures)) if isinstance(architectures, list) else ""
    if unreadable := next((part for part in _UNREADABLE if part in names), ""):
        raise refusal(name, f"its {CONFIG} has the architecture {names[:60]!r}, and {unreadable} is not read")
    if "medusa_num_heads" in config:
        raise refusal(name, "of the formats of Medusa heads only that of this project is read")
    if "DSpark" in names:
        return "dspark"
    if "DFlash" in names or "dflash_config" in config:
        return "dflash"
    if "Eagle3" in names or "draft_vocab_size" in config:
        return "eagle3"
    if "bias" in config:
        raise refusal(name, "it is an EAGLE-1 or EAGLE-2 head, and of the EAGLE heads only EAGLE-3 is read")
    return ""


def refusal(name: str, reason: str) -> PairError:
    """The error of a head that cannot be used, for a reason in half a sentence."""
    return PairError(f"The published head {name} cannot be used ({reason}): choose another head or another drafter.")
